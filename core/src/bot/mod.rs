//! The computer as a player: it takes one seat, looks at both boards, and says what it plays,
//! when, and what it tells its partner.
//!
//! A [`Bot`] does nothing by itself. Whoever drives it asks [`Bot::think`] when its turn begins,
//! plays what the [`Thought`] says at the time it says, and asks again if it says to wait. A bot
//! knows no time and draws no random number: the same [`Level`], seed and [`View`]s give the same
//! thoughts on every machine.
//!
//! | module | what it does |
//! | --- | --- |
//! | `level`, `strength` | what each level can and cannot do |
//! | `eval`, `exchange` | what a position, and an exchange on a square, is worth |
//! | `order`, `transposition`, `search` | looking ahead on one board |
//! | `partner` | what the other board has to do with it |
//! | `policy` | waiting, pace, and what is said |
//!
//! ```
//! use tandem_core::bot::{Bot, Level, View};
//! use tandem_core::{BoardId, Match, Rules, Seat};
//!
//! let mut game = Match::new(Rules::default());
//! let mut bot = Bot::new(Level::try_from(4)?, 1);
//! let thought = bot.think(&View::new(&game, Seat::AWhite));
//! let ply = thought.ply.expect("White can always begin");
//! assert!(game.play(BoardId::A, ply).is_ok());
//! # Ok::<(), tandem_core::bot::BadLevel>(())
//! ```

use serde::{Deserialize, Serialize};

use crate::bughouse::Match;
use crate::ply::Ply;
use crate::position::Position;
use crate::seat::Seat;
use crate::tell::Tell;

mod level;

mod strength;

mod noise;

mod eval;

mod exchange;

mod order;

mod transposition;

mod search;

mod partner;

mod policy;

pub use level::{BadLevel, Level};

use partner::{Situation, Wishes, prices};
use policy::{Ease, Said};
use search::{Budget, Found, MATE_BOUND, Search};
use strength::{Strength, strength};

/// What a bot sees when it is asked.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// Both boards, as they are now.
    pub boards: &'a Match,
    /// The bot's seat.
    pub seat: Seat,
    /// The four clocks as they are now, by [`Seat::index`]; nothing in a match without clocks.
    pub clocks_ms: Option<[u64; 4]>,
    /// What each ply adds to the clock of its player.
    pub increment_ms: u32,
    /// What the partner has told since this bot was last asked, in order.
    pub heard: &'a [Tell],
    /// How many plies the partner has made since the bot's turn began.
    pub partner_plies_since_my_turn: u16,
}

impl<'a> View<'a> {
    /// A match without clocks in which nothing has been said.
    #[must_use]
    pub fn new(boards: &'a Match, seat: Seat) -> View<'a> {
        View {
            boards,
            seat,
            clocks_ms: None,
            increment_ms: 0,
            heard: &[],
            partner_plies_since_my_turn: 0,
        }
    }

    fn position(&self) -> &'a Position {
        self.boards.position(self.seat.board())
    }

    /// How many plies this seat has played, if it is to move.
    fn own_plies(&self) -> u16 {
        self.boards.plies(self.seat.board()) / 2
    }
}

/// What a bot has come to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thought {
    /// What to play, or nothing: then wait.
    pub ply: Option<Ply>,
    /// With a ply: when to play it, in milliseconds from the beginning of the turn; if thinking
    /// took longer than that, at once.
    ///
    /// Without one: ask again whenever a ply is played on the other board or the partner tells
    /// something, and at the latest so many milliseconds from now.
    pub pace_ms: u32,
    /// What to tell the partner now, whether or not there is a ply. Not for a table where talk is off.
    pub say: Vec<Tell>,
    /// How many positions were looked at.
    pub nodes: u64,
    /// What the position is worth to the bot, in centipawns; from 29000 on, a mate.
    pub score: i32,
    /// How many plies it looked ahead.
    pub depth: u8,
}

impl Thought {
    /// In how many plies there is mate, if one has been seen: above zero for the bot, below zero
    /// for its opponent.
    #[must_use]
    pub fn mate_in(&self) -> Option<i32> {
        if !search::is_mate(self.score) {
            return None;
        }
        let plies = search::MATE - self.score.abs();
        Some(if self.score > 0 { plies } else { -plies })
    }
}

/// How far [`Bot::search`] looks. The level's own bounds hold besides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// At most about so many positions.
    pub nodes: Option<u32>,
    /// At most so many plies.
    pub depth: Option<u8>,
}

/// A player of a certain level for one seat in one match.
///
/// It is small; what a search needs it takes when it starts and gives back when it ends, at most
/// half a megabyte. Between turns it remembers only what was told, by its partner and by itself; so
/// it can be sent to where there is time to think, and back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bot {
    level: Level,
    seed: u64,
    wishes: Wishes,
    said: Said,
    /// At which own ply the bot waits though it could play, and how often it has said so.
    waits: (u16, u16),
}

/// When a bot without a legal ply wants to be asked again though nothing has happened.
const IDLE_MS: u32 = 5_000;

/// How often a bot without a clock that could play lets itself be put off in one turn: with both
/// partners told to wait and no time running out, nothing else would end it.
const WAITS_MAX: u16 = 40;

/// What a bot looks at when its time is nearly up.
const QUICK: Budget = Budget {
    nodes: 300,
    depth: 2,
};

impl Bot {
    /// A bot that plays like every other one of this level and seed.
    #[must_use]
    pub fn new(level: Level, seed: u64) -> Bot {
        Bot {
            level,
            seed,
            wishes: Wishes::default(),
            said: Said::default(),
            waits: (0, 0),
        }
    }

