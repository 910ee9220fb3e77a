//! Rules, table and protocol of bughouse, without I/O.

pub mod square;

pub mod bitboard;

pub mod attacks;

pub mod piece;

pub mod ply;

pub mod seat;

pub mod options;

pub mod position;

pub mod movegen;

pub mod fen;

pub mod san;

pub mod bughouse;

pub use bitboard::Bitboard;
pub use bughouse::{BoardEnd, EndRule, Match, PLY_LIMIT, Played};
pub use options::{Drops, Options, Promotion, Rules};
pub use piece::{Color, Hand, Piece, Role};
pub use ply::Ply;
pub use position::{IllegalPly, PlyList, Position, Sent, Status};
pub use seat::{BoardId, Seat, Team};
pub use square::Square;

pub mod clock;
pub mod tell;
pub mod table;
pub mod code;
pub mod protocol;
pub mod link;
pub mod replica;

pub use code::TableCode;
