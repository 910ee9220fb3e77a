//! How a recorded match ended, from what is said about it.

use crate::bughouse::EndRule;

/// How a recorded match ended, as far as the record says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By one of the rules E1 to E8.
    Rule(EndRule),
    /// It was broken off, and nobody has won.
    Aborted,
}

/// What is said about the end, by the name of a rule or in a sentence of a chess server.
pub(super) fn read_ending(text: &str) -> Option<Ending> {
    let text = text.to_lowercase();
    if let Some(rule) = EndRule::ALL.into_iter().find(|rule| rule.as_str() == text) {
        return Some(Ending::Rule(rule));
    }
    // Names stand in front of what somebody did, so only the end of a sentence is looked at there.
    const LAST_WORDS: [(&str, EndRule); 9] = [
        ("checkmated", EndRule::Checkmate),
        ("forfeits on time", EndRule::Time),
        ("time forfeit", EndRule::Time),
        ("resigns", EndRule::Resignation),
        ("leaves", EndRule::Leaving),
        ("forfeits by disconnection", EndRule::Leaving),
        ("agreement", EndRule::Agreement),
        ("nobody can move", EndRule::Deadlock),
        ("800 plies", EndRule::PlyLimit),
    ];
    if ["game aborted", "game adjourned", "aborted", "abandoned"]
        .into_iter()
        .any(|words| text.starts_with(words))
    {
        return Some(Ending::Aborted);
    }
    if text.starts_with("game drawn because both") {
        return Some(Ending::Rule(EndRule::BothAtOnce));
    }
    LAST_WORDS
        .into_iter()
        .find(|(words, _)| text.ends_with(words))
        .map(|(_, rule)| Ending::Rule(rule))
}
