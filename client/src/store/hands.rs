//! What the reader's hands do on the own board: plies, premoves, and the short words about them.

use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use tandem_core::premove::Plan;
use tandem_core::protocol::ClientMessage;
use tandem_core::replica::{Notice, Replica};
use tandem_core::table::{Event, Phase, Stamped};
use tandem_core::{BoardId, IllegalPly, Ply, Seat};

use super::{Hint, Note, TableStore};
use crate::platform::{page, time};
use crate::text;

/// How long a hint stays, in milliseconds.
const HINT_MS: u32 = 2_500;
/// Less than this is not worth showing, in milliseconds.
const LEAST_GAIN_MS: u64 = 100;

impl TableStore {
    /// The reader may line up premoves.
    pub fn may_plan(self) -> Signal<bool> {
        self.may_plan.into()
    }

    /// The reader's premoves, the next one first.
    pub fn premoves(self) -> Signal<Vec<Ply>> {
        self.premoves.into()
    }

    /// A short word about what the reader's hands do.
    pub fn hint(self) -> Signal<Option<Hint>> {
        self.hint.into()
    }

    /// Plays a ply of the reader: it is on the screen before it is on its way.
    pub fn play(self, ply: Ply) {
        let played = self
            .core
            .try_update_value(|core| core.replica.play(ply, time::now()));
        match played {
            Some(Ok(message)) => self.show_and_send(&[], &[message]),
            Some(Err(why)) => self.tell(Note::CannotPlay(why)),
            None => {}
        }
    }

    /// Lines a premove up, or plays it if its turn has come already.
    pub fn premove(self, ply: Ply) {
        let lined_up = self
            .core
            .try_update_value(|core| core.replica.premove(ply, time::now()));
        match lined_up {
            Some(Ok((notices, messages))) => self.show_and_send(&notices, &messages),
            Some(Err(why)) => self.tell(Note::CannotPlay(why)),
            None => {}
        }
    }

    /// Forgets the premoves.
    pub fn forget_premoves(self) {
        let any = self
            .core
            .try_update_value(|core| core.replica.forget_premoves());
        if any == Some(true) {
            self.refresh(&[]);
        }
    }

    /// Takes a ply that was typed, in SAN or UCI: for now, or as a premove. True if there was one.
    pub fn play_text(self, typed: &str) -> bool {
        let text = &*text::letters().to_english(typed);
        let read = self.core.try_with_value(|core| {
            let replica = &core.replica;
            let seat = replica.seat()?;
            let boards = replica.boards()?;
            let position = boards.position(seat.board());
            let now = position.parse_ply(text);
            Some(match now {
                _ if !replica.is_my_turn() => {
                    let plan = Plan::new(position, seat.color(), replica.premoves());
                    plan.parse_ply(text).map(|ply| (ply, true))
                }
                // A drop whose piece is still to come waits for it.
                Err(error) if error == IllegalPly::NotInHand.into() => {
                    let plan = Plan::new(position, seat.color(), &[]);
                    plan.parse_ply(text).map(|ply| (ply, true))
                }
                now => now.map(|ply| (ply, false)),
            })
        });
        match read.flatten() {
            Some(Ok((ply, true))) => self.premove(ply),
            Some(Ok((ply, false))) => self.play(ply),
            Some(Err(why)) => {
                self.give_hint(Hint::Unreadable(why));
                return false;
            }
            None => return false,
        }
        true
    }

    /// Says why a try on the own board came to nothing.
    pub fn explain(self, ply: Ply) {
        let why = self.core.try_with_value(|core| {
            let replica = &core.replica;
            let boards = replica.boards().filter(|_| replica.is_my_turn())?;
            let position = boards.position(replica.seat()?.board());
            position.check_legal(ply).err()
        });
        // Out of turn every way that a piece goes is open, so this one is none.
        self.give_hint(Hint::Illegal(
            why.flatten().unwrap_or(IllegalPly::PieceCannotReach),
        ));
    }

    /// Shows what clocks have gained: the mover's by increment and lag, and for the same lag the one
    /// that ran on the other board.
    pub(super) fn show_gains(self, notices: &[Notice]) {
        let options = self
            .game
            .with_untracked(|game| game.as_ref().map(|game| game.options));
        let turns = self.core.try_with_value(|core| {
            let game = core.replica.game()?;
            Some(BoardId::ALL.map(|board| game.boards().position(board).turn()))
        });
        let (Some(options), Some(turns)) = (
            options.filter(|options| options.has_clocks()),
            turns.flatten(),
        ) else {
            return;
        };
        for notice in notices {
            let Notice::Event(Stamped {
                event: Event::Played { board, credit, .. },
                ..
            }) = notice
            else {
                continue;
            };
            let credit = u64::from(*credit);
            let turn = |board: BoardId| turns[board.index()];
            let mover = Seat::new(*board, turn(*board).other());
            let beside = Seat::new(board.other(), turn(board.other()));
            let increment = u64::from(options.increment_ms);
            for (seat, ms) in [(mover, increment + credit), (beside, credit)] {
                if ms >= LEAST_GAIN_MS {
                    self.gains[seat.index()].update(|gain| *gain = (gain.0 + 1, ms));
                }
            }
        }
    }

    pub(super) fn give_hint(self, hint: Hint) {
        self.hint.set(Some(hint));
        let timer = Timeout::new(HINT_MS, move || {
            self.hint.try_set(None);
        });
        self.core
            .try_update_value(|core| core.hint_timer = Some(timer));
    }

    fn show_and_send(self, notices: &[Notice], messages: &[ClientMessage]) {
        self.refresh(notices);
        if self.is_alone() {
            // The table is in this page, and its answer is work for which the painted ply need not wait.
            self.core
                .try_update_value(|core| core.outbox.extend_from_slice(messages));
            page::after_paint(move || self.send(&[]));
        } else {
            self.send(messages);
        }
    }
}

/// Whether the reader can think ahead: a seat in a match that goes on and is not decided.
pub(super) fn may_plan(replica: &Replica) -> bool {
    replica.seat().is_some()
        && replica
            .state()
            .is_some_and(|state| state.phase() == Phase::Playing)
        && !replica.is_decided()
}
