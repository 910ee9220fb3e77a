//! The table: four seats, their people, and match after match.
//!
//! - [`Table`] is the authority. It takes the time, a person and a [`Command`], and answers with
//!   events or a [`Refusal`]. The relay runs one for each table; a page that plays offline runs it too.
//! - [`State`] is what everyone knows. Events change it, in the order of their numbers, equally everywhere.
//! - [`Bots`] plays for the bots that sit at a table, and says what is to be thought about.
//! - What partners say is apart from that ([`Lines`]): streams with numbers of their own.
//! - Presence and lag are neither numbered nor part of the state; the authority tells them as they are.
//!
//! Two time lines are used. *Table time* ([`Millis`]) runs from the opening of the table and stamps
//! every event. *Match time* ([`MatchTime`](crate::clock::MatchTime)) runs from the start of a match,
//! stands still in a pause, and is what clocks are reckoned in.

mod authority;
mod bots;
mod event;
mod name;
mod people;
mod saved;
mod state;
mod talk;

pub use authority::{
    ABSENCE_GRACE_MS, AWAY_MS, COUNTDOWN_MS, HISTORY_KEPT, PEOPLE_MAX, Table, TableFull,
};
pub use bots::{Bots, Job, Report};
pub use event::{
    Arrangement, Command, DrawClosed, End, Event, HouseRules, MatchNo, Millis, PauseReason,
    PlayerId, Refusal, Seq, Stamped,
};
pub use name::{NAME_MAX_CHARS, clean_text};
pub use people::RESUME_AT_LATEST_MS;
pub use saved::Saved;
pub use state::{
    DRAW_AGAIN_MS, DRAW_OFFER_MS, DrawOffer, Game, Inconsistent, PARTNER_PLIES_MAX, Pause, Phase,
    Player, PlyRecord, RematchWish, Snapshot, State,
};
pub use talk::{FLOOD_LINES, FLOOD_MS, Heard, LINES_KEPT, Line, Lines, Speaker};
