//! What the screens read: plain values, compared before they are set, so that nothing is drawn
//! again that has not changed.

use tandem_core::bot::Level;
use tandem_core::protocol::Close;
use tandem_core::replica::Replica;
use tandem_core::san::ParsePlyError;
use tandem_core::table::{
    DrawOffer, End, Game, MatchNo, Millis, Pause, Phase, Player, PlayerId, RematchWish,
};
use tandem_core::{BoardId, IllegalPly, Options, Position, Seat};

use crate::board::Shown;

/// How the page and the relay are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    /// The relay has let us in.
    Online,
    /// A socket is being opened.
    Connecting,
    /// The next try comes by itself.
    Waiting,
    /// The relay sent us away, and a try by itself would be of no use.
    Closed(Close),
}

impl Connection {
    /// The word of `data-connection`.
    pub fn word(self) -> &'static str {
        match self {
            Connection::Online => "online",
            Connection::Connecting => "connecting",
            Connection::Waiting | Connection::Closed(_) => "offline",
        }
    }
}

/// The people of a table, and what they have agreed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seating {
    /// Which of them the reader is.
    pub me: Option<PlayerId>,
    /// Everyone at the table, longest there first.
    pub players: Vec<Player>,
    /// Who sits where.
    pub seats: [Option<PlayerId>; 4],
    /// Where the computer sits, and how well it plays.
    pub bots: [Option<Level>; 4],
    /// Whose seat is ready.
    pub ready: [bool; 4],
    /// The options of the next match.
    pub options: Options,
    /// What the table is about.
    pub phase: Phase,
    /// The rematch that somebody wants.
    pub rematch: Option<RematchWish>,
    /// Whether the table is on the list for everybody.
    pub public: bool,
}

impl Seating {
    /// The people of the table as the replica knows it.
    pub fn of(replica: &Replica) -> Option<Self> {
        let state = replica.state()?;
        Some(Self {
            me: replica.me(),
            players: state.players().to_vec(),
            seats: Seat::ALL.map(|seat| state.occupant(seat)),
            bots: Seat::ALL.map(|seat| state.bot(seat)),
            ready: Seat::ALL.map(|seat| state.is_ready(seat)),
            options: *state.options(),
            phase: state.phase(),
            rematch: state.rematch().copied(),
            public: state.is_public(),
        })
    }

    /// Who sits there.
    pub fn occupant(&self, seat: Seat) -> Option<PlayerId> {
        self.seats[seat.index()]
    }

    /// The word of `data-occupant`.
    pub fn occupant_word(&self, seat: Seat) -> &'static str {
        match (self.occupant(seat), self.bots[seat.index()]) {
            (Some(_), _) => "human",
            (None, Some(_)) => "bot",
            (None, None) => "free",
        }
    }

    /// Whether nobody sits there, neither a person nor the computer.
    pub fn is_free(&self, seat: Seat) -> bool {
        self.occupant(seat).is_none() && self.bots[seat.index()].is_none()
    }

    /// How many seats people hold.
    pub fn people_seated(&self) -> usize {
        self.seats.iter().flatten().count()
    }

    /// Where the reader sits.
    pub fn my_seat(&self) -> Option<Seat> {
        let me = self.me?;
        Seat::ALL
            .into_iter()
            .find(|seat| self.occupant(*seat) == Some(me))
    }

    /// Whether the reader is the host.
    pub fn am_host(&self) -> bool {
        self.me.is_some() && self.players.first().map(|player| player.id) == self.me
    }

    /// The name of a person; empty if none was given.
    pub fn name(&self, id: PlayerId) -> &str {
        self.players
            .iter()
            .find(|player| player.id == id)
            .map_or("", |player| &player.name)
    }

    /// Who looks on.
    pub fn onlookers(&self) -> impl Iterator<Item = &Player> {
        self.players
            .iter()
            .filter(|player| !self.seats.contains(&Some(player.id)))
    }

    /// How many look on.
    pub fn spectators(&self) -> usize {
        self.onlookers().count()
    }
}

