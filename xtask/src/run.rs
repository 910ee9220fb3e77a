//! Running other programs: into a log file, in sight, counted, or for a bounded time.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::{Failure, Result};

/// A command that never waits for somebody to type something.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.stdin(Stdio::null());
    command
}

/// Runs a command whose output goes to the end of the file `log`; `what` names the step in the failure.
pub fn logged(what: &str, command: &mut Command, log: &Path) -> Result<()> {
    let start = log_to(command, log)?;
    let status = command
        .status()
        .map_err(|error| not_started(what, command, &error))?;
    judge(what, status, log, start)
}

/// Like [`logged`], but the command and all that it started are ended after `limit`.
pub fn bounded(what: &str, command: &mut Command, log: &Path, limit: Duration) -> Result<()> {
    let log_start = log_to(command, log)?;
    // A process group of its own, so that the children of the command can be ended with it.
    command.process_group(0);
    let mut child = command
        .spawn()
        .map_err(|error| not_started(what, command, &error))?;
    let start = Instant::now();
    loop {
        if let Some(status) = child
            .try_wait()
            .map_err(|error| Failure::io(what, &error))?
        {
            return judge(what, status, log, log_start);
        }
        if start.elapsed() > limit {
            let group = format!("-{}", child.id());
            // Should `kill` fail, the child alone is ended: waiting on would break the promise of the limit.
            let killed = crate::run::command("kill")
                .args(["-KILL", "--", &group])
                .status();
            if !killed.is_ok_and(|status| status.success()) {
                child.kill().ok();
            }
            child.wait().ok();
            return Err(Failure::new(
                what,
                format!("no end after {}", time(limit)),
                "",
            ));
        }
        thread::sleep(Duration::from_millis(100));
    }
}

/// Runs a command in sight of the user.
pub fn shown(what: &str, command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .map_err(|error| not_started(what, command, &error))?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure::new(
            what,
            ended(status),
            "its output above says more",
        ))
    }
}

/// Runs a command in sight of the user, and shows each line of its standard output to `watch` as well.
pub fn watched(what: &str, command: &mut Command, mut watch: impl FnMut(&str)) -> Result<()> {
    command.stdout(Stdio::piped());
    let mut child = command
        .spawn()
        .map_err(|error| not_started(what, command, &error))?;
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).split(b'\n') {
            let line = line.map_err(|error| Failure::io(what, &error))?;
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            watch(&line);
        }
    }
    let status = child.wait().map_err(|error| Failure::io(what, &error))?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure::new(
            what,
            ended(status),
            "its output above says more",
        ))
    }
}

/// The standard output of a command that succeeds, or nothing.
pub fn output(command: &mut Command) -> Option<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// A duration as people say it.
pub fn time(duration: Duration) -> String {
    match duration.as_secs() {
        0 => format!("{:.1} s", duration.as_secs_f32()),
        seconds @ 1..60 => format!("{seconds} s"),
        seconds => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

/// Sends a command's output to the end of a log, and returns where that is.
fn log_to(command: &mut Command, log: &Path) -> Result<u64> {
    let open = || -> std::io::Result<(File, File, u64)> {
        if let Some(folder) = log.parent() {
            fs::create_dir_all(folder)?;
        }
        let file = File::options().create(true).append(true).open(log)?;
        let end = file.metadata()?.len();
        Ok((file.try_clone()?, file, end))
    };
    let (stdout, stderr, end) =
        open().map_err(|error| Failure::io(format!("the log {}", log.display()), &error))?;
    command.stdout(stdout).stderr(stderr);
    Ok(end)
}

fn judge(what: &str, status: ExitStatus, log: &Path, start: u64) -> Result<()> {
    if status.success() {
        return Ok(());
    }
    // A command that was killed had no time to say why.
    let line = status.code().and_then(|_| telling_line(log, start));
    let why = line.unwrap_or_else(|| ended(status));
    let remedy = format!("all of its output is in {}", log.display());
    Err(Failure::new(what, why, remedy))
}

/// The line of a log, from `start` on, that most likely says why: the first one that begins like an
/// error, since those behind it are its consequences; else the last one.
fn telling_line(log: &Path, start: u64) -> Option<String> {
    let mut file = File::open(log).ok()?;
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut text = Vec::new();
    file.read_to_end(&mut text).ok()?;
    let text = String::from_utf8_lossy(&text);
    let mut lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .peekable();
    let mut last = *lines.peek()?;
    for line in lines {
        last = line;
        if ["error", "E:", "npm error", "fatal"]
            .iter()
            .any(|start| line.starts_with(start))
        {
            break;
        }
    }
    Some(last.chars().take(300).collect())
}

fn ended(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("ended with exit code {code}"),
        None => "was ended by a signal".to_owned(),
    }
}

fn not_started(what: &str, command: &Command, error: &std::io::Error) -> Failure {
    Failure::new(
        what,
        format!(
            "`{}` cannot be started: {error}",
            command.get_program().to_string_lossy()
        ),
        "",
    )
}
