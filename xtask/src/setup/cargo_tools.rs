//! Tools that Cargo builds from crates.io: Trunk and wasm-bindgen.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Found, Tool, install_folder};
use crate::failure::Result;
use crate::project::{Project, Version};
use crate::run;

/// The Trunk that is installed where there is none. Its next version needs a newer Rust than this workspace.
const TRUNK: &str = "0.21.14";

/// A tool that `cargo install` builds.
pub struct CargoTool<'a> {
    project: &'a Project,
    package: &'static str,
    program: &'static str,
    version: String,
    /// Whether a version that the machine has will do.
    fits: fn(wanted: &str, found: &str) -> bool,
    /// Whether to build with the dependencies that the tool's authors tested.
    locked: bool,
    /// The parts of it that are worth optimising. That time is spent once, but before the first page is seen.
    optimised: &'static [&'static str],
    usual_time: &'static str,
}

impl<'a> CargoTool<'a> {
    /// The builder of the page. It mostly waits for others.
    pub fn trunk(project: &'a Project) -> Self {
        let fits = |_: &str, found: &str| Version::first_in(found) >= Some(Version(0, 21));
        Self {
            project,
            package: "trunk",
            program: "trunk",
            version: TRUNK.to_owned(),
            fits,
            locked: true,
            optimised: &[],
            usual_time: "3 to 5 min",
        }
    }

    /// The maker of the glue between WASM and JavaScript. It refuses to work for another version of
    /// the library, so the lock file decides.
    pub fn wasm_bindgen(project: &'a Project) -> Result<Self> {
        let fits = |wanted: &str, found: &str| found.split_whitespace().nth(1) == Some(wanted);
        Ok(Self {
            project,
            package: "wasm-bindgen-cli",
            program: "wasm-bindgen",
            version: project.locked_version("wasm-bindgen")?,
            fits,
            locked: false,
            // These walk through megabytes at each build.
            optimised: &["walrus", "wasmparser"],
            usual_time: "2 to 3 min",
        })
    }

    fn folder(&self) -> PathBuf {
        self.project
            .tools
            .join(format!("{}-{}", self.program, self.version))
    }

    fn says_its_version(&self, program: &Path) -> bool {
        run::output(run::command(program).arg("--version"))
            .is_some_and(|found| (self.fits)(&self.version, &found))
    }
}

impl Tool for CargoTool<'_> {
    fn name(&self) -> String {
        format!("{} {}", self.program, self.version)
    }

    fn usual_time(&self) -> &'static str {
        self.usual_time
    }

    fn find(&self) -> Option<Found> {
        let folder = self.folder().join("bin");
        if self.says_its_version(&folder.join(self.program)) {
            return Some(Found::in_folder(folder));
        }
        self.says_its_version(Path::new(self.program))
            .then(Found::on_path)
    }

    fn install(&self) -> Result<()> {
        install_folder(&self.folder(), |new| {
            // Kept if interrupted, so that the next try goes on from there.
            let build = self.project.tools.join("build").join(self.program);
            let mut cargo = self.project.cargo();
            cargo
                .args([
                    "install",
                    "--debug",
                    "--no-default-features",
                    "--no-track",
                    "--root",
                ])
                .arg(new);
            cargo.arg("--target-dir").arg(&build);
            cargo.arg(format!("{}@{}", self.package, self.version));
            if self.locked {
                cargo.arg("--locked");
            }
            for package in self.optimised {
                let setting = format!("profile.dev.package.{package}.opt-level=1");
                cargo.args(["--config", &setting]);
            }
            // Whatever makes the compiler's work less: this takes half the time of a release build.
            for (setting, value) in [
                ("DEBUG", "0"),
                ("STRIP", "symbols"),
                ("OPT_LEVEL", "0"),
                ("DEBUG_ASSERTIONS", "false"),
                ("OVERFLOW_CHECKS", "false"),
                ("PANIC", "abort"),
                ("INCREMENTAL", "false"),
            ] {
                cargo.env(format!("CARGO_PROFILE_DEV_{setting}"), value);
            }
            run::logged(&self.name(), &mut cargo, &self.project.log(self.program))?;
            fs::remove_dir_all(&build).ok();
            Ok(())
        })
    }
}
