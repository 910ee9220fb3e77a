//! What is spoken and not shown: plies, arriving pieces, checks, and the clocks for who asks.

use leptos::prelude::*;
use tandem_core::{Hand, Seat, Status};

use super::boards::Boards;
use crate::board::hand::role_name;
use crate::board::model::HAND;
use crate::platform::page;
use crate::text;
use crate::ui::words;

/// The key that speaks the clocks. It is no piece's letter in any language.
const CLOCK_KEY: &str = "c";

/// Has these words read out, even if they are the same as the last ones: a reader hears of changes only,
/// so every other time they end in a character that is neither seen nor spoken.
fn say(region: RwSignal<String>, mut words: String) {
    const SILENT: char = '\u{200b}';
    if !region.with_untracked(|said| said.ends_with(SILENT)) {
        words.push(SILENT);
    }
    region.set(words);
}

/// Regions that a screen reader reads whenever they change.
#[component]
pub fn Spoken(boards: Boards) -> impl IntoView {
    let store = boards.store;
    let heard = move || {
        store.heard().get().map(|line| {
            let board = words::board(line.seat.board());
            let name = boards.name(line.seat).get();
            text::game::heard(board, &name, &words::spoken(&line.san))
        })
    };
    let check = Memo::new(move |_| {
        let Some(seat) = store.my_seat() else {
            return false;
        };
        store.shown(seat.board()).with(|shown| {
            !shown.ended
                && shown.position.turn() == seat.color()
                && shown.position.status() == Status::Check
        })
    });
    let hand = Memo::new(move |_| {
        let seat = store.my_seat()?;
        Some(
            store
                .shown(seat.board())
                .with(|shown| shown.position.hand(seat.color())),
        )
    });
    let received = RwSignal::new(String::new());
    Effect::new(move |before: Option<Option<Hand>>| {
        let now = hand.get();
        if let (Some(Some(before)), Some(now)) = (before, now) {
            let new = HAND
                .into_iter()
                .find(|role| now.count(*role) > before.count(*role));
            if let Some(role) = new {
                say(received, text::said::received(role_name(role)()));
            }
        }
        now
    });
    let clocks = RwSignal::new(String::new());
    let keys = window_event_listener(leptos::ev::keydown, move |event| {
        let plain = !(event.ctrl_key() || event.alt_key() || event.meta_key());
        if plain
            && event.key().eq_ignore_ascii_case(CLOCK_KEY)
            && !page::takes_keys()
            && store.has_clocks()
        {
            let of_all: Vec<_> = Seat::ALL
                .into_iter()
                .map(|seat| {
                    let (whole, tenth) = store.face(seat).get_untracked().digits();
                    let tenth =
                        tenth.map(|tenth| format!("{}{tenth}", text::game::DECIMAL_POINT()));
                    format!(
                        "{}: {whole}{}",
                        boards.name(seat).get_untracked(),
                        tenth.unwrap_or_default()
                    )
                })
                .collect();
            say(clocks, of_all.join("; "));
        }
    });
    on_cleanup(move || keys.remove());
    view! {
        <div class="spoken">
            <p class="visually-hidden">{text::game::KEYS}</p>
            <p class="visually-hidden" aria-live="polite" data-heard="">
                {heard}
            </p>
            <p class="visually-hidden" aria-live="polite" data-received="">
                {move || received.get()}
            </p>
            <p class="visually-hidden" aria-live="assertive">
                {move || check.get().then(text::game::CHECK)}
            </p>
            <p class="visually-hidden" aria-live="polite">
                {move || store.hint().get().map(words::hint)}
            </p>
            <p class="visually-hidden" aria-live="polite" data-clocks="">
                {move || clocks.get()}
            </p>
        </div>
    }
}
