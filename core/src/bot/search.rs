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

use crate::piece::{Color, Role};
use crate::ply::Ply;
use crate::position::{Position, Sent};

use super::eval::{self, Seen};
use super::exchange::exchange;
use super::noise::{happens, mix, spread};
use super::order::{Candidate, History, Sorter};
use super::strength::Strength;
use super::transposition::{Bound, Known, Transpositions, key};

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

    fn node(
        &mut self,
        position: &Position,
        depth: i32,
        alpha: Value,
        beta: Value,
        ply: usize,
        may_pass: bool,
    ) -> Value {
        let checked = position.is_check();
        let mut depth = depth;
        if checked && ply < 2 * self.horizon {
            depth += 1;
        }
        if depth <= 0 || ply >= PLIES_MAX {
            return self.quiet(position, alpha, beta, ply, 0);
        }
        self.nodes += 1;
        if self.is_over() {
            return 0;
        }
        let mut alpha = alpha.max(ply as i32 - MATE);
        let beta = beta.min(MATE - ply as i32 - 1);
        if alpha >= beta {
            return alpha;
        }

        let key = key(position);
        let known = self.table.get(key, ply);
        if let Some(known) = known
            && known.depth >= depth
            && match known.bound {
                Bound::Exact => true,
                Bound::AtLeast => known.value >= beta,
                Bound::AtMost => known.value <= alpha,
            }
        {
            return known.value;
        }

        let seen = eval::look(position);
        if !checked && !is_mate(beta) && self.strength.exchanges > 0 {
            if depth <= 2 && seen.value - 130 * depth >= beta {
                return seen.value;
            }
            if may_pass && depth >= 2 && seen.value >= beta {
                let mut passed = *position;
                passed.turn = !passed.turn;
                passed.en_passant = None;
                let reduced = depth - 3 - depth / 4;
                let value = -self.node(&passed, reduced, -beta, 1 - beta, ply + 1, false);
                if self.stopped {
                    return 0;
                }
                if value >= beta {
                    return if is_mate(value) { beta } else { value };
                }
            }
        }

        let start = self.candidates.len();
        let killers = self.killers[ply];
        let first = [known.and_then(|known| known.ply), killers[0], killers[1]];
        Sorter::new(
            position,
            &seen.attacked,
            &self.history,
            first,
            &mut self.candidates,
        )
        .all();
        let value = if self.candidates.len() == start {
            self.no_ply(position, ply, || seen.value)
        } else {
            let node = Node {
                position,
                depth,
                ply,
                checked,
                seen,
                start,
            };
            let (value, best) = self.try_all(&node, &mut alpha, beta);
            if !self.stopped {
                let bound = if value >= beta {
                    Bound::AtLeast
                } else if best.is_some() {
                    Bound::Exact
                } else {
                    Bound::AtMost
                };
                self.table.put(
                    key,
                    ply,
                    Known {
                        ply: best,
                        value,
                        depth,
                        bound,
                    },
                );
            }
            value
        };
        self.candidates.truncate(start);
        value
    }

    /// Tries the candidates of a node, and returns the best value and the ply that raised alpha.
    fn try_all(&mut self, node: &Node<'_>, alpha: &mut Value, beta: Value) -> (Value, Option<Ply>) {
        let &Node {
            position,
            depth,
            ply,
            checked,
            seen,
            start,
        } = node;
        let mover = position.turn();
        let end = self.candidates.len();
        let mut best = -INFINITE;
        let mut raised = None;
        let mut quiet_tried = 0;
        for index in start..end {
            let candidate = self.pick(index, end);
            if ply == 1
                && self.strength.overlooks_answers > 0
                && (best > -INFINITE || index + 1 < end)
                && self.overlooks(position, candidate.ply)
            {
                continue;
            }
            if !candidate.sharp {
                quiet_tried += 1;
                // Far down, quiet plies beyond the likely ones hardly ever matter.
                if !checked && best > -MATE_BOUND && depth <= 3 && self.strength.exchanges > 0 {
                    let limit = 4 + 5 * depth * depth;
                    if quiet_tried > limit
                        || (candidate.remote && quiet_tried > limit / 2)
                        || (depth <= 2
                            && seen.value + 90 + 110 * depth <= *alpha
                            && !is_mate(*alpha))
                    {
                        continue;
                    }
                }
            }
            let mut after = *position;
            let sent = after.play_unchecked(candidate.ply);
            let bonus = self.price(mover, sent);
            let tried = index - start;
            let mut value;
            if tried == 0 {
                value = self.child(&after, depth - 1, *alpha, beta, ply + 1, bonus);
            } else {
                let mut reduce = 0;
                if depth >= 2 && tried >= 3 && !candidate.check {
                    reduce = i32::from(!candidate.sharp || candidate.order < 0);
                    reduce += i32::from(tried >= 10 && !candidate.sharp);
                    reduce += i32::from(candidate.remote && tried >= 6);
                    reduce += i32::from(tried >= 30 && !candidate.sharp);
                    if checked {
                        reduce = reduce.min(1);
                    }
                }
                value = self.child(
                    &after,
                    depth - 1 - reduce,
                    *alpha,
                    *alpha + 1,
                    ply + 1,
                    bonus,
                );
                if value > *alpha && reduce > 0 && !self.stopped {
                    value = self.child(&after, depth - 1, *alpha, *alpha + 1, ply + 1, bonus);
                }
                if value > *alpha && value < beta && !self.stopped {
                    value = self.child(&after, depth - 1, *alpha, beta, ply + 1, bonus);
                }
            }
            if self.stopped {
                return (best, raised);
            }
            if value > best {
                best = value;
                if value > *alpha {
                    *alpha = value;
                    raised = Some(candidate.ply);
                }
            }
            if *alpha >= beta {
                self.reward(node, candidate, index);
                break;
            }
        }
        if best == -INFINITE {
            // Everything was passed over.
            best = *alpha;
        }
        (best, raised)
    }

    /// Brings the most promising of the remaining candidates to this place.
    fn pick(&mut self, index: usize, end: usize) -> Candidate {
        let mut best = index;
        for other in index + 1..end {
            if self.candidates[other].order > self.candidates[best].order {
                best = other;
            }
        }
        self.candidates.swap(index, best);
        self.candidates[index]
    }

    /// Remembers a ply that refuted the one before, and those that did not.
    fn reward(&mut self, node: &Node<'_>, candidate: Candidate, index: usize) {
        if candidate.sharp && !candidate.check {
            return;
        }
        let killers = &mut self.killers[node.ply];
        if killers[0] != Some(candidate.ply) {
            killers[1] = killers[0];
            killers[0] = Some(candidate.ply);
        }
        self.history
            .note(node.position, candidate.ply, node.depth, true);
        for other in node.start..index {
            let other = self.candidates[other];
            if !other.sharp {
                self.history
                    .note(node.position, other.ply, node.depth, false);
            }
        }
    }

    /// Whether a weak level does not think of this answer.
    fn overlooks(&self, position: &Position, ply: Ply) -> bool {
        // The squares of the answer and of the opponent's pieces decide, so that one search and
        // one position always overlook the same.
        let chance = mix(
            self.chance ^ position.occupied().0,
            u64::from(ply.to_bits()),
        );
        happens(chance, self.strength.overlooks_answers)
    }

    /// Follows exchanges, and checks that no drop answers, until nothing is urgent.
    fn quiet(
        &mut self,
        position: &Position,
        alpha: Value,
        beta: Value,
        ply: usize,
        urgent: u32,
    ) -> Value {
        self.nodes += 1;
        if self.is_over() {
            return 0;
        }
        let Seen {
            value: standing,
            attacked,
        } = eval::look(position);
        if ply >= PLIES_MAX {
            return standing;
        }
        let checked = position.is_check();
        if urgent >= self.strength.exchanges {
            return if checked && !position.has_legal_ply() {
                self.no_ply(position, ply, || standing)
            } else {
                standing
            };
        }
        let evade = checked && urgent < 3;
        let mut best = if evade { -INFINITE } else { standing };
        let mut alpha = alpha;
        if best > alpha {
            alpha = best;
            if best >= beta {
                return best;
            }
        }

        let start = self.candidates.len();
        let sorter = Sorter::new(
            position,
            &attacked,
            &self.history,
            [None; 3],
            &mut self.candidates,
        );
        if evade {
            sorter.all();
        } else {
            sorter.sharp(self.strength.checks && urgent == 0);
        }
        let end = self.candidates.len();
        if evade && end == start {
            return self.no_ply(position, ply, || standing);
        }
        for index in start..end {
            let candidate = self.pick(index, end);
            if evade {
                // Of many answers to a check the first few tell enough.
                if index - start >= 6 && best > -MATE_BOUND {
                    break;
                }
            } else if candidate.order < 0 && !candidate.check {
                continue;
            }
            let mut after = *position;
            let sent = after.play_unchecked(candidate.ply);
            let bonus = self.price(position.turn(), sent);
            if !evade && !candidate.check && !is_mate(alpha) {
                // Not even winning the whole piece would be enough.
                let hope = exchange(position, candidate.ply).max(0) + bonus;
                if standing + hope + 150 <= alpha {
                    continue;
                }
            }
            let shift = |value: Value| if is_mate(value) { value } else { value - bonus };
            let value = -self.quiet(&after, -shift(beta), -shift(alpha), ply + 1, urgent + 1);
            if self.stopped {
                break;
            }
            let value = if is_mate(value) { value } else { value + bonus };
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        self.candidates.truncate(start);
        best
    }
}

/// One position in the tree, as the loop over its candidates needs it.
struct Node<'a> {
    position: &'a Position,
    depth: i32,
    ply: usize,
    checked: bool,
    seen: Seen,
    /// Where its candidates begin.
    start: usize,
}

/// The kinds with which the side to move would give mate at once by a drop, were one in its hand.
pub(super) fn mating_roles(position: &Position) -> [bool; 5] {
    let king = position.king_square(!position.turn());
    let occupied = position.occupied();
    Role::HAND.map(|role| {
        let checks = crate::attacks::of(role, !position.turn(), king, occupied);
        (position.drop_targets(role) & checks)
            .into_iter()
            .any(|to| {
                let mut after = *position;
                after.drop_piece(role, to);
                after.is_checkmate()
            })
    })
}

/// The same position with the other side to move, if that is possible: who is in check must move.
pub(super) fn passed(position: &Position) -> Option<Position> {
    if position.is_check() {
        return None;
    }
    let mut after = *position;
    after.turn = !after.turn;
    after.en_passant = None;
    Some(after)
}
