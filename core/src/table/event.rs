//! What people ask of a table, what happens at it, and why something does not happen.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::bot::Level;
use crate::clock::MatchTime;
use crate::tell::{Channel, Words};
use crate::{BoardId, EndRule, IllegalPly, Options, Ply, Seat, Team};

/// Table time: milliseconds since the table was opened, as its authority counts them.
pub type Millis = u64;

/// The number of a public event at its table; the first has number 1.
pub type Seq = u32;

/// A person at a table, seated or looking on. Numbers are never given twice at one table.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Default,
)]
pub struct PlayerId(pub u16);

/// Which match of the table, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MatchNo(pub u16);

/// How the seats are dealt for a rematch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Arrangement {
    /// Everyone sits where they sat.
    Same,
    /// A-White stays, the other three move round: in three matches everyone has had everyone as partner.
    SwapPartners,
    /// Everyone changes places with the opponent on the same board: same teams, other colours.
    SwapColors,
}

impl Arrangement {
    /// From which seat the player comes who will sit at `seat`.
    pub fn source(self, seat: Seat) -> Seat {
        match self {
            Arrangement::Same => seat,
            Arrangement::SwapColors => seat.opponent(),
            Arrangement::SwapPartners => match seat {
                Seat::AWhite => Seat::AWhite,
                Seat::ABlack => Seat::BBlack,
                Seat::BWhite => Seat::ABlack,
                Seat::BBlack => Seat::BWhite,
            },
        }
    }
}

/// What whoever runs the relay lets people do at its tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HouseRules {
    /// Whether people may write; signals between partners are always allowed.
    pub free_text: bool,
    /// Whether there is a list of tables that anybody may come to.
    pub public_list: bool,
    /// Whether the computer may take seats.
    pub bots: bool,
}

impl Default for HouseRules {
    /// Everything is allowed.
    fn default() -> HouseRules {
        HouseRules {
            free_text: true,
            public_list: true,
            bots: true,
        }
    }
}

/// What a person asks of the table. Commands about a match name it: one that arrives late must not
/// touch the next match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    /// Take or change one's name; it is cleaned and made unique.
    SetName(String),
    /// Sit down on a free seat, or move to it. The computer gives way.
    Sit(Seat),
    /// Give up one's seat and look on.
    Stand,
    /// Host, before the start: exchange what is on two seats.
    Swap(Seat, Seat),
    /// Host, before the start: put the computer on a free seat, or change the level of the one there.
    AddBot(Seat, Level),
    /// Host, before the start: take the computer off a seat.
    RemoveBot(Seat),
    /// Host, before the start: send a person away from the table.
    Remove(PlayerId),
    /// Host, before the start: other clocks or rules. Nobody is ready afterwards.
    SetOptions(Options),
    /// Host, before the start: whether the table is on the list for everybody, or is found by its
    /// link only.
    SetPublic(bool),
    /// Ready to start, or not.
    SetReady(bool),
    /// A move or drop.
    Play {
        /// In which match.
        match_no: MatchNo,
        /// On which board.
        board: BoardId,
        /// How many plies had been played on that board: the ply this one answers.
        answers: u16,
        /// The ply.
        ply: Ply,
    },
    /// Resign the match for the team.
    Resign(MatchNo),
    /// Offer a draw, or agree to the one on offer.
    OfferDraw(MatchNo),
    /// Agree to the draw on offer.
    AcceptDraw(MatchNo),
    /// Refuse the draw on offer.
    DeclineDraw(MatchNo),
    /// Take back one's own offer.
    WithdrawDraw(MatchNo),
    /// Leave the table. In a match this loses it for the team.
    Leave,
    /// After the end of this match: ready for another one with these seats.
    Rematch(MatchNo, Arrangement),
    /// After the end of this match: back to the seating plan.
    ToLobby(MatchNo),
    /// Say something.
    Say(Channel, Words),
}

/// Why play is paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PauseReason {
    /// Nobody who plays is connected.
    NobodyThere,
    /// The relay was restarted.
    RelayRestarted,
    /// The relay cannot write its journal.
    DiskFull,
}

/// Why a draw offer is no longer on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DrawClosed {
    /// The one who offered took it back.
    Withdrawn,
    /// Somebody declined.
    Declined(Seat),
    /// Thirty seconds went by.
    Lapsed,
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// By which rule.
    pub rule: EndRule,
    /// Who won; nobody in a draw.
    pub winner: Option<Team>,
    /// On which board, where the rule has one.
    pub board: Option<BoardId>,
    /// Whose clock, resignation or leaving it was, where there is one.
    pub seat: Option<Seat>,
    /// When, in match time. For an end on time: when the clock reached zero.
    pub at: MatchTime,
}

