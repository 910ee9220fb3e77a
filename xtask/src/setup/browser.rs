//! The browser of the tests: one that the machine has, else the distribution's, else Playwright's.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::lock;
use crate::failure::{Failure, Result};
use crate::project::Project;
use crate::run;

/// Where browsers of Chromium's kind are found.
const PLACES: [&str; 8] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/opt/google/chrome/chrome",
];

/// Playwright's own browser is a large download.
const DOWNLOAD_LIMIT: Duration = Duration::from_secs(600);

/// Finds or installs the browser and returns its program. The packages of e2e must be installed.
///
/// # Errors
///
/// When there is none and none can be installed.
pub fn browser(project: &Project) -> Result<PathBuf> {
    if let Some(named) = env::var_os("TANDEM_CHROMIUM").filter(|value| !value.is_empty()) {
        let named = PathBuf::from(named);
        return found(&named).ok_or_else(|| {
            let why = format!(
                "TANDEM_CHROMIUM names {}, which does not run",
                named.display()
            );
            Failure::new(
                "Chromium",
                why,
                "name the program of a Chromium or Chrome, or leave the variable out",
            )
        });
    }
    if let Some(browser) = find(project) {
        return Ok(browser);
    }
    let _lock = lock(project)?;
    if let Some(browser) = find(project) {
        return Ok(browser);
    }
    let start = Instant::now();
    // Two ways, and which goes first is a matter of what will most likely work.
    let debian = fs::read_to_string("/etc/os-release")
        .is_ok_and(|text| text.lines().any(|line| line == "ID=debian"));
    let root = run::output(run::command("id").arg("-u")).is_some_and(|user| user == "0");
    let tried = if debian && root {
        println!("Chromium: installing the distribution's package system-wide, usually 1 min");
        by_apt(project)
    } else {
        println!("Chromium: installing Playwright's, usually 1 to 2 min");
        by_playwright(project)
    };
    let remedy = if debian && !root {
        "`apt-get install chromium` as root, or name a Chromium by TANDEM_CHROMIUM"
    } else {
        "install Chromium or Chrome, or name one by TANDEM_CHROMIUM"
    };
    tried.map_err(|failure| failure.within("Chromium").remedy(remedy))?;
    let browser = find(project)
        .ok_or_else(|| Failure::new("Chromium", "it was installed but does not run", remedy))?;
    println!("Chromium: installed in {}", run::time(start.elapsed()));
    Ok(browser)
}

fn find(project: &Project) -> Option<PathBuf> {
    let on_machine = PLACES.iter().filter_map(|place| on_path(place));
    on_machine
        .chain(by_playwright_before(project))
        .find_map(|browser| found(&browser))
}

/// The browser, if it runs: some distributions have a program of that name that only says how to get another.
fn found(browser: &Path) -> Option<PathBuf> {
    let version = run::output(run::command(browser).arg("--version"))?;
    println!(
        "{}: found ({})",
        version.lines().last()?.trim(),
        browser.display()
    );
    Some(browser.to_owned())
}

fn on_path(program: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}

fn by_apt(project: &Project) -> Result<()> {
    let log = project.log("chromium");
    let apt = || {
        let mut apt = run::command("apt-get");
        apt.env("DEBIAN_FRONTEND", "noninteractive")
            .env("LC_ALL", "C");
        apt.args([
            "-y",
            "-o",
            "DPkg::Lock::Timeout=120",
            "-o",
            "Acquire::Retries=2",
        ]);
        apt
    };
    // Another source than the distribution's may fail to answer; whether the package can be had is what counts.
    let updated = run::logged("apt-get update", apt().arg("update"), &log);
    // With a font, because a machine without any would show boxes for letters.
    let packages = [
        "install",
        "--no-install-recommends",
        "chromium",
        "fonts-liberation",
    ];
    run::logged("apt-get install chromium", apt().args(packages), &log)
        .map_err(|failure| updated.err().unwrap_or(failure))
}

fn by_playwright(project: &Project) -> Result<()> {
    let mut npx = run::command("npx");
    npx.args(["playwright", "install", "chromium"])
        .current_dir(project.e2e());
    npx.env("PLAYWRIGHT_BROWSERS_PATH", browsers(project));
    run::bounded(
        "npx playwright install chromium",
        &mut npx,
        &project.log("chromium"),
        DOWNLOAD_LIMIT,
    )
}

/// Browsers that Playwright installed at an earlier call.
fn by_playwright_before(project: &Project) -> Vec<PathBuf> {
    let versions = fs::read_dir(browsers(project))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    let systems = versions.filter(|path| {
        path.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with("chromium-"))
    });
    let systems = systems.flat_map(|version| {
        fs::read_dir(version)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
    });
    let programs = [
        "chrome",
        "Chromium.app/Contents/MacOS/Chromium",
        "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
    ];
    systems
        .flat_map(|folder| programs.map(|program| folder.join(program)))
        .filter(|program| program.is_file())
        .collect()
}

fn browsers(project: &Project) -> PathBuf {
    project.tools.join("browsers")
}
