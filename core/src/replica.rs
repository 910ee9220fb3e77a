//! The player's side of a table: the confirmed state, and on top of it the player's own ply that
//! the relay has not confirmed yet. It is shown at once and settled or taken back when word comes.
//! Behind it wait the player's premoves, of which the relay knows nothing.

use std::collections::VecDeque;

use thiserror::Error;

use crate::code::TableCode;
use crate::link::{Delivery, Link, LinkFull};
use crate::premove::{Due, Premoves};
use crate::protocol::{ClientMessage, CommandId, Here, ServerMessage, Token};
use crate::table::{
    Command, Event, Game, HouseRules, Lines, MatchNo, Millis, Phase, PlayerId, Refusal, Stamped,
    State,
};
use crate::{BoardId, IllegalPly, Match, Ply, Seat};

/// After how long an unconfirmed ply counts as uncertain, in milliseconds: the own clock is then
/// shown running again.
pub const UNCERTAIN_MS: Millis = 1_000;

/// How many measurements of the relay's time are kept.
const TIME_SAMPLES: usize = 16;

/// What the relay's table time is by the page's own clock. Word of it arrives late, never early, so
/// the sample that puts it latest is the best; a clock reckoned so is never shown too low.
#[derive(Clone, Debug, Default)]
struct TimeSync {
    offsets: VecDeque<i64>,
}

impl TimeSync {
    fn sample(&mut self, table: Millis, local: Millis) {
        if self.offsets.len() == TIME_SAMPLES {
            self.offsets.pop_front();
        }
        let signed = |ms: Millis| i64::try_from(ms).unwrap_or(i64::MAX);
        self.offsets.push_back(signed(table) - signed(local));
    }

    fn table_time(&self, local: Millis) -> Millis {
        let offset = self.offsets.iter().max().copied().unwrap_or(0);
        local.saturating_add_signed(offset)
    }
}

/// The player's own ply, shown but not confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    /// The number of its command.
    pub id: CommandId,
    /// In which match.
    pub match_no: MatchNo,
    /// On which board.
    pub board: BoardId,
    /// The number of plies it answers.
    pub answers: u16,
    /// The ply.
    pub ply: Ply,
    /// When it was played, in table time as the page reckons it.
    pub at: Millis,
}

/// Why a ply was not even shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CannotPlay {
    /// One looks on.
    #[error("you have no seat")]
    NotSeated,
    /// No match is being played.
    #[error("no match is being played")]
    NoMatch,
    /// Play is paused.
    #[error("play is paused")]
    Paused,
    /// It is the opponent's turn.
    #[error("it is not your turn")]
    NotYourTurn,
    /// The shown position is already decided.
    #[error("the match is decided")]
    Decided,
    /// The ply is against the rules.
    #[error("{0}")]
    Illegal(IllegalPly),
    /// Too many commands have no answer.
    #[error("{0}")]
    Link(LinkFull),
}

/// What a message changed, for those who draw, sound and announce it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Everything may have changed.
    Reset,
    /// An event was applied.
    Event(Stamped),
    /// The own ply was not accepted and is no longer shown.
    TakenBack {
        /// The ply.
        ply: Ply,
        /// The relay's reason, if it gave one.
        refusal: Option<Refusal>,
    },
    /// A premove was played, in answer to what was heard in the same call.
    Premoved(Ply),
    /// The premoves were forgotten, because the first of them had become illegal.
    PremovesVoid,
    /// Another command was refused.
    Refused {
        /// The command.
        command: Command,
        /// The relay's reason.
        refusal: Refusal,
    },
    /// Something was said.
    Lines(Lines),
    /// Somebody came, went or lags.
    People,
    /// The relay can no longer put on record what happens, or can again: see [`Replica::is_stuck`].
    Stuck,
}

/// The player's (or spectator's) side of a table.
#[derive(Clone, Debug)]
pub struct Replica {
    link: Link,
    time: TimeSync,
    me: Option<PlayerId>,
    state: Option<State>,
    pending: Option<Pending>,
    /// The command of the own ply that was taken back last, whose refusal is no more news.
    taken_back: Option<CommandId>,
    premoves: Premoves,
    /// For which match and from which seat the premoves are.
    planned_for: Option<(MatchNo, Seat)>,
    people: Vec<Here>,
    absence_grace_ms: Millis,
    house: HouseRules,
    stuck: bool,
}

