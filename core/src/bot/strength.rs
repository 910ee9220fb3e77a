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
    /// Whether it follows exchanges to their end.
    pub exchanges: bool,
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
        exchanges: true,
        checks: true,
        mates: true,
        feeds: true,
        waits: true,
    }
}

const STRENGTHS: [Strength; 8] = [
    Strength {
        overlooks: 80,
        overlooks_answers: 110,
        exchanges: false,
        checks: false,
        mates: false,
        feeds: false,
        waits: false,
        ..plain(400, 2, 110)
    },
    Strength {
        overlooks: 45,
        overlooks_answers: 64,
        exchanges: false,
        checks: false,
        feeds: false,
        waits: false,
        ..plain(700, 2, 70)
    },
    Strength {
        overlooks: 16,
        overlooks_answers: 26,
        checks: false,
        waits: false,
        ..plain(900, 2, 45)
    },
    Strength {
        waits: false,
        ..plain(1_500, 3, 25)
    },
    plain(3_500, 4, 15),
    plain(8_000, 6, 8),
    plain(18_000, 10, 6),
    plain(45_000, 20, 4),
];

/// What this level can and cannot do.
pub(super) fn strength(level: Level) -> Strength {
    STRENGTHS[usize::from(level.number() - Level::MIN.number())]
}
