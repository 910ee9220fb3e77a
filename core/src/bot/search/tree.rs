//! The tree below the root: one position after another until the depth is used up.

use super::{INFINITE, MATE, MATE_BOUND, PLIES_MAX, Search, Value, is_mate};
use crate::bot::eval::{self, Seen};
use crate::bot::noise::{happens, mix};
use crate::bot::order::{Candidate, Sorter};
use crate::bot::transposition::{Bound, Known, key};
use crate::ply::Ply;
use crate::position::Position;

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

impl Search<'_> {
    pub(super) fn node(
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
    pub(super) fn pick(&mut self, index: usize, end: usize) -> Candidate {
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
}