impl Replica {
    /// A replica that knows nothing yet; `session` is a random number.
    pub fn new(session: u32) -> Replica {
        Replica {
            link: Link::new(session),
            time: TimeSync::default(),
            me: None,
            state: None,
            pending: None,
            taken_back: None,
            premoves: Premoves::default(),
            planned_for: None,
            people: Vec::new(),
            absence_grace_ms: 0,
            house: HouseRules::default(),
            stuck: false,
        }
    }

    /// The first frame on a new connection.
    pub fn hello(&self, table: TableCode, token: Token, name: &str) -> ClientMessage {
        self.link.hello(table, token, name)
    }

    /// The confirmed state, once one has come.
    pub fn state(&self) -> Option<&State> {
        self.state.as_ref()
    }

    /// Which person the page is.
    pub fn me(&self) -> Option<PlayerId> {
        self.me
    }

    /// The own seat.
    pub fn seat(&self) -> Option<Seat> {
        self.state.as_ref()?.seat_of(self.me?)
    }

    /// The match being played or just ended, as confirmed.
    pub fn game(&self) -> Option<&Game> {
        self.state.as_ref()?.game()
    }

    /// The own ply that is not confirmed yet.
    pub fn pending(&self) -> Option<&Pending> {
        self.pending.as_ref()
    }

    /// The player's premoves, the next one first.
    pub fn premoves(&self) -> &[Ply] {
        self.premoves.plies()
    }

    /// Presence and lag of everyone at the table.
    pub fn people(&self) -> &[Here] {
        &self.people
    }

    /// Whether play stands still because the relay cannot put on record what happens.
    pub fn is_stuck(&self) -> bool {
        self.stuck
    }

    /// How long a player may be away in a match, in milliseconds.
    pub fn absence_grace_ms(&self) -> Millis {
        self.absence_grace_ms
    }

    /// What the relay lets people do at its tables.
    pub fn house(&self) -> HouseRules {
        self.house
    }

    /// Table time when the page's own clock, which never goes back, shows `local` milliseconds.
    pub fn table_time(&self, local: Millis) -> Millis {
        let time = self.time.table_time(local);
        self.state
            .as_ref()
            .map_or(time, |state| time.max(state.at()))
    }

    /// Both boards as they are to be shown: confirmed plies and the own pending one.
    pub fn boards(&self) -> Option<Match> {
        let mut boards = *self.game()?.boards();
        if let Some(pending) = &self.pending {
            // It was legal when it was played, and nothing has moved on that board since, or it
            // would have been settled.
            let _ = boards.play(pending.board, pending.ply);
        }
        Some(boards)
    }

    /// What the clock of `seat` shows, in milliseconds, and whether it runs. The own clock stops with
    /// the own ply, and runs again when that stays unconfirmed for [`UNCERTAIN_MS`].
    pub fn clock(&self, seat: Seat, local: Millis) -> Option<(u64, bool)> {
        let game = self.game()?;
        let now = self.table_time(local);
        let confirmed = (game.clock(seat, now), game.is_running(seat));
        match &self.pending {
            Some(pending) if pending.board == seat.board() && !self.is_uncertain(local) => {
                let mut clocks = game.clocks().clone();
                clocks.press(pending.board, game.match_time(pending.at), 0);
                let left = clocks.left(seat, game.match_time(now));
                Some((
                    u64::try_from(left).unwrap_or(0),
                    clocks.running(seat.board()) == seat,
                ))
            }
            _ => Some(confirmed),
        }
    }

    /// Whether the own ply has been without confirmation for so long that it may not count.
    pub fn is_uncertain(&self, local: Millis) -> bool {
        self.pending
            .is_some_and(|pending| self.table_time(local) >= pending.at + UNCERTAIN_MS)
    }

    /// Whether it is the own turn on the shown boards, in a match that goes on.
    pub fn is_my_turn(&self) -> bool {
        self.turn_board().is_ok()
    }

