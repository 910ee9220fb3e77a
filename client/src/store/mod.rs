//! The state of a table page: the only code that changes what the screens show.
//!
//! [`TableStore`] holds the replica and the line to the table. Whatever happens, a command of the reader or a
//! message of the relay, goes through the replica and then through [`TableStore::refresh`], which
//! compares each value with the one shown and sets what has changed.

mod alone;
mod connect;
mod hands;
mod moves;
mod talk;
mod view;

use std::rc::Rc;

use gloo_timers::callback::{Interval, Timeout};
use leptos::prelude::*;
use tandem_core::bot::Level;
use tandem_core::protocol::{ClientMessage, Close, Here, ServerMessage, encode};
use tandem_core::replica::{CannotPlay, Notice, Replica};
use tandem_core::table::{
    Arrangement, Command, DrawClosed, Event, HouseRules, MatchNo, Millis, Phase, Refusal, Stamped,
};
use tandem_core::{BoardId, Color, Options, Ply, Seat, TableCode, Team};

pub use moves::MoveLine;
pub use talk::{Audience, Said, Talk};
pub use view::{Connection, Face, GameFacts, Hint, Seating};

use crate::board::Shown;
use crate::net::local::LocalTable;
use crate::net::socket::Socket;
use crate::platform::worker::Program;
use crate::platform::{page, random, storage, time, token};
use crate::ui::words;
use moves::MoveList;

/// The key under which the reader's name is remembered.
const NAME: &str = "tandem.name";
/// The key under which the level of bots is remembered.
const LEVEL: &str = "tandem.level";
/// How long a note stays, in milliseconds.
const NOTE_MS: u32 = 6_000;
/// How often a countdown is looked at while no clock runs, in milliseconds.
const IDLE_TICK_MS: u64 = 100;

/// Something to tell the reader once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// The own ply was not accepted and is no longer on the board.
    TakenBack(Option<Refusal>),
    /// A command was refused.
    Refused(Refusal),
    /// A ply could not be played.
    CannotPlay(CannotPlay),
    /// Too many commands wait for the relay.
    LinkFull,
    /// The reader's draw offer was declined.
    DrawDeclined,
    /// The reader's draw offer got no answer.
    DrawLapsed,
    /// Somebody else has led everyone back to the seats.
    BackToSeats,
    /// The next match is played with other partners.
    Swapped,
}

/// The way to the authority of the table.
enum Line {
    /// It is at the relay.
    Relay(Socket),
    /// It is in this page.
    Page(LocalTable),
}

/// What is not shown: the replica, the line to the table, timers.
struct Core {
    replica: Replica,
    line: Option<Line>,
    /// What the bots of a table in the page think with.
    program: Option<Rc<Program>>,
    /// Which socket is the present one; events of any other are ignored.
    generation: u32,
    /// Failed tries since the last success.
    failures: u32,
    /// When the relay was last heard.
    heard_at: Millis,
    retry: Option<Timeout>,
    _watch: Option<Interval>,
    ticker: Option<Timeout>,
    note_timer: Option<Timeout>,
    hint_timer: Option<Timeout>,
    moves: Option<MoveList>,
    /// The list of moves on the screen will be brought up to date.
    listing: bool,
    /// What waits for the next frame before the table in the page is told.
    outbox: Vec<ClientMessage>,
}

/// The state of one table. A handle: copies are the same store.
#[derive(Clone, Copy)]
pub struct TableStore {
    /// The code of the table, if it is at the relay; one in the page has none.
    pub code: Option<TableCode>,
    core: StoredValue<Core, LocalStorage>,
    connection: RwSignal<Connection>,
    kept_out: RwSignal<Option<Close>>,
    seating: RwSignal<Option<Seating>>,
    game: RwSignal<Option<GameFacts>>,
    shown: [RwSignal<Shown>; 2],
    faces: [RwSignal<Face>; 4],
    gains: [RwSignal<(u32, u64)>; 4],
    moves: RwSignal<Vec<MoveLine>>,
    people: RwSignal<Vec<Here>>,
    my_turn: RwSignal<bool>,
    may_plan: RwSignal<bool>,
    premoves: RwSignal<Vec<Ply>>,
    hint: RwSignal<Option<Hint>>,
    uncertain: RwSignal<bool>,
    stuck: RwSignal<bool>,
    house: RwSignal<HouseRules>,
    now: RwSignal<Millis>,
    note: RwSignal<Option<Note>>,
    heard: RwSignal<Option<MoveLine>>,
    trouble: RwSignal<bool>,
    talk: Talk,
    /// Which bot sits on each seat, named by the seat where it sat first.
    dealt: RwSignal<[Seat; 4]>,
    /// The reader has asked to go back to the seats.
    going_back: StoredValue<bool>,
}

