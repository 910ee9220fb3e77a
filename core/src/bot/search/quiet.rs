//! Where the depth is used up: exchanges and checks go on until nothing is urgent.

use super::{INFINITE, MATE_BOUND, PLIES_MAX, Search, Value, is_mate};
use crate::bot::eval::{self, Seen};
use crate::bot::exchange::exchange;
use crate::bot::order::Sorter;
use crate::position::Position;

impl Search<'_> {
    /// Follows exchanges, and checks that no drop answers, until nothing is urgent.
    pub(super) fn quiet(
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
