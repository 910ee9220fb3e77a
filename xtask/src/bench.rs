//! `cargo xtask bench`.

use std::fs;

use crate::failure::{Failure, Result};
use crate::project::Project;
use crate::run;

/// Runs the benchmarks of the workspace.
///
/// # Errors
///
/// When there are none, when one fails, or when figures are asked for that nothing measures yet.
pub fn bench(project: &Project, arguments: &[String]) -> Result<()> {
    match arguments {
        [] => {}
        [json, _] if json == "--json" => {
            return Err(Failure::new(
                "`bench --json`",
                "no benchmark measures a ratio yet",
                "`cargo xtask bench` runs what there is",
            ));
        }
        [first, ..] => {
            return Err(Failure::new(
                format!("`bench {first}`"),
                "this command does not know that argument",
                "it takes `--json FILE`",
            ));
        }
    }
    let with_benches = ["core", "relay"].into_iter().filter(|package| {
        fs::read_dir(project.root.join(package).join("benches"))
            .is_ok_and(|mut entries| entries.next().is_some())
    });
    let packages: Vec<String> = with_benches
        .map(|package| format!("--package=tandem-{package}"))
        .collect();
    if packages.is_empty() {
        return Err(Failure::new("bench", "there are no benchmarks yet", ""));
    }
    run::shown(
        "bench",
        project.cargo().args(["bench", "--benches"]).args(packages),
    )
}
