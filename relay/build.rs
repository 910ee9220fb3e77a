//! Puts the built client and the commit into the relay's binary.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let workspace = manifest.parent().unwrap_or(&manifest);
    embed(&workspace.join("dist"))?;
    commit(workspace);
    Ok(())
}

/// Writes the table of all files of `dist`, whose bytes the compiler then takes in.
fn embed(dist: &Path) -> io::Result<()> {
    // Cargo watches only what exists: without this, a missing folder would mean a rebuild each time.
    fs::create_dir_all(dist)?;
    println!("cargo::rerun-if-changed={}", dist.display());
    let mut files = Vec::new();
    collect(dist, &mut files)?;
    files.sort();
    let mut table = String::from("&[\n");
    for file in &files {
        let name: Vec<_> = file
            .strip_prefix(dist)
            .unwrap_or(file)
            .components()
            .map(|part| part.as_os_str().to_string_lossy())
            .collect();
        let name = name.join("/");
        let _ = writeln!(table, "    ({name:?}, include_bytes!({file:?})),");
    }
    table.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("dist.rs"), table)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let hidden = path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if hidden {
            // Trunk stages a build in a hidden folder; that is none of the client.
        } else if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// The commit is told by `TANDEM_COMMIT`, for builds outside of a repository, or else by git.
fn commit(workspace: &Path) {
    println!("cargo::rerun-if-env-changed=TANDEM_COMMIT");
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .arg("-C")
            .arg(workspace)
            .args(arguments)
            .output()
            .ok()
            .filter(|output| output.status.success())?;
        let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
        (!text.is_empty()).then_some(text)
    };
    let commit = env::var("TANDEM_COMMIT")
        .ok()
        .filter(|commit| !commit.is_empty())
        .or_else(|| git(&["rev-parse", "--short=12", "HEAD"]))
        .unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=TANDEM_COMMIT={commit}");
    // A build for development may name an older commit; rebuilding it at each one would cost more
    // than that is worth.
    if env::var("PROFILE").as_deref() == Ok("release")
        && let Some(log) = git(&[
            "rev-parse",
            "--path-format=absolute",
            "--git-path",
            "logs/HEAD",
        ])
        && Path::new(&log).exists()
    {
        println!("cargo::rerun-if-changed={log}");
    }
}
