//! Looking ahead on one board.
//!
//! Iterative deepening, alpha-beta with a null window after the first ply, transpositions, a
//! null move, reductions for late plies, and exchanges followed to their end. What the other board
//! has to do with it comes in as prices: a capture sends a piece to the mover's partner, and is
//! worth something to the mover for that. Prices belong to plies and not to positions, so a value
//! in the table is right however the position was reached.
//!
//! The search is bounded by the number of positions it looks at, never by time, so that a bot
//! plays the same on every machine.

use crate::piece::Color;
use crate::ply::Ply;
use crate::position::{Position, Sent};

use super::eval;
use super::noise::{happens, mix, spread};
use super::order::{Candidate, History, Sorter};
use super::strength::Strength;
use super::transposition::Transpositions;

mod quiet;
mod tree;

/// A worth in centipawns, seen by the side to move.
pub(super) type Value = i32;

/// The worth of having given mate on the spot; each ply before it takes one off.
pub(super) const MATE: Value = 30_000;

/// From here on, values are mates.
pub(super) const MATE_BOUND: Value = 29_000;

const INFINITE: Value = 32_000;

/// What it costs to have no legal ply in check, where a piece from the partner could still help.
const STUCK: Value = 450;

/// What it costs to have no legal ply otherwise.
const IDLE: Value = 100;

const PLIES_MAX: usize = 60;

/// What a piece is worth on the other board to the team of the one who sends it, by the colour of
/// the capturer and the kind that arrives.
pub(super) type Prices = [[Value; 6]; 2];

/// How far to look.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    pub nodes: u32,
    pub depth: u8,
}

/// What came of a search.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The best ply, if there is a legal one.
    pub ply: Option<Ply>,
    /// What it is worth to the side to move.
    pub value: Value,
    /// How many positions were looked at.
    pub nodes: u64,
    /// How many plies ahead the last complete iteration looked.
    pub depth: u8,
}

/// Whether a value says that there is a mate.
pub(super) fn is_mate(value: Value) -> bool {
    value.abs() >= MATE_BOUND
}

pub(super) struct Search<'a> {
    strength: Strength,
    prices: &'a Prices,
    chance: u64,
    budget: u64,
    nodes: u64,
    /// How deep the present iteration looks.
    horizon: usize,
    stopped: bool,
    table: Transpositions,
    history: Box<History>,
    killers: [[Option<Ply>; 2]; PLIES_MAX + 1],
    candidates: Vec<Candidate>,
}

struct RootPly {
    ply: Ply,
    after: Position,
    /// The price of what it sends, and the misjudgement of the level.
    bonus: Value,
    value: Value,
}

impl<'a> Search<'a> {
    pub(super) fn new(strength: Strength, prices: &'a Prices, chance: u64, nodes: u32) -> Self {
        Search {
            strength,
            prices,
            chance,
            budget: u64::from(nodes),
            nodes: 0,
            horizon: 0,
            stopped: false,
            table: Transpositions::for_nodes(nodes),
            history: Box::new(History::new()),
            killers: [[None; 2]; PLIES_MAX + 1],
            candidates: Vec::with_capacity(1_024),
        }
    }

    /// Finds a ply for the side to move.
    pub(super) fn run(&mut self, position: &Position, depth: u8) -> Found {
        let mut found = Found {
            ply: None,
            value: 0,
            nodes: 0,
            depth: 0,
        };
        let mut root = match self.root(position) {
            Ok(root) => root,
            Err(mate) => {
                found.ply = Some(mate);
                found.value = MATE - 1;
                found.nodes = self.nodes;
                found.depth = 1;
                return found;
            }
        };
        if root.is_empty() {
            found.value = self.no_ply(position, 0, || eval::look(position).value);
            return found;
        }
        // Should even the first iteration stop early, the likeliest ply has to do.
        found.ply = root.first().map(|best| best.ply);
        let deepest = if root.len() == 1 { 1 } else { depth.max(1) };
        for depth in 1..=deepest {
            self.horizon = usize::from(depth);
            let best = self.iterate(&mut root, i32::from(depth), found.value);
            if let Some((index, value)) = best {
                found.ply = Some(root[index].ply);
                found.value = value;
                let best = root.remove(index);
                root.insert(0, best);
            }
            if self.stopped {
                break;
            }
            found.depth = depth;
            // Nothing better than a mate that has been seen to its end.
            if is_mate(found.value) && MATE - found.value.abs() <= i32::from(depth) {
                break;
            }
        }
        found.nodes = self.nodes;
        found
    }

