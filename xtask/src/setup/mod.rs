//! Finding the tools that the builds and tests need, and installing those that are missing.
//!
//! Nothing is installed outside the tools folder, with one exception that only the tests need: the
//! browser, see [`browser()`]. A tool counts as found when it runs and says a version that fits, so
//! that a broken or half installed one is put right by the next call.

mod browser;
mod cargo_tools;
mod distro;
mod node;
mod wasm_std;

use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use crate::failure::{Failure, Result};
use crate::project::Project;
use crate::run;

pub use browser::browser;
pub use node::{node, npm_ci};

/// A tool that can be found or installed.
trait Tool: Sync {
    /// Name and version.
    fn name(&self) -> String;
    /// How long its installation usually takes on two cores.
    fn usual_time(&self) -> &'static str;
    /// The tool, if it is there and fit for use.
    fn find(&self) -> Option<Found>;
    /// Installs the tool, so that [`Tool::find`] finds it from then on.
    fn install(&self) -> Result<()>;
}

/// A tool that is there.
struct Found {
    /// The folder that goes onto the PATH, if the tool is not there already.
    folder: Option<PathBuf>,
    /// Where it is, for the reader.
    place: String,
}

impl Found {
    /// A tool in the tools folder.
    fn in_folder(folder: PathBuf) -> Self {
        Self {
            place: folder.display().to_string(),
            folder: Some(folder),
        }
    }

    /// A tool that this machine had.
    fn on_path() -> Self {
        Self {
            place: "on the PATH".to_owned(),
            folder: None,
        }
    }
}

/// Everything that the build of the client needs.
pub struct Tools {
    /// What goes in front of the PATH.
    folders: Vec<PathBuf>,
    /// The folder of the distribution's toolchain, if that one builds the client.
    toolchain: Option<PathBuf>,
    /// Where that toolchain builds: beside, not inside the folder of the native builds, since two
    /// compilers in one folder would throw away each other's work.
    target: PathBuf,
    root: PathBuf,
}

impl Tools {
    /// A command in the environment of the client's build.
    pub fn command(&self, program: &str) -> Command {
        let old = env::var_os("PATH").unwrap_or_default();
        let folders = self.folders.iter().cloned().chain(env::split_paths(&old));
        let path = env::join_paths(folders).unwrap_or(old);
        // Looked up here, because a changed PATH does not count in the look-up of the command itself everywhere.
        let found = self
            .folders
            .iter()
            .map(|folder| folder.join(program))
            .find(|file| file.is_file());
        let mut command = run::command(found.unwrap_or_else(|| program.into()));
        command
            .current_dir(&self.root)
            .env("PATH", path)
            .env("CARGO_TARGET_DIR", &self.target);
        if let Some(toolchain) = &self.toolchain {
            // `cargo xtask` itself runs under the other toolchain, which says so in these.
            command
                .env("CARGO", toolchain.join("cargo"))
                .env_remove("RUSTUP_TOOLCHAIN")
                .env_remove("RUSTC")
                .env_remove("RUSTDOC");
        }
        if let Some(flag) = Self::path_flag() {
            command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flag);
        }
        command
    }

    /// A flag that keeps the home folder of whoever builds out of the page: it is of no use to readers,
    /// and costs bytes in every message of a panic.
    fn path_flag() -> Option<OsString> {
        let home = || Some(env::home_dir()?.join(".cargo"));
        let cargo_home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(home)?;
        let mut flag = OsString::from("--remap-path-prefix=");
        flag.push(cargo_home.join("registry").join("src"));
        flag.push("=crates");
        // Cargo splits this variable at blanks.
        (!flag.to_string_lossy().contains(char::is_whitespace)).then_some(flag)
    }
}

/// `cargo xtask setup`.
///
/// # Errors
///
/// When a tool can neither be found nor installed.
pub fn setup(project: &Project, without_browser: bool) -> Result<()> {
    client_tools(project)?;
    if !without_browser {
        npm_ci(project)?;
        browser(project)?;
    }
    println!(
        "Everything is there: `cargo xtask serve` starts Tandem, `cargo xtask test` tests it."
    );
    Ok(())
}

