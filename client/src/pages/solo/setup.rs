//! What is chosen before a match alone: seat, level, clock and rules.

use leptos::prelude::*;
use tandem_core::{BoardId, Color, Options, Position, Seat, Team};

use super::{Loading, LoadingLine, word};
use crate::board::{BoardModel, BoardView, Shown};
use crate::net::kept::Choices;
use crate::platform::page;
use crate::store::remembered_name;
use crate::text;
use crate::ui::connection::mark_body;
use crate::ui::fields::Choice;
use crate::ui::later::Later;
use crate::ui::level::LevelChoice;
use crate::ui::option_fields::{RuleFields, TimeFields};
use crate::ui::page::Page;
use crate::ui::words;

/// The clock that the fields show again when clocks are wanted after all.
const USUAL_MS: u32 = 5 * 60_000;

/// The seating plan with one seat for the reader, and the options.
#[component]
pub fn Setup(
    /// How far the bots' program has come; nothing starts without it.
    #[prop(into)]
    loading: Signal<Loading>,
    /// A kept match could not be read.
    #[prop(into)]
    unreadable: Signal<bool>,
    /// Starts a match.
    #[prop(into)]
    start: Callback<Choices>,
    /// Loads the bots' program once more.
    try_again: Callback<()>,
) -> impl IntoView {
    page::title(|| format!("{} · Tandem", text::solo::TITLE()));
    mark_body(move || word(loading.get()));
    let choices = RwSignal::new(Choices::remembered());
    let seat = Memo::new(move |_| choices.with(|choices| choices.seat));
    let card = move |seat, tied| view! { <SeatCard choices=choices seat=seat tied=tied /> };
    let picture = move |board| {
        view! {
            <div class="picture" aria-hidden="true">
                <BoardView model=still(board, seat.into()) still=true />
            </div>
        }
    };
    view! {
        <Page>
            <div class="lobby-head">
                <h1>{text::solo::TITLE}</h1>
            </div>
            {move || unreadable.get().then(|| view! { <p class="banner" role="alert">{text::solo::UNREADABLE}</p> })}
            <div class="lobby solo">
                <section class="plan" aria-label=text::seat::PLAN>
                    {card(Seat::ABlack, true)} {card(Seat::BWhite, false)}
                    {BoardId::ALL
                        .map(|board| view! { <Later>{picture(board)}</Later> })
                        .into_iter()
                        .collect::<Vec<_>>()}
                    {card(Seat::AWhite, true)} {card(Seat::BBlack, false)}
                </section>
                <div class="stack">
                    <Later>
                        <Fields choices=choices />
                    </Later>
                </div>
                <div class="start">
                    <button
                        class="btn primary big"
                        type="button"
                        disabled=move || loading.get() != Loading::Done
                        on:click=move |_| start.run(choices.get_untracked())
                    >
                        {text::solo::START}
                    </button>
                    <LoadingLine state=loading try_again=try_again />
                </div>
            </div>
        </Page>
    }
}

/// A seat of the plan: the reader's, or the computer's.
#[component]
fn SeatCard(
    choices: RwSignal<Choices>,
    seat: Seat,
    /// The line to the partner's seat begins here.
    tied: bool,
) -> impl IntoView {
    let mine = Memo::new(move |_| choices.with(|choices| choices.seat == seat));
    let name = move || {
        if !mine.get() {
            return words::bot_name(seat).to_owned();
        }
        let name = remembered_name();
        if name.is_empty() {
            text::solo::YOU().to_owned()
        } else {
            name
        }
    };
    let role = move || {
        let chosen = choices.with(|choices| choices.seat);
        let color = words::color(seat.color())();
        if chosen == seat && remembered_name().is_empty() {
            // The name says the rest.
            return color.to_owned();
        }
        let role = if chosen == seat {
            text::solo::YOU
        } else if chosen.partner() == seat {
            text::solo::PARTNER
        } else {
            text::solo::OPPONENT
        };
        let bot = (chosen != seat)
            .then(|| choices.with(|choices| text::person::bot(&choices.level.to_string())));
        let role = format!("{color} · {}", role());
        bot.map_or(role.clone(), |bot| format!("{role} · {bot}"))
    };
    let team = move || {
        let ours = choices.with(|choices| choices.seat.team() == seat.team());
        match (ours, seat.team()) {
            (true, _) => text::team::OURS(),
            (false, Team::One) => text::team::ONE(),
            (false, Team::Two) => text::team::TWO(),
        }
    };
    view! {
        <div
            class="seat"
            class:you=move || mine.get()
            class:ours=move || choices.with(|choices| choices.seat.team() == seat.team())
            data-seat=seat.to_string()
            data-occupant=move || if mine.get() { "human" } else { "bot" }
        >
            <span class="disc" class:b=seat.color() == Color::Black></span>
            <span class="name">{name}</span>
            <small>{role}</small>
            <span class="do">
                <button
                    class="btn"
                    type="button"
                    aria-pressed=move || if mine.get() { "true" } else { "false" }
                    aria-description=words::seat(seat)
                    on:click=move |_| choices.update(|choices| choices.seat = seat)
                >
                    {text::seat::SIT}
                </button>
            </span>
            {tied.then(|| view! { <span class="tie" data-team=team aria-hidden="true"></span> })}
        </div>
    }
}

/// Level, clock and rules.
#[component]
fn Fields(choices: RwSignal<Choices>) -> impl IntoView {
    let options = Memo::new(move |_| choices.with(|choices| choices.options));
    let clocks = Memo::new(move |_| options.get().has_clocks());
    let choose = Callback::new(move |wanted: Options| {
        let valid = wanted.validate_alone().is_ok();
        if valid {
            choices.update(|choices| choices.options = wanted);
        }
        valid
    });
    let times = move || {
        clocks
            .get()
            .then(|| view! { <TimeFields options=options enabled=true choose=choose /> })
    };
    view! {
        <section class="card" aria-labelledby="options">
            <h2 id="options">{text::seat::OPTIONS}</h2>
            <div class="opts">
                <label class="field">
                    {text::bot::LEVEL}
                    <LevelChoice
                        class="input"
                        chosen=Signal::derive(move || choices.with(|choices| choices.level))
                        choose=Callback::new(move |level| {
                            choices.update(|choices| choices.level = level);
                        })
                    />
                </label>
                <Choice
                    label=text::solo::CLOCK
                    choices=&[
                        (true, "with", text::solo::CLOCK_WITH),
                        (false, "without", text::solo::CLOCK_WITHOUT),
                    ]
                    chosen=clocks
                    enabled=true
                    choose=move |with| {
                        let base_ms = if with { USUAL_MS } else { 0 };
                        choose.run(Options { base_ms, ..options.get_untracked() })
                    }
                />
                {times}
                <RuleFields options=options enabled=true choose=choose />
            </div>
        </section>
    }
}

/// A board as it will be set up, team 1 below; the reader's is marked by its seat.
fn still(board: BoardId, seat: Signal<Seat>) -> BoardModel {
    let start = Shown::still(Position::start(Options::default().rules));
    let bottom = match board {
        BoardId::A => Color::White,
        BoardId::B => Color::Black,
    };
    let mine = move || {
        let seat = seat.get();
        (seat.board() == board).then(|| seat.color())
    };
    let name = Signal::stored(words::board(board).to_owned());
    BoardModel {
        mine: Signal::derive(mine),
        ..BoardModel::still(board, Signal::stored(start), Signal::stored(bottom), name)
    }
}