    /// The plies to choose from, or a mate in one.
    fn root(&mut self, position: &Position) -> Result<Vec<RootPly>, Ply> {
        let seen = eval::look(position);
        let mut candidates = Vec::new();
        Sorter::new(
            position,
            &seen.attacked,
            &self.history,
            [None; 3],
            &mut candidates,
        )
        .all();
        candidates.sort_by_key(|candidate| core::cmp::Reverse(candidate.order));
        let mut root = Vec::with_capacity(candidates.len());
        let mut overlooked = Vec::new();
        for candidate in candidates {
            let mut after = *position;
            let sent = after.play_unchecked(candidate.ply);
            self.nodes += 1;
            let chance = mix(self.chance, u64::from(candidate.ply.to_bits()));
            let overlooks = happens(chance, self.strength.overlooks);
            if (self.strength.mates || !overlooks) && after.is_checkmate() {
                return Err(candidate.ply);
            }
            let ply = RootPly {
                ply: candidate.ply,
                after,
                bonus: self.price(position.turn(), sent) + spread(chance, self.strength.noise),
                value: 0,
            };
            if overlooks {
                overlooked.push(ply);
            } else {
                root.push(ply);
            }
        }
        // Who overlooks everything takes a second look.
        if root.is_empty() {
            root = overlooked;
        }
        Ok(root)
    }

    /// One iteration over the plies at the root: the index of the best and its value.
    fn iterate(
        &mut self,
        root: &mut [RootPly],
        depth: i32,
        before: Value,
    ) -> Option<(usize, Value)> {
        let mut best: Option<(usize, Value)> = None;
        let mut alpha = -INFINITE;
        for (index, candidate) in root.iter_mut().enumerate() {
            let bonus = candidate.bonus;
            let mut value;
            if index == 0 {
                value = self.first_window(&candidate.after, depth, before, bonus);
            } else {
                let reduce = i32::from(depth > 3 && index > 6) + i32::from(depth > 4 && index > 30);
                value = self.child(
                    &candidate.after,
                    depth - 1 - reduce,
                    alpha,
                    alpha + 1,
                    1,
                    bonus,
                );
                if value > alpha && !self.stopped {
                    value = self.child(&candidate.after, depth - 1, alpha, INFINITE, 1, bonus);
                }
            }
            if self.stopped {
                break;
            }
            candidate.value = value;
            if value > alpha {
                alpha = value;
                best = Some((index, value));
            }
        }
        best
    }

    /// The best ply of the iteration before, in a window around its value.
    fn first_window(&mut self, after: &Position, depth: i32, before: Value, bonus: Value) -> Value {
        if depth >= 4 && !is_mate(before) {
            let (low, high) = (before - 60, before + 60);
            let value = self.child(after, depth - 1, low, high, 1, bonus);
            if self.stopped || (value > low && value < high) {
                return value;
            }
        }
        self.child(after, depth - 1, -INFINITE, INFINITE, 1, bonus)
    }

    /// The value of a position after a ply, seen by who played it, `bonus` included.
    fn child(
        &mut self,
        after: &Position,
        depth: i32,
        alpha: Value,
        beta: Value,
        ply: usize,
        bonus: Value,
    ) -> Value {
        let shift = |value: Value| {
            if is_mate(value) { value } else { value - bonus }
        };
        let value = -self.node(after, depth, -shift(beta), -shift(alpha), ply, true);
        if is_mate(value) {
            value
        } else {
            (value + bonus).clamp(1 - MATE_BOUND, MATE_BOUND - 1)
        }
    }

    fn price(&self, mover: Color, sent: Sent) -> Value {
        sent.iter()
            .map(|piece| self.prices[mover.index()][piece.role.index()])
            .sum()
    }

    /// Whether the search is over. One ply ahead it is allowed more, so that every ply has been
    /// looked at.
    fn is_over(&mut self) -> bool {
        let more = if self.horizon > 1 {
            0
        } else {
            self.budget + 400
        };
        if self.nodes >= self.budget + more {
            self.stopped = true;
        }
        self.stopped
    }

    /// What it is worth to have no legal ply.
    fn no_ply(&self, position: &Position, ply: usize, value: impl FnOnce() -> Value) -> Value {
        if position.is_checkmate() {
            ply as i32 - MATE
        } else if position.is_check() {
            value() - STUCK
        } else {
            value() - IDLE
        }
    }
}