/// What happens at a table. Whoever applies the same events in the same order has the same table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    /// Somebody came to the table. The person who has been there longest is its host.
    Joined {
        /// The new number.
        player: PlayerId,
        /// The name, already cleaned and unique; empty when none was given.
        name: String,
    },
    /// Somebody is gone from the table, and from the seat.
    Left {
        /// Who.
        player: PlayerId,
        /// Whether the host sent them away.
        removed: bool,
    },
    /// Somebody has another name.
    Named {
        /// Who.
        player: PlayerId,
        /// The name, already cleaned and unique.
        name: String,
    },
    /// Somebody sat down, or moved to another seat.
    Sat {
        /// Who.
        player: PlayerId,
        /// Where.
        seat: Seat,
    },
    /// Somebody stood up.
    Stood {
        /// Who.
        player: PlayerId,
    },
    /// The computer sits down on a free seat, or plays there at another level.
    BotSat {
        /// Where.
        seat: Seat,
        /// How well it plays.
        level: Level,
    },
    /// The computer is off that seat.
    BotLeft(Seat),
    /// The host exchanged two seats.
    Swapped(Seat, Seat),
    /// The host chose other options; nobody is ready.
    OptionsSet(Options),
    /// The host put the table on the list for everybody, or took it off.
    PublicSet(bool),
    /// Somebody is ready, or no longer.
    ReadySet {
        /// Whose seat.
        seat: Seat,
        /// Whether ready.
        ready: bool,
    },
    /// All four are ready: the match starts at this table time.
    CountdownBegun {
        /// When the clocks will start.
        starts_at: Millis,
    },
    /// The countdown is off; nobody is ready.
    CountdownCancelled,
    /// The match has begun, both Whites' clocks run.
    Started,
    /// A ply was played. The capture and its arrival in the partner's hand are part of it.
    Played {
        /// On which board.
        board: BoardId,
        /// The ply.
        ply: Ply,
        /// Lag credited to the mover, and on the other board, in milliseconds.
        credit: u16,
    },
    /// Somebody offered a draw, and agrees to it.
    DrawOffered(Seat),
    /// Somebody agreed to the draw on offer.
    DrawAgreed(Seat),
    /// The draw is off the table.
    DrawClosed(DrawClosed),
    /// No clock runs, no ply is taken.
    Paused(PauseReason),
    /// Play goes on at this table time.
    ResumeBegun {
        /// When the clocks will run again.
        resumes_at: Millis,
    },
    /// The clocks run again.
    Resumed,
    /// The match is over. Nothing changes boards, hands or clocks any more.
    Ended(End),
    /// Somebody wants a rematch with these seats. A different wish replaces the one before.
    RematchWanted {
        /// Who wants it.
        seat: Seat,
        /// With which seats.
        arrangement: Arrangement,
    },
    /// All four wanted the same rematch: they sit accordingly and are ready.
    RematchAgreed(Arrangement),
    /// Back to the seating plan; nobody is ready.
    LobbyOpened,
}

/// An event with the instant the authority gave it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamped {
    /// When it happened, in table time. Never earlier than the event before.
    pub at: Millis,
    /// What happened.
    pub event: Event,
}

/// Why a command was refused. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
pub enum Refusal {
    /// The ply is against the rules.
    #[error("{0}")]
    Illegal(IllegalPly),
    /// The ply is not the next one on its board: it is late, early or repeated.
    #[error("this ply is no longer the next one on its board")]
    Stale,
    /// It is the opponent's turn.
    #[error("it is not your turn")]
    NotYourTurn,
    /// The own clock has run out; the end only waits for another flag that fell earlier.
    #[error("your time is up")]
    TimeIsUp,
    /// Play is paused.
    #[error("play is paused")]
    Paused(PauseReason),
    /// There is no match in progress.
    #[error("no match is being played")]
    NoMatch,
    /// The match named has ended.
    #[error("that match has ended")]
    MatchEnded,
    /// The command is for a seat one does not hold.
    #[error("you do not hold that seat")]
    NotYourSeat,
    /// The command needs a seat.
    #[error("you have no seat")]
    NotSeated,
    /// Somebody sits there.
    #[error("that seat is taken")]
    SeatTaken,
    /// The command is for the host.
    #[error("only the host may do that")]
    NotHost,
    /// The command is for the time before a match.
    #[error("that is possible only before the start")]
    NotInLobby,
    /// Nobody of that number is here.
    #[error("there is nobody of that number at the table")]
    UnknownPlayer,
    /// The options are out of their range.
    #[error("these options are out of range")]
    BadOptions,
    /// The last offer was closed less than twenty seconds ago.
    #[error("wait before you offer a draw again")]
    OfferTooSoon,
    /// There is no draw offer, or none of one's own.
    #[error("there is no such draw offer")]
    NoOffer,
    /// Not all four seats are occupied.
    #[error("not all seats are occupied")]
    SeatsNotFull,
    /// The computer does not sit there.
    #[error("no bot sits there")]
    NoBotThere,
    /// Nobody drives bots at this table, or all of them are busy elsewhere.
    #[error("no bot can be had now")]
    BotsBusy,
    /// This channel is closed now, or not one's own, or talk is off at this table.
    #[error("you cannot talk there now")]
    NoTalk,
    /// This relay takes no free text.
    #[error("this relay takes signals between partners, but no free text")]
    NoFreeText,
    /// This relay has no list of tables.
    #[error("this relay has no list of tables")]
    NoPublicList,
    /// More was said than a table remembers.
    #[error("too much was said; wait a little")]
    TooMuchTalk,
    /// Nothing readable was said.
    #[error("the text is empty")]
    EmptyText,
}