    fn turn_board(&self) -> Result<(Seat, MatchNo, Match), CannotPlay> {
        let seat = self.seat().ok_or(CannotPlay::NotSeated)?;
        let state = self.state.as_ref().ok_or(CannotPlay::NoMatch)?;
        let game = state.game().ok_or(CannotPlay::NoMatch)?;
        if state.phase() != Phase::Playing {
            return Err(CannotPlay::NoMatch);
        }
        if game.pause().is_some() {
            return Err(CannotPlay::Paused);
        }
        let boards = self.boards().ok_or(CannotPlay::NoMatch)?;
        if self.pending.is_some() || boards.position(seat.board()).turn() != seat.color() {
            return Err(CannotPlay::NotYourTurn);
        }
        Ok((seat, game.no(), boards))
    }

    /// Plays a ply: it is judged and shown at once, and the message is to be sent.
    ///
    /// # Errors
    /// When it cannot be played; nothing has changed then.
    pub fn play(&mut self, ply: Ply, local: Millis) -> Result<ClientMessage, CannotPlay> {
        let (seat, match_no, boards) = self.turn_board()?;
        let board = seat.board();
        if boards.judge(None).is_some() {
            return Err(CannotPlay::Decided);
        }
        boards
            .position(board)
            .check_legal(ply)
            .map_err(CannotPlay::Illegal)?;
        self.send_ply(ply, board, match_no, boards.plies(board), local)
    }

    fn send_ply(
        &mut self,
        ply: Ply,
        board: BoardId,
        match_no: MatchNo,
        answers: u16,
        local: Millis,
    ) -> Result<ClientMessage, CannotPlay> {
        let (id, message) = self
            .link
            .send(Command::Play {
                match_no,
                board,
                answers,
                ply,
            })
            .map_err(CannotPlay::Link)?;
        self.pending = Some(Pending {
            id,
            match_no,
            board,
            answers,
            ply,
            at: self.table_time(local),
        });
        Ok(message)
    }

    /// Lines a premove up. It is played at once if it is due already: a gesture that began as a premove
    /// stays one, even if the opponent's ply came before it ended.
    ///
    /// # Errors
    /// When there is nothing to plan for.
    pub fn premove(
        &mut self,
        ply: Ply,
        local: Millis,
    ) -> Result<(Vec<Notice>, Vec<ClientMessage>), CannotPlay> {
        let seat = self.seat().ok_or(CannotPlay::NotSeated)?;
        let game = self.game().filter(|game| game.end().is_none());
        let no = game.ok_or(CannotPlay::NoMatch)?.no();
        if self.is_decided() {
            return Err(CannotPlay::Decided);
        }
        self.planned_for = Some((no, seat));
        self.premoves.push(ply);
        let (mut notices, mut messages) = (Vec::new(), Vec::new());
        self.play_premove(local, &mut notices, &mut messages);
        Ok((notices, messages))
    }

    /// Forgets all premoves, and says whether there were any.
    pub fn forget_premoves(&mut self) -> bool {
        self.premoves.clear()
    }

    /// Whether the shown boards have decided the match, whatever the relay has said so far.
    pub fn is_decided(&self) -> bool {
        self.boards()
            .is_some_and(|boards| boards.judge(None).is_some())
    }

    /// Sends any other command. A ply sent this way is not shown before it is confirmed.
    ///
    /// # Errors
    /// When too many commands have no answer.
    pub fn send(&mut self, command: Command) -> Result<ClientMessage, LinkFull> {
        self.link.send(command).map(|(_, message)| message)
    }

