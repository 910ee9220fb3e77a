//! Rules, table and protocol of bughouse, without I/O.
//!
//! Bughouse is chess for four on two boards: what one player captures, the partner may drop on
//! the other board. This crate knows the whole game and nothing else: it reads no clock, draws no
//! random number and sends nothing. Time and chance come in as arguments, so that relay, page and
//! tests run the same code and get the same result.
//!
//! # In reading order
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`square`], [`bitboard`], [`attacks`] | the board as squares, sets of squares and lines of sight |
//! | [`piece`], [`ply`] | colours, kinds, hands; one move or drop |
//! | [`seat`], [`options`] | boards, seats and teams; what a table may choose |
//! | [`position`] | one board: whose turn, what may castle, what is in hand |
//! | [`movegen`] | which plies are legal |
//! | [`fen`], [`san`] | positions and moves as text |
//! | [`bughouse`] | the match on two boards, and its ends by mate, deadlock or length |
//! | [`bpgn`] | whole matches as text |
//! | [`clock`], [`tell`] | time, and signals between partners |
//! | [`bot`] | the computer as a player |
//! | [`table`] | the table as a state machine |
//! | [`code`], [`protocol`], [`link`], [`replica`] | what goes over the wire, and the player's side of it |
//!
//! Rules are cited as R1 to R8 and ends as E1 to E8, the names that the rules of the game have in
//! the project's documents.
//!
//! # One board
//!
//! ```
//! use tandem_core::{Ply, Position, Rules, Status};
//!
//! // White's rook gives check along the back rank; Black holds a knight and a pawn.
//! let fen = "4R1k1/5ppp/8/8/8/8/8/4K3[np] b - - 0 1";
//! let mut position = Position::from_fen(fen, Rules::default())?;
//! assert_eq!(position.status(), Status::Check);
//!
//! // Only the knight can block: no pawn may stand on the eighth rank.
//! let plies: Vec<String> = position.legal_plies().iter().map(Ply::to_string).collect();
//! assert_eq!(plies, ["N@f8"]);
//!
//! position.play("N@f8".parse()?)?;
//! assert_eq!(position.to_fen(), "4Rnk1/5ppp/8/8/8/8/8/4K3[p] w - - 0 2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Two boards
//!
//! ```
//! use tandem_core::{BoardId, EndRule, Match, Rules, Team};
//!
//! let mut game = Match::new(Rules::default());
//! for (board, text) in [
//!     (BoardId::A, "f3"),
//!     (BoardId::B, "e4"),
//!     (BoardId::A, "e5"),
//!     (BoardId::A, "g4"),
//!     (BoardId::A, "Qh4#"),
//! ] {
//!     assert_eq!(game.judge(None), None);
//!     let ply = game.position(board).parse_ply(text)?;
//!     game.play(board, ply)?;
//! }
//!
//! // Something could be dropped between queen and king, so the match goes on.
//! assert_eq!(game.judge(Some(BoardId::A)), None);
//!
//! // A knight's check cannot be blocked: this is mate, whatever Black may get.
//! let fens = "6rk/6pp/8/8/8/8/8/4K3[N] w - - 0 1 | 4k3/8/8/8/8/8/8/4K3[] w - - 0 1";
//! let mut game = Match::from_fens(fens, Rules::default())?;
//! game.play(BoardId::A, "N@f7".parse()?)?;
//! let end = game.judge(Some(BoardId::A)).expect("the match is over");
//! assert_eq!((end.rule, end.winner), (EndRule::Checkmate, Some(Team::One)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A whole match as text
//!
//! ```
//! use tandem_core::bpgn::{Record, RecordedResult};
//!
//! let text = "[WhiteA \"Ann\"]\n[Result \"*\"]\n1A. e4{58.5} 1B. d4{59} 1a. e5{57.25}\n{Game aborted} *";
//! let record = Record::read(text)?;
//! assert_eq!(record.plies().len(), 3);
//! assert_eq!(record.plies()[2].clock_ms, Some(57_250));
//! assert_eq!(record.result(), RecordedResult::Unknown);
//! assert_eq!(record.to_string(), text);
//! # Ok::<(), tandem_core::bpgn::Unreadable>(())
//! ```
//!
//! # What is deliberately absent
//!
//! There is no stalemate, no repetition, no fifty-move rule and no insufficient material: a player
//! without a legal ply waits. There is no `unsafe` code.

#![forbid(unsafe_code)]

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

pub mod letters;

pub mod bughouse;

pub mod bpgn;

pub mod clock;

pub mod tell;

pub mod bot;

pub mod table;

pub mod code;

pub mod protocol;

pub mod link;

pub mod premove;

pub mod replica;

pub use bitboard::Bitboard;
pub use bughouse::{BoardEnd, EndRule, Match, PLY_LIMIT, Played};
pub use code::TableCode;
pub use options::{Drops, Options, Promotion, Rules};
pub use piece::{Color, Hand, Piece, Role};
pub use ply::Ply;
pub use position::{IllegalPly, PlyList, Position, Sent, Status};
pub use seat::{BoardId, Seat, Team};
pub use square::Square;