/// Finds or installs what the client's build needs.
///
/// # Errors
///
/// When a tool can neither be found nor installed.
pub fn client_tools(project: &Project) -> Result<Tools> {
    node()?;
    let wasm_std = wasm_std::WasmStd::new(project)?;
    let wasm_opt = node::WasmOpt::new(project);
    let trunk = cargo_tools::CargoTool::trunk(project);
    let bindgen = cargo_tools::CargoTool::wasm_bindgen(project)?;

    // Two lanes, since the end of each of these builds has work for one core only.
    let lanes: [&[&dyn Tool]; 2] = [&[&wasm_opt, &wasm_std], &[&trunk, &bindgen]];
    let failed = AtomicBool::new(false);
    let lane = |tools: &[&dyn Tool]| -> Result<Vec<Found>> {
        let mut found = Vec::new();
        for tool in tools {
            if failed.load(Ordering::Relaxed) {
                break;
            }
            found.push(ensure(*tool).inspect_err(|_| failed.store(true, Ordering::Relaxed))?);
        }
        Ok(found)
    };
    let missing = lanes
        .iter()
        .flat_map(|tools| tools.iter())
        .any(|tool| tool.find().is_none());
    let lock = if missing { Some(lock(project)?) } else { None };
    let results = thread::scope(|scope| {
        let lanes = lanes.map(|tools| scope.spawn(move || lane(tools)));
        lanes.map(|lane| {
            lane.join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    });
    drop(lock);
    let mut folders = Vec::new();
    for found in results {
        folders.extend(found?.into_iter().filter_map(|found| found.folder));
    }
    let toolchain = wasm_std.find().and_then(|found| found.folder);
    let target = project.target.join("wasm");
    Ok(Tools {
        folders,
        toolchain,
        target,
        root: project.root.clone(),
    })
}

/// Finds a tool or installs it, with a line for the reader before and after.
fn ensure(tool: &dyn Tool) -> Result<Found> {
    let name = tool.name();
    if let Some(found) = tool.find() {
        println!("{name}: found ({})", found.place);
        return Ok(found);
    }
    println!("{name}: installing, usually {}", tool.usual_time());
    let start = Instant::now();
    tool.install()?;
    let found = tool.find().ok_or_else(|| {
        Failure::new(
            &name,
            "it was installed but does not run",
            "remove the tools folder and try again",
        )
    })?;
    println!(
        "{name}: installed in {} ({})",
        run::time(start.elapsed()),
        found.place
    );
    Ok(found)
}

/// Waits until no other process installs tools. Dropping the file lets the next one in.
fn lock(project: &Project) -> Result<File> {
    let path = project.tools.join("lock");
    let open = || {
        fs::create_dir_all(&project.tools)?;
        File::options()
            .create(true)
            .write(true)
            .truncate(false)
            .open(&path)
    };
    let place = || path.display().to_string();
    let file = open().map_err(|error| {
        Failure::io(place(), &error).remedy("TANDEM_TOOLS can name another folder for tools")
    })?;
    if file.try_lock().is_err() {
        println!(
            "Another process installs tools into {}; waiting for it",
            project.tools.display()
        );
        file.lock().map_err(|error| Failure::io(place(), &error))?;
    }
    // What an interrupted installation left behind is not needed by anyone now.
    for entry in fs::read_dir(&project.tools).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(".new-") {
            fs::remove_dir_all(entry.path()).ok();
        }
    }
    Ok(file)
}

/// Fills a new folder by `fill` and only then gives it its name, so that an interrupted installation
/// leaves nothing that could be taken for a tool.
fn install_folder(folder: &Path, fill: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let new = folder.with_file_name(format!(".new-{name}-{}", process::id()));
    let place = |error: &std::io::Error| Failure::io(new.display().to_string(), error);
    fs::create_dir_all(&new).map_err(|error| place(&error))?;
    fill(&new).inspect_err(|_| {
        fs::remove_dir_all(&new).ok();
    })?;
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| place(&error))?;
    }
    fs::rename(&new, folder).map_err(|error| place(&error))
}
