//! What the other board has to do with this one: prices of pieces, and what the partner asks for.

use serde::{Deserialize, Serialize};

use crate::attacks;
use crate::piece::{Color, Role};
use crate::position::{Position, Status};
use crate::tell::Tell;

use super::eval::IN_HAND;
use super::search::{Prices, Value};

/// For how many own plies a wish of the partner is remembered.
const WISH_LASTS: u16 = 12;

/// For how many own plies "a … mates" and "a … saves" are believed.
const ALARM_LASTS: u16 = 3;

/// What the partner has said and still wants, with the own ply before which it was heard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Wishes {
    need: [Option<u16>; 5],
    dont_give: [Option<u16>; 5],
    urgent: [Option<u16>; 5],
    trade: Option<(bool, u16)>,
    /// Whether to wait until told to go.
    pub sit: bool,
    /// Whether a piece is on its way, heard before this own ply.
    pub coming: Option<u16>,
}

impl Wishes {
    /// Takes in what has been said since the last time. `now` counts the plies of this bot.
    pub(super) fn hear(&mut self, heard: &[Tell], now: u16) {
        for &tell in heard {
            self.take(tell, now);
        }
        for wish in self.need.iter_mut().chain(&mut self.dont_give) {
            expire(wish, now, WISH_LASTS);
        }
        for wish in &mut self.urgent {
            expire(wish, now, ALARM_LASTS);
        }
        expire(&mut self.coming, now, 0);
        if self
            .trade
            .is_some_and(|(_, since)| now > since + WISH_LASTS)
        {
            self.trade = None;
        }
    }

    fn take(&mut self, tell: Tell, now: u16) {
        let set = |wishes: &mut [Option<u16>; 5], role: Role| {
            if let Some(wish) = wishes.get_mut(role.index()) {
                *wish = Some(now);
            }
        };
        match tell {
            Tell::Need(role) => set(&mut self.need, role),
            Tell::DontGive(role) => set(&mut self.dont_give, role),
            Tell::Mates(role) | Tell::Saves(role) => set(&mut self.urgent, role),
            Tell::Sit => self.sit = true,
            Tell::Go => {
                self.sit = false;
                self.coming = None;
            }
            Tell::Coming => self.coming = Some(now),
            Tell::Trade => self.trade = Some((true, now)),
            Tell::DontTrade => self.trade = Some((false, now)),
            _ => {}
        }
    }
}

fn expire(wish: &mut Option<u16>, now: u16, lasts: u16) {
    if wish.is_some_and(|since| now > since.saturating_add(lasts)) {
        *wish = None;
    }
}

/// What is going on on the other board, as far as single pieces decide there.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Situation {
    /// Kinds with which the partner would mate at once.
    pub mates: [bool; 5],
    /// Kinds with which the partner's opponent would mate at once.
    pub mated_by: [bool; 5],
    /// Kinds with which the partner, who has no legal ply now, could play.
    pub saves: [bool; 5],
    /// Whether the partner is to move.
    pub partner_to_move: bool,
}

impl Situation {
    /// Looks at the other board, on which the partner has this colour.
    pub(super) fn of(other: &Position, partner: Color) -> Situation {
        let partner_to_move = other.turn() == partner;
        let mine = mating_roles(other);
        let other_way = passed(other).map_or([false; 5], |position| mating_roles(&position));
        let (mates, mated_by) = if partner_to_move {
            (mine, other_way)
        } else {
            (other_way, mine)
        };
        let mut saves = [false; 5];
        if partner_to_move && other.status() == Status::Waiting {
            for role in other.waiting_roles() {
                saves[role.index()] = true;
            }
        }
        Situation {
            mates,
            mated_by,
            saves,
            partner_to_move,
        }
    }

    /// Whether a piece of this kind decides something for the partner right now.
    pub(super) fn wants(&self, role: Role) -> bool {
        let kind = role.index();
        kind < 5 && (self.saves[kind] || (self.partner_to_move && self.mates[kind]))
    }
}

/// What it is worth to the team of the one of colour `us` to send a piece, and to the opponents
/// to get one.
pub(super) fn prices(
    other: &Position,
    us: Color,
    situation: Option<&Situation>,
    wishes: &Wishes,
) -> Prices {
    let partner = !us;
    let mut prices: Prices = [[0; 6]; 2];
    for role in Role::HAND {
        let kind = role.index();
        let sent = |hand: u8| -> Value {
            let base = IN_HAND[kind] * 11 / 20;
            match hand {
                0 => base + base / 10,
                1 | 2 => base,
                _ => base * 3 / 5,
            }
        };
        let mut to_partner = sent(other.hand(partner).count(role));
        let mut to_opponent = sent(other.hand(us).count(role));
        if let Some(situation) = situation {
            if situation.mates[kind] {
                to_partner += if situation.partner_to_move {
                    1_500
                } else {
                    250
                };
            }
            if situation.saves[kind] {
                to_partner += 700;
            }
            if situation.mated_by[kind] {
                to_opponent += if situation.partner_to_move {
                    250
                } else {
                    1_500
                };
            }
        }
        if wishes.need[kind].is_some() {
            to_partner += 60 + IN_HAND[kind] / 2;
        }
        if wishes.urgent[kind].is_some() {
            to_partner += 700;
        }
        if wishes.dont_give[kind].is_some() {
            to_opponent += 150 + IN_HAND[kind];
        }
        match wishes.trade {
            Some((true, _)) => to_partner += IN_HAND[kind] / 4,
            Some((false, _)) => to_opponent += IN_HAND[kind] / 4,
            None => {}
        }
        prices[us.index()][kind] = to_partner;
        prices[(!us).index()][kind] = to_opponent;
    }
    prices
}

/// The kinds with which the side to move would give mate at once by a drop, were one in its hand.
pub(super) fn mating_roles(position: &Position) -> [bool; 5] {
    let king = position.king_square(!position.turn());
    let occupied = position.occupied();
    Role::HAND.map(|role| {
        let checks = attacks::of(role, !position.turn(), king, occupied);
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
fn passed(position: &Position) -> Option<Position> {
    if position.is_check() {
        return None;
    }
    let mut after = *position;
    after.turn = !after.turn;
    after.en_passant = None;
    Some(after)
}
