//! What page and relay say to each other, as bytes (postcard) in binary WebSocket frames.
//!
//! The first frame of a page is a [`Hello`]; the relay answers with [`ServerMessage::Welcome`] and
//! what the page has missed. From then on two numbered streams run towards the page: public events,
//! and talk it may hear. Commands run towards the relay with numbers of their own; each is answered.
//! A change of any byte here is a change of [`VERSION`], and a golden test says so.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use thiserror::Error;

use crate::code::TableCode;
use crate::table::{
    Command, Heard, HouseRules, Lines, Millis, PlayerId, Refusal, Seq, Stamped, State,
};

/// The version of this protocol.
pub const VERSION: u16 = 4;

/// The longest frame a relay takes from a page, in bytes.
pub const FRAME_MAX: usize = 4 * 1024;

/// How often the relay sends [`ServerMessage::Beat`], in milliseconds.
pub const BEAT_MS: u64 = 2_000;

/// After how much silence a connection counts as cut, in milliseconds.
pub const SILENCE_MS: u64 = 6_000;

/// The number of a command within its [`Hello::session`], from 1 without gaps.
pub type CommandId = u32;

/// The secret of one browser at one table: 128 random bits. It goes from the page to the relay in
/// the first frame and never anywhere else.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Token(pub [u8; 16]);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(secret)")
    }
}

/// What a page has already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Have {
    /// Of which [`ServerMessage::Welcome::epoch`].
    pub epoch: u32,
    /// The number of its newest event.
    pub seq: Seq,
    /// The numbers of its newest lines of talk.
    pub heard: Heard,
}

/// The first frame of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// The page's [`VERSION`]. It comes first, so that it can be read whatever follows.
    pub version: u16,
    /// Which table.
    pub table: TableCode,
    /// Who.
    pub token: Token,
    /// A random number of this page load: command numbers belong to it.
    pub session: u32,
    /// The number of the oldest command that has no answer yet, or of the next one.
    pub next_command: CommandId,
    /// The name to begin with; it counts when the token is new at the table.
    pub name: String,
    /// What the page has already, when it comes back.
    pub have: Option<Have>,
}

/// From page to relay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClientMessage {
    /// The first frame, and only that. It is the first variant, so that [`hello_version`] can
    /// read it from any version.
    Hello(Hello),
    /// A command.
    Command {
        /// Its number.
        id: CommandId,
        /// What is asked.
        command: Command,
    },
    /// The answer to a [`ServerMessage::Beat`]: the page is alive.
    Echo,
    /// Something was missed.
    Resync(Have),
}

/// How a person at the table is connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Here {
    /// Who.
    pub player: PlayerId,
    /// Since when there has been no connection, in table time.
    pub away_since: Option<Millis>,
    /// The measured lag in milliseconds.
    pub lag_ms: u16,
}

/// From relay to page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ServerMessage {
    /// The page is at the table. What it has missed follows.
    Welcome {
        /// Which person the page is.
        you: PlayerId,
        /// Names this run of numbers; event numbers of another epoch mean nothing.
        epoch: u32,
        /// Table time now.
        now: Millis,
        /// How long a player may be away in a match, in milliseconds.
        absence_grace_ms: Millis,
        /// What the relay lets people do at its tables.
        house: HouseRules,
    },
    /// The whole public state.
    Snapshot(Box<State>),
    /// Public events.
    Events {
        /// The number of the first; the others follow without gap.
        first: Seq,
        /// The events.
        events: Vec<Stamped>,
    },
    /// Talk this page may hear.
    Lines(Lines),
    /// What came of a command.
    Answer {
        /// The number of the command.
        id: CommandId,
        /// Whether it was done, or why not.
        result: Result<(), Refusal>,
    },
    /// Everyone's presence and lag.
    People(Vec<Here>),
    /// A sign of life, to be echoed at once.
    Beat {
        /// Table time now.
        now: Millis,
        /// The number of the newest event.
        seq: Seq,
        /// The numbers of the newest lines of talk this page may hear.
        heard: Heard,
    },
    /// Whether the relay cannot put on record what happens, so that play stands still and nothing is
    /// told until it can. It is said when that changes.
    Stuck(bool),
}

/// Why the relay closes a socket, as a WebSocket close code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Close {
    /// 1009: a frame was longer than [`FRAME_MAX`].
    FrameTooLong,
    /// 1012: the relay is being restarted.
    Restart,
    /// 4000: a frame could not be read.
    BadFrame,
    /// 4001: the first frame was no hello, or did not come in time.
    HelloExpected,
    /// 4002: the page speaks another version of the protocol.
    OtherVersion,
    /// 4003: there is no such table.
    UnknownTable,
    /// 4004: the table is full.
    TableFull,
    /// 4005: the same person opened the table elsewhere; the newer page is in charge.
    OpenedElsewhere,
    /// 4006: the host sent this person away.
    Removed,
    /// 4007: the page reads too slowly.
    TooSlow,
    /// 4008: the page sends too much.
    TooMuch,
    /// 4009: nothing was heard from the page for too long.
    Silent,
    /// 4010: the person left the table.
    Left,
    /// 4011: the table was closed, by a fault or by the operator.
    TableClosed,
    /// 4012: the relay has no room for another connection.
    RelayFull,
    /// 4013: the relay cannot put on record what happens.
    CannotSave,
    /// 4014: too many connections come from this address.
    AddressFull,
    /// 4015: too many codes of tables that do not exist have come from this address.
    TooManyGuesses,
    /// 4016: the operator of the relay has blocked this address.
    Blocked,
    /// 4017: another connection of the same page has said hello. It may be an older one whose hello
    /// was under way for longer, so the page comes back.
    Replaced,
    /// 4018: too much comes from this address.
    AddressTooMuch,
    /// 4019: more comes to the relay than it takes.
    RelayBusy,
}