impl TableStore {
    /// Goes to a table and stays connected as long as the present owner lives.
    pub fn join(code: TableCode) -> Self {
        let store = Self::new(Some(code));
        store.stay_connected();
        store
    }

    fn new(code: Option<TableCode>) -> Self {
        let replica = Replica::new(u32::from_le_bytes(random::bytes()));
        let shown = BoardId::ALL.map(|board| RwSignal::new(view::shown(&replica, board)));
        let core = Core {
            replica,
            line: None,
            program: None,
            generation: 0,
            failures: 0,
            heard_at: time::now(),
            retry: None,
            _watch: None,
            ticker: None,
            note_timer: None,
            hint_timer: None,
            moves: None,
            listing: false,
            outbox: Vec::new(),
        };
        Self {
            code,
            core: StoredValue::new_local(core),
            connection: RwSignal::new(Connection::Connecting),
            kept_out: RwSignal::new(None),
            seating: RwSignal::new(None),
            game: RwSignal::new(None),
            shown,
            faces: Seat::ALL.map(|_| RwSignal::new(Face::default())),
            gains: Seat::ALL.map(|_| RwSignal::new((0, 0))),
            moves: RwSignal::new(Vec::new()),
            people: RwSignal::new(Vec::new()),
            my_turn: RwSignal::new(false),
            may_plan: RwSignal::new(false),
            premoves: RwSignal::new(Vec::new()),
            hint: RwSignal::new(None),
            uncertain: RwSignal::new(false),
            stuck: RwSignal::new(false),
            house: RwSignal::new(HouseRules::default()),
            now: RwSignal::new(0),
            note: RwSignal::new(None),
            heard: RwSignal::new(None),
            trouble: RwSignal::new(false),
            talk: Talk::new(),
            dealt: RwSignal::new(Seat::ALL),
            going_back: StoredValue::new(false),
        }
    }

    /// What is said at the table.
    pub fn talk(self) -> Talk {
        self.talk
    }

    /// Whether the table is in the page: one person among bots, and no relay.
    pub fn is_alone(self) -> bool {
        self.code.is_none()
    }

    /// Whether the match is played with clocks, or the next one if there is none. Reactive.
    pub fn has_clocks(self) -> bool {
        let playing = self
            .game
            .with(|game| game.as_ref().map(|game| game.options));
        let options = playing.or_else(|| {
            self.seating
                .with(|seating| seating.as_ref().map(|seating| seating.options))
        });
        options.is_none_or(|options| options.has_clocks())
    }

    /// The bots of a table in the page cannot think, because their program fails.
    pub fn trouble(self) -> Signal<bool> {
        self.trouble.into()
    }

    /// How the page and the relay are connected.
    pub fn connection(self) -> Signal<Connection> {
        self.connection.into()
    }

    /// Why the relay closed the last connection, while the page tries to come back.
    pub fn kept_out(self) -> Signal<Option<Close>> {
        self.kept_out.into()
    }

    /// The people of the table; `None` before the relay has told.
    pub fn seating(self) -> Signal<Option<Seating>> {
        self.seating.into()
    }

    /// The match on the boards.
    pub fn game(self) -> Signal<Option<GameFacts>> {
        self.game.into()
    }

    /// Whether play stands still because the relay cannot save what happens.
    pub fn stuck(self) -> Signal<bool> {
        self.stuck.into()
    }

    /// Whether people may write at this table; signals between partners are always allowed. Reactive.
    pub fn chat_allowed(self) -> bool {
        self.house.get().free_text
    }

