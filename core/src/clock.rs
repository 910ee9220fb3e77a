//! The four clocks of a match, as one immutable-by-time value.
//!
//! A clock is derived: base, plus increments, plus lag credit, minus time spent. All instants here
//! are *match time*: whole milliseconds since the match began, pauses left out (see
//! [`crate::table`]). Nothing in this module reads a time source.
//!
//! Without increment, at any instant, the two clocks of board A together show as much as the two of
//! board B, because exactly one clock runs on each board and every lag credit is given on both.
//! Values may sink below zero while a flag is in its grace; screens show zero then.

use std::collections::VecDeque;

use crate::{BoardId, Color, Options, Seat};

/// Match time: milliseconds since the match began, pauses left out.
pub type MatchTime = u64;

/// What the lag allowance of a player starts at and never exceeds, in milliseconds (rules.md, lag credit).
pub const LAG_ALLOWANCE_MS: u32 = 1_000;

/// What a player's lag allowance gains with every ply of that player, in milliseconds.
pub const LAG_ALLOWANCE_GAIN_MS: u32 = 100;

/// One stretch during which one colour's clock ran on a board; it lasts until the next one begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Turn {
    color: Color,
    since: MatchTime,
}

/// The clocks of one match.
///
/// ```
/// use tandem_core::{BoardId, Options, Seat, clock::Clocks};
///
/// let mut clocks = Clocks::new(&Options::default());
/// clocks.press(BoardId::A, 2_000, 0);
/// assert_eq!(clocks.left(Seat::AWhite, 5_000), 178_000);
/// assert_eq!(clocks.left(Seat::ABlack, 5_000), 177_000);
/// assert_eq!(clocks.left(Seat::BWhite, 5_000), 175_000);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// Whether there are any; without, turns are known and nothing else.
    limited: bool,
    increment: i64,
    /// What each clock showed when its present turn began, or shows while it stands.
    left: [i64; 4],
    allowance: [u32; 4],
    /// The turns of each board, newest last. Older ones than the longest credit are forgotten, so
    /// the length is bounded by the plies of one second.
    turns: [VecDeque<Turn>; 2],
}

/// When the next flag falls, unless a ply comes first. See [`Clocks::next_flag`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flag {
    /// The instant from which the flag may be judged: every grace is over.
    pub due: MatchTime,
    /// The instant the clock reached zero; this one is recorded and compared.
    pub zero: MatchTime,
    /// Whose clock reached zero then; two seats when both did at the same instant.
    pub seats: [Option<Seat>; 2],
}

impl Clocks {
    /// Four full clocks, both Whites' running from match time zero; or none, if the options say so.
    pub fn new(options: &Options) -> Clocks {
        let start = || {
            VecDeque::from([Turn {
                color: Color::White,
                since: 0,
            }])
        };
        Clocks {
            limited: options.has_clocks(),
            increment: i64::from(options.increment_ms),
            left: [i64::from(options.base_ms); 4],
            allowance: [LAG_ALLOWANCE_MS; 4],
            turns: [start(), start()],
        }
    }

    fn turn(&self, board: BoardId) -> Turn {
        // A board always has a running turn: `new` makes one and `press` keeps the newest.
        self.turns[board.index()].back().copied().unwrap_or(Turn {
            color: Color::White,
            since: 0,
        })
    }

    /// The seat whose clock runs on `board`.
    pub fn running(&self, board: BoardId) -> Seat {
        Seat::new(board, self.turn(board).color)
    }

    /// Since when the running clock of `board` has been running.
    pub fn running_since(&self, board: BoardId) -> MatchTime {
        self.turn(board).since
    }

    /// Whether the match is played with clocks.
    pub fn limited(&self) -> bool {
        self.limited
    }

    /// What the clock of `seat` shows at `now`, in milliseconds. Below zero while its flag is in grace;
    /// always zero in a match without clocks.
    pub fn left(&self, seat: Seat, now: MatchTime) -> i64 {
        if !self.limited {
            return 0;
        }
        let left = self.left[seat.index()];
        let turn = self.turn(seat.board());
        if turn.color == seat.color() {
            left - to_signed(now.saturating_sub(turn.since))
        } else {
            left
        }
    }

    /// How much lag can be credited to a ply of `seat` at most, in milliseconds.
    pub fn allowance(&self, seat: Seat) -> u32 {
        self.allowance[seat.index()]
    }

    /// The credit of a ply made at `now` on `board`, when `grace` is the lesser of lag and
    /// allowance as they were when the clock began to run: no ply gains time.
    pub fn credit(&self, board: BoardId, now: MatchTime, grace: u32) -> u32 {
        let spent = now.saturating_sub(self.turn(board).since);
        grace.min(u32::try_from(spent).unwrap_or(u32::MAX))
    }

    /// A ply on `board` at `now`: its player's clock stops, the opponent's starts. `credit`
    /// milliseconds of lag go to the mover, and as many to whoever's clock ran on the other board
    /// during the last `credit` milliseconds.
    pub fn press(&mut self, board: BoardId, now: MatchTime, credit: u32) {
        let turn = self.turn(board);
        let mover = Seat::new(board, turn.color).index();
        let spent = now.saturating_sub(turn.since);
        self.left[mover] += self.increment + i64::from(credit) - to_signed(spent);
        self.allowance[mover] = (self.allowance[mover].saturating_sub(credit)
            + LAG_ALLOWANCE_GAIN_MS)
            .min(LAG_ALLOWANCE_MS);

        let other = board.other();
        let from = now.saturating_sub(u64::from(credit));
        let mut until = now;
        for turn in self.turns[other.index()].iter().rev() {
            let share = until.saturating_sub(turn.since.max(from));
            self.left[Seat::new(other, turn.color).index()] += to_signed(share);
            until = until.min(turn.since);
            if until <= from {
                break;
            }
        }

        let turns = &mut self.turns[board.index()];
        turns.push_back(Turn {
            color: turn.color.other(),
            since: now,
        });
        // A turn is of no more use once its successor began before any credit can reach.
        let horizon = now.saturating_sub(u64::from(LAG_ALLOWANCE_MS));
        while turns.len() > 1 && turns[1].since <= horizon {
            turns.pop_front();
        }
    }

    /// When the clock that runs on `board` reaches zero if nobody plays: at the end of time, if there
    /// are no clocks.
    pub fn zero(&self, board: BoardId) -> MatchTime {
        if !self.limited {
            return MatchTime::MAX;
        }
        let turn = self.turn(board);
        let left = self.left[Seat::new(board, turn.color).index()];
        turn.since.saturating_add_signed(left.max(0))
    }

    /// Whose flag falls next if nobody plays, given the grace of the running clock of each board
    /// in milliseconds: the clock that reaches zero first, judged when its grace is over. A clock
    /// that reaches zero later never falls before it, however short its own grace.
    pub fn next_flag(&self, grace: [u32; 2]) -> Flag {
        let [a, b] = [self.zero(BoardId::A), self.zero(BoardId::B)];
        let zero = a.min(b);
        let mut flag = Flag {
            due: zero,
            zero,
            seats: [None; 2],
        };
        for (board, at) in [(BoardId::A, a), (BoardId::B, b)] {
            if at == zero {
                flag.due = flag
                    .due
                    .max(zero.saturating_add(u64::from(grace[board.index()])));
                flag.seats[board.index()] = Some(self.running(board));
            }
        }
        flag
    }
}

/// Match times are far below 2^63 ms.
fn to_signed(ms: MatchTime) -> i64 {
    i64::try_from(ms).unwrap_or(i64::MAX)
}