impl Close {
    /// Every reason.
    pub const ALL: [Close; 22] = [
        Close::FrameTooLong,
        Close::Restart,
        Close::BadFrame,
        Close::HelloExpected,
        Close::OtherVersion,
        Close::UnknownTable,
        Close::TableFull,
        Close::OpenedElsewhere,
        Close::Removed,
        Close::TooSlow,
        Close::TooMuch,
        Close::Silent,
        Close::Left,
        Close::TableClosed,
        Close::RelayFull,
        Close::CannotSave,
        Close::AddressFull,
        Close::TooManyGuesses,
        Close::Blocked,
        Close::Replaced,
        Close::AddressTooMuch,
        Close::RelayBusy,
    ];

    /// The close code.
    pub const fn code(self) -> u16 {
        match self {
            Close::FrameTooLong => 1009,
            Close::Restart => 1012,
            Close::BadFrame => 4000,
            Close::HelloExpected => 4001,
            Close::OtherVersion => 4002,
            Close::UnknownTable => 4003,
            Close::TableFull => 4004,
            Close::OpenedElsewhere => 4005,
            Close::Removed => 4006,
            Close::TooSlow => 4007,
            Close::TooMuch => 4008,
            Close::Silent => 4009,
            Close::Left => 4010,
            Close::TableClosed => 4011,
            Close::RelayFull => 4012,
            Close::CannotSave => 4013,
            Close::AddressFull => 4014,
            Close::TooManyGuesses => 4015,
            Close::Blocked => 4016,
            Close::Replaced => 4017,
            Close::AddressTooMuch => 4018,
            Close::RelayBusy => 4019,
        }
    }

    /// The reason sent along, in a few English words.
    pub const fn reason(self) -> &'static str {
        match self {
            Close::FrameTooLong => "frame too long",
            Close::Restart => "relay restarting",
            Close::BadFrame => "unreadable frame",
            Close::HelloExpected => "hello expected",
            Close::OtherVersion => "other protocol version",
            Close::UnknownTable => "unknown table",
            Close::TableFull => "table full",
            Close::OpenedElsewhere => "opened elsewhere",
            Close::Removed => "removed by the host",
            Close::TooSlow => "reading too slowly",
            Close::TooMuch => "sending too much",
            Close::Silent => "silent for too long",
            Close::Left => "left the table",
            Close::TableClosed => "table closed",
            Close::RelayFull => "relay full",
            Close::CannotSave => "relay cannot save",
            Close::AddressFull => "too many connections from this address",
            Close::TooManyGuesses => "too many unknown tables",
            Close::Blocked => "address blocked",
            Close::Replaced => "another connection of this page",
            Close::AddressTooMuch => "too much from this address",
            Close::RelayBusy => "relay overloaded",
        }
    }

    /// The reason of a close code, if it is one of these.
    pub fn from_code(code: u16) -> Option<Close> {
        Close::ALL.into_iter().find(|close| close.code() == code)
    }

    /// Whether a page should come back by itself after that.
    pub const fn may_reconnect(self) -> bool {
        matches!(
            self,
            Close::Restart
                | Close::TooSlow
                | Close::Silent
                | Close::RelayFull
                | Close::CannotSave
                | Close::Replaced
                | Close::AddressTooMuch
                | Close::RelayBusy
        )
    }
}

/// Bytes that are no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DecodeError {
    /// They cannot be read.
    #[error("the frame cannot be read")]
    Unreadable,
    /// Something follows behind the message.
    #[error("the frame goes on behind its message")]
    Trailing,
}

/// The bytes of a message.
pub fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    // Writing to memory fails only for types whose length is unknown beforehand; messages have none.
    postcard::to_allocvec(message).expect("every message has a length")
}

/// The message in these bytes, all of them.
///
/// # Errors
/// When they are no message, or more than one.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, DecodeError> {
    let (message, rest) = postcard::take_from_bytes(bytes).map_err(|_| DecodeError::Unreadable)?;
    if rest.is_empty() {
        Ok(message)
    } else {
        Err(DecodeError::Trailing)
    }
}

/// The version named in a first frame, also when the rest of it is of a version unknown here.
pub fn hello_version(bytes: &[u8]) -> Option<u16> {
    let (&variant, rest) = bytes.split_first()?;
    let (version, _) = postcard::take_from_bytes(rest).ok()?;
    (variant == 0).then_some(version)
}