    /// How well it plays.
    #[must_use]
    pub fn level(&self) -> Level {
        self.level
    }

    /// Thinks about the turn. To be asked when it begins, and again as a [`Thought`] without a
    /// ply says. Asked when it is not to move, it waits.
    pub fn think(&mut self, view: &View<'_>) -> Thought {
        let strength = strength(self.level);
        let budget = Budget {
            nodes: strength.nodes.min(policy::affordable_nodes(view)),
            depth: strength.depth,
        };
        self.decide(view, &strength, budget)
    }

    /// A ply for when time is nearly up: a thousandth of a second instead of a search.
    pub fn quick(&mut self, view: &View<'_>) -> Thought {
        let strength = strength(self.level);
        let mut thought = self.decide(view, &strength, quick(&strength));
        if thought.ply.is_some() {
            thought.pace_ms = 0;
        }
        thought
    }

    /// Looks for the best ply of the side to move on one board, as an analysis: nothing is
    /// overlooked or misjudged on purpose beyond what the level does, nobody waits, nothing is said.
    pub fn search(&self, position: &Position, limits: Limits) -> Thought {
        let mut strength = strength(self.level);
        if let Some(nodes) = limits.nodes {
            strength.nodes = nodes;
            strength.depth = u8::MAX;
        }
        if let Some(depth) = limits.depth {
            strength.depth = depth;
            if limits.nodes.is_none() {
                strength.nodes = u32::MAX;
            }
        }
        let other = Position::start(position.rules());
        let prices = prices(&other, position.turn(), None, &Wishes::default());
        let mut search = Search::new(strength, &prices, self.seed, strength.nodes);
        let found = search.run(position, strength.depth);
        thought(found, 0)
    }

    fn decide(&mut self, view: &View<'_>, strength: &Strength, budget: Budget) -> Thought {
        let now = view.own_plies();
        self.wishes.hear(view.heard, now);
        let position = view.position();
        if position.turn() != view.seat.color() {
            return waiting(IDLE_MS);
        }
        let other = view.boards.position(view.seat.board().other());
        let situation = Situation::of(other, view.seat.partner().color());
        if !position.has_legal_ply() {
            let mut thought = waiting(IDLE_MS);
            thought.say = self.said.speak(position, None, false, &situation, now);
            return thought;
        }

        if self.waits.0 != now {
            self.waits = (now, 0);
        }
        let patient = self.waits.1 < WAITS_MAX;
        let sits =
            patient && policy::asked_to_wait(view, &self.wishes) && policy::may_wait(view, false);
        // Who sits looks only for a mate, however often it is asked.
        let budget = if sits { quick(strength) } else { budget };
        let chance = policy::chance_of(self.seed, view);
        let feeds = strength.feeds.then_some(&situation);
        let prices = prices(other, view.seat.color(), feeds, &self.wishes);
        let mut search = Search::new(*strength, &prices, chance, budget.nodes);
        let found = search.run(position, budget.depth);
        // Two partners who both sit and both mate would wait for each other.
        let mating = found.value >= MATE_BOUND;
        let hopes = patient
            && strength.waits
            && found.value <= -MATE_BOUND
            && helps(position, &situation)
            && policy::may_wait(view, true);
        if hopes || (sits && !mating) {
            if view.clocks_ms.is_none() {
                self.waits.1 += 1;
            }
            let mut thought = waiting(policy::ask_again_ms(view));
            thought.nodes = found.nodes;
            thought.score = found.value;
            thought.depth = found.depth;
            return thought;
        }

        let mates_now = found.ply.is_some_and(|ply| gives_mate(position, ply));
        let sends = found.ply.and_then(|ply| {
            let mut after = *position;
            after.play_unchecked(ply).captured
        });
        let ease = Ease {
            obvious: mates_now || found.depth <= 1 && strength.depth > 1,
            forced: position.is_check(),
            hurry: sends.is_some_and(|piece| situation.wants(piece.role)),
        };
        let mut thought = thought(found, policy::pace_ms(view, chance, &ease));
        thought.say = self
            .said
            .speak(position, thought.ply, mating, &situation, now);
        thought
    }
}

/// What a position is worth to the side to move as it stands, in centipawns, without a look ahead.
#[must_use]
pub fn evaluate(position: &Position) -> i32 {
    eval::look(position).value
}

/// The bounds of a ply that must come at once.
fn quick(strength: &Strength) -> Budget {
    Budget {
        nodes: QUICK.nodes.min(strength.nodes),
        depth: QUICK.depth.min(strength.depth),
    }
}

/// Whether this ply mates (E1).
fn gives_mate(position: &Position, ply: Ply) -> bool {
    let mut after = *position;
    after.play_unchecked(ply);
    after.is_checkmate()
}

/// Whether waiting can bring anything: the partner is to move and could send something.
fn helps(position: &Position, situation: &Situation) -> bool {
    situation.partner_to_move && position.waiting_roles().next().is_some()
}

fn waiting(again_ms: u32) -> Thought {
    Thought {
        ply: None,
        pace_ms: again_ms,
        say: Vec::new(),
        nodes: 0,
        score: 0,
        depth: 0,
    }
}

fn thought(found: Found, pace_ms: u32) -> Thought {
    Thought {
        ply: found.ply,
        pace_ms,
        say: Vec::new(),
        nodes: found.nodes,
        score: found.value,
        depth: found.depth,
    }
}
