//! Puts the built client, compressed as well as can be, and the commit into the relay's binary.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hasher as _};
use std::io::Write as _;
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

/// Smaller files gain nothing by being compressed.
const COMPRESS_FROM: usize = 512;

/// Writes the table of all files of `dist`, with their compressed forms, whose bytes the compiler then takes in.
fn embed(dist: &Path) -> io::Result<()> {
    // Cargo watches only what exists: without this, a missing folder would mean a rebuild each time.
    fs::create_dir_all(dist)?;
    println!("cargo::rerun-if-changed={}", dist.display());
    let mut files = Vec::new();
    collect(dist, &mut files)?;
    files.sort();
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let packed = out.join("packed");
    fs::create_dir_all(&packed)?;
    // A build for development is to be quick, and nobody waits for its bytes.
    let packs = env::var("PROFILE").as_deref() == Ok("release");
    let mut table = String::from("&[\n");
    for file in &files {
        let name: Vec<_> = file
            .strip_prefix(dist)
            .unwrap_or(file)
            .components()
            .map(|part| part.as_os_str().to_string_lossy())
            .collect();
        let name = name.join("/");
        let pair = match packs
            .then(|| pack(&packed, &name, file))
            .transpose()?
            .flatten()
        {
            Some((brotli, gzip)) => {
                format!("include_bytes!({brotli:?}), include_bytes!({gzip:?})")
            }
            None => "b\"\", b\"\"".to_owned(),
        };
        let _ = writeln!(table, "    ({name:?}, include_bytes!({file:?}), {pair}),");
    }
    table.push_str("]\n");
    fs::write(out.join("dist.rs"), table)
}

/// The file as brotli and as gzip, if it becomes smaller so. What was compressed before is still there
/// under the hash of its content.
fn pack(folder: &Path, name: &str, file: &Path) -> io::Result<Option<(PathBuf, PathBuf)>> {
    // The relay changes the page before it serves it, and compresses it then.
    if name == "index.html" {
        return Ok(None);
    }
    let bytes = fs::read(file)?;
    let mut hasher = DefaultHasher::new();
    hasher.write(&bytes);
    let stem = format!("{}-{:016x}", bytes.len(), hasher.finish());
    let (brotli, gzip) = (
        folder.join(format!("{stem}.br")),
        folder.join(format!("{stem}.gz")),
    );
    if !brotli.exists() {
        let mut packed = Vec::new();
        let mut writer = brotli::CompressorWriter::new(&mut packed, 1 << 16, 11, 24);
        writer.write_all(&bytes)?;
        drop(writer);
        fs::write(&brotli, packed)?;
    }
    if !gzip.exists() {
        let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        writer.write_all(&bytes)?;
        fs::write(&gzip, writer.finish()?)?;
    }
    let length = fs::metadata(&brotli)?.len() as usize;
    let gains = bytes.len() >= COMPRESS_FROM && length < bytes.len() / 10 * 9;
    Ok(gains.then_some((brotli, gzip)))
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
