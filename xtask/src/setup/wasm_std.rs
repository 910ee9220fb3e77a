//! The standard library for WASM: from what is installed, else from rustup, else from the distribution.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Found, Tool, distro, install_folder};
use crate::failure::{Failure, Result};
use crate::project::{Project, Version};
use crate::run;

/// The target of the client.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// How long rustup may take. It can hang for minutes where its server is out of reach.
const RUSTUP_LIMIT: Duration = Duration::from_secs(60);

/// The standard library for WASM, with the compiler that it belongs to.
pub struct WasmStd<'a> {
    project: &'a Project,
    oldest: Version,
    /// Whether to go to the distribution at once.
    distro_only: bool,
}

impl<'a> WasmStd<'a> {
    /// The library for this project, in the way that `TANDEM_WASM_STD` asks for.
    ///
    /// # Errors
    ///
    /// When the variable has a value of no meaning.
    pub fn new(project: &'a Project) -> Result<Self> {
        let distro_only = match env::var("TANDEM_WASM_STD").unwrap_or_default().as_str() {
            "" => false,
            "distro" => true,
            other => {
                let remedy = "leave it out, or set it to `distro`";
                return Err(Failure::new(
                    "TANDEM_WASM_STD",
                    format!("`{other}` has no meaning"),
                    remedy,
                ));
            }
        };
        Ok(Self {
            project,
            oldest: project.rust_version()?,
            distro_only,
        })
    }

    fn folder(&self) -> PathBuf {
        self.project.tools.join("rust-wasm")
    }

    /// The distribution's toolchain in the tools folder, if it is complete and not too old.
    fn find_distro(&self) -> Option<Found> {
        let bin = self.folder().join("bin");
        let rustc = bin.join("rustc");
        let version = run::output(run::command(&rustc).arg("--version"))?;
        let fit = Version::first_in(&version) >= Some(self.oldest) && has_std(&rustc);
        fit.then(|| Found {
            place: format!("{}, {}", short(&version), bin.display()),
            folder: Some(bin),
        })
    }
}

impl Tool for WasmStd<'_> {
    fn name(&self) -> String {
        "WASM standard library".to_owned()
    }

    fn usual_time(&self) -> &'static str {
        if self.distro_only {
            "2 to 3 min from the distribution's compiler and sources"
        } else {
            "10 s by rustup"
        }
    }

    fn find(&self) -> Option<Found> {
        if !self.distro_only {
            let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
            if has_std(Path::new(&rustc)) {
                let version =
                    run::output(run::command(&rustc).arg("--version")).unwrap_or_default();
                return Some(Found {
                    folder: None,
                    place: short(&version),
                });
            }
        }
        self.find_distro()
    }

    fn install(&self) -> Result<()> {
        let by_rustup = if self.distro_only {
            None
        } else {
            let mut rustup = run::command("rustup");
            rustup
                .args(["target", "add", TARGET])
                .current_dir(&self.project.root);
            match run::bounded(
                "rustup target add",
                &mut rustup,
                &self.project.log("rustup"),
                RUSTUP_LIMIT,
            ) {
                Ok(()) => return Ok(()),
                Err(failure) => {
                    println!(
                        "{}: no success ({failure}); building it from the distribution's compiler and sources, usually 2 to 3 min",
                        self.name()
                    );
                    Some(failure)
                }
            }
        };
        let log = self.project.log("wasm-std");
        let installed = install_folder(&self.folder(), |new| {
            distro::install(new, self.oldest, &log)
        });
        installed.map_err(|failure| {
            let failure = failure.within(&self.name());
            match by_rustup {
                Some(_) => failure.remedy(format!("`rustup target add {TARGET}` did not work either; try it again with a better connection")),
                None => failure,
            }
        })
    }
}

/// Whether a compiler has the standard library for WASM, with the test harness that `cargo test` needs.
fn has_std(rustc: &Path) -> bool {
    let folder =
        run::output(run::command(rustc).args(["--print", "target-libdir", "--target", TARGET]));
    let names: Vec<String> = folder
        .and_then(|folder| fs::read_dir(folder).ok())
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let has = |library: &str| {
        names
            .iter()
            .any(|name| name.starts_with(library) && name.ends_with(".rlib"))
    };
    has("libstd-") && has("libcore-") && has("libtest-")
}

/// `rustc 1.96.0` out of the longer text that the compiler says.
fn short(version: &str) -> String {
    version
        .split_whitespace()
        .take(2)
        .collect::<Vec<_>>()
        .join(" ")
}
