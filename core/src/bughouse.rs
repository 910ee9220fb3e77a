//! The match: two boards that feed each other's hands, and how it ends on them.

use core::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::fen::FenError;
use crate::options::Rules;
use crate::ply::Ply;
use crate::position::{IllegalPly, Position, Sent};
use crate::seat::{BoardId, Seat, Team};

/// A match is drawn after this many plies, counted over both boards together (E7).
pub const PLY_LIMIT: u16 = 800;

/// The rule by which a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum EndRule {
    /// E1: a player is mated.
    Checkmate,
    /// E2: a player's clock reached zero.
    Time,
    /// E3: a player resigned.
    Resignation,
    /// E4: a player left or stayed away.
    Leaving,
    /// E5: all human players agreed to a draw.
    Agreement,
    /// E6: on neither board can the side to move do anything.
    Deadlock,
    /// E7: [`PLY_LIMIT`] plies have been played.
    PlyLimit,
    /// E8: the clocks of both teams reached zero at the same instant.
    BothAtOnce,
}

impl EndRule {
    /// Every rule, in the order of E1 to E8.
    pub const ALL: [EndRule; 8] = [
        EndRule::Checkmate,
        EndRule::Time,
        EndRule::Resignation,
        EndRule::Leaving,
        EndRule::Agreement,
        EndRule::Deadlock,
        EndRule::PlyLimit,
        EndRule::BothAtOnce,
    ];

    /// The name tools and pages use, such as `checkmate` or `ply-limit`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            EndRule::Checkmate => "checkmate",
            EndRule::Time => "time",
            EndRule::Resignation => "resignation",
            EndRule::Leaving => "leaving",
            EndRule::Agreement => "agreement",
            EndRule::Deadlock => "deadlock",
            EndRule::PlyLimit => "ply-limit",
            EndRule::BothAtOnce => "both-at-once",
        }
    }
}

impl fmt::Display for EndRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An end that the boards alone decide: checkmate, deadlock or the ply limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BoardEnd {
    /// Which of the three it is.
    pub rule: EndRule,
    /// The team that wins, or `None` for a draw.
    pub winner: Option<Team>,
    /// The board with the mate.
    pub board: Option<BoardId>,
}

/// What one ply did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Played {
    /// Who played it.
    pub seat: Seat,
    /// What was played.
    pub ply: Ply,
    /// What has gone to the hand of `seat.partner()` by it.
    pub sent: Sent,
}

/// Two texts for two boards that do not make a match.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MatchFenError {
    /// There is not exactly one `|`.
    #[error("two boards must be written `A-FEN | B-FEN`")]
    NotAPair,
    /// One of the boards is wrong.
    #[error("board {board}: {error}")]
    Board {
        /// Which one.
        board: BoardId,
        /// What is wrong with it.
        error: FenError,
    },
}

/// The two boards of a match, without clocks and people.
///
/// ```
/// use tandem_core::{BoardId, Color, Match, Role, Rules};
///
/// let mut game = Match::new(Rules::default());
/// for ply in ["e2e4", "d7d5", "e4d5"] {
///     game.play(BoardId::A, ply.parse()?)?;
/// }
/// // White's partner plays Black on the other board and now holds a black pawn.
/// assert_eq!(game.position(BoardId::B).hand(Color::Black).count(Role::Pawn), 1);
/// assert_eq!(game.judge(Some(BoardId::A)), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Match {
    boards: [Position; 2],
    plies: [u16; 2],
}

impl Match {
    /// A match about to start: both boards in the standard position (R2).
    #[must_use]
    pub fn new(rules: Rules) -> Match {
        Match::from_positions(Position::start(rules), Position::start(rules))
    }

    /// A match that goes on from two positions, with no plies counted yet.
    ///
    /// Both positions should have the same rules; each board is judged by its own.
    #[must_use]
    pub fn from_positions(a: Position, b: Position) -> Match {
        Match {
            boards: [a, b],
            plies: [0, 0],
        }
    }