    /// Whether the table can be put on the relay's list for everybody. Reactive.
    pub fn list_allowed(self) -> bool {
        self.house.get().public_list
    }

    /// Whether the computer can take seats at this table. Reactive.
    pub fn bots_allowed(self) -> bool {
        self.house.get().bots
    }

    /// What lies on a board, the reader's unconfirmed ply included.
    pub fn shown(self, board: BoardId) -> Signal<Shown> {
        self.shown[board.index()].into()
    }

    /// What the clock of a seat shows.
    pub fn face(self, seat: Seat) -> Signal<Face> {
        self.faces[seat.index()].into()
    }

    /// How often a clock has gained time by an increment or for lag, and how much the last time, in
    /// milliseconds.
    pub fn gain(self, seat: Seat) -> Signal<(u32, u64)> {
        self.gains[seat.index()].into()
    }

    /// All plies of the match in words.
    pub fn moves(self) -> Signal<Vec<MoveLine>> {
        self.moves.into()
    }

    /// Presence and lag of everyone.
    pub fn people(self) -> Signal<Vec<Here>> {
        self.people.into()
    }

    /// The reader may play now.
    pub fn my_turn(self) -> Signal<bool> {
        self.my_turn.into()
    }

    /// The reader's ply has been unconfirmed for so long that it may not count.
    pub fn uncertain(self) -> Signal<bool> {
        self.uncertain.into()
    }

    /// Table time, while something on the screen depends on it.
    pub fn now(self) -> Signal<Millis> {
        self.now.into()
    }

    /// Something to tell the reader.
    pub fn note(self) -> Signal<Option<Note>> {
        self.note.into()
    }

    /// The newest ply that somebody else played, to be spoken.
    pub fn heard(self) -> Signal<Option<MoveLine>> {
        self.heard.into()
    }

    /// How long a player may be away in a match, in milliseconds.
    pub fn absence_grace_ms(self) -> Millis {
        self.core
            .try_with_value(|core| core.replica.absence_grace_ms())
            .unwrap_or(0)
    }

    /// The reader's seat. Reactive.
    pub fn my_seat(self) -> Option<Seat> {
        self.seating
            .with(|seating| seating.as_ref().and_then(Seating::my_seat))
    }

    /// The team from whose side the boards are seen: the reader's, or team 1. Reactive.
    pub fn my_team(self) -> Team {
        self.my_seat().map_or(Team::One, Seat::team)
    }

    /// The board that is seen large: the reader's own, or board A. Reactive.
    pub fn home_board(self) -> BoardId {
        self.my_seat().map_or(BoardId::A, Seat::board)
    }

    /// The colour that the reader's team plays on a board. Reactive.
    pub fn our_color(self, board: BoardId) -> Color {
        let ours = self
            .my_team()
            .seats()
            .into_iter()
            .find(|seat| seat.board() == board);
        ours.map_or(Color::White, Seat::color)
    }

    /// Sits down, or moves to another seat.
    pub fn sit(self, seat: Seat) {
        self.ask(Command::Sit(seat));
    }

    /// Gives the seat up.
    pub fn stand(self) {
        self.ask(Command::Stand);
    }

    /// Ready to start, or no longer.
    pub fn set_ready(self, ready: bool) {
        self.ask(Command::SetReady(ready));
    }

    /// Takes a name, here and at tables to come.
    pub fn set_name(self, name: String) {
        storage::set(NAME, &name);
        self.ask(Command::SetName(name));
    }

    /// Chooses other options; for the host.
    pub fn set_options(self, options: Options) {
        self.ask(Command::SetOptions(options));
    }

    /// Puts the table on the list for everybody, or takes it off; for the host.
    pub fn set_public(self, public: bool) {
        self.ask(Command::SetPublic(public));
    }

    /// Sends a person away; for the host.
    pub fn remove(self, id: tandem_core::table::PlayerId) {
        self.ask(Command::Remove(id));
    }

    /// Puts the computer on a free seat, or has it play there at another level; for the host.
    pub fn add_bot(self, seat: Seat, level: Level) {
        self.ask(Command::AddBot(seat, level));
    }

