//! What partners say to each other: signals as codes, so that everyone reads them in their own
//! language, and free text.

use serde::{Deserialize, Serialize};

use crate::{Role, Square};

/// How many characters a line of free text may have.
pub const TEXT_MAX_CHARS: usize = 200;

/// A signal to the partner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Tell {
    /// "I need a …": please win one on your board.
    Need(Role),
    /// "Don't give them a …": please lose none on your board.
    DontGive(Role),
    /// "A … mates": with one in hand, I give mate.
    Mates(Role),
    /// "A … saves": only one of these helps me.
    Saves(Role),
    /// Wait, don't move.
    Sit,
    /// You may move again.
    Go,
    /// Exchange pieces.
    Trade,
    /// Exchange nothing.
    DontTrade,
    /// Go on giving check.
    KeepChecking,
    /// My board is won.
    Winning,
    /// My board is in trouble.
    Trouble,
    /// We are ahead on the clock.
    UpOnTime,
    /// I am short of time.
    LowOnTime,
    /// A piece is about to come.
    Coming,
    /// A move proposed for the partner's board.
    Suggest {
        /// Where the piece stands, or nothing for a drop.
        from: Option<Square>,
        /// Where it should go.
        to: Square,
    },
    /// Yes.
    Yes,
    /// No.
    No,
    /// Thanks.
    Thanks,
}

/// One utterance: a signal or a line of text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Words {
    /// A signal.
    Tell(Tell),
    /// Free text, cleaned and bounded to [`TEXT_MAX_CHARS`].
    Text(String),
}

/// Who hears an utterance. Each channel is a stream with numbers of its own, so that nobody can
/// count what others say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Channel {
    /// Team 1 during the match; spectators too once it has ended.
    TeamOne,
    /// Team 2 during the match; spectators too once it has ended.
    TeamTwo,
    /// Everyone at the table, before and after a match.
    Everyone,
}

impl Channel {
    /// All channels, in the order of their indices.
    pub const ALL: [Channel; 3] = [Channel::TeamOne, Channel::TeamTwo, Channel::Everyone];

    /// 0, 1 or 2.
    pub const fn index(self) -> usize {
        self as usize
    }
}
