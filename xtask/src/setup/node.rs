//! Node.js, which must be there, and what npm installs.

use std::fs;
use std::path::PathBuf;

use super::{Found, Tool, install_folder};
use crate::failure::{Failure, Result};
use crate::project::{Project, Version};
use crate::run;

/// The oldest Node.js that is still supported by the browser's test runner and its tools.
const NODE: Version = Version(20, 0);

/// The Binaryen whose wasm-opt is installed where there is none, and the oldest that knows all that rustc emits.
const BINARYEN: &str = "132.0.0";
const OLDEST_WASM_OPT: u32 = 120;

/// Looks for Node.js and npm.
///
/// # Errors
///
/// When one is missing or too old: they are not installed from here.
pub fn node() -> Result<()> {
    let remedy = format!("install Node.js {} or newer, with npm", NODE.0);
    let Some(version) = run::output(run::command("node").arg("--version")) else {
        return Err(Failure::new(
            "Node.js",
            "`node --version` does not run",
            remedy,
        ));
    };
    if Version::first_in(&version) < Some(NODE) {
        return Err(Failure::new(
            "Node.js",
            format!("{version} is too old"),
            remedy,
        ));
    }
    if run::output(run::command("npm").arg("--version")).is_none() {
        return Err(Failure::new("npm", "`npm --version` does not run", remedy));
    }
    println!("Node.js {}: found", version.trim_start_matches('v'));
    Ok(())
}

/// Installs the packages of the browser's tests, unless those of the lock file are there.
///
/// # Errors
///
/// When npm fails.
pub fn npm_ci(project: &Project) -> Result<()> {
    let e2e = project.e2e();
    let modified = |name: &str| {
        fs::metadata(e2e.join(name))
            .and_then(|data| data.modified())
            .ok()
    };
    // npm writes this file last.
    let installed = modified("node_modules/.package-lock.json");
    if installed.is_some() && installed >= modified("package-lock.json") {
        println!("packages of the browser's tests: found");
        return Ok(());
    }
    println!("packages of the browser's tests: installing, usually 5 s");
    let mut npm = run::command("npm");
    npm.args(["ci", "--no-audit", "--no-fund"])
        .current_dir(&e2e)
        .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    run::logged("npm ci in e2e", &mut npm, &project.log("npm-ci"))
}

/// The optimiser of WASM, from its npm package.
pub struct WasmOpt<'a> {
    project: &'a Project,
}

impl<'a> WasmOpt<'a> {
    /// The optimiser for this project.
    pub fn new(project: &'a Project) -> Self {
        Self { project }
    }

    fn folder(&self) -> PathBuf {
        self.project.tools.join(format!("binaryen-{BINARYEN}"))
    }
}

impl Tool for WasmOpt<'_> {
    fn name(&self) -> String {
        format!(
            "wasm-opt {}",
            BINARYEN.split('.').next().unwrap_or(BINARYEN)
        )
    }

    fn usual_time(&self) -> &'static str {
        "5 s"
    }

    fn find(&self) -> Option<Found> {
        let folder = self.folder().join("node_modules").join(".bin");
        if run::output(run::command(folder.join("wasm-opt")).arg("--version")).is_some() {
            return Some(Found::in_folder(folder));
        }
        let version = run::output(run::command("wasm-opt").arg("--version"))?;
        let number: u32 = version.split_whitespace().nth(2)?.parse().ok()?;
        (number >= OLDEST_WASM_OPT).then(Found::on_path)
    }

    fn install(&self) -> Result<()> {
        install_folder(&self.folder(), |new| {
            let mut npm = run::command("npm");
            npm.args(["install", "--no-audit", "--no-fund", "--prefix"])
                .arg(new)
                .arg(format!("binaryen@{BINARYEN}"));
            npm.current_dir(new);
            run::logged(&self.name(), &mut npm, &self.project.log("wasm-opt"))
        })
    }
}
