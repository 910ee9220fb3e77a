//! Building the client and the relay, and starting the relay.

use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::failure::{Failure, Result};
use crate::project::Project;
use crate::run;
use crate::setup::{Tools, client_tools};

/// How the client is built.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Small and fast, as people get it.
    Release,
    /// Quickly, for whoever works on it.
    Dev,
}

/// `cargo xtask client`.
///
/// # Errors
///
/// When a tool is missing or the client does not build.
pub fn client(project: &Project, profile: Profile) -> Result<()> {
    build_client(project, &client_tools(project)?, profile)
}

/// `cargo xtask build`.
///
/// # Errors
///
/// When a tool is missing, or the client or the relay does not build.
pub fn build(project: &Project) -> Result<()> {
    build_all(project, &client_tools(project)?)?;
    println!("{} holds everything", project.relay().display());
    Ok(())
}

/// `cargo xtask serve`. Returns only if something fails: the relay takes the place of this process,
/// so that Ctrl-C and other signals reach it without a detour, and its exit code is this one's.
///
/// # Errors
///
/// When a tool is missing, something does not build or the relay does not start.
pub fn serve(project: &Project, arguments: &[String]) -> Result<()> {
    build_all(project, &client_tools(project)?)?;
    let relay = project.relay();
    let error = Command::new(&relay).args(arguments).exec();
    Err(Failure::io(
        format!("the relay {}", relay.display()),
        &error,
    ))
}

/// Builds the client into `dist` and then the relay, which embeds it.
///
/// # Errors
///
/// When one of them does not build.
pub fn build_all(project: &Project, tools: &Tools) -> Result<()> {
    build_client(project, tools, Profile::Release)?;
    println!("Building the relay, at first 2 to 3 min");
    run::shown(
        "the relay",
        project
            .cargo()
            .args(["build", "--release", "--package", "tandem-relay"]),
    )
}

fn build_client(project: &Project, tools: &Tools, profile: Profile) -> Result<()> {
    let mut trunk = tools.command("trunk");
    // Left to itself, Trunk would download tools of its own.
    trunk.args(["build", "--offline", "true"]);
    // Trunk takes `NO_COLOR=1`, as people write it, for an error.
    trunk.env_remove("NO_COLOR");
    match profile {
        Profile::Release => {
            println!("Building the client, at first 3 to 4 min");
            trunk.arg("--release");
        }
        Profile::Dev => println!("Building the client quickly, at first 1 to 2 min"),
    }
    run::shown("the client", &mut trunk)?;
    // What Trunk does not know of: the languages, and the list of all files for use without a network.
    let mut finish = project.cargo();
    finish.args(["run", "--quiet", "--package", "tandem-finish", "--"]);
    finish.args([project.root.join("client"), project.root.join("dist")]);
    run::shown("the client's last touches", &mut finish)
}
