//! What happens in a world, step by step, and the weather on its lines.

use super::PEERS;
use crate::random::Random;

/// One step of a script.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// Do what a well-meaning person would: sit, get ready, play a legal ply, want a rematch.
    Act {
        who: usize,
        pick: u32,
    },
    /// Something less usual: offers, talk, standing up, leaving, resigning.
    Odd {
        who: usize,
        pick: u32,
    },
    /// Something wrong: plies that are late, foreign, illegal or repeated, commands out of place.
    Wrong {
        who: usize,
        pick: u32,
    },
    /// Time goes by.
    Wait {
        ms: u32,
    },
    /// A line breaks.
    Cut {
        who: usize,
    },
    /// A broken line is there again.
    Back {
        who: usize,
    },
    /// Play is paused from outside, or the reason is gone.
    Pause {
        restart: bool,
    },
    Unblock,
}

/// How bad the lines of a world are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weather {
    pub(super) delay_ms: u32,
    pub(super) lost_percent: u32,
    pub(super) repeated_percent: u32,
    /// Every so manieth frame of each line and direction is lost; 0 is none.
    pub(super) lost_every: u32,
}

impl Weather {
    /// Lines as one would wish them.
    pub(super) const CALM: Weather = Weather {
        delay_ms: 0,
        lost_percent: 0,
        repeated_percent: 0,
        lost_every: 0,
    };
}

/// A script with the seed of its chances.
#[derive(Clone, Debug)]
pub(super) struct Script {
    pub(super) seed: u64,
    pub(super) weather: Weather,
    pub(super) steps: Vec<Step>,
}

impl Script {
    /// Nothing happens, in calm weather.
    pub(super) fn empty() -> Script {
        Script {
            seed: 0,
            weather: Weather::CALM,
            steps: Vec::new(),
        }
    }

    pub(super) fn new(seed: u64) -> Script {
        let mut random = Random::new(seed);
        let weather = match random.below(4) {
            0 => Weather {
                delay_ms: 1,
                ..Weather::CALM
            },
            1 => Weather {
                delay_ms: 120,
                repeated_percent: 10,
                ..Weather::CALM
            },
            2 => Weather {
                delay_ms: 400,
                lost_percent: 15,
                repeated_percent: 10,
                ..Weather::CALM
            },
            _ => Weather {
                delay_ms: 2_500,
                lost_percent: 33,
                repeated_percent: 20,
                ..Weather::CALM
            },
        };
        // Every third world has no cuts, so that long matches happen too.
        let calm = seed.is_multiple_of(3);
        let steps = (0..600 + random.below(1_400))
            .map(|_| {
                let who = random.below(PEERS as u32) as usize;
                let pick = random.next() as u32;
                match random.below(100) {
                    0..72 => Step::Act { who, pick },
                    72..75 => Step::Odd { who, pick },
                    75..78 => Step::Wrong { who, pick },
                    78..96 => Step::Wait {
                        ms: 1 << random.below(11),
                    },
                    96 if random.below(4) == 0 => Step::Wait {
                        ms: random.below(20_000),
                    },
                    97 if !calm && random.below(2) == 0 => Step::Cut { who },
                    98 if !calm => Step::Back { who },
                    99 if !calm => match random.below(3) {
                        0 => Step::Pause { restart: true },
                        1 => Step::Pause { restart: false },
                        _ => Step::Unblock,
                    },
                    _ => Step::Act { who, pick },
                }
            })
            .collect();
        Script {
            seed,
            weather,
            steps,
        }
    }
}
