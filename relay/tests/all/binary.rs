//! The command itself: flags, signals, an end by absence.

use std::net::SocketAddr;
use std::process::{Output, Stdio};

use tandem_core::protocol::ServerMessage;
use tandem_core::{EndRule, Seat, Team};
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::net::TcpListener;
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;

use crate::support::*;

fn command(flags: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tandem-relay"));
    command.args(flags).kill_on_drop(true).stdin(Stdio::null());
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("TANDEM_") {
            command.env_remove(name);
        }
    }
    command
}

async fn output(mut command: Command) -> Output {
    timeout(PATIENCE, command.output())
        .await
        .expect("the relay does not end")
        .unwrap()
}

/// What a relay says that does not start.
pub async fn fails(flags: &[&str]) -> String {
    let output = output(command(flags)).await;
    assert_eq!(output.status.code(), Some(1));
    // Nothing is announced that does not come.
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

/// What a command says that does well.
pub async fn says(flags: &[&str]) -> String {
    let output = output(command(flags)).await;
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// A relay in a process of its own.
pub struct Running {
    child: Child,
    pub address: SocketAddr,
    out: Lines<BufReader<ChildStdout>>,
}

/// Starts the relay on a free port; it keeps nothing.
async fn running(flags: &[&str]) -> Running {
    let address = SocketAddr::from(([127, 0, 0, 1], 0));
    running_on(address, &[flags, &["--data", "none"]].concat()).await
}

/// Starts the relay there.
pub async fn running_on(address: SocketAddr, flags: &[&str]) -> Running {
    let mut command = command(flags);
    let mut child = command
        .args(["--listen", &address.to_string()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
    let line = timeout(PATIENCE, out.next_line()).await.unwrap().unwrap();
    let line = line.expect("the address");
    let address = line
        .strip_prefix("Tandem is at http://")
        .and_then(|rest| rest.split('/').next())
        .expect("an address")
        .parse()
        .unwrap();
    Running {
        child,
        address,
        out,
    }
}

impl Running {
    /// Ends it as the system does when there is no more memory.
    pub async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }

    /// Sends a signal; gives the exit code and everything on standard error.
    pub async fn signal(mut self, signal: &str) -> (Option<i32>, String) {
        let pid = self.child.id().unwrap().to_string();
        let sent = Command::new("kill").args([signal, &pid]).status().await;
        assert!(sent.unwrap().success());
        let output = timeout(PATIENCE, self.child.wait_with_output())
            .await
            .expect("the relay does not end")
            .unwrap();
        assert_eq!(self.out.next_line().await.unwrap(), None);
        let errors = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), errors)
    }
}

#[tokio::test]
async fn bad_flags_give_one_clear_line() {
    for (flags, clue) in [
        (&["--listen", "nowhere"][..], "127.0.0.1:8080"),
        (&["--listen", "127.0.0.1:99999"], "127.0.0.1:8080"),
        (&["--absence-grace", "60"], "60s"),
        (&["--absence-grace", "-3s"], "absence-grace"),
        (&["--base-path", "tandem"], "begins with /"),
        (&["--connections", "0"], "connections"),
        (&["--bot-threads", "many"], "0 to 256"),
        (&["--bot-threads", "-1"], "0 to 256"),
        (&["--bot-seed", "1.5"], "bot-seed"),
        (&["--sync-every", "0s"], "sync-every"),
        (&["--log", "loud"], "debug"),
        (&["--frames-per-second", "0"], "frames-per-second"),
        (&["--bytes-per-second", "9"], "bytes-per-second"),
        (&["--frames-per-address", "0"], "frames-per-address"),
        (&["--bytes-in-all", "9"], "bytes-in-all"),
        (&["--tells-per-address", "few"], "tells-per-address"),
        (&["--forget-empty", "0s"], "forget-empty"),
        (&["--tells", "few"], "tells"),
        (&["--no-such-flag"], "--no-such-flag"),
        (&["stray"], "stray"),
        (&["close", "no-code"], "code"),
        (&["block", "nobody"], "203.0.113.7"),
        (&["--public-url", "chess.example.org"], "https://"),
        (&["--metrics-listen", "9100"], "127.0.0.1:8080"),
    ] {
        let output = output(command(flags)).await;
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{flags:?}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{flags:?}: {errors}");
        assert!(errors.contains(clue), "{flags:?}: {errors}");
        assert!(output.stdout.is_empty());
    }
    let mut from_environment = command(&[]);
    from_environment.env("TANDEM_ABSENCE_GRACE", "soon");
    let output = output(from_environment).await;
    assert_eq!(output.status.code(), Some(2));
}

#[tokio::test]
async fn help_and_version_are_no_errors() {
    let help = output(command(&["--help"])).await;
    assert_eq!(help.status.code(), Some(0));
    let text = String::from_utf8(help.stdout).unwrap();
    for flag in [
        "--listen",
        "--absence-grace",
        "--base-path",
        "TANDEM_LISTEN",
        "--bot-threads",
        "--bot-seed",
        "--data",
        "--sync-every",
        "--no-public-list",
        "--no-chat",
        "--frames-per-second",
        "--bytes-per-second",
        "--frames-per-address",
        "--bytes-per-address",
        "--tells-per-address",
        "--frames-in-all",
        "--bytes-in-all",
        "--tells-in-all",
        "--tells",
        "--forget-abandoned",
    ] {
        assert!(text.contains(flag), "{text}");
    }
    assert_eq!(output(command(&["--version"])).await.status.code(), Some(0));
}

#[tokio::test]
async fn a_port_in_use_is_said_in_one_line() {
    let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = output(command(&["--listen", &address, "--data", "none"])).await;
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert!(errors.contains(&address), "{errors}");
}

#[tokio::test]
async fn signals_close_every_socket_and_end_well() {
    for signal in ["-TERM", "-INT"] {
        let relay = running(&[]).await;
        let table = open_table(relay.address, "/").await;
        let player = Player::seated(relay.address, table, Seat::AWhite).await;
        let mut silent = socket(relay.address).await;
        let (code, errors) = relay.signal(signal).await;
        assert_eq!(code, Some(0));
        assert_eq!(errors, "");
        assert_eq!(player.closed().await, 1012);
        assert_eq!(close_code(&mut silent).await, 1012);
    }
}

#[tokio::test]
async fn logs_tell_no_tokens() {
    let relay = running(&["--log", "trace"]).await;
    let table = open_table(relay.address, "/").await;
    let mut player = Player::seated(relay.address, table, Seat::AWhite).await;
    player.reconnect().await;
    let secret: String = player
        .token
        .0
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let listed = format!("{:?}", player.token.0);
    let (code, errors) = relay.signal("-TERM").await;
    assert_eq!(code, Some(0));
    assert!(errors.contains("table"), "{errors}");
    assert!(!errors.contains(&secret) && !errors.contains(&listed));
    assert!(!errors.contains(&table.to_string()));
}

#[tokio::test]
async fn staying_away_longer_than_the_grace_is_leaving() {
    let relay = running(&["--absence-grace", "300ms"]).await;
    let table = open_table(relay.address, "/").await;
    let mut players = four(relay.address, table).await;
    assert!(players[0].see(|page| {
        page.received.iter().any(|message| {
            matches!(
                message,
                ServerMessage::Welcome {
                    absence_grace_ms: 300,
                    ..
                }
            )
        })
    }));
    start(&players).await;
    players[Seat::BWhite.index()].cut();
    for (player, seat) in players.iter().zip(Seat::ALL) {
        if seat != Seat::BWhite {
            player
                .until("the end", |page| {
                    page.replica.game().unwrap().end().is_some()
                })
                .await;
            player.see(|page| {
                let end = page.replica.game().unwrap().end().unwrap();
                assert_eq!(end.rule, EndRule::Leaving);
                assert_eq!(end.seat, Some(Seat::BWhite));
                assert_eq!(end.winner, Some(Team::One));
            });
        }
    }
    let (code, _) = relay.signal("-TERM").await;
    assert_eq!(code, Some(0));
}
