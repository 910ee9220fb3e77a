//! What is said at the table, as far as the reader may hear it.

use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use tandem_core::table::{Command, Event, Lines, Millis, Phase, Speaker};
use tandem_core::tell::{Channel, Tell, Words};
use tandem_core::{BoardId, Seat, Square, Team};

use super::{TableStore, set};
use crate::platform::time;
use crate::ui::words;

/// How long what somebody said stands beside the partner's board, in milliseconds.
const TOLD_MS: Millis = 8_000;
/// How many utterances are shown.
const KEPT: usize = 100;

/// One utterance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The channel and the number on it; no two have the same.
    pub id: (usize, u32),
    /// The reader said it.
    pub mine: bool,
    /// Who said it.
    pub name: String,
    /// It was for partners only.
    pub team: bool,
    /// What was said.
    pub words: Words,
}

/// A move proposed on a board: from a square, or from the hand, to a square.
pub type Arrow = (Option<Square>, Square);

/// To whom the reader can talk now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// To nobody: a match is being played, and the reader looks on.
    Nobody,
    /// To nobody: this match is played without talk.
    Off,
    /// To the partner.
    Partner,
    /// To everyone at the table.
    Everyone,
}

/// The talk of a table. A handle: copies are the same talk.
#[derive(Clone, Copy)]
pub struct Talk {
    said: RwSignal<Vec<Said>>,
    told: RwSignal<Option<Said>>,
    last_signal: RwSignal<Option<Tell>>,
    arrows: [RwSignal<Option<Arrow>>; 2],
    /// The square that the reader has chosen on the partner's board, if a move is being proposed:
    /// nothing yet, the hand, or a square.
    pub picking: RwSignal<Option<Option<Option<Square>>>>,
    /// Nothing that others say is shown.
    pub muted: RwSignal<bool>,
    timer: StoredValue<Option<Timeout>, LocalStorage>,
}

impl Talk {
    pub(super) fn new() -> Self {
        Self {
            said: RwSignal::new(Vec::new()),
            told: RwSignal::new(None),
            last_signal: RwSignal::new(None),
            arrows: [RwSignal::new(None), RwSignal::new(None)],
            picking: RwSignal::new(None),
            muted: RwSignal::new(false),
            timer: StoredValue::new_local(None),
        }
    }

    /// All that was said, oldest first; without the others if they are muted. Reactive.
    pub fn said(self) -> Vec<Said> {
        let muted = self.muted.get();
        self.said.with(|said| {
            let shown = said.iter().filter(|line| line.mine || !muted);
            shown.cloned().collect()
        })
    }

    /// What somebody has said just now.
    pub fn told(self) -> Signal<Option<Said>> {
        self.told.into()
    }

    /// The signal that the reader has given, while it is the newest thing said. Reactive.
    pub fn last_signal(self) -> Signal<Option<Tell>> {
        self.last_signal.into()
    }

    /// The move proposed on a board. Reactive.
    pub fn arrow(self, board: BoardId) -> Option<Arrow> {
        self.arrows[board.index()].get()
    }

    /// What happens at the table ends some of what was said.
    pub(super) fn follow(self, event: &Event) {
        match event {
            Event::Played { board, .. } => set(self.arrows[board.index()], None),
            Event::Started | Event::LobbyOpened | Event::RematchAgreed(_) => {
                self.said.update(|said| said.retain(|line| !line.team));
                set(self.told, None);
                set(self.last_signal, None);
                set(self.picking, None);
            }
            Event::Ended(_) => {
                set(self.picking, None);
                for arrow in self.arrows {
                    set(arrow, None);
                }
            }
            _ => {}
        }
    }

    fn tell(self, said: Said, for_ms: Millis) {
        self.told.set(Some(said));
        let wait = u32::try_from(for_ms).unwrap_or(u32::MAX);
        let timer = Timeout::new(wait, move || {
            self.told.try_set(None);
        });
        self.timer.try_set_value(Some(timer));
    }
}