    /// Takes the computer off a seat; for the host.
    pub fn remove_bot(self, seat: Seat) {
        self.ask(Command::RemoveBot(seat));
    }

    /// Moves everyone round but the reader (or A-White): pressed three times, everyone has had
    /// everyone as partner; for the host.
    pub fn swap_partners(self) {
        let stays = untrack(|| self.my_seat()).unwrap_or(Seat::AWhite);
        self.ask(Command::Swap(stays.opponent(), stays.partner()));
        self.ask(Command::Swap(stays.diagonal(), stays.partner()));
    }

    /// Resigns the match.
    pub fn resign(self) {
        self.ask_about_match(Command::Resign);
    }

    /// Offers a draw.
    pub fn offer_draw(self) {
        self.ask_about_match(Command::OfferDraw);
    }

    /// Agrees to the draw on offer.
    pub fn accept_draw(self) {
        self.ask_about_match(Command::AcceptDraw);
    }

    /// Declines the draw on offer.
    pub fn decline_draw(self) {
        self.ask_about_match(Command::DeclineDraw);
    }

    /// Takes the own offer back.
    pub fn withdraw_draw(self) {
        self.ask_about_match(Command::WithdrawDraw);
    }

    /// Wants another match with these seats.
    pub fn rematch(self, arrangement: Arrangement) {
        self.ask_about_match(|no| Command::Rematch(no, arrangement));
    }

    /// Goes back to the seats.
    pub fn to_lobby(self) {
        self.going_back.set_value(true);
        self.ask_about_match(Command::ToLobby);
    }

    /// Leaves the table. In a match this loses it, but one against the computer is kept as it is.
    pub fn leave(self) {
        if !self.is_alone() {
            self.ask(Command::Leave);
        }
    }

    /// Takes the note away.
    pub fn forget_note(self) {
        self.note.set(None);
    }

    fn ask_about_match(self, command: impl FnOnce(MatchNo) -> Command) {
        if let Some(no) = self
            .game
            .with_untracked(|game| game.as_ref().map(|game| game.no))
        {
            self.ask(command(no));
        }
    }

    fn ask(self, command: Command) {
        let sent = self
            .core
            .try_update_value(|core| core.replica.send(command));
        match sent {
            Some(Ok(message)) => self.send(&[message]),
            Some(Err(_)) => self.tell(Note::LinkFull),
            None => {}
        }
    }

    /// Sends messages if there is a line; what is lost, the replica's link sends again. A table in
    /// the page answers at once.
    fn send(self, messages: &[ClientMessage]) {
        let table = self.core.try_update_value(|core| match &core.line {
            Some(Line::Relay(socket)) => {
                for message in messages {
                    socket.send(&encode(message));
                }
                None
            }
            Some(Line::Page(table)) => Some((table.clone(), std::mem::take(&mut core.outbox))),
            None => None,
        });
        if let Some((table, waiting)) = table.flatten() {
            let all = waiting.iter().chain(messages);
            let answers: Vec<_> = all.flat_map(|message| table.send(message)).collect();
            if !answers.is_empty() {
                self.receive(answers);
            }
        }
    }

    /// Takes in what the table says.
    fn receive(self, messages: Vec<ServerMessage>) {
        let now = time::now();
        let received = self.core.try_update_value(|core| {
            core.heard_at = now;
            let (mut notices, mut replies) = (Vec::new(), Vec::new());
            for message in messages {
                let (more_notices, more_replies) = core.replica.receive(message, now);
                notices.extend(more_notices);
                replies.extend(more_replies);
            }
            (notices, replies)
        });
        let Some((notices, replies)) = received else {
            return;
        };
        if !replies.is_empty() {
            self.send(&replies);
        }
        if !notices.is_empty() {
            self.refresh(&notices);
        }
    }

    /// Brings the list of moves up to date.
    fn list(self) {
        let fresh = self.core.try_update_value(|core| {
            core.listing = false;
            core.new_moves()
        });
        match fresh {
            None | Some(NewMoves::None) => {}
            Some(NewMoves::More(lines)) => {
                self.speak(&lines);
                self.moves.update(|moves| moves.extend(lines));
            }
            Some(NewMoves::All(lines)) => set(self.moves, lines),
        }
    }

