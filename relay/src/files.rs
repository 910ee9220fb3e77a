//! Files and folders for the relay's user alone: there are secrets in them.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

/// How every file is opened.
pub(crate) fn private() -> OpenOptions {
    let options = OpenOptions::new();
    #[cfg(unix)]
    let options = {
        let mut options = options;
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options
    };
    options
}

/// Makes a folder and those above it.
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Writes a whole file.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    private()
        .create(true)
        .truncate(true)
        .write(true)
        .open(path)?
        .write_all(bytes)
}
