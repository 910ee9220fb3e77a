//! What the reader prefers, remembered on this device: looks, sounds, questions, input.
//!
//! Each preference is a word out of few. Those that concern looks alone stand on the root element,
//! where the styles find them; `index.html` puts them there before the first paint.

use leptos::prelude::*;

use super::language::LanguageChoice;
use crate::platform::{page, storage};
use crate::text::{self, Text};

/// A preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pref {
    /// Light, dark, or as the system has it.
    Theme,
    /// The colours of the boards.
    Board,
    /// How large pieces are on their squares.
    Pieces,
    /// Letters and digits at the edges of boards.
    Coordinates,
    /// Whether pieces slide and fly.
    Motion,
    /// How loud sounds are.
    Sound,
    /// How a man is moved by pointer.
    Input,
    /// Whether resigning and leaving ask first.
    Ask,
}

/// How a preference is kept and shown.
pub struct Kind {
    /// Its name in the page and, behind `tandem.`, where it is kept.
    name: &'static str,
    /// The attribute of the root element that has its word.
    attribute: Option<&'static str>,
    /// What it is called.
    pub label: Text,
    /// Its words and what they are called; the first is usual.
    pub choices: &'static [(&'static str, Text)],
}

const COUNT: usize = 8;

static KINDS: [Kind; COUNT] = [
    Kind {
        name: "theme",
        attribute: Some("data-theme"),
        label: text::settings::THEME,
        choices: &[
            ("system", text::settings::THEME_SYSTEM),
            ("light", text::settings::THEME_LIGHT),
            ("dark", text::settings::THEME_DARK),
        ],
    },
    Kind {
        name: "board",
        attribute: Some("data-board-theme"),
        label: text::settings::BOARD,
        choices: &[
            ("fjord", text::settings::BOARD_FJORD),
            ("moss", text::settings::BOARD_MOSS),
            ("clay", text::settings::BOARD_CLAY),
        ],
    },
    Kind {
        name: "pieces",
        attribute: Some("data-pieces"),
        label: text::settings::PIECES,
        choices: &[
            ("normal", text::settings::PIECES_NORMAL),
            ("small", text::settings::PIECES_SMALL),
            ("large", text::settings::PIECES_LARGE),
        ],
    },
    Kind {
        name: "coordinates",
        attribute: Some("data-coordinates"),
        label: text::settings::COORDINATES,
        choices: &[("on", text::settings::ON), ("off", text::settings::OFF)],
    },
    Kind {
        name: "motion",
        attribute: Some("data-motion"),
        label: text::settings::MOTION,
        choices: &[("on", text::settings::ON), ("off", text::settings::OFF)],
    },
    Kind {
        name: "sound",
        attribute: None,
        label: text::settings::SOUND,
        choices: &[
            ("normal", text::settings::SOUND_NORMAL),
            ("loud", text::settings::SOUND_LOUD),
            ("quiet", text::settings::SOUND_QUIET),
            ("off", text::settings::OFF),
        ],
    },
    Kind {
        name: "input",
        attribute: Some("data-move-input"),
        label: text::settings::INPUT,
        choices: &[
            ("both", text::settings::INPUT_BOTH),
            ("click", text::settings::INPUT_CLICK),
            ("drag", text::settings::INPUT_DRAG),
        ],
    },
    Kind {
        name: "ask",
        attribute: None,
        label: text::settings::ASK,
        choices: &[("on", text::settings::ON), ("off", text::settings::OFF)],
    },
];

impl Pref {
    /// All preferences, in the order in which they are shown.
    pub const ALL: [Pref; COUNT] = [
        Pref::Theme,
        Pref::Board,
        Pref::Pieces,
        Pref::Coordinates,
        Pref::Motion,
        Pref::Sound,
        Pref::Input,
        Pref::Ask,
    ];

    /// How it is kept and shown.
    pub fn kind(self) -> &'static Kind {
        &KINDS[self as usize]
    }
}

/// What the reader prefers. A handle: copies are the same preferences.
#[derive(Clone, Copy)]
pub struct Prefs {
    chosen: [RwSignal<usize>; COUNT],
}

impl Prefs {
    /// The remembered preferences; called once, by the program's root.
    pub fn provide() {
        let chosen = Pref::ALL.map(|pref| {
            let kind = pref.kind();
            let word = storage::get(&key(kind));
            let known = |(known, _): &(&str, Text)| word.as_deref() == Some(*known);
            RwSignal::new(kind.choices.iter().position(known).unwrap_or(0))
        });
        let prefs = Self { chosen };
        provide_context(prefs);
        Effect::new(move || {
            for pref in Pref::ALL {
                if let Some(attribute) = pref.kind().attribute {
                    let word = (prefs.index(pref) > 0).then(|| prefs.word(pref));
                    page::set_root_attribute(attribute, word);
                }
            }
        });
    }

    /// The preferences that the root provided; the usual ones where it has not.
    pub fn get() -> Self {
        use_context().unwrap_or_else(|| Self {
            chosen: Pref::ALL.map(|_| RwSignal::new(0)),
        })
    }

    /// Which of its choices a preference is. Reactive.
    pub fn index(self, pref: Pref) -> usize {
        self.chosen[pref as usize].get()
    }

    /// The word of a preference. Reactive.
    pub fn word(self, pref: Pref) -> &'static str {
        let choice = pref.kind().choices.get(self.index(pref));
        choice.map_or("", |(word, _)| word)
    }

    /// Takes another choice, and remembers it.
    pub fn choose(self, pref: Pref, index: usize) {
        let kind = pref.kind();
        match kind.choices.get(index) {
            Some((word, _)) if index > 0 => storage::set(&key(kind), word),
            _ => storage::remove(&key(kind)),
        }
        self.chosen[pref as usize].set(index);
    }
}

fn key(kind: &Kind) -> String {
    format!("tandem.{}", kind.name)
}

/// The language and all preferences as choices, each a group of its own.
#[component]
pub fn PrefsForm() -> impl IntoView {
    let prefs = Prefs::get();
    let groups = Pref::ALL.map(|pref| {
        let kind = pref.kind();
        let choices = kind
            .choices
            .iter()
            .enumerate()
            .map(|(index, (word, words))| {
                view! {
                    <label>
                        <input
                            type="radio"
                            name=kind.name
                            value=*word
                            prop:checked=move || prefs.index(pref) == index
                            on:change=move |_| prefs.choose(pref, index)
                        />
                        <span>{*words}</span>
                    </label>
                }
            });
        view! {
            <fieldset class="pref" data-pref=kind.name>
                <legend>{kind.label}</legend>
                <div class="segments">{choices.collect::<Vec<_>>()}</div>
            </fieldset>
        }
    });
    view! {
        <label class="field">
            {text::app::LANGUAGE}
            <LanguageChoice class="input" />
        </label>
        <div class="prefs">{groups.into_iter().collect::<Vec<_>>()}</div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preference_has_a_place_and_words_of_its_own() {
        for (index, pref) in Pref::ALL.into_iter().enumerate() {
            assert_eq!(pref as usize, index);
            let mut words: Vec<_> = pref.kind().choices.iter().map(|(word, _)| word).collect();
            let all = words.len();
            words.sort();
            words.dedup();
            assert_eq!((words.len(), all > 1), (all, true));
        }
    }
}
