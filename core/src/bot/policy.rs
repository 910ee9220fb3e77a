//! What a bot does besides choosing plies: whether it waits, how fast it plays, what it says.

use serde::{Deserialize, Serialize};

use crate::attacks;
use crate::bughouse::PLY_LIMIT;
use crate::piece::Role;
use crate::ply::Ply;
use crate::position::{Position, Status};
use crate::square::Square;
use crate::tell::Tell;

use super::View;
use super::noise::mix;
use super::partner::{Situation, Wishes, mating_roles};

/// How far ahead of the diagonal clock one must be to wait, in milliseconds.
const AHEAD_MS: u64 = 1_500;

/// With less on the clock nobody waits.
const WAIT_ABOVE_MS: u64 = 6_000;

/// Nobody who could move waits through more plies of the partner, with clocks or without.
const PATIENCE: u16 = 3;

/// Positions a slow phone looks at in a millisecond.
const SLOW_NODES_PER_MS: u64 = 30;

/// Whether a bot that could move may wait instead: only as long as the opponents lose by it.
pub(super) fn may_wait(view: &View<'_>, own_decision: bool) -> bool {
    if view.partner_plies_since_my_turn >= PATIENCE && (own_decision || view.clocks_ms.is_none()) {
        return false;
    }
    let other = view.boards.position(view.seat.board().other());
    let partner_to_move = other.turn() == view.seat.partner().color();
    if partner_to_move && matches!(other.status(), Status::Waiting | Status::Checkmate) {
        // The partner waits for a piece: two who wait for each other lose.
        return false;
    }
    match view.clocks_ms {
        Some(clocks) => {
            let own = clocks[view.seat.index()];
            let diagonal = clocks[view.seat.diagonal().index()];
            own > WAIT_ABOVE_MS && own > diagonal + AHEAD_MS
        }
        // Without clocks nothing but the partner's plies ends a wait.
        None => !own_decision,
    }
}

/// Whether the partner has asked to wait, and for how many plies of the partner.
pub(super) fn asked_to_wait(view: &View<'_>, wishes: &Wishes) -> bool {
    wishes.sit || (wishes.coming.is_some() && view.partner_plies_since_my_turn == 0)
}

/// When a waiting bot wants to be asked again though nothing has happened, in milliseconds.
pub(super) fn ask_again_ms(view: &View<'_>) -> u32 {
    match view.clocks_ms {
        Some(clocks) => {
            let own = clocks[view.seat.index()];
            let diagonal = clocks[view.seat.diagonal().index()];
            let ahead = own.saturating_sub(diagonal + AHEAD_MS);
            u32::try_from(ahead.clamp(100, 1_000)).unwrap_or(1_000)
        }
        None => 1_000,
    }
}

/// What the clock still has for thinking, once something has been put aside for the longest match
/// that could follow.
fn to_spend_ms(own: u64, view: &View<'_>) -> u64 {
    let plies_left = u64::from(PLY_LIMIT.saturating_sub(view.boards.total_plies()));
    let reserve = (plies_left / 2 * 12).min(own / 2);
    own.saturating_sub(reserve)
}

/// How many positions a slow machine can look at without getting short of time.
pub(super) fn affordable_nodes(view: &View<'_>) -> u32 {
    let Some(clocks) = view.clocks_ms else {
        return u32::MAX;
    };
    let spend =
        to_spend_ms(clocks[view.seat.index()], view) / 20 + u64::from(view.increment_ms) / 2;
    u32::try_from(spend * SLOW_NODES_PER_MS).unwrap_or(u32::MAX)
}

/// How easy the choice is: this shortens the pace.
pub(super) struct Ease {
    /// There was one legal ply, or a mate.
    pub obvious: bool,
    /// The ply takes back where the opponent has just taken, or answers a check.
    pub forced: bool,
    /// The partner needs what the ply takes, now.
    pub hurry: bool,
}

/// When to play, in milliseconds from the beginning of the turn.
pub(super) fn pace_ms(view: &View<'_>, chance: u64, ease: &Ease) -> u32 {
    let opening = view.boards.plies(view.seat.board()) < 10;
    let base = match view.clocks_ms {
        Some(clocks) => {
            let spend = to_spend_ms(clocks[view.seat.index()], view);
            // Somebody who is far behind the diagonal clock plays faster: the other side can sit.
            let own = clocks[view.seat.index()];
            let diagonal = clocks[view.seat.diagonal().index()];
            let share = if own + 3_000 < diagonal { 90 } else { 45 };
            (spend / share + u64::from(view.increment_ms) * 3 / 5).min(3_600)
        }
        None => 1_800,
    };
    let mut pace = base;
    if opening {
        pace = pace * 3 / 5;
    }
    if ease.obvious || ease.forced {
        pace /= 2;
    }
    if ease.hurry {
        pace /= 4;
    }
    // Between half and one and a half of that.
    let pace = pace / 2 + (pace * (chance >> 40 & 0xff)) / 256;
    u32::try_from(pace).unwrap_or(u32::MAX)
}

