//! shakmaty's view of one board. Tests and benchmarks share it.

use shakmaty::variant::Crazyhouse;
use shakmaty::{CastlingMode, FromSetup, PositionError, fen::Fen};
use tandem_core::Position;

/// The same position with its hands as pockets, for a position whose en passant square, if any, is
/// one that shakmaty believes in.
///
/// shakmaty puts what is captured into the mover's own pocket. Before that piece can be dropped
/// two plies go by, so numbers of plies agree up to depth 2.
pub fn crazyhouse(position: &Position) -> Result<Crazyhouse, String> {
    let fen: Fen = position
        .to_fen()
        .parse()
        .map_err(|error| format!("{error}"))?;
    // It doubts positions that a game of crazyhouse cannot reach; two boards reach them.
    Crazyhouse::from_setup(fen.into_setup(), CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|error| error.to_string())
}
