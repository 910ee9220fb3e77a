//! A player beside a board: name, state, hand and clock.

use leptos::prelude::*;
use tandem_core::bot::Level;
use tandem_core::table::Millis;
use tandem_core::{Color, EndRule, Seat};

use super::boards::{Boards, here};
use crate::board::{BoardModel, Control, HandView};
use crate::text;
use crate::ui::clock::ClockView;

/// From this lag on, in milliseconds, a line is worth a warning.
const SLOW_MS: u16 = 200;

/// Which edge of the board a player sits at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// Above.
    Top,
    /// Below.
    Bottom,
}

/// What is worth saying below a name.
#[derive(Clone, PartialEq, Eq)]
enum Sub {
    Nothing,
    Lag(u16),
    Away(u64),
    Uncertain,
    /// How far the own clock is ahead of the diagonal one, in whole seconds.
    Diagonal(i64),
    Premoves(u32),
    Mated,
    GaveMate,
    /// The computer at this level, and whether it is the reader's partner.
    Bot(Level, bool),
    Partner,
}

/// One player.
#[component]
pub fn PlayerView(
    boards: Boards,
    model: BoardModel,
    seat: Seat,
    edge: Edge,
    /// The reader's hands, if this is the reader.
    #[prop(optional_no_strip)]
    control: Option<Control>,
) -> impl IntoView {
    let store = boards.store;
    let name = boards.name(seat);
    let timed = Memo::new(move |_| store.has_clocks());
    let there = Memo::new(move |_| here(store, seat));
    let away = Memo::new(move |_| there.get().is_some_and(|here| here.away_since.is_some()));
    let occupant = Memo::new(move |_| {
        store.seating().with(|seating| {
            seating
                .as_ref()
                .map_or("free", |seating| seating.occupant_word(seat))
        })
    });
    let sub = Memo::new(move |_| {
        if let Some(sub) = store
            .game()
            .with(|game| mate(game.as_ref()?.end.as_ref()?, seat))
        {
            return sub;
        }
        match there.get() {
            Some(here) if here.away_since.is_some() => {
                let gone = here
                    .away_since
                    .map_or(0, |since| store.now().get().saturating_sub(since));
                Sub::Away(seconds_left(store.absence_grace_ms(), gone))
            }
            _ if control.is_some() && store.uncertain().get() => Sub::Uncertain,
            _ if control.is_some() && store.premoves().with(|it| !it.is_empty()) => {
                let count = store.premoves().with(Vec::len);
                Sub::Premoves(u32::try_from(count).unwrap_or(u32::MAX))
            }
            Some(here) if here.lag_ms >= SLOW_MS => Sub::Lag(here.lag_ms),
            _ if control.is_some() && timed.get() => {
                let of = |seat| i64::try_from(store.face(seat).get().ms).unwrap_or(i64::MAX);
                Sub::Diagonal((of(seat) - of(seat.diagonal())) / 1_000)
            }
            Some(here) if here.lag_ms > 0 => Sub::Lag(here.lag_ms),
            _ => {
                let partner = store.partner() == Some(seat);
                let bot = store
                    .game()
                    .with(|game| game.as_ref().and_then(|game| game.bots[seat.index()]));
                match bot {
                    Some(level) => Sub::Bot(level, partner),
                    None if partner => Sub::Partner,
                    None => Sub::Nothing,
                }
            }
        }
    });
    let words = move || match sub.get() {
        Sub::Nothing => String::new(),
        Sub::Lag(ms) => text::net::lag(&ms.to_string()),
        Sub::Away(seconds) => text::game::away(&seconds.to_string()),
        Sub::Uncertain => text::game::UNCERTAIN().to_owned(),
        Sub::Diagonal(seconds) => text::game::diagonal(&difference(seconds)),
        Sub::Premoves(count) => text::game::premoves(count),
        Sub::Bot(level, partner) => {
            let bot = text::person::bot(&level.to_string());
            if partner {
                text::seat::partner_bot(&bot)
            } else {
                bot
            }
        }
        Sub::Partner => text::solo::PARTNER().to_owned(),
        Sub::Mated => text::game::MATED().to_owned(),
        Sub::GaveMate => text::game::GAVE_MATE().to_owned(),
    };
    let warns = move || match sub.get() {
        Sub::Away(_) | Sub::Uncertain => true,
        Sub::Lag(ms) => ms >= SLOW_MS,
        _ => false,
    };
    view! {
        <div
            class="player"
            class:top=edge == Edge::Top
            class:bottom=edge == Edge::Bottom
            class:me=control.is_some()
            class:untimed=move || !timed.get()
            data-seat=seat.to_string()
            data-occupant=move || occupant.get()
            data-away=move || away.get().then_some("")
        >
            <div class="who">
                <span class="disc" class:b=seat.color() == Color::Black></span>
                <b class="name">{move || name.get()}</b>
                <span class="sub" class:warn=warns class:next=move || matches!(sub.get(), Sub::Premoves(_)) class:now=move || sub.get() == Sub::GaveMate class:diagonal=move || matches!(sub.get(), Sub::Diagonal(_)) class:partner=move || matches!(sub.get(), Sub::Bot(_, true))>
                    <span class="full">{words}</span>
                    // Where there is no room for all the words, this says enough.
                    <span class="short">{move || match sub.get() {
                        Sub::Diagonal(seconds) => difference(seconds),
                        Sub::Bot(_, true) => text::seat::PARTNER().to_owned(),
                        _ => String::new(),
                    }}</span>
                </span>
            </div>
            <HandView model=model color=seat.color() name=name control=control />
            {move || timed.get().then(|| view! { <ClockView seat=seat face=store.face(seat) gain=store.gain(seat) name=name /> })}
        </div>
    }
}

/// What the end says of a player who took part in the mate.
fn mate(end: &tandem_core::table::End, seat: Seat) -> Option<Sub> {
    if end.rule != EndRule::Checkmate || end.board != Some(seat.board()) {
        return None;
    }
    Some(if end.winner == Some(seat.team()) {
        Sub::GaveMate
    } else {
        Sub::Mated
    })
}

/// A difference of clocks, with its sign.
fn difference(seconds: i64) -> String {
    let sign = match seconds {
        0 => "±",
        1.. => "+",
        _ => "−",
    };
    let seconds = seconds.unsigned_abs();
    format!("{sign}{}:{:02}", seconds / 60, seconds % 60)
}

/// The seconds that are left of a grace, begun ones counted.
fn seconds_left(grace: Millis, gone: Millis) -> u64 {
    grace.saturating_sub(gone).div_ceil(1_000)
}