    fn tell(self, note: Note) {
        self.note.set(Some(note));
        let timer = Timeout::new(NOTE_MS, move || {
            self.note.try_set(None);
        });
        self.core
            .try_update_value(|core| core.note_timer = Some(timer));
    }

    /// Shows what has changed. The notices say what the reader should also be told.
    fn refresh(self, notices: &[Notice]) {
        // Once it is closed nobody knows any more whose offer it was.
        let my_seat = self.my_seat_now();
        let offered_by_me = my_seat.is_some()
            && self.game.with_untracked(|game| {
                let draw = game.as_ref().and_then(|game| game.draw);
                draw.map(|draw| draw.by) == my_seat
            });
        let Some((seating, game, shown, lists, turn, people, stuck, house, premoves)) =
            self.core.try_update_value(|core| {
                let lists = !core.listing && core.list_is_behind();
                core.listing |= lists;
                let replica = &core.replica;
                let shown = BoardId::ALL.map(|board| view::shown(replica, board));
                let game = replica.game().map(GameFacts::of);
                (
                    Seating::of(replica),
                    game,
                    shown,
                    lists,
                    (replica.is_my_turn(), hands::may_plan(replica)),
                    replica.people().to_vec(),
                    replica.is_stuck(),
                    replica.house(),
                    replica.premoves().to_vec(),
                )
            })
        else {
            return;
        };
        // Boards first: they are what the eye waits for.
        for (signal, value) in self.shown.into_iter().zip(shown) {
            set(signal, value);
        }
        set(self.premoves, premoves);
        set(self.may_plan, turn.1);
        set(self.my_turn, turn.0);
        set(self.seating, seating);
        set(self.game, game);
        set(self.people, people);
        set(self.stuck, stuck);
        set(self.house, house);
        if lists {
            page::after_paint(move || self.list());
        }
        self.show_gains(notices);
        for notice in notices {
            match notice {
                Notice::Event(stamped) => {
                    self.talk.follow(&stamped.event);
                    self.follow_seats(&stamped.event);
                }
                Notice::Lines(lines) => self.hear(lines),
                _ => {}
            }
            match notice {
                Notice::TakenBack { refusal, .. } => self.tell(Note::TakenBack(*refusal)),
                Notice::Refused { refusal, .. } => self.tell(Note::Refused(*refusal)),
                Notice::PremovesVoid => self.give_hint(Hint::PremovesVoid),
                Notice::Event(Stamped {
                    event: Event::Started,
                    ..
                }) => self.forget_note(),
                Notice::Event(Stamped {
                    event: Event::DrawClosed(closed),
                    ..
                }) if offered_by_me => match closed {
                    DrawClosed::Declined(_) => self.tell(Note::DrawDeclined),
                    DrawClosed::Lapsed => self.tell(Note::DrawLapsed),
                    DrawClosed::Withdrawn => {}
                },
                Notice::Premoved(_)
                | Notice::Event(_)
                | Notice::Reset
                | Notice::People
                | Notice::Lines(_)
                | Notice::Stuck => {}
            }
        }
        self.tick();
    }

    /// Says what has become of the seats, where that is not plain to see.
    fn follow_seats(self, event: &Event) {
        match event {
            Event::RematchAgreed(arrangement) => {
                // At a table of the relay people come and go; there the seat names the bot.
                if self.is_alone() {
                    self.dealt.update(|dealt| {
                        *dealt = Seat::ALL.map(|seat| dealt[arrangement.source(seat).index()])
                    });
                }
                if *arrangement == Arrangement::SwapPartners && self.my_seat_now().is_some() {
                    self.tell(Note::Swapped);
                }
            }
            Event::LobbyOpened => {
                let mine = self.going_back.try_update_value(std::mem::take);
                if mine == Some(false) {
                    self.tell(Note::BackToSeats);
                }
            }
            _ => {}
        }
    }

