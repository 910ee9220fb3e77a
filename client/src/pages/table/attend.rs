//! What a page at a table does besides showing it: it sounds, keeps the screen awake, asks before it
//! is closed in a match, and calls a reader who looks at something else when the match starts.

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::web_sys::BeforeUnloadEvent;
use tandem_core::table::{MatchNo, Phase};
use tandem_core::{BoardId, Ply};

use crate::board::Shown;
use crate::platform::awake::Awake;
use crate::platform::page;
use crate::store::{Connection, Seating, TableStore};
use crate::ui::later::behind;
use crate::ui::prefs::{Pref, Prefs};
use crate::ui::sound::Sound;

/// How loud the partner's board is beside the own one.
const PARTNER_SHARE: f32 = 0.35;

/// Attends to a table as long as the present owner lives. The answer is true while the reader, who
/// looks at something else, is called to a match that has started.
pub fn attend(store: TableStore) -> Signal<bool> {
    let playing = Memo::new(move |_| {
        let phase = store
            .seating()
            .with(|seating| seating.as_ref().map(|seating| seating.phase));
        phase == Some(Phase::Playing)
    });
    let seated = Memo::new(move |_| store.my_seat().is_some());
    sound(store);
    stay_awake(behind(move || playing.get() && seated.get()));
    if !store.is_alone() {
        // A match in the page is kept, and goes on when the reader comes back.
        ask_before_closing(store, playing, seated);
    }
    call(playing, seated)
}

/// What is compared to find out what has happened on a board.
#[derive(Clone, Copy)]
struct Seen {
    plies: u16,
    men: usize,
}

impl Seen {
    fn of(shown: &Shown) -> Self {
        Self {
            plies: shown.plies,
            men: shown.position.occupied().into_iter().count(),
        }
    }

    /// The sound of the ply that leads from here to there, if it was one.
    fn sound_to(self, now: Self, shown: &Shown) -> Option<Sound> {
        let sound = match shown.last? {
            _ if now.plies != self.plies + 1 => return None,
            _ if shown.position.is_check() => Sound::Check,
            Ply::Drop { .. } => Sound::Drop,
            Ply::Move { .. } if now.men < self.men => Sound::Capture,
            Ply::Move { .. } => Sound::Move,
        };
        Some(sound)
    }
}

fn sound(store: TableStore) {
    let prefs = Prefs::get();
    for board in BoardId::ALL {
        let shown = store.shown(board);
        Effect::new(move |before: Option<Seen>| {
            let now = shown.with(Seen::of);
            let sound = before.and_then(|before| shown.with(|shown| before.sound_to(now, shown)));
            if let Some(sound) = sound {
                let own = untrack(|| store.home_board()) == board;
                sound.play(prefs, if own { 1.0 } else { PARTNER_SHARE });
            }
            now
        });
    }
    let low = Memo::new(move |_| {
        let face = store.my_seat().map(|seat| store.face(seat).get());
        face.is_some_and(|face| face.running && face.is_low()) && store.has_clocks()
    });
    let match_no = Memo::new(move |_| store.game().with(|game| game.as_ref().map(|game| game.no)));
    // Once a match: a clock that runs again and again does not ring each time.
    Effect::new(move |rung: Option<Option<MatchNo>>| {
        let no = match_no.get();
        if low.get() && rung != Some(no) {
            Sound::LowTime.play(prefs, 1.0);
            return no;
        }
        rung.flatten()
    });
    let told = store.talk().told();
    Effect::new(move |_| {
        if told.with(Option::is_some) {
            Sound::Tell.play(prefs, 1.0);
        }
    });
    let ended = Memo::new(move |_| {
        store
            .game()
            .with(|game| game.as_ref().map(|game| game.end.is_some()))
    });
    Effect::new(move |before: Option<Option<bool>>| {
        let now = ended.get();
        match (before.flatten(), now) {
            (None | Some(true), Some(false)) if before.is_some() => Sound::Start.play(prefs, 1.0),
            (Some(false), Some(true)) => Sound::End.play(prefs, 1.0),
            _ => {}
        }
        now
    });
}

/// Keeps the screen awake while that is wanted; it must be asked for again when the page is seen again.
fn stay_awake(wanted: Signal<bool>) {
    let awake = StoredValue::new_local(None::<Awake>);
    let ask = move || {
        if !wanted.get_untracked() || !page::is_visible() {
            return;
        }
        spawn_local(async move {
            if let Some(kept) = Awake::ask().await {
                awake.try_set_value(Some(kept));
            }
        });
    };
    Effect::new(move || {
        if wanted.get() {
            ask();
        } else {
            awake.set_value(None);
        }
    });
    let visible = window_event_listener_untyped("visibilitychange", move |_| ask());
    on_cleanup(move || visible.remove());
}

/// The browser asks before it closes a page with a match in it.
fn ask_before_closing(store: TableStore, playing: Memo<bool>, seated: Memo<bool>) {
    let prefs = Prefs::get();
    let closing =
        window_event_listener(leptos::ev::beforeunload, move |event: BeforeUnloadEvent| {
            let at_table = !matches!(store.connection().get_untracked(), Connection::Closed(_));
            let match_goes_on = playing.get_untracked() && seated.get_untracked();
            let asks = untrack(|| prefs.index(Pref::Ask)) == 0;
            if match_goes_on && at_table && asks && !page::is_reloading() {
                event.prevent_default();
            }
        });
    on_cleanup(move || closing.remove());
}

/// True from the start of a match that the reader does not see until the page is looked at.
fn call(playing: Memo<bool>, seated: Memo<bool>) -> Signal<bool> {
    let called = RwSignal::new(false);
    Effect::new(move |before: Option<bool>| {
        let now = playing.get();
        if before == Some(false) && now && seated.get_untracked() && !page::is_visible() {
            called.set(true);
        }
        now
    });
    let visible = window_event_listener_untyped("visibilitychange", move |_| {
        if page::is_visible() {
            called.set(false);
        }
    });
    on_cleanup(move || visible.remove());
    called.into()
}

/// Whether the reader is asked before resigning and leaving. Reactive.
pub fn asks(prefs: Prefs) -> bool {
    prefs.index(Pref::Ask) == 0
}

/// How many people look on, the reader apart.
pub fn others_looking_on(seating: &Seating) -> usize {
    let me = usize::from(seating.me.is_some() && seating.my_seat().is_none());
    seating.spectators().saturating_sub(me)
}
