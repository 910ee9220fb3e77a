//! The WASM standard library where rustup's server is out of reach: built from the compiler and the
//! sources of Debian or Ubuntu, which are unpacked into a folder. Nothing is installed system-wide.
//!
//! A compiler reads only libraries of its own version, so the one of rustup cannot use a library from
//! the distribution's sources; the whole toolchain of the distribution comes along and builds the client.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::wasm_std::TARGET;
use crate::failure::{Failure, Result};
use crate::project::Version;
use crate::run;

/// The programs of the toolchain that the client's build and checks call.
const PROGRAMS: [&str; 5] = ["cargo", "rustc", "rustdoc", "cargo-clippy", "clippy-driver"];

/// Fills the folder `root` with a toolchain that builds for WASM.
pub fn install(root: &Path, oldest: Version, log: &Path) -> Result<()> {
    File::create(log).ok();
    let apt = Apt::new(root, log)?;
    apt.update()?;
    let family = family(&apt, oldest)?;
    let debs = apt.download(&family)?;
    for deb in debs {
        let mut unpack = run::command("dpkg-deb");
        unpack.arg("-x").arg(&deb).arg(root);
        run::logged("unpacking a package", &mut unpack, log)?;
    }
    fs::remove_dir_all(&apt.folder).ok();
    let toolchain = Toolchain::in_folder(root, log)?;
    toolchain.write_wrappers()?;
    toolchain.link_linker()?;
    toolchain.build_std()
}

/// apt with lists and downloads of its own, which needs no rights and changes nothing on the machine.
struct Apt<'a> {
    folder: PathBuf,
    log: &'a Path,
}

impl<'a> Apt<'a> {
    fn new(root: &Path, log: &'a Path) -> Result<Self> {
        for program in ["apt-get", "apt-cache", "dpkg-deb"] {
            if run::output(run::command(program).arg("--version")).is_none() {
                return Err(Failure::new(
                    "the distribution's packages",
                    format!("there is no {program} here, so this is not Debian or Ubuntu"),
                    format!("install the Rust target {TARGET} for the toolchain in use"),
                ));
            }
        }
        let folder = root.join("apt");
        for part in ["lists/partial", "cache/archives/partial", "debs"] {
            fs::create_dir_all(folder.join(part))
                .map_err(|error| Failure::io(folder.display().to_string(), &error))?;
        }
        Ok(Self { folder, log })
    }

    fn command(&self, program: &str) -> Command {
        let mut command = run::command(program);
        let option =
            |name: &str, part: &str| format!("{name}={}", self.folder.join(part).display());
        command.args([
            "-o",
            &option("Dir::State::Lists", "lists"),
            "-o",
            &option("Dir::Cache", "cache"),
        ]);
        // Without the first, apt run by root would read as another user, who may not enter this folder.
        for setting in [
            "APT::Sandbox::User=root",
            "Acquire::Retries=2",
            "Acquire::http::Timeout=30",
            "Acquire::https::Timeout=30",
            "Acquire::Languages=none",
        ] {
            command.args(["-o", setting]);
        }
        command
            .env("LC_ALL", "C")
            .env("DEBIAN_FRONTEND", "noninteractive");
        command
    }

    /// Fetches fresh lists. One source that fails is no matter as long as the packages are found.
    fn update(&self) -> Result<()> {
        run::logged(
            "apt-get update",
            self.command("apt-get").arg("update"),
            self.log,
        )
    }

    /// The version of a package that would be installed.
    fn version(&self, package: &str) -> Option<Version> {
        let shown =
            run::output(
                self.command("apt-cache")
                    .args(["show", "--no-all-versions", package]),
            )?;
        shown
            .lines()
            .find_map(|line| Version::first_in(line.strip_prefix("Version: ")?))
    }

    /// Every package that this one needs, directly or not, installed or not.
    fn closure(&self, package: &str) -> BTreeSet<String> {
        let mut depends = self.command("apt-cache");
        depends.args([
            "depends",
            "--recurse",
            "--no-recommends",
            "--no-suggests",
            "--no-conflicts",
            "--no-breaks",
            "--no-replaces",
            "--no-enhances",
        ]);
        let text = run::output(depends.arg(package)).unwrap_or_default();
        text.lines()
            .filter(|line| !line.starts_with([' ', '<']))
            .map(str::to_owned)
            .collect()
    }