impl TableStore {
    /// To whom the reader can talk now. Reactive.
    pub fn audience(self) -> Audience {
        let playing = self.seating.with(|seating| {
            let seating = seating.as_ref()?;
            (seating.phase == Phase::Playing).then(|| seating.my_seat().is_some())
        });
        let talk = || {
            self.game
                .with(|game| game.as_ref().is_some_and(|game| game.options.talk))
        };
        match playing {
            None => Audience::Everyone,
            Some(false) => Audience::Nobody,
            Some(true) if talk() => Audience::Partner,
            Some(true) => Audience::Off,
        }
    }

    /// Gives the partner a signal.
    pub fn tell_partner(self, tell: Tell) {
        self.say(Words::Tell(tell));
    }

    /// Says something to whoever can be talked to now.
    pub fn say(self, words: Words) {
        let channel = match untrack(|| (self.audience(), self.my_seat())) {
            (Audience::Everyone, _) => Channel::Everyone,
            (Audience::Partner, Some(seat)) if seat.team() == Team::One => Channel::TeamOne,
            (Audience::Partner, Some(_)) => Channel::TeamTwo,
            _ => return,
        };
        self.ask(Command::Say(channel, words));
    }

    /// Takes in what was said.
    pub(super) fn hear(self, lines: &Lines) {
        let local = time::now();
        let now = self
            .core
            .try_with_value(|core| core.replica.table_time(local))
            .unwrap_or(0);
        let (me, seat) = self.seating.with_untracked(|seating| {
            let seating = seating.as_ref();
            (
                seating.and_then(|seating| seating.me),
                seating.and_then(super::Seating::my_seat),
            )
        });
        let team = lines.channel != Channel::Everyone;
        for (number, line) in (lines.first..).zip(&lines.lines) {
            let id = (lines.channel.index(), number);
            if self
                .talk
                .said
                .with_untracked(|said| said.iter().any(|known| known.id == id))
            {
                continue;
            }
            let said = Said {
                id,
                mine: matches!(line.speaker, Speaker::Person(id) if Some(id) == me),
                name: self.speaker_name(line.speaker),
                team,
                words: line.words.clone(),
            };
            self.talk.said.update(|all| {
                all.push(said.clone());
                if all.len() > KEPT {
                    all.remove(0);
                }
            });
            let left = (line.at + TOLD_MS).saturating_sub(now);
            if left == 0 {
                continue;
            }
            if let (Words::Tell(Tell::Suggest { from, to }), Some(seat)) = (&said.words, seat) {
                let board = if said.mine {
                    seat.board().other()
                } else {
                    seat.board()
                };
                if said.mine || !self.talk.muted.get_untracked() {
                    set(self.talk.arrows[board.index()], Some((*from, *to)));
                }
            }
            match said.words {
                Words::Tell(tell) if said.mine => set(self.talk.last_signal, Some(tell)),
                _ => set(self.talk.last_signal, None),
            }
            if !said.mine && !self.talk.muted.get_untracked() {
                self.talk.tell(said, left);
            }
        }
    }

    fn speaker_name(self, speaker: Speaker) -> String {
        match speaker {
            Speaker::Bot(seat) => untrack(|| self.bot_name(seat)).to_owned(),
            Speaker::Person(id) => self.seating.with_untracked(|seating| {
                let seating = seating.as_ref();
                seating.map_or_else(String::new, |seating| words::person_name(seating, id))
            }),
        }
    }

    /// The reader chooses something on the partner's board: the man that should move, then where to.
    /// `None` is the partner's hand.
    pub fn pick(self, place: Option<Square>) {
        match (self.talk.picking.get_untracked(), place) {
            (Some(None), place) => self.talk.picking.set(Some(Some(place))),
            (Some(Some(from)), Some(to)) if from != Some(to) => {
                self.talk.picking.set(None);
                self.tell_partner(Tell::Suggest { from, to });
            }
            // The same once more puts it down.
            (Some(Some(_)), _) => self.talk.picking.set(Some(None)),
            (None, _) => {}
        }
    }

    /// The seat of the partner. Reactive.
    pub fn partner(self) -> Option<Seat> {
        self.my_seat().map(Seat::partner)
    }
}
