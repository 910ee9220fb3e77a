//! What makes one level stronger than another.

use super::level::Level;

/// What a level can and cannot do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strength {
    /// How many positions it looks at for one ply, more or less.
    pub nodes: u32,
    /// How many plies it looks ahead, exchanges left out.
    pub depth: u8,
    /// By how much it misjudges a ply of its own, in centipawns, up or down.
    pub noise: i32,
    /// Of 256 plies it could play, how many it does not think of.
    pub overlooks: u32,
    /// Of 256 answers of the opponent, how many it does not think of.
    pub overlooks_answers: u32,
    /// For how many plies it follows exchanges beyond that.
    pub exchanges: u32,
    /// Whether it looks for checks by drops where it would otherwise only follow exchanges.
    pub checks: bool,
    /// Whether it always takes a mate in one.
    pub mates: bool,
    /// Whether it looks at the other board to see which pieces matter there.
    pub feeds: bool,
    /// Whether it waits for a piece by its own decision.
    pub waits: bool,
}

const fn plain(nodes: u32, depth: u8, noise: i32) -> Strength {
    Strength {
        nodes,
        depth,
        noise,
        overlooks: 0,
        overlooks_answers: 0,
        exchanges: u32::MAX,
        checks: true,
        mates: true,
        feeds: true,
        waits: true,
    }
}

const STRENGTHS: [Strength; 8] = [
    Strength {
        overlooks: 84,
        overlooks_answers: 120,
        exchanges: 0,
        checks: false,
        mates: false,
        feeds: false,
        waits: false,
        ..plain(400, 2, 120)
    },
    Strength {
        overlooks: 50,
        overlooks_answers: 76,
        exchanges: 1,
        checks: false,
        feeds: false,
        waits: false,
        ..plain(600, 2, 88)
    },
    Strength {
        overlooks: 30,
        overlooks_answers: 34,
        exchanges: 3,
        checks: false,
        waits: false,
        ..plain(800, 2, 65)
    },
    Strength {
        overlooks: 28,
        checks: false,
        waits: false,
        ..plain(1_000, 2, 55)
    },
    plain(1_400, 3, 30),
    plain(3_800, 5, 15),
    plain(13_000, 10, 8),
    plain(45_000, 20, 4),
];

/// What this level can and cannot do.
pub(super) fn strength(level: Level) -> Strength {
    STRENGTHS[usize::from(level.number() - Level::MIN.number())]
}