    /// What the computer on a seat is called. Reactive.
    pub fn bot_name(self, seat: Seat) -> &'static str {
        words::bot_name(self.dealt.with(|dealt| dealt[seat.index()]))
    }

    /// The reader's seat as it is shown now.
    fn my_seat_now(self) -> Option<Seat> {
        self.seating
            .with_untracked(|seating| seating.as_ref().and_then(Seating::my_seat))
    }

    /// Has the newest ply of somebody else spoken.
    fn speak(self, lines: &[MoveLine]) {
        let mine = self.my_seat_now();
        if let Some(line) = lines.iter().rev().find(|line| Some(line.seat) != mine) {
            self.heard.set(Some(line.clone()));
        }
    }

    /// Shows the time, and comes back when the next digit changes.
    fn tick(self) {
        let local = time::now();
        let Some((faces, uncertain, now, idle)) = self.core.try_with_value(|core| {
            let replica = &core.replica;
            // Before the match the clocks stand as it will begin.
            let before = replica
                .state()
                .map(|state| (u64::from(state.options().base_ms), false));
            let faces = Seat::ALL.map(|seat| {
                let clock = replica.clock(seat, local).or(before);
                clock.map(|(ms, running)| Face::new(ms, running))
            });
            (
                faces,
                replica.is_uncertain(local),
                replica.table_time(local),
                core.needs_time(),
            )
        }) else {
            return;
        };
        let mut next = idle.then_some(IDLE_TICK_MS);
        for (signal, face) in self.faces.into_iter().zip(faces) {
            let Some(face) = face else { continue };
            set(signal, face);
            if face.running {
                let changes = face.changes_in().min(IDLE_TICK_MS);
                next = Some(next.map_or(changes, |next| next.min(changes)));
            }
        }
        set(self.uncertain, uncertain);
        set(self.now, now);
        let ticker = next.map(|ms| {
            let ms = u32::try_from(ms).unwrap_or(u32::MAX);
            Timeout::new(ms, move || self.tick())
        });
        self.core.try_update_value(|core| core.ticker = ticker);
    }
}

/// What the list of plies gains.
enum NewMoves {
    /// Nothing.
    None,
    /// These behind those that are there.
    More(Vec<MoveLine>),
    /// These instead of those that are there.
    All(Vec<MoveLine>),
}

impl Core {
    /// Whether the list of moves lacks any, or is about another match.
    fn list_is_behind(&self) -> bool {
        match (self.replica.game(), &self.moves) {
            (None, moves) => moves.is_some(),
            (Some(_), None) => true,
            (Some(game), Some(list)) => !list.follows(game) || list.len() != game.plies().len(),
        }
    }

    /// What the list of moves lacked; it has it then.
    fn new_moves(&mut self) -> NewMoves {
        if !self.list_is_behind() {
            return NewMoves::None;
        }
        let Some(game) = self.replica.game() else {
            self.moves = None;
            return NewMoves::All(Vec::new());
        };
        match &mut self.moves {
            Some(list) if list.follows(game) => NewMoves::More(list.take_new(game)),
            _ => NewMoves::All(self.moves.insert(MoveList::new(game)).take_new(game)),
        }
    }

    /// Whether something on the screen counts time while no clock runs.
    fn needs_time(&self) -> bool {
        let counting = |phase| matches!(phase, Phase::Countdown { .. });
        let phase = self.replica.state().map(|state| state.phase());
        let paused = self
            .replica
            .game()
            .is_some_and(|game| game.end().is_none() && game.pause().is_some());
        phase.is_some_and(counting) || paused
    }
}

/// Sets a signal if that changes it.
fn set<T: PartialEq + Send + Sync + 'static>(signal: RwSignal<T>, value: T) {
    if signal.try_with_untracked(|shown| *shown != value) == Some(true) {
        signal.set(value);
    }
}

/// The level last chosen for a bot, or one that most can beat after a few matches.
pub fn remembered_level() -> Level {
    let known = storage::get(LEVEL).and_then(|level| level.parse::<u8>().ok());
    Level::try_from(known.unwrap_or(3)).unwrap_or(Level::MIN)
}

/// Remembers the level chosen for a bot.
pub fn remember_level(level: Level) {
    storage::set(LEVEL, &level.to_string());
}

/// The name remembered from tables before.
pub fn remembered_name() -> String {
    storage::get(NAME).unwrap_or_default()
}