/// The match on the boards, apart from what lies on them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameFacts {
    /// Which match of the table it is.
    pub no: MatchNo,
    /// The names of the four as they sat down.
    pub names: [String; 4],
    /// Where the computer plays.
    pub bots: [Option<Level>; 4],
    /// The options it is played with.
    pub options: Options,
    /// The draw on offer.
    pub draw: Option<DrawOffer>,
    /// When each seat may offer again, in table time.
    pub offer_again_at: [Millis; 4],
    /// The pause.
    pub pause: Option<Pause>,
    /// Without clocks, the board that stands still until a person has moved on the other.
    pub held: Option<BoardId>,
    /// How it ended.
    pub end: Option<End>,
}

impl GameFacts {
    /// The facts of a match.
    pub fn of(game: &Game) -> Self {
        Self {
            no: game.no(),
            names: game.names().clone(),
            bots: *game.bots(),
            options: *game.options(),
            draw: game.draw().copied(),
            offer_again_at: Seat::ALL.map(|seat| game.offer_again_at(seat)),
            pause: game.pause().copied(),
            held: game.held_board(),
            end: game.end().copied(),
        }
    }
}

/// What `board` shows: the match if there is one, else the men as they will be set up.
pub fn shown(replica: &Replica, board: BoardId) -> Shown {
    let (Some(game), Some(boards)) = (replica.game(), replica.boards()) else {
        let rules = replica
            .state()
            .map(|state| state.options().rules)
            .unwrap_or_default();
        return Shown::still(Position::start(rules));
    };
    let pending = replica
        .pending()
        .filter(|pending| pending.board == board)
        .map(|pending| pending.ply);
    let confirmed = || {
        game.plies()
            .iter()
            .rev()
            .find(|record| record.board == board)
            .map(|record| record.ply)
    };
    Shown {
        position: *boards.position(board),
        plies: boards.plies(board),
        last: pending.or_else(confirmed),
        ended: game.end().is_some(),
        decided: boards.judge(None).is_some(),
    }
}

/// A short word to the player whose hands are on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// What was tried is against the rules.
    Illegal(IllegalPly),
    /// What was typed is no ply, or not which one.
    Unreadable(ParsePlyError),
    /// The first premove has become illegal, so all are forgotten.
    PremovesVoid,
}

/// What a clock shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Face {
    /// Milliseconds left.
    pub ms: u64,
    /// It runs.
    pub running: bool,
}

/// Below this many milliseconds a clock is low, and shows tenths.
pub const LOW_MS: u64 = 20_000;

impl Face {
    /// A clock as it may be shown: one that runs shows no zero before the relay says that it fell.
    pub fn new(ms: u64, running: bool) -> Self {
        Self {
            ms: if running { ms.max(100) } else { ms },
            running,
        }
    }

    /// Whether it is low.
    pub fn is_low(self) -> bool {
        self.ms < LOW_MS
    }

    /// Minutes and seconds, and the tenth if the clock is low.
    pub fn digits(self) -> (String, Option<u64>) {
        let seconds = self.ms / 1_000;
        let whole = format!("{}:{:02}", seconds / 60, seconds % 60);
        (whole, self.is_low().then_some(self.ms / 100 % 10))
    }

    /// For how long the digits stay as they are, in milliseconds.
    pub fn changes_in(self) -> u64 {
        self.ms % if self.ms < LOW_MS + 1_000 { 100 } else { 1_000 } + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_shows_tenths_when_it_is_low() {
        assert_eq!(Face::new(180_000, true).digits(), ("3:00".to_owned(), None));
        assert_eq!(Face::new(20_000, true).digits(), ("0:20".to_owned(), None));
        assert_eq!(
            Face::new(19_999, true).digits(),
            ("0:19".to_owned(), Some(9))
        );
        assert_eq!(
            Face::new(3_600_000, false).digits(),
            ("60:00".to_owned(), None)
        );
    }

    #[test]
    fn a_running_clock_never_shows_zero() {
        assert_eq!(Face::new(0, true).digits(), ("0:00".to_owned(), Some(1)));
        assert_eq!(Face::new(0, false).digits(), ("0:00".to_owned(), Some(0)));
    }
}