    /// Reads a pair of boards, `A-FEN | B-FEN`.
    ///
    /// # Errors
    ///
    /// When the text is no pair or one of the boards is no legal position.
    pub fn from_fens(text: &str, rules: Rules) -> Result<Match, MatchFenError> {
        Match::read_pair(text, |fen| Position::from_fen(fen, rules))
    }

    /// Reads a pair of boards, each as [`Position::from_fen_lenient`] does.
    ///
    /// # Errors
    ///
    /// When the text is no pair or one of the boards can be no legal position.
    pub fn from_fens_lenient(text: &str, rules: Rules) -> Result<Match, MatchFenError> {
        Match::read_pair(text, |fen| Position::from_fen_lenient(fen, rules))
    }

    fn read_pair(
        text: &str,
        read: impl Fn(&str) -> Result<Position, FenError>,
    ) -> Result<Match, MatchFenError> {
        let (a, b) = text
            .split_once('|')
            .filter(|(_, b)| !b.contains('|'))
            .ok_or(MatchFenError::NotAPair)?;
        let read = |board, fen| read(fen).map_err(|error| MatchFenError::Board { board, error });
        Ok(Match::from_positions(
            read(BoardId::A, a)?,
            read(BoardId::B, b)?,
        ))
    }

    /// Writes both boards as `A-FEN | B-FEN`.
    #[must_use]
    pub fn to_fens(&self) -> String {
        let [a, b] = &self.boards;
        format!("{} | {}", a.to_fen(), b.to_fen())
    }

    /// The options that decide which plies are legal.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.boards[0].rules()
    }

    /// One of the boards.
    #[inline]
    #[must_use]
    pub fn position(&self, board: BoardId) -> &Position {
        &self.boards[board.index()]
    }

    /// How many plies have been played on one board.
    #[must_use]
    pub fn plies(&self, board: BoardId) -> u16 {
        self.plies[board.index()]
    }

    /// How many plies have been played on both boards together.
    #[must_use]
    pub fn total_plies(&self) -> u16 {
        self.plies[0].saturating_add(self.plies[1])
    }

    /// Who is to move on a board.
    #[must_use]
    pub fn seat_to_move(&self, board: BoardId) -> Seat {
        Seat::new(board, self.position(board).turn())
    }

    /// Plays a ply for the side to move on a board. What it captures is in the partner's hand
    /// when this returns (R4). Whether the match is over is not asked here, see
    /// [`judge`](Match::judge).
    ///
    /// # Errors
    ///
    /// Why the ply is illegal; nothing has changed then.
    pub fn play(&mut self, board: BoardId, ply: Ply) -> Result<Played, IllegalPly> {
        self.position(board).check_legal(ply)?;
        Ok(self.play_unchecked(board, ply))
    }

    /// Plays a ply that is known to be legal, as [`Position::play_unchecked`] does.
    pub fn play_unchecked(&mut self, board: BoardId, ply: Ply) -> Played {
        let seat = self.seat_to_move(board);
        let sent = self.boards[board.index()].play_unchecked(ply);
        for piece in sent {
            self.boards[board.other().index()].receive(piece);
        }
        let plies = &mut self.plies[board.index()];
        *plies = plies.saturating_add(1);
        Played { seat, ply, sent }
    }

    /// Whether the boards have ended the match: by checkmate, by deadlock or by the ply limit,
    /// asked in this order. `last` is the board of the last ply, `None` at the start; a mate
    /// there comes before one on the other board, which can only have been set up.
    #[must_use]
    pub fn judge(&self, last: Option<BoardId>) -> Option<BoardEnd> {
        let first = last.unwrap_or(BoardId::A);
        for board in [first, first.other()] {
            if self.position(board).is_checkmate() {
                return Some(BoardEnd {
                    rule: EndRule::Checkmate,
                    winner: Some(self.seat_to_move(board).team().other()),
                    board: Some(board),
                });
            }
        }
        let draw = |rule| BoardEnd {
            rule,
            winner: None,
            board: None,
        };
        if self.boards.iter().all(|board| !board.has_legal_ply()) {
            return Some(draw(EndRule::Deadlock));
        }
        if self.total_plies() >= PLY_LIMIT {
            return Some(draw(EndRule::PlyLimit));
        }
        None
    }
}
