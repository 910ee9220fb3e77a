//! The signals between partners: their codes in the page, and their words.

use tandem_core::Role;
use tandem_core::tell::Tell;

use crate::text::{self, Text};

/// A signal about a kind of piece.
pub type OfKind = fn(Role) -> Tell;

/// The signals about kinds of pieces: what they are called together, whether the pieces meant are
/// the opponents', and the signal about one kind.
pub const ABOUT_PIECES: [(Text, bool, OfKind); 4] = [
    (text::tell::NEED, false, Tell::Need),
    (text::tell::DONT_GIVE, true, Tell::DontGive),
    (text::tell::MATES, false, Tell::Mates),
    (text::tell::SAVES, false, Tell::Saves),
];

/// The signals that are said every other move; where there is little room they have places of their own.
pub const OFTEN: [Tell; 4] = [Tell::Sit, Tell::Go, Tell::Trade, Tell::Thanks];

/// The other plain signals.
pub const PLAIN: [Tell; 9] = [
    Tell::DontTrade,
    Tell::KeepChecking,
    Tell::Winning,
    Tell::Trouble,
    Tell::UpOnTime,
    Tell::LowOnTime,
    Tell::Coming,
    Tell::Yes,
    Tell::No,
];

/// The code of `data-tell` and `data-told`.
pub fn code(tell: Tell) -> String {
    let of = |word: &str, role: Role| match word {
        "need" | "dont-give" => format!("{word}-{}", role.letter()),
        _ => format!("{}-{word}", role.letter()),
    };
    let plain = match tell {
        Tell::Need(role) => return of("need", role),
        Tell::DontGive(role) => return of("dont-give", role),
        Tell::Mates(role) => return of("mates", role),
        Tell::Saves(role) => return of("saves", role),
        Tell::Sit => "sit",
        Tell::Go => "go",
        Tell::Trade => "trade",
        Tell::DontTrade => "dont-trade",
        Tell::KeepChecking => "keep-checking",
        Tell::Winning => "winning",
        Tell::Trouble => "trouble",
        Tell::UpOnTime => "up-on-time",
        Tell::LowOnTime => "low-on-time",
        Tell::Coming => "coming",
        Tell::Suggest { .. } => "suggest",
        Tell::Yes => "yes",
        Tell::No => "no",
        Tell::Thanks => "thanks",
    };
    plain.to_owned()
}

/// The kind of piece that a signal is about, and whether it is one of the opponents'.
pub fn piece(tell: Tell) -> Option<(Role, bool)> {
    match tell {
        Tell::Need(role) | Tell::Mates(role) | Tell::Saves(role) => Some((role, false)),
        Tell::DontGive(role) => Some((role, true)),
        _ => None,
    }
}

/// A signal in the reader's words.
pub fn words(tell: Tell) -> String {
    use text::tell as t;
    let by_role =
        |texts: [Text; 5], role: Role| texts.get(role.index()).copied().unwrap_or(t::NEED);
    let text: Text = match tell {
        Tell::Need(role) => by_role(
            [
                t::NEED_PAWN,
                t::NEED_KNIGHT,
                t::NEED_BISHOP,
                t::NEED_ROOK,
                t::NEED_QUEEN,
            ],
            role,
        ),
        Tell::DontGive(role) => by_role(
            [
                t::DONT_GIVE_PAWN,
                t::DONT_GIVE_KNIGHT,
                t::DONT_GIVE_BISHOP,
                t::DONT_GIVE_ROOK,
                t::DONT_GIVE_QUEEN,
            ],
            role,
        ),
        Tell::Mates(role) => by_role(
            [
                t::MATES_PAWN,
                t::MATES_KNIGHT,
                t::MATES_BISHOP,
                t::MATES_ROOK,
                t::MATES_QUEEN,
            ],
            role,
        ),
        Tell::Saves(role) => by_role(
            [
                t::SAVES_PAWN,
                t::SAVES_KNIGHT,
                t::SAVES_BISHOP,
                t::SAVES_ROOK,
                t::SAVES_QUEEN,
            ],
            role,
        ),
        Tell::Sit => t::SIT,
        Tell::Go => t::GO,
        Tell::Trade => t::TRADE,
        Tell::DontTrade => t::DONT_TRADE,
        Tell::KeepChecking => t::KEEP_CHECKING,
        Tell::Winning => t::WINNING,
        Tell::Trouble => t::TROUBLE,
        Tell::UpOnTime => t::UP_ON_TIME,
        Tell::LowOnTime => t::LOW_ON_TIME,
        Tell::Coming => t::COMING,
        Tell::Suggest {
            from: Some(from),
            to,
        } => {
            return t::suggest_move(&from.to_string(), &to.to_string());
        }
        Tell::Suggest { from: None, to } => return t::suggest_drop(&to.to_string()),
        Tell::Yes => t::YES,
        Tell::No => t::NO,
        Tell::Thanks => t::THANKS,
    };
    text().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_contract() {
        assert_eq!(code(Tell::Need(Role::Knight)), "need-N");
        assert_eq!(code(Tell::DontGive(Role::Pawn)), "dont-give-P");
        assert_eq!(code(Tell::Mates(Role::Queen)), "Q-mates");
        assert_eq!(code(Tell::Saves(Role::Bishop)), "B-saves");
        assert_eq!(code(Tell::UpOnTime), "up-on-time");
    }

    #[test]
    fn every_signal_has_words_of_its_own() {
        let pieces = ABOUT_PIECES
            .into_iter()
            .flat_map(|(_, _, of)| Role::HAND.map(of));
        let tells: Vec<_> = pieces.chain(OFTEN).chain(PLAIN).collect();
        let mut said: Vec<_> = tells.iter().map(|tell| words(*tell)).collect();
        said.sort();
        said.dedup();
        assert_eq!(said.len(), tells.len());
        assert!(said.iter().all(|words| !words.is_empty()));
    }
}
