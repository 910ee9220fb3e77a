//! The rules of one board against shakmaty's: legal plies, check and the number of plies at depth 2,
//! half on positions of random matches, half on scattered positions in check.
//!
//! `TANDEM_POSITIONS` asks for more positions and `TANDEM_SEED` for others than a plain run.

use std::collections::BTreeMap;

use shakmaty::{CastlingMode, Position as _};
use tandem_core::movegen::perft;
use tandem_core::position::Wing;
use tandem_core::{BoardId, Match, Ply, Position, Role, Rules, Status};

use crate::crazyhouse::crazyhouse;
use crate::random::Random;
use crate::sample::{random_match, scattered};

/// How many positions a plain run compares.
const POSITIONS: u64 = 12_000;

/// A number from the environment.
fn asked(name: &str, usual: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|error| panic!("{name}={text}: {error}")),
        Err(_) => usual,
    }
}

/// How often each thing was met that is easily got wrong.
#[derive(Default)]
struct Met(BTreeMap<&'static str, u64>);

impl Met {
    fn note(&mut self, what: &'static str, met: bool) {
        *self.0.entry(what).or_default() += u64::from(met);
    }

    fn look_at(&mut self, position: &Position) {
        let status = position.status();
        self.note("positions", true);
        self.note("plies", false);
        self.note("in check", position.is_check());
        self.note("two checks at once", position.checkers().len() == 2);
        self.note("waiting", status == Status::Waiting);
        self.note("checkmate", status == Status::Checkmate);
        self.note(
            "promoted piece on the board",
            !position.promoted().is_empty(),
        );
        self.note(
            "something to drop",
            !position.hand(position.turn()).is_empty(),
        );
        let plies = position.legal_plies();
        *self.0.entry("plies").or_default() += plies.len() as u64;
        self.note("drop legal in check", {
            position.is_check() && plies.iter().any(|ply| ply.is_drop())
        });
        let is_pawn = |ply: &Ply| {
            ply.from()
                .and_then(|from| position.piece_at(from))
                .is_some_and(|piece| piece.role == Role::Pawn)
        };
        self.note("en passant legal", {
            plies
                .iter()
                .any(|ply| Some(ply.to()) == position.en_passant() && is_pawn(ply))
        });
        self.note("castling legal", {
            let king = position.king(position.turn());
            plies.iter().any(|ply| {
                ply.from() == king
                    && king == Some(Wing::king_from(position.turn()))
                    && king.is_some_and(|king| king.file().abs_diff(ply.to().file()) == 2)
            })
        });
        self.note("promotion legal", {
            plies.iter().any(|ply| {
                matches!(
                    ply,
                    Ply::Move {
                        promotion: Some(_),
                        ..
                    }
                )
            })
        });
    }
}

/// Compares everything; says what differs.
fn compare(position: &Position) -> Result<(), String> {
    let fen = position.to_fen();
    let other = crazyhouse(position).map_err(|error| format!("{fen}: {error}"))?;
    let mut ours: Vec<String> = position.legal_plies().iter().map(Ply::to_string).collect();
    let mut theirs: Vec<String> = other
        .legal_moves()
        .iter()
        .map(|played| played.to_uci(CastlingMode::Standard).to_string())
        .collect();
    ours.sort();
    theirs.sort();
    if ours != theirs {
        let lacking: Vec<&String> = theirs.iter().filter(|ply| !ours.contains(ply)).collect();
        let invented: Vec<&String> = ours.iter().filter(|ply| !theirs.contains(ply)).collect();
        return Err(format!("{fen}: {lacking:?} lacking, {invented:?} invented"));
    }
    if position.is_check() != other.is_check() {
        return Err(format!("{fen}: check is {}", position.is_check()));
    }
    let counts = (perft(position, 2), shakmaty::perft(&other, 2));
    if counts.0 != counts.1 {
        return Err(format!("{fen}: {counts:?} plies at depth 2"));
    }
    Ok(())
}

fn check(position: &Position, met: &mut Met) {
    if let Err(difference) = compare(position) {
        panic!("{difference}");
    }
    met.look_at(position);
}

#[test]
fn shakmaty_agrees_on_every_position() {
    let wanted = asked("TANDEM_POSITIONS", POSITIONS);
    let seed = asked("TANDEM_SEED", 1);
    let mut met = Met::default();

    // Every position of the board that was played on last, once both hands have something.
    let mut played = 0;
    for game in 0.. {
        if played >= wanted / 2 {
            println!("seed {seed}: {played} positions of {game} random matches");
            break;
        }
        let mut before: Option<Match> = None;
        random_match(
            seed.wrapping_mul(1_000_003) + game,
            Rules::default(),
            |now| {
                let board = match &before {
                    Some(before) if before.plies(BoardId::A) == now.plies(BoardId::A) => BoardId::B,
                    _ => BoardId::A,
                };
                if played < wanted / 2 {
                    check(now.position(board), &mut met);
                    played += 1;
                }
                before = Some(*now);
            },
        );
    }

    let mut random = Random::new(seed);
    let mut left_out = 0;
    for _ in 0..wanted - wanted / 2 {
        check(&scattered_check(&mut random, &mut left_out), &mut met);
    }
    println!("and scattered positions in check; {left_out} left out for their en passant square");
    for (what, count) in &met.0 {
        println!("{count:>9} {what}");
    }
    let missed: Vec<_> = met.0.iter().filter(|&(_, &count)| count == 0).collect();
    assert!(
        wanted < POSITIONS || missed.is_empty(),
        "never met: {missed:?}"
    );
}

/// A scattered position in check. A check that a double step cannot have left makes shakmaty refuse
/// the en passant square; such a position is no question of rules, and another one is taken.
///
/// Every other one has empty hands, since only who has nothing to drop may have to wait.
fn scattered_check(random: &mut Random, left_out: &mut u64) -> Position {
    loop {
        let mut position = scattered(random, Rules::default());
        if random.below(2) == 0 {
            let fen = position.to_fen();
            let (placement, rest) = fen.split_once('[').unwrap();
            let (_, rest) = rest.split_once(']').unwrap();
            position =
                Position::from_fen(&format!("{placement}[]{rest}"), Rules::default()).unwrap();
        }
        if !position.is_check() {
            continue;
        }
        if position.en_passant().is_some() && crazyhouse(&position).is_err() {
            *left_out += 1;
            continue;
        }
        return position;
    }
}
