//! Where things are, and what the workspace's own files say.

use std::env;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Failure, Result};
use crate::run;

/// The places of this workspace.
pub struct Project {
    /// The folder of the workspace's Cargo.toml.
    pub root: PathBuf,
    /// Where Cargo builds.
    pub target: PathBuf,
    /// Where tools go that this machine lacks.
    pub tools: PathBuf,
}

impl Project {
    /// The project that this program was built from.
    ///
    /// # Errors
    ///
    /// When the folder is gone, which happens to a binary that is kept longer than its sources.
    pub fn find() -> Result<Self> {
        let manifest = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = manifest.parent().map(Path::to_path_buf).unwrap_or_default();
        if !root.join("Cargo.lock").is_file() {
            return Err(Failure::new(
                "the workspace",
                format!("{} has no Cargo.lock", root.display()),
                "call this as `cargo xtask` from inside the project",
            ));
        }
        let inside = |variable: &str, default: PathBuf| match env::var_os(variable) {
            Some(value) if !value.is_empty() => root.join(value),
            _ => default,
        };
        let target = inside("CARGO_TARGET_DIR", root.join("target"));
        // The tools stay beside the sources even where builds go elsewhere: one rule, whatever the environment.
        let tools = inside("TANDEM_TOOLS", root.join("target").join("tools"));
        Ok(Self {
            root,
            target,
            tools,
        })
    }

    /// The file that takes the whole output of one step.
    pub fn log(&self, step: &str) -> PathBuf {
        self.tools.join("logs").join(format!("{step}.log"))
    }

    /// Cargo with the toolchain that builds everything but the client.
    pub fn cargo(&self) -> Command {
        let mut cargo = run::command(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", &self.target);
        cargo
    }

    /// The relay with the client inside, once built.
    pub fn relay(&self) -> PathBuf {
        self.target.join("release").join("tandem-relay")
    }

    /// The folder of the browser's tests.
    pub fn e2e(&self) -> PathBuf {
        self.root.join("e2e")
    }

    /// The version of a package in Cargo.lock.
    ///
    /// # Errors
    ///
    /// When it is not there.
    pub fn locked_version(&self, package: &str) -> Result<String> {
        let lock = self.read("Cargo.lock")?;
        version_in_lock(&lock, package).ok_or_else(|| {
            Failure::new(
                format!("the version of {package}"),
                "Cargo.lock does not name it",
                "run `cargo metadata > /dev/null`, which completes Cargo.lock",
            )
        })
    }

    /// The oldest Rust that builds this workspace, from its Cargo.toml.
    ///
    /// # Errors
    ///
    /// When Cargo.toml does not say.
    pub fn rust_version(&self) -> Result<Version> {
        let manifest = self.read("Cargo.toml")?;
        manifest
            .lines()
            .filter_map(|line| line.split_once('='))
            .find(|(key, _)| key.trim() == "rust-version")
            .and_then(|(_, value)| Version::first_in(value))
            .ok_or_else(|| Failure::new("the Rust version", "Cargo.toml names no rust-version", ""))
    }

    fn read(&self, name: &str) -> Result<String> {
        let path = self.root.join(name);
        fs::read_to_string(&path).map_err(|error| Failure::io(path.display().to_string(), &error))
    }
}

/// Major and minor number of a version; nothing here depends on the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(pub u32, pub u32);

impl Version {
    /// The first version number in a text such as `rustc 1.96.0 (…)` or `1:22.1.8-1`.
    pub fn first_in(text: &str) -> Option<Self> {
        text.split(|c: char| !c.is_ascii_digit() && c != '.')
            .find_map(|word| {
                let mut numbers = word.split('.').map(str::parse);
                match (numbers.next(), numbers.next()) {
                    (Some(Ok(major)), Some(Ok(minor))) => Some(Self(major, minor)),
                    _ => None,
                }
            })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

fn version_in_lock(lock: &str, package: &str) -> Option<String> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    lines.next()?;
    Some(
        lines
            .next()?
            .strip_prefix("version = \"")?
            .strip_suffix('"')?
            .to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_tools_print() {
        assert_eq!(
            Version::first_in("rustc 1.96.0 (ac68faa20 2026-05-25)"),
            Some(Version(1, 96))
        );
        assert_eq!(
            Version::first_in("1:22.1.8-1~deb12u1"),
            Some(Version(22, 1))
        );
        assert_eq!(Version::first_in(" \"1.95\""), Some(Version(1, 95)));
        assert_eq!(Version::first_in("v20.20.2"), Some(Version(20, 20)));
        assert_eq!(Version::first_in("no number at all"), None);
        assert!(Version(1, 100) > Version(1, 95));
    }

    #[test]
    fn the_lock_file_is_read_by_exact_name() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"0.1.0\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\ndependencies = [\n \"wasm-bindgen-macro\",\n]\n";
        assert_eq!(
            version_in_lock(lock, "wasm-bindgen").as_deref(),
            Some("0.2.130")
        );
        assert_eq!(version_in_lock(lock, "leptos"), None);
    }
}