    /// Downloads a toolchain and those of its dependencies that this machine lacks.
    fn download(&self, family: &Family) -> Result<Vec<PathBuf>> {
        let mut wanted: Vec<String> = family.packages.clone();
        // Of the library alone: the closure of the compiler has every C compiler that would do as its linker.
        let closure = self.closure(&family.library);
        // These belong to the toolchain even where the machine has them: the unpacked compiler looks beside itself.
        wanted.extend(
            closure
                .iter()
                .filter(|name| name.starts_with("libstd-rust") || name.starts_with("libllvm"))
                .cloned(),
        );
        // The linker of the same LLVM: an older one may not read the bitcode.
        let llvm = closure
            .iter()
            .filter_map(|name| name.strip_prefix("libllvm")?.parse::<u32>().ok())
            .max();
        wanted.extend(llvm.map(|number| format!("lld-{number}")));

        let mut simulate = self.command("apt-get");
        simulate
            .args([
                "--simulate",
                "--no-install-recommends",
                "--reinstall",
                "install",
            ])
            .args(&wanted);
        let Some(plan) = run::output(&mut simulate) else {
            let why = format!("apt cannot resolve {}", wanted.join(" "));
            return Err(Failure::new(
                "the distribution's Rust",
                why,
                "`apt-get --simulate install` of these says more",
            ));
        };
        let mut names: BTreeSet<String> = wanted.into_iter().collect();
        for line in plan.lines() {
            // `Inst libgit2-1.5 (1.5.1+ds-1+deb12u2 Debian-Security:12 [amd64])`
            let name = line
                .strip_prefix("Inst ")
                .and_then(|rest| rest.split_whitespace().next());
            // The C library cannot be used from a folder, since its loader would stay the machine's.
            names.extend(name.filter(|name| *name != "libc6").map(str::to_owned));
        }
        let debs = self.folder.join("debs");
        let mut download = self.command("apt-get");
        download.arg("download").args(&names).current_dir(&debs);
        run::logged(
            "downloading the distribution's Rust",
            &mut download,
            self.log,
        )?;
        let files =
            fs::read_dir(&debs).map_err(|error| Failure::io(debs.display().to_string(), &error))?;
        Ok(files.flatten().map(|entry| entry.path()).collect())
    }
}

/// The packages of one Rust toolchain of the distribution.
struct Family {
    packages: Vec<String>,
    /// The one with the standard library of the machine itself.
    library: String,
}

/// The distribution's oldest Rust that is new enough: Debian has `rustc` and for its browsers the newer
/// `rustc-web`, Ubuntu has `rustc-1.95` and so on.
fn family(apt: &Apt<'_>, oldest: Version) -> Result<Family> {
    let search = run::output(apt.command("apt-cache").args([
        "search",
        "--names-only",
        "^rustc(-[0-9.]+|-web)?$",
    ]));
    let compilers = search.unwrap_or_default();
    let mut families: Vec<(Version, String)> = compilers
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .filter_map(|name| Some((apt.version(name)?, name.strip_prefix("rustc")?.to_owned())))
        .collect();
    families.sort();
    let known = families
        .iter()
        .map(|(version, suffix)| format!("rustc{suffix} {version}"))
        .collect::<Vec<_>>()
        .join(", ");
    let Some((_, suffix)) = families.into_iter().find(|(version, _)| *version >= oldest) else {
        let why = match known.as_str() {
            "" => format!("its lists name no rustc; see {}", apt.log.display()),
            known => format!("Rust {oldest} is needed and it has {known}"),
        };
        let remedy =
            format!("install the target {TARGET} by rustup, where its server can be reached");
        return Err(Failure::new("the distribution's Rust", why, remedy));
    };
    let library = format!("libstd-rust{suffix}-dev");
    let mut packages = vec![
        format!("rustc{suffix}"),
        format!("cargo{suffix}"),
        format!("rust{suffix}-src"),
        library.clone(),
    ];
    let clippy = [
        format!("rust{suffix}-clippy"),
        format!("rust-clippy{suffix}"),
    ];
    packages.extend(clippy.into_iter().find(|name| apt.version(name).is_some()));
    Ok(Family { packages, library })
}

/// An unpacked toolchain.
struct Toolchain<'a> {
    root: &'a Path,
    /// `usr`, or `usr/lib/rust-1.95` where the distribution has several.
    sysroot: PathBuf,
    log: &'a Path,
}

