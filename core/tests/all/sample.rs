//! Positions for tests to try things on, the same in every run.

use tandem_core::{BoardId, Drops, Match, Position, Promotion, Rules};

use crate::random::Random;

/// Every combination of the options that decide about legality.
pub fn all_rules() -> impl Iterator<Item = Rules> {
    Drops::ALL.into_iter().flat_map(|drops| {
        Promotion::ALL
            .into_iter()
            .map(move |promotion| Rules { drops, promotion })
    })
}

/// Plays a match with random plies until it ends, and shows it after each one.
pub fn random_match(seed: u64, rules: Rules, mut see: impl FnMut(&Match)) {
    let mut random = Random::new(seed);
    let mut game = Match::new(rules);
    let mut last = None;
    while game.judge(last).is_none() {
        see(&game);
        let board = BoardId::ALL[random.below(2) as usize];
        let plies = game.position(board).legal_plies();
        if plies.is_empty() {
            continue;
        }
        let mut ply = plies[random.below(plies.len() as u32) as usize];
        // Left to pure chance, hands fill up and nearly every ply is a drop.
        for _ in 0..3 {
            if !ply.is_drop() {
                break;
            }
            ply = plies[random.below(plies.len() as u32) as usize];
        }
        game.play(board, ply).unwrap();
        last = Some(board);
    }
    see(&game);
}

/// A position with pieces strewn about, legal but unlike anything from a match.
pub fn scattered(random: &mut Random, rules: Rules) -> Position {
    loop {
        if let Ok(position) = Position::from_fen(&scattered_fen(random), rules) {
            return position;
        }
    }
}

/// Often the text of a legal position, with kings, rights and en passant where they can be.
fn scattered_fen(random: &mut Random) -> String {
    let mut squares = [None; 64];
    let castles = random.below(3) == 0;
    if castles {
        (squares[4], squares[60]) = (Some('K'), Some('k'));
        for (square, rook) in [(0, 'R'), (7, 'R'), (56, 'r'), (63, 'r')] {
            squares[square] = (random.below(3) > 0).then_some(rook);
        }
    } else {
        squares[random.below(32) as usize] = Some('K');
        squares[32 + random.below(32) as usize] = Some('k');
    }
    for _ in 0..3 + random.below(20) {
        let piece = b"PPPPNBRQppppnbrq"[random.below(16) as usize] as char;
        let square = random.below(64) as usize;
        let back = !(8..56).contains(&square);
        if squares[square].is_none() && !(back && piece.eq_ignore_ascii_case(&'p')) {
            squares[square] = Some(piece);
        }
    }
    let mut fen = placement(&squares);
    fen.push('[');
    fen.extend("QRBNPqrbnp".chars().filter(|_| random.below(4) == 0));
    let white = random.below(2) == 0;
    fen.push_str(if white { "] w " } else { "] b " });
    let rights: String = [('K', 7, 'R'), ('Q', 0, 'R'), ('k', 63, 'r'), ('q', 56, 'r')]
        .into_iter()
        .filter(|&(_, square, rook)| castles && squares[square] == Some(rook))
        .map(|(right, _, _)| right)
        .collect();
    fen.push_str(if rights.is_empty() { "-" } else { &rights });
    let (pawns, targets, pawn) = if white { (32, 40, 'p') } else { (24, 16, 'P') };
    let passed = (0..8).find(|file| {
        let origin = if white { 48 + file } else { 8 + file };
        squares[pawns + file] == Some(pawn)
            && squares[targets + file].is_none()
            && squares[origin].is_none()
    });
    match passed {
        Some(file) => {
            let square = tandem_core::Square::new((targets + file) as u8).unwrap();
            fen.push_str(&format!(" {square} 0 1"));
        }
        None => fen.push_str(" - 3 1"),
    }
    fen
}

fn placement(squares: &[Option<char>; 64]) -> String {
    let mut rows = Vec::new();
    for row in squares.chunks(8).rev() {
        let mut text = String::new();
        let mut empty = 0;
        for square in row {
            match square {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        text.push_str(&empty.to_string());
                        empty = 0;
                    }
                    text.push(*piece);
                }
            }
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        rows.push(text);
    }
    rows.join("/")
}