/// What a bot has said, so that it does not repeat itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Said {
    last: Vec<(Tell, u16)>,
    /// The partner was told to sit and not yet to go.
    sitting: bool,
}

/// For how many own plies a bot does not say the same again.
const SILENCE: u16 = 8;

impl Said {
    fn once(&mut self, tell: Tell, now: u16, out: &mut Vec<Tell>) {
        self.last
            .retain(|&(_, at)| now >= at && now < at.saturating_add(SILENCE));
        if self.last.iter().any(|&(said, _)| said == tell) {
            return;
        }
        self.last.push((tell, now));
        out.push(tell);
    }

    /// What to tell the partner along with a ply, or while waiting. `now` counts own plies.
    pub(super) fn speak(
        &mut self,
        position: &Position,
        ply: Option<Ply>,
        mating: bool,
        situation: &Situation,
        now: u16,
    ) -> Vec<Tell> {
        let mut out = Vec::new();
        let sends = ply.and_then(|ply| {
            let mut after = *position;
            after.play_unchecked(ply).captured
        });
        // Only somebody who is to move can sit.
        if mating && situation.partner_to_move && !self.sitting {
            self.sitting = true;
            out.push(Tell::Sit);
        } else if self.sitting && !mating {
            self.sitting = false;
            out.push(Tell::Go);
        }
        if sends.is_some_and(|piece| situation.wants(piece.role)) {
            self.once(Tell::Coming, now, &mut out);
        }
        let Some(ply) = ply else {
            // Stuck: the cheapest kind that helps is the easiest to get.
            if position.status() == Status::Waiting
                && let Some(role) = position.waiting_roles().next()
            {
                self.once(Tell::Saves(role), now, &mut out);
            }
            return out;
        };
        if mating {
            return out;
        }
        let mut after = *position;
        after.play_unchecked(ply);
        let threats = mating_roles(&after);
        if let Some(role) = first_missing(&after, threats) {
            self.once(Tell::DontGive(role), now, &mut out);
        }
        let chances = mating_roles(position);
        if out.is_empty()
            && let Some(role) = first_missing(position, chances)
        {
            self.once(Tell::Mates(role), now, &mut out);
        }
        if out.is_empty()
            && let Some(role) = attacking_role(position)
        {
            self.once(Tell::Need(role), now, &mut out);
        }
        out
    }
}

/// The cheapest kind, not in the hand of the side to move, that would give a check which no drop can
/// block and after which it is not simply taken.
fn attacking_role(position: &Position) -> Option<Role> {
    let us = position.turn();
    let king = position.king_square(!us);
    let occupied = position.occupied();
    let stays = |role: Role, to: Square| {
        let takers = position.attackers(to, !us, occupied);
        if role == Role::Knight {
            return takers.is_empty();
        }
        let near = attacks::king(king).contains(to);
        let only_king = (takers & !position.by_piece(!us, Role::King)).is_empty();
        near && only_king && !position.attackers(to, us, occupied).is_empty()
    };
    Role::HAND.into_iter().find(|&role| {
        let checks = attacks::of(role, !us, king, occupied);
        position.hand(us).count(role) == 0
            && (position.drop_targets(role) & checks)
                .into_iter()
                .any(|to| stays(role, to))
    })
}

/// The first of these kinds that the side to move does not hold.
fn first_missing(position: &Position, roles: [bool; 5]) -> Option<Role> {
    let hand = position.hand(position.turn());
    Role::HAND
        .into_iter()
        .find(|role| roles[role.index()] && hand.count(*role) == 0)
}

/// A number for the mood of one turn.
pub(super) fn chance_of(seed: u64, view: &View<'_>) -> u64 {
    let plies = u64::from(view.boards.plies(view.seat.board()));
    mix(mix(seed, view.seat.index() as u64), plies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Rules;

    fn needs(fen: &str) -> Option<Role> {
        attacking_role(&Position::from_fen(fen, Rules::default()).expect("a position"))
    }

    #[test]
    fn a_bot_asks_for_a_piece_that_checks_and_stays() {
        // N@e7+ cannot be taken, and no drop blocks it.
        assert_eq!(
            needs("6k1/6pp/8/8/8/8/8/4K3[] w - - 0 1"),
            Some(Role::Knight)
        );
        // With the bishop's help a pawn on f7 does it.
        assert_eq!(
            needs("6k1/6pp/8/7B/8/8/8/4K3[] w - - 0 1"),
            Some(Role::Pawn)
        );
        assert_eq!(
            needs("6k1/6pp/8/7B/8/8/8/4K3[P] w - - 0 1"),
            Some(Role::Knight)
        );
    }

    #[test]
    fn a_bot_asks_for_nothing_that_would_be_taken() {
        assert_eq!(
            needs("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"),
            None
        );
    }
}
