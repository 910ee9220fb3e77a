//! Tones from the browser's synthesiser. No recording is loaded, and nothing sounds before the reader
//! has pressed something: browsers allow it only then, and complain of pages that try.

use std::cell::RefCell;

use leptos::prelude::window_event_listener;
use web_sys::{AudioContext, AudioContextState, OscillatorType};

thread_local! {
    static CONTEXT: RefCell<Option<AudioContext>> = const { RefCell::new(None) };
}

/// A tone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Note {
    /// How high, in hertz.
    pub pitch: f32,
    /// When, in milliseconds from now.
    pub at_ms: u16,
    /// How long until it has faded away, in milliseconds.
    pub length_ms: u16,
    /// How loud, up to 1.
    pub volume: f32,
}

/// Gets ready to sound with the first press or key, as long as the page lives.
pub fn allow_with_first_press() {
    // Never taken away: whichever comes last in a sleeping page wakes the sound.
    let _ = window_event_listener(leptos::ev::click, |_| wake());
    let _ = window_event_listener(leptos::ev::keydown, |_| wake());
}

fn wake() {
    CONTEXT.with_borrow_mut(|context| {
        if context.is_none() {
            // Without a sound device there is none.
            *context = AudioContext::new().ok();
        }
        if let Some(context) = context
            && context.state() == AudioContextState::Suspended
        {
            // It resumes by itself; what comes of it need not be known.
            let _ = context.resume();
        }
    });
}

/// Plays notes, if that is allowed by now.
pub fn play(notes: &[Note], volume: f32) {
    CONTEXT.with_borrow(|context| {
        if let Some(context) = context
            && context.state() == AudioContextState::Running
        {
            for note in notes {
                // A browser that cannot make a tone stays silent.
                let _ = sound(context, *note, volume);
            }
        }
    });
}

fn sound(
    context: &AudioContext,
    note: Note,
    volume: f32,
) -> Result<(), leptos::wasm_bindgen::JsValue> {
    let (tone, gain) = (context.create_oscillator()?, context.create_gain()?);
    let start = context.current_time() + f64::from(note.at_ms) / 1_000.0;
    let end = start + f64::from(note.length_ms) / 1_000.0;
    tone.set_type(OscillatorType::Triangle);
    tone.frequency().set_value(note.pitch);
    let level = gain.gain();
    level.set_value_at_time(note.volume * volume, start)?;
    level.exponential_ramp_to_value_at_time(0.000_1, end)?;
    tone.connect_with_audio_node(&gain)?;
    gain.connect_with_audio_node(&context.destination())?;
    tone.start_with_when(start)?;
    tone.stop_with_when(end)
}
