//! Finishes the client that Trunk has built: `tandem-finish <client folder> <dist folder>`.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use tandem_finish::catalogue::Bundle;
use tandem_finish::{shell, worker};

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let [client, dist] = arguments.as_slice() else {
        eprintln!("tandem-finish <client folder> <dist folder>");
        return ExitCode::FAILURE;
    };
    match finish(Path::new(client), Path::new(dist)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("tandem-finish: {why}");
            ExitCode::FAILURE
        }
    }
}

fn finish(client: &Path, dist: &Path) -> Result<(), String> {
    let locales = client.join("locales");
    let main = Bundle::read(&locales, "")?;
    let rules = Bundle::read(&locales.join("rules"), "rules-")?;
    for bundle in [&main, &rules] {
        for (name, text) in bundle.files() {
            write(&dist.join(name), text.as_bytes())?;
        }
    }
    let told = |path: &Path, error| format!("{}: {error}", path.display());
    let page = dist.join("index.html");
    let html = fs::read_to_string(&page).map_err(|error| told(&page, error))?;
    let html = shell::write(&html, &main, &rules)
        .and_then(|html| shell::program_last(&html))
        .map_err(|why| format!("index.html: {why}"))?;
    write(&page, html.as_bytes())?;
    let template = client.join("assets").join(worker::NAME);
    let template = fs::read_to_string(&template).map_err(|error| told(&template, error))?;
    let script = worker::write(&template, dist).map_err(|error| told(dist, error))?;
    write(&dist.join(worker::NAME), script.as_bytes())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let told = |error| format!("{}: {error}", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(told)?;
    }
    fs::write(path, bytes).map_err(told)
}
