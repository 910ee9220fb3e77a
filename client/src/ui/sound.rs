//! What each thing that happens sounds like.

use super::prefs::{Pref, Prefs};
use crate::platform::audio::{self, Note};
use crate::platform::page;

/// Something that can be heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sound {
    /// A man was moved.
    Move,
    /// A man was taken.
    Capture,
    /// A piece was dropped.
    Drop,
    /// A king is in check.
    Check,
    /// The own clock is low.
    LowTime,
    /// The partner has said something.
    Tell,
    /// The match starts.
    Start,
    /// The match is over.
    End,
}

const fn note(pitch: f32, at_ms: u16, length_ms: u16, volume: f32) -> Note {
    Note {
        pitch,
        at_ms,
        length_ms,
        volume,
    }
}

impl Sound {
    fn notes(self) -> &'static [Note] {
        match self {
            Sound::Move => const { &[note(240.0, 0, 70, 0.5), note(480.0, 0, 30, 0.2)] },
            Sound::Capture => const { &[note(180.0, 0, 110, 0.6), note(620.0, 0, 40, 0.3)] },
            Sound::Drop => const { &[note(300.0, 0, 60, 0.4), note(450.0, 50, 80, 0.4)] },
            Sound::Check => const { &[note(700.0, 0, 90, 0.3), note(930.0, 80, 140, 0.3)] },
            Sound::LowTime => {
                const {
                    &[
                        note(880.0, 0, 90, 0.3),
                        note(880.0, 140, 90, 0.3),
                        note(880.0, 280, 120, 0.3),
                    ]
                }
            }
            Sound::Tell => const { &[note(520.0, 0, 80, 0.3), note(780.0, 70, 120, 0.3)] },
            Sound::Start => {
                const {
                    &[
                        note(392.0, 0, 160, 0.4),
                        note(523.0, 130, 160, 0.4),
                        note(659.0, 260, 320, 0.4),
                    ]
                }
            }
            Sound::End => {
                const {
                    &[
                        note(659.0, 0, 200, 0.4),
                        note(523.0, 170, 200, 0.4),
                        note(392.0, 340, 480, 0.4),
                    ]
                }
            }
        }
    }

    /// Plays it as loud as the reader wants sounds. `share` is 1 for the own board and less for what
    /// happens elsewhere.
    pub fn play(self, prefs: Prefs, share: f32) {
        let volume = match leptos::prelude::untrack(|| prefs.word(Pref::Sound)) {
            "off" => return,
            "quiet" => 0.25,
            "loud" => 1.0,
            _ => 0.55,
        };
        // The ear does not notice a frame; the eye does.
        page::after_paint(move || audio::play(self.notes(), volume * share));
    }
}