    /// Takes a message that came when the page's clock showed `local`; gives what it changed, and
    /// what is to be sent in return.
    pub fn receive(
        &mut self,
        message: ServerMessage,
        local: Millis,
    ) -> (Vec<Notice>, Vec<ClientMessage>) {
        let (delivered, mut replies) = self.link.receive(message);
        let mut notices = Vec::new();
        for delivery in delivered {
            match delivery {
                Delivery::Welcome {
                    you,
                    now,
                    absence_grace_ms,
                    house,
                } => {
                    self.me = Some(you);
                    self.absence_grace_ms = absence_grace_ms;
                    self.house = house;
                    // A relay that is stuck welcomes nobody.
                    self.stuck = false;
                    // Time may have been counted anew since the last connection.
                    self.time.offsets.clear();
                    self.time.sample(now, local);
                    notices.push(Notice::Reset);
                }
                Delivery::State(state) => {
                    self.state = Some(*state);
                    notices.push(Notice::Reset);
                }
                Delivery::Event(stamped) => {
                    let applied = self.state.as_mut().map(|state| state.apply(&stamped));
                    if applied == Some(Ok(())) {
                        notices.push(Notice::Event(stamped));
                    } else {
                        replies.push(self.link.forget_state());
                    }
                }
                Delivery::Answer {
                    id,
                    command,
                    result,
                } => {
                    let own = self.pending.filter(|pending| pending.id == id);
                    match (own, result) {
                        (Some(pending), Err(refusal)) => {
                            self.pending = None;
                            self.premoves.clear();
                            notices.push(Notice::TakenBack {
                                ply: pending.ply,
                                refusal: Some(refusal),
                            });
                        }
                        // It was taken back before, with a notice of its own.
                        (None, Err(_)) if self.taken_back == Some(id) => {}
                        (None, Err(refusal)) => notices.push(Notice::Refused { command, refusal }),
                        (_, Ok(())) => {}
                    }
                }
                Delivery::Lines(lines) => notices.push(Notice::Lines(lines)),
                Delivery::People(people) => {
                    self.people = people;
                    notices.push(Notice::People);
                }
                Delivery::Stuck(stuck) => {
                    self.stuck = stuck;
                    notices.push(Notice::Stuck);
                }
                Delivery::Beat { now } => self.time.sample(now, local),
            }
            self.settle(&mut notices);
        }
        // Only now: what came last in the same breath may have changed what is legal, or ended it all.
        self.play_premove(local, &mut notices, &mut replies);
        (notices, replies)
    }

    /// Plays the first premove if it is the player's turn and it is legal, and forgets all of them
    /// once they have lost their sense.
    fn play_premove(
        &mut self,
        local: Millis,
        notices: &mut Vec<Notice>,
        messages: &mut Vec<ClientMessage>,
    ) {
        if self.premoves.plies().is_empty() {
            return;
        }
        let now = self
            .game()
            .filter(|game| game.end().is_none())
            .map(|game| game.no())
            .zip(self.seat());
        if now.is_none() || now != self.planned_for {
            self.premoves.clear();
            return;
        }
        let Ok((seat, match_no, boards)) = self.turn_board() else {
            return;
        };
        if boards.judge(None).is_some() {
            self.premoves.clear();
            return;
        }
        let board = seat.board();
        match self.premoves.due(boards.position(board)) {
            Due::Nothing | Due::Armed => {}
            Due::Void => {
                self.premoves.clear();
                notices.push(Notice::PremovesVoid);
            }
            Due::Play(ply) => {
                let answers = boards.plies(board);
                // When too many commands have no answer it waits for its turn at the next message.
                if let Ok(message) = self.send_ply(ply, board, match_no, answers, local) {
                    self.premoves.take();
                    messages.push(message);
                    notices.push(Notice::Premoved(ply));
                }
            }
        }
    }

    /// The pending ply is settled once its board has gone on, and taken back if the board has gone
    /// another way or the match is over.
    fn settle(&mut self, notices: &mut Vec<Notice>) {
        let (Some(pending), Some(state)) = (self.pending, &self.state) else {
            return;
        };
        let game = state.game().filter(|game| game.no() == pending.match_no);
        let counted = game.and_then(|game| {
            game.plies()
                .iter()
                .filter(|record| record.board == pending.board)
                .nth(usize::from(pending.answers))
        });
        let over = game.is_none_or(|game| game.end().is_some());
        if counted.is_none() && !over {
            return;
        }
        self.pending = None;
        if counted.is_none_or(|record| record.ply != pending.ply) {
            self.taken_back = Some(pending.id);
            self.premoves.clear();
            notices.push(Notice::TakenBack {
                ply: pending.ply,
                refusal: None,
            });
        }
    }
}

impl Notice {
    /// The ply this notice is about, if it is one that was played.
    pub fn played(&self) -> Option<(BoardId, Ply)> {
        match self {
            Notice::Event(Stamped {
                event: Event::Played { board, ply, .. },
                ..
            }) => Some((*board, *ply)),
            _ => None,
        }
    }
}