impl<'a> Toolchain<'a> {
    fn in_folder(root: &'a Path, log: &'a Path) -> Result<Self> {
        let versioned = fs::read_dir(root.join("usr/lib"))
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path());
        let mut places = versioned.chain([root.join("usr")]);
        let Some(sysroot) = places
            .find(|place| place.join("bin/rustc").is_file() && place.join("bin/cargo").is_file())
        else {
            return Err(Failure::new(
                "the distribution's Rust",
                "its packages hold no bin/rustc beside a bin/cargo",
                "",
            ));
        };
        Ok(Self { root, sysroot, log })
    }

    /// Writes `bin/rustc` and so on, which start the unpacked programs with the unpacked libraries. So
    /// that folder at the front of the PATH is all that a build needs, and no other program sees the libraries.
    fn write_wrappers(&self) -> Result<()> {
        let inside = |path: &Path| {
            path.strip_prefix(self.root)
                .unwrap_or(path)
                .display()
                .to_string()
        };
        let libraries = fs::read_dir(self.root.join("usr/lib"))
            .into_iter()
            .flatten()
            .flatten();
        let libraries = libraries
            .map(|entry| entry.path())
            .filter(|path| path.to_string_lossy().contains("-linux-"));
        let libraries = libraries.chain([self.sysroot.join("lib")]);
        let libraries = libraries
            .map(|path| format!("$root/{}", inside(&path)))
            .collect::<Vec<_>>()
            .join(":");
        let bin = self.root.join("bin");
        fs::create_dir_all(&bin).map_err(|error| Failure::io(bin.display().to_string(), &error))?;
        for program in PROGRAMS
            .iter()
            .map(|name| self.sysroot.join("bin").join(name))
            .filter(|program| program.exists())
        {
            let wrapper = bin.join(program.file_name().unwrap_or_default());
            let text = format!(
                "#!/bin/sh\nroot=${{0%/*}}/..\nLD_LIBRARY_PATH=\"{libraries}\" exec \"$root/{}\" \"$@\"\n",
                inside(&program)
            );
            let write = || -> std::io::Result<()> {
                File::create(&wrapper)?.write_all(text.as_bytes())?;
                fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755))
            };
            write().map_err(|error| Failure::io(wrapper.display().to_string(), &error))?;
        }
        Ok(())
    }

    /// Puts the linker where the compiler looks for it.
    fn link_linker(&self) -> Result<()> {
        let host = self.rustc(&["--version", "--verbose"]).unwrap_or_default();
        let host = host.lines().find_map(|line| line.strip_prefix("host: "));
        let llvms = fs::read_dir(self.root.join("usr/lib"))
            .into_iter()
            .flatten()
            .flatten();
        let linker = llvms
            .map(|entry| entry.path().join("bin/lld"))
            .find(|lld| lld.is_file());
        let (Some(host), Some(linker)) = (host, linker) else {
            return Err(Failure::new(
                "the distribution's Rust",
                "the unpacked rustc or lld does not run",
                self.see_log(),
            ));
        };
        let bin = self.sysroot.join("lib/rustlib").join(host).join("bin");
        let link = bin.join("rust-lld");
        if link.exists() {
            return Ok(());
        }
        // Relative, since the folder gets another name once it is complete.
        let up = "../".repeat(
            bin.strip_prefix(self.root)
                .unwrap_or(&bin)
                .components()
                .count(),
        );
        let linker = Path::new(&up).join(linker.strip_prefix(self.root).unwrap_or(&linker));
        let create = || fs::create_dir_all(&bin).and_then(|()| symlink(&linker, &link));
        create().map_err(|error| Failure::io(link.display().to_string(), &error))
    }

    /// Builds the standard library and puts it where the compiler looks for it.
    fn build_std(&self) -> Result<()> {
        let failed = |path: &Path| {
            let path = path.display().to_string();
            move |error: std::io::Error| Failure::io(path, &error)
        };
        let package = self.root.join("std-build");
        fs::create_dir_all(package.join("src")).map_err(failed(&package))?;
        // `test` is a part of what is built because `cargo test` needs it.
        let manifest =
            "[package]\nname = \"empty\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n";
        fs::write(package.join("Cargo.toml"), manifest).map_err(failed(&package))?;
        fs::write(package.join("src/lib.rs"), "#![no_std]\n").map_err(failed(&package))?;

        let bin = self.root.join("bin");
        // Without bitcode, the client could not be optimised across crates. The real path of the sources would end up in the page.
        let sources = self.sysroot.join("lib/rustlib/src/rust");
        let flags = [
            "-Cembed-bitcode=yes".to_owned(),
            format!("--remap-path-prefix={}=rust", sources.display()),
        ];
        let mut cargo = run::command(bin.join("cargo"));
        cargo.args([
            "build",
            "--release",
            "-Zbuild-std=std,panic_abort,test",
            "--target",
            TARGET,
        ]);
        cargo
            .arg("--target-dir")
            .arg(package.join("target"))
            .current_dir(&package);
        cargo
            .env("RUSTC", bin.join("rustc"))
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
        cargo
            .env_remove("RUSTUP_TOOLCHAIN")
            .env_remove("RUSTC_WRAPPER")
            .env_remove("CARGO");
        run::logged("building the standard library", &mut cargo, self.log)?;

        let library = self.sysroot.join("lib/rustlib").join(TARGET).join("lib");
        fs::create_dir_all(&library).map_err(failed(&library))?;
        let built = package.join("target").join(TARGET).join("release/deps");
        for entry in fs::read_dir(&built).map_err(failed(&built))?.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.ends_with(".rlib") && !name.starts_with("libempty-") {
                fs::copy(entry.path(), library.join(&name)).map_err(failed(&library))?;
            }
        }
        fs::remove_dir_all(&package).map_err(failed(&package))
    }

    fn rustc(&self, arguments: &[&str]) -> Option<String> {
        run::output(run::command(self.root.join("bin/rustc")).args(arguments))
    }

    fn see_log(&self) -> String {
        format!(
            "the output of the installation is in {}",
            self.log.display()
        )
    }
}
