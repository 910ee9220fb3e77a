//! Properties of whole matches and of all positions, tried out on many and made small where one fails.
//!
//! `TANDEM_CASES=20` tries twenty times as many as a plain run.

use proptest::prelude::*;
use tandem_core::{
    BoardId, Color, Drops, Match, Piece, Ply, Position, Promotion, Role, Rules, Square,
};

use crate::random::Random;

mod boards;
mod matches;
mod tables;

/// So many cases, or as many times as that as the environment says.
fn cases(usual: u32) -> ProptestConfig {
    let times = match std::env::var("TANDEM_CASES") {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|error| panic!("TANDEM_CASES={text}: {error}")),
        Err(_) => 1,
    };
    ProptestConfig {
        cases: usual.saturating_mul(times),
        // The smallest failing case is printed; it becomes a test with a name.
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Every combination of the options that decide about legality.
fn rules() -> impl Strategy<Value = Rules> {
    (
        prop::sample::select(Drops::ALL.as_slice()),
        prop::sample::select(Promotion::ALL.as_slice()),
    )
        .prop_map(|(drops, promotion)| Rules { drops, promotion })
}

/// Pieces as FEN writes them on 64 squares.
type Squares = [Option<Piece>; 64];

/// A legal position with pieces strewn about: up to so many besides the kings.
fn positions(most: usize) -> impl Strategy<Value = Position> {
    let pieces = prop::collection::vec(
        (
            0..64u8,
            any::<bool>(),
            prop::sample::select(Role::HAND.as_slice()),
            prop::bool::weighted(0.2),
        ),
        0..=most,
    );
    let hands = prop::collection::vec(0..5u8, 10);
    (
        rules(),
        0..64u8,
        0..64u8,
        pieces,
        hands,
        any::<bool>(),
        0..4u8,
    )
        .prop_filter_map(
            "no legal position",
            |(rules, white_king, black_king, pieces, hands, white_moves, full)| {
                let mut squares: Squares = [None; 64];
                let mut promoted = [false; 64];
                squares[usize::from(white_king)] = Some(Piece::new(Color::White, Role::King));
                squares[usize::from(black_king)] = Some(Piece::new(Color::Black, Role::King));
                for (square, white, role, is_promoted) in pieces {
                    let back = !(8..56).contains(&square);
                    let slot = &mut squares[usize::from(square)];
                    if slot.is_none() && !(back && role == Role::Pawn) {
                        let color = if white { Color::White } else { Color::Black };
                        *slot = Some(Piece::new(color, role));
                        promoted[usize::from(square)] = is_promoted && role != Role::Pawn;
                    }
                }
                // Every fourth has empty hands, so that somebody may have to wait.
                let in_hand: String = Color::ALL
                    .into_iter()
                    .flat_map(|color| Role::HAND.map(|role| Piece::new(color, role).letter()))
                    .zip(hands)
                    .filter(|_| full > 0)
                    .flat_map(|(letter, count)| (3..count.max(3)).map(move |_| letter))
                    .collect();
                let turn = if white_moves { 'w' } else { 'b' };
                let fen = format!(
                    "{}[{in_hand}] {turn} - - 0 1",
                    placement(&squares, &promoted)
                );
                Position::from_fen(&fen, rules).ok()
            },
        )
}

fn placement(squares: &Squares, promoted: &[bool; 64]) -> String {
    let rows = (0..8).rev().map(|rank| {
        (0..8)
            .map(|file| match squares[rank * 8 + file] {
                None => "1".to_owned(),
                Some(piece) if promoted[rank * 8 + file] => format!("{piece}~"),
                Some(piece) => piece.to_string(),
            })
            .collect::<String>()
    });
    // Only the lenient reader takes single ones; the strict one wants them added up.
    let joined = rows.collect::<Vec<_>>().join("/");
    (2..=8).rev().fold(joined, |text, count| {
        text.replace(&"1".repeat(count), &count.to_string())
    })
}

/// A position whose side to move has nothing to move and nothing to drop.
fn waiting() -> impl Strategy<Value = Position> {
    (any::<u64>(), rules()).prop_map(|(seed, rules)| {
        let mut random = Random::new(seed);
        loop {
            let mut squares: Squares = [None; 64];
            // A king in a corner, a pawn of its own that is blocked, and strong enemies.
            squares[0] = Some(Piece::new(Color::White, Role::King));
            for _ in 0..1 + random.below(3) {
                let role = [Role::Queen, Role::Rook, Role::Knight][random.below(3) as usize];
                squares[random.below(64) as usize] = Some(Piece::new(Color::Black, role));
            }
            if random.below(2) == 0 {
                squares[30] = Some(Piece::new(Color::White, Role::Pawn));
                squares[38] = Some(Piece::new(Color::Black, Role::Pawn));
            }
            squares[40 + random.below(24) as usize] = Some(Piece::new(Color::Black, Role::King));
            let fen = format!("{}[qp] w - - 0 1", placement(&squares, &[false; 64]));
            if let Ok(position) = Position::from_fen(&fen, rules)
                && !position.has_legal_ply()
            {
                return position;
            }
        }
    })
}

/// Which plies are played, as numbers that mean something only on the boards they meet: shrinking
/// leaves some out, and what is left is a match again.
#[derive(Clone, Debug)]
struct Plan {
    rules: Rules,
    picks: Vec<u32>,
}

fn plans(most: usize) -> impl Strategy<Value = Plan> {
    (rules(), prop::collection::vec(any::<u32>(), 0..most))
        .prop_map(|(rules, picks)| Plan { rules, picks })
}

/// The board and ply that a pick means: on the other board where somebody has to wait; moves come
/// before drops, which would else be nearly all plies.
fn picked(game: &Match, pick: u32) -> Option<(BoardId, Ply)> {
    let first = BoardId::ALL[(pick & 1) as usize];
    [first, first.other()].into_iter().find_map(|board| {
        let mut plies = game.position(board).legal_plies().to_vec();
        plies.sort();
        let moves = plies.iter().filter(|ply| !ply.is_drop()).count();
        let among = if moves > 0 && pick & 6 != 0 {
            moves
        } else {
            plies.len()
        };
        let index = (pick >> 3) as usize % among.max(1);
        Some((board, *plies.get(index)?))
    })
}

/// Plays a plan to the end of the match or its own, and shows the match before and after each ply.
fn play(plan: &Plan, mut see: impl FnMut(&Match, BoardId, Ply, &Match)) -> Match {
    let mut game = Match::new(plan.rules);
    let mut last = None;
    for &pick in &plan.picks {
        if game.judge(last).is_some() {
            break;
        }
        let Some((board, ply)) = picked(&game, pick) else {
            break;
        };
        let before = game;
        game.play(board, ply).unwrap();
        last = Some(board);
        see(&before, board, ply, &game);
    }
    game
}

/// Every square, for those who look at all.
fn all_squares() -> impl Iterator<Item = Square> {
    Square::all()
}
