//! The command-line tools, run as others run them.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1";
const BARE: &str = "4k3/8/8/8/8/8/8/4K3[] w - - 0 1";

/// Where the examples lie: beside the folder of this test. `cargo test` has built them, unless it
/// was told to build one test only.
fn tool(name: &str) -> Command {
    static EXAMPLES: OnceLock<PathBuf> = OnceLock::new();
    let folder = EXAMPLES.get_or_init(|| {
        let test = std::env::current_exe().unwrap();
        let profile = test.parent().unwrap().parent().unwrap();
        let folder = profile.join("examples");
        let missing = ["perft", "legal", "match", "arena", "uci"]
            .iter()
            .any(|name| {
                !folder
                    .join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
                    .exists()
            });
        if missing {
            let mut build = Command::new(env!("CARGO"));
            build
                .args(["build", "--quiet", "--package", "tandem-core", "--examples"])
                .arg("--target-dir")
                .arg(profile.parent().unwrap());
            if profile.ends_with("release") {
                build.arg("--release");
            }
            assert!(build.status().unwrap().success());
        }
        folder
    });
    Command::new(folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)))
}

fn run(name: &str, arguments: &[&str]) -> Output {
    tool(name)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn stdout(name: &str, arguments: &[&str]) -> String {
    let output = run(name, arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(output.stderr.is_empty());
    text(&output.stdout)
}

/// Feeds lines to `match` and returns what it says after the first line, the boards at the start.
fn play(arguments: &[&str], lines: &str) -> Vec<String> {
    let mut child = start_match(arguments);
    child
        .stdin
        .take()
        .unwrap()
        .write_all(lines.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout).lines().map(str::to_owned).collect()
}

fn start_match(arguments: &[&str]) -> Child {
    tool("match")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn perft_counts_and_divides() {
    assert_eq!(stdout("perft", &[START, "3"]), "8902\n");
    assert_eq!(stdout("perft", &[START, "0"]), "1\n");
    let divided = stdout("perft", &[START, "2", "--divide"]);
    assert_eq!(divided.lines().count(), 21);
    assert!(divided.starts_with("a2a3: 20\na2a4: 20\n"));
    assert!(divided.ends_with("h2h4: 20\n400\n"));
}

#[test]
fn legal_lists_sorted_and_then_the_status() {
    let fen = "4R1k1/5ppp/8/8/8/8/8/4K3[qrbnp] b - - 0 1";
    assert_eq!(stdout("legal", &[fen]), "B@f8\nN@f8\nQ@f8\nR@f8\ncheck\n");
    assert!(stdout("legal", &[START]).ends_with("h2h4\nok\n"));
    let fen = "4R1k1/5ppp/8/8/8/8/8/4K3[p] b - - 0 1";
    assert_eq!(stdout("legal", &[fen]), "waiting\n");
    let fen = "6rk/5Npp/8/8/8/8/8/4K3[q] b - - 0 1";
    assert_eq!(stdout("legal", &[fen]), "checkmate\n");
}

#[test]
fn options_change_what_is_legal() {
    let mating = "6rk/6pp/8/8/8/8/8/4K3[N] w - - 0 1";
    assert!(stdout("legal", &[mating]).contains("N@f7"));
    for drops in ["--drops=no-mate", "--drops=no-check"] {
        assert!(!stdout("legal", &[mating, drops]).contains("N@f7"));
    }
    let pawn = "8/P3k3/8/8/8/8/8/4K3[] w - - 0 1";
    assert!(stdout("legal", &[pawn]).contains("a7a8q\n"));
    let trickling = stdout("legal", &["--promotion", "trickle", pawn]);
    assert!(trickling.contains("a7a8\n"));
}

#[test]
fn match_plays_on_both_boards() {
    let lines = play(&[], "A e2e4\nB d4\n\nA d5\r\n  A exd5  \nB N@f3\nB P@e6\n");
    assert_eq!(
        lines,
        [
            format!("{START} | {START}"),
            format!("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR[] b KQkq e3 0 1 | {START}"),
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR[] b KQkq e3 0 1 | \
             rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR[] b KQkq d3 0 1"
                .to_owned(),
            "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR[] w KQkq d6 0 2 | \
             rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR[] b KQkq d3 0 1"
                .to_owned(),
            "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR[] b KQkq - 0 2 | \
             rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR[p] b KQkq d3 0 1"
                .to_owned(),
            "illegal: there is no such piece in the hand".to_owned(),
            "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR[] b KQkq - 0 2 | \
             rnbqkbnr/pppppppp/4p3/8/3P4/8/PPP1PPPP/RNBQKBNR[] w KQkq - 0 2"
                .to_owned(),
        ]
    );
}

#[test]
fn match_says_how_it_ends_and_takes_nothing_after_that() {
    let mating = "6rk/6pp/8/8/8/8/8/4K3[N] w - - 0 1";
    let lines = play(
        &["--start", &format!("{mating} | {BARE}")],
        "A N@f7#\nB e1e2\n",
    );
    assert_eq!(
        lines[2..],
        ["end checkmate 1", "illegal: the match is over"]
    );

    let mated = "6rk/5Npp/8/8/8/8/8/4K3[] b - - 0 1";
    let lines = play(&["--start", &format!("{BARE} | {mated}")], "A e1e2\n");
    assert_eq!(
        lines[1..],
        ["end checkmate 2", "illegal: the match is over"]
    );

    let stuck = "7k/5Q2/6K1/8/8/8/8/8[] b - - 0 1";
    let lines = play(&["--start", &format!("{stuck}|{stuck}")], "");
    assert_eq!(lines[1..], ["end deadlock none"]);

    let shuffle = "A e1d1\nB e1d1\nA e8d8\nB e8d8\nA d1e1\nB d1e1\nA d8e8\nB d8e8\n".repeat(101);
    let lines = play(&["--start", &format!("{BARE} | {BARE}")], &shuffle);
    assert_eq!(lines.len(), 1 + 800 + 1 + 8);
    assert_eq!(lines[801], "end ply-limit none");
}

#[test]
fn match_calls_unreadable_lines_illegal() {
    let lines = "C e2e4\nA\nA e2e4 e7e5\nA \u{e9}\na e4\nA e2e5\n";
    let said = play(&[], lines);
    assert_eq!(said.len(), 7);
    assert!(
        said[1..].iter().all(|line| line.starts_with("illegal: ")),
        "{said:?}"
    );

    let mut child = start_match(&[]);
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"A \xff\xfe\n")
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(
        text(&output.stdout)
            .lines()
            .nth(1)
            .unwrap()
            .starts_with("illegal: ")
    );
}

#[test]
fn match_answers_each_line_at_once() {
    let mut child = start_match(&[]);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(output.next().unwrap().unwrap().contains(" | "));
    for ply in ["A e2e4", "B e2e4"] {
        writeln!(input, "{ply}").unwrap();
        assert!(output.next().unwrap().unwrap().contains("4P3"));
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn wrong_arguments_give_one_line_and_code_2() {
    let bad_pair = format!("{BARE} | x");
    for (name, arguments) in [
        ("perft", &[][..]),
        ("perft", &[START]),
        ("perft", &["nonsense", "3"]),
        ("perft", &[START, "x"]),
        ("perft", &[START, "-1"]),
        ("perft", &[START, ""]),
        ("perft", &[START, "99999999999999999999"]),
        ("perft", &[START, "3", "4"]),
        ("perft", &[START, "3", "--dividend"]),
        ("perft", &[START, "3", "--divide=yes"]),
        ("perft", &[START, "3", "-x"]),
        ("perft", &[START, "3", "--drops", "some"]),
        ("legal", &[]),
        ("legal", &[""]),
        ("legal", &["\n\n"]),
        ("legal", &[START, "--drops"]),
        ("legal", &[START, "--promotion", "Trickle"]),
        ("legal", &["8/8/8/8/8/8/8/8[] w - - 0 1"]),
        ("legal", &[START, "--start", START]),
        ("match", &["--start"]),
        ("match", &["--start", START]),
        ("match", &["--start", &bad_pair]),
        ("match", &[START]),
    ] {
        let output = run(name, arguments);
        let message = text(&output.stderr);
        assert_eq!(
            output.status.code(),
            Some(2),
            "{name} {arguments:?}: {message}"
        );
        assert_eq!(
            message.lines().count(),
            1,
            "{name} {arguments:?}: {message}"
        );
        assert!(message.starts_with(&format!("{name}: ")), "{message}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn help_is_no_error() {
    for name in ["perft", "legal", "match", "arena", "uci"] {
        assert!(stdout(name, &["--help"]).starts_with("usage: "));
    }
}

#[test]
fn a_reader_who_has_enough_is_no_error() {
    let mut child = start_match(&[]);
    drop(child.stdout.take());
    // The tool may be gone before all of this is written.
    let _ = child
        .stdin
        .take()
        .unwrap()
        .write_all("A e2e4\n".repeat(100).as_bytes());
    let mut message = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut message)
        .unwrap();
    assert!(child.wait().unwrap().success(), "{message}");
    assert_eq!(message, "");
}

/// Feeds lines to `uci` and returns what it says.
fn uci(lines: &str) -> Vec<String> {
    let mut child = tool("uci")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(lines.as_bytes()).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    text(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn uci_finds_mates_counts_and_shows() {
    let lines = uci("uci\nsetoption name Level value 2\n\
        setoption name UCI_Variant value bughouse\nisready\n\
        position fen 6rk/6pp/8/8/8/8/8/4K3[N] w - - 0 1\ngo nodes 500\n\
        go movetime 20\ngo depth 2\nquit\n");
    assert!(lines.contains(&"uciok".to_owned()) && lines.contains(&"readyok".to_owned()));
    let best = lines.iter().filter(|line| *line == "bestmove N@f7").count();
    assert_eq!(best, 3, "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("score mate 1")));

    let lines = uci("position startpos moves e2e4 e7e5\nd\neval\ngo perft 2\n");
    let fen = "Fen: rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR[] w KQkq e6 0 2";
    assert!(lines.contains(&fen.to_owned()), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("eval ")));
    assert!(lines.contains(&"Nodes searched: 835".to_owned()));

    // Nothing to play: mated, or waiting for a piece.
    for fen in [
        "6rk/5Npp/8/8/8/8/8/4K3[q] b - - 0 1",
        "4R1k1/5ppp/8/8/8/8/8/4K3[p] b - - 0 1",
    ] {
        let lines = uci(&format!("position fen {fen}\ngo depth 3\n"));
        assert_eq!(lines.last().unwrap(), "bestmove (none)");
    }
}

#[test]
fn uci_complains_and_goes_on() {
    let lines = uci(
        "hello\nsetoption name Level value 9\nposition fen 8/8\ngo depth x\n\
        position startpos moves e2e5\nsetoption name Drops value maybe\nisready\n",
    );
    assert_eq!(lines.len(), 7, "{lines:?}");
    assert!(
        lines[..6]
            .iter()
            .all(|line| line.starts_with("info string "))
    );
    assert_eq!(lines[6], "readyok");
}

#[test]
fn arena_plays_and_writes_its_figures() {
    let file = std::env::temp_dir().join(format!("tandem-arena-{}.json", std::process::id()));
    let path = file.to_str().unwrap();
    let arguments = ["--levels", "1,2", "--matches", "4", "--json", path];
    let said = stdout("arena", &arguments);
    assert!(said.starts_with("level 2 against 1: "), "{said}");
    let json = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    let figures: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(figures["elo of level 2 over 1"]["matches"], 4);
    for arguments in [
        &["--levels", "3"][..],
        &["--levels", "0,9"],
        &["--matches", "none"],
        &["--seconds", "5"],
        &["--json", "/nowhere/at/all.json"],
        &["--speed"],
    ] {
        let output = run("arena", arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(text(&output.stderr).lines().count(), 1);
    }
}
