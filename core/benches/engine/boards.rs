//! The positions that everything is measured on.

use tandem_core::bpgn::Record;
use tandem_core::{Match, Position, Rules};

/// A position, its name in the figures, and how deep to walk from it.
pub struct Board {
    pub name: &'static str,
    pub position: Position,
    pub depth: u32,
}

/// Middle-game positions with full hands, as they arise when partners have been trading; then
/// others, to see that nothing is slow.
const BOARDS: [(&str, &str, u32); 9] = [
    (
        "full-open",
        "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1[QRBNPPqrbnpp] w - - 0 8",
        3,
    ),
    (
        "full-sharp",
        "r2q1r1k/pppb1pbp/3p1np1/4p1N1/2BPPp2/2P1B2P/PP3P2/R2Q1RK1[QRBBNPPPqrnnppp] b - - 0 14",
        3,
    ),
    (
        "full-castles",
        "r3k2r/ppp2ppp/2n1bn2/2bqp3/8/2NPBN2/PPPQBPPP/R3K2R[QRBNPqrbnp] w KQkq - 0 10",
        3,
    ),
    (
        "full-check",
        "r1b2rk1/ppp1Bppp/2n2q2/3p4/1b1P4/4PN2/PPQ2PPP/R3KB1R[QRBNPqrbnp] w KQ - 0 9",
        3,
    ),
    (
        "full-late",
        "2k4r/ppR2N1p/5p2/2b5/2B5/4nPKP/2P5/8[QRBNNPPPqrbnppp] b - - 0 31",
        3,
    ),
    (
        "some-pieces",
        "r1b1N3/ppp4p/4pqpk/n2b2Nn/3P4/2PB4/P1P2PPP/R3R1K1[Pqn] b - - 0 27",
        3,
    ),
    (
        "start",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
        4,
    ),
    (
        "no-hands",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R[] w KQkq - 0 1",
        3,
    ),
    ("bare-kings", "2k5/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - - 0 1", 2),
];

/// All of them.
pub fn boards() -> Vec<Board> {
    BOARDS
        .into_iter()
        .map(|(name, fen, depth)| Board {
            name,
            position: Position::from_fen(fen, Rules::default())
                .unwrap_or_else(|error| panic!("{name}: {error}")),
            depth,
        })
        .collect()
}

/// Two real matches.
#[cfg_attr(
    target_family = "wasm",
    expect(dead_code, reason = "only measured natively")
)]
pub fn records() -> [Record; 2] {
    [
        include_str!("../../tests/data/games/mate.bpgn"),
        include_str!("../../tests/data/games/time.bpgn"),
    ]
    .map(|text| Record::read(text).unwrap_or_else(|error| panic!("{error}")))
}

/// Every ply of the real matches with the match before it.
#[cfg_attr(
    target_family = "wasm",
    expect(dead_code, reason = "only measured natively")
)]
pub fn plies() -> Vec<(Match, tandem_core::BoardId, tandem_core::Ply)> {
    let mut plies = Vec::new();
    for record in records() {
        let mut game = *record.start();
        for recorded in record.plies() {
            let board = recorded.seat.board();
            plies.push((game, board, recorded.ply));
            game.play_unchecked(board, recorded.ply);
        }
    }
    plies
}
