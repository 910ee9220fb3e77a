//! What stands beside the boards: the bar, the list of moves, draw, resigning and leaving, and the
//! few lines that say what is going on.

use leptos::prelude::*;
use tandem_core::Seat;
use tandem_core::table::{Arrangement, Phase};

use super::attend::asks;
use super::boards::Boards;
use super::grouped;
use super::hints::HintLine;
use super::moves::{CloseButton, MovesView};
use super::result::RematchButton;
use super::talk::TalkButton;
use crate::platform::{page, router};
use crate::store::TableStore;
use crate::text::{self, Text};
use crate::ui::confirm::{Confirm, Dialog};
use crate::ui::connection::{ConnectionBanner, ConnectionPill};
use crate::ui::icon::{Icon, IconToggle, IconView};
use crate::ui::page::Brand;
use crate::ui::prefs::{Prefs, PrefsForm};
use crate::ui::words;

/// The panel.
#[component]
pub fn Panel(boards: Boards) -> impl IntoView {
    let store = boards.store;
    let settings = RwSignal::new(false);
    view! {
        <aside class="panel" aria-label=text::game::PANEL>
            <header class="bar">
                <a class="brand" href=page::base_path() aria-label=text::app::HOME>
                    <Brand />
                </a>
                {match store.code {
                    Some(code) => {
                        view! {
                            <span class="code">{grouped(code)}</span>
                            <ConnectionPill store=store />
                        }
                            .into_any()
                    }
                    None => view! { <span class="code">{text::solo::SHORT}</span> }.into_any(),
                }}
                <span class="tools">
                    <TalkButton boards=boards />
                    <SettingsButton open=settings />
                    <IconToggle
                        class="btn icon swap"
                        label=text::game::SWAP_BOARDS
                        icon=Icon::Swap
                        on=boards.swapped
                    />
                    <IconToggle
                        class="btn icon flip"
                        label=text::game::FLIP
                        icon=Icon::Flip
                        on=boards.flipped
                    />
                    <button
                        class="btn icon only-narrow"
                        type="button"
                        popovertarget="moves"
                        aria-label=text::game::MOVES
                    >
                        <IconView icon=Icon::List />
                    </button>
                    <MenuButton />
                </span>
            </header>
            <MovesView store=store />
            <NoteLine store=store />
            <HintLine store=store />
            <Actions boards=boards settings=settings />
            <SettingsDialog open=settings />
        </aside>
    }
}

/// Opens the actions where they are a sheet.
#[component]
pub fn MenuButton() -> impl IntoView {
    view! {
        <button
            class="btn icon menu-btn"
            type="button"
            popovertarget="acts"
            aria-label=text::game::MENU
        >
            <IconView icon=Icon::More />
        </button>
    }
}

/// Opens the settings where there is room for a button of their own.
#[component]
fn SettingsButton(open: RwSignal<bool>) -> impl IntoView {
    view! {
        <button
            class="btn icon theme"
            type="button"
            aria-label=text::settings::TITLE
            title=text::settings::TITLE
            on:click=move |_| open.set(true)
        >
            <IconView icon=Icon::Settings />
        </button>
    }
}

/// The settings over the boards: the match goes on, so nothing leads away from it.
#[component]
fn SettingsDialog(open: RwSignal<bool>) -> impl IntoView {
    view! {
        <Dialog open=open label=text::settings::TITLE class="confirm settings-dialog">
            <div class="sheet-head">
                <h2>{text::settings::TITLE}</h2>
                <button
                    class="btn icon quiet"
                    type="button"
                    aria-label=text::game::CLOSE
                    on:click=move |_| open.set(false)
                >
                    <IconView icon=Icon::Close />
                </button>
            </div>
            <PrefsForm />
        </Dialog>
    }
}

/// Draw, resign, leave.
#[component]
fn Actions(
    boards: Boards,
    /// Set to open the settings.
    settings: RwSignal<bool>,
) -> impl IntoView {
    let store = boards.store;
    let prefs = Prefs::get();
    // Where there is no room for them beside the boards.
    let turn = [
        (text::game::SWAP_BOARDS as Text, boards.swapped),
        (text::game::FLIP, boards.flipped),
    ]
    .map(|(words, on)| {
        view! {
            <button
                class="btn quiet turn"
                type="button"
                popovertarget="acts"
                popovertargetaction="hide"
                aria-pressed=move || if on.get() { "true" } else { "false" }
                on:click=move |_| on.update(|on| *on = !*on)
            >
                {words}
            </button>
        }
    });
    // Before the first ply there is a match, too, and leaving ends it.
    let begun = Memo::new(move |_| {
        store.seating().with(|seating| {
            seating.as_ref().is_some_and(|it| {
                matches!(it.phase, Phase::Playing | Phase::Countdown { .. })
                    && it.my_seat().is_some()
            })
        })
    });
    let playing = Memo::new(move |_| {
        store.seating().with(|seating| {
            seating
                .as_ref()
                .is_some_and(|it| it.phase == Phase::Playing && it.my_seat().is_some())
        })
    });
    let offered = Memo::new(move |_| {
        store
            .game()
            .with(|game| game.as_ref().is_some_and(|game| game.draw.is_some()))
    });
    let too_soon = Memo::new(move |_| {
        let again_at = store.my_seat().map(|seat| {
            store.game().with(|game| {
                game.as_ref()
                    .map_or(0, |game| game.offer_again_at[seat.index()])
            })
        });
        again_at.is_some_and(|at| store.now().get() < at)
    });
    let resigning = RwSignal::new(false);
    let leaving = RwSignal::new(false);
    let why_leave = if store.is_alone() {
        text::solo::LEAVE_WHY
    } else {
        text::game::LEAVE_WHY
    };
    let ask_leave = if store.is_alone() {
        text::solo::LEAVE_ASK
    } else {
        text::game::LEAVE_ASK
    };
    let leave = Callback::new(move |()| {
        store.leave();
        router::go("/");
    });
    let in_match = move || {
        playing.get().then(|| {
            view! {
                // Whoever is alone has nobody to offer it to: bots have no vote.
                {(!store.is_alone())
                    .then(|| {
                        view! {
                            <button
                                class="btn quiet"
                                type="button"
                                disabled=move || offered.get() || too_soon.get()
                                popovertarget="acts"
                                popovertargetaction="hide"
                                on:click=move |_| store.offer_draw()
                            >
                                {text::game::OFFER_DRAW}
                            </button>
                        }
                    })}
                <button
                    class="btn quiet danger"
                    type="button"
                    on:click=move |_| {
                        if untrack(|| asks(prefs)) {
                            resigning.set(true);
                        } else {
                            store.resign();
                        }
                    }
                >
                    {text::game::RESIGN}
                </button>
            }
        })
    };
    // What has no room in the end panel of a small phone.
    let sheet = |id: &'static str, words: Text| {
        view! {
            <button class="btn quiet at-end" type="button" on:click=move |_| page::open_sheet(id)>
                {words}
            </button>
        }
    };
    let at_end = move || {
        boards.ended.get().then(|| {
            let seated = store.my_seat().is_some();
            view! {
                {seated
                    .then(|| {
                        view! {
                            <RematchButton
                                store=store
                                arrangement=Arrangement::SwapPartners
                                class="btn quiet at-end swaps"
                                in_menu=true
                            >
                                {text::end::SWAP_PARTNERS}
                            </RematchButton>
                            <RematchButton
                                store=store
                                arrangement=Arrangement::SwapColors
                                class="btn quiet at-end swaps"
                                in_menu=true
                            >
                                {text::end::SWAP_COLORS}
                            </RematchButton>
                        }
                    })}
                {sheet("moves", text::game::MOVES)}
                {sheet("talk", text::tell::TALK)}
            }
        })
    };
    view! {
        <div class="acts sheet" id="acts" popover="">
            <div class="sheet-head only-narrow">
                <h2>{text::game::MENU}</h2>
                <CloseButton sheet="acts" />
            </div>
            {turn.collect_view()} {in_match} {at_end}
            <button
                class="btn quiet"
                type="button"
                on:click=move |_| {
                    if begun.get_untracked() && untrack(|| asks(prefs)) {
                        leaving.set(true);
                    } else {
                        leave.run(());
                    }
                }
            >
                {text::game::LEAVE}
            </button>
            <button class="btn quiet only-narrow" type="button" on:click=move |_| settings.set(true)>
                {text::settings::TITLE}
            </button>
        </div>
        <Confirm
            open=resigning
            title=text::game::RESIGN_ASK
            why=text::game::RESIGN_WHY
            yes=text::game::RESIGN
            act=move |()| store.resign()
        />
        <Confirm
            open=leaving
            title=ask_leave
            why=why_leave
            yes=text::game::LEAVE
            act=leave
        />
    }
}

/// What is going on: a cut line, a pause, a draw on offer.
#[component]
pub fn Desk(boards: Boards) -> impl IntoView {
    let store = boards.store;
    view! {
        <section class="desk">
            <ConnectionBanner store=store />
            <TroubleLine store=store />
            <StartLine store=store />
            <PauseLine store=store />
            <HeldLine store=store />
            <DrawOffer boards=boards />
        </section>
    }
}

/// The bots of a table in the page cannot think, and what can be done about it.
#[component]
fn TroubleLine(store: TableStore) -> impl IntoView {
    move || {
        store.trouble().get().then(|| {
            view! {
                <p class="banner" role="alert">
                    <span>{text::solo::TROUBLE}</span>
                    <button class="btn" type="button" on:click=move |_| store.retry()>
                        {text::net::TRY_AGAIN}
                    </button>
                </p>
            }
        })
    }
}

/// When the match begins. At a table of the relay the seats say so; a table in the page has none.
#[component]
fn StartLine(store: TableStore) -> impl IntoView {
    let seconds = Memo::new(move |_| {
        let phase = store
            .seating()
            .with(|seating| seating.as_ref().map(|seating| seating.phase));
        let Some(Phase::Countdown { starts_at }) = phase else {
            return None;
        };
        let left = starts_at.saturating_sub(store.now().get());
        Some(left.div_ceil(1_000).max(1))
    });
    move || {
        seconds.get().map(|seconds| {
            view! {
                <p class="banner" role="status">
                    <IconView icon=Icon::Hourglass />
                    <span>{text::seat::starting(&seconds.to_string())}</span>
                </p>
            }
        })
    }
}

/// Without clocks: the partner's board stands still until the reader has moved.
#[component]
fn HeldLine(store: TableStore) -> impl IntoView {
    let held = Memo::new(move |_| {
        store
            .game()
            .with(|game| game.as_ref().is_some_and(|game| game.held.is_some()))
    });
    move || {
        held.get().then(|| {
            view! {
                <p class="banner held" role="status">
                    <IconView icon=Icon::Hourglass />
                    <span>{text::solo::HELD}</span>
                </p>
            }
        })
    }
}

/// Why no clock runs, and when play goes on.
#[component]
fn PauseLine(store: TableStore) -> impl IntoView {
    let pause = Memo::new(move |_| {
        store
            .game()
            .with(|game| game.as_ref().and_then(|game| game.pause))
    });
    let seconds = Memo::new(move |_| {
        let at = pause.get()?.resumes_at?;
        Some(at.saturating_sub(store.now().get()).div_ceil(1_000).max(1))
    });
    move || {
        pause.get().map(|pause| {
            let why = if store.is_alone() {
                text::solo::PAUSED
            } else {
                words::pause(pause.reason)
            };
            let goes_on = move || {
                let seconds = seconds.get()?;
                Some(text::game::resumes(&seconds.to_string()))
            };
            view! {
                <p class="banner" role="status">
                    <IconView icon=Icon::Hourglass />
                    <span>{why} " " {goes_on}</span>
                </p>
            }
        })
    }
}

/// The draw on offer, and what the reader may answer.
#[component]
fn DrawOffer(boards: Boards) -> impl IntoView {
    let store = boards.store;
    let offer = Memo::new(move |_| {
        store
            .game()
            .with(|game| game.as_ref().and_then(|game| game.draw))
    });
    move || {
        offer.get().map(|offer| {
            let seat = store.my_seat();
            let by_me = seat == Some(offer.by);
            let names = move |agreed: bool| {
                let people = store.seating().with(|seating| {
                    let people = |seat: &Seat| seating.as_ref().is_some_and(|it| it.occupant(*seat).is_some());
                    Seat::ALL.map(|seat| people(&seat) && offer.agreed[seat.index()] == agreed)
                });
                let named = Seat::ALL.into_iter().filter(|seat| people[seat.index()]);
                named.map(|seat| boards.name(seat).get()).collect::<Vec<_>>().join(", ")
            };
            let title = move || {
                let name = boards.name(offer.by).get();
                if by_me {
                    text::game::draw_by_you(&name)
                } else {
                    text::game::draw_by(&name)
                }
            };
            let has_agreed = seat.is_some_and(|seat| offer.agreed[seat.index()]);
            let accept = (seat.is_some() && !has_agreed).then(|| {
                view! {
                    <button class="btn primary" type="button" on:click=move |_| store.accept_draw()>
                        {text::game::ACCEPT_DRAW}
                    </button>
                }
            });
            let decline = (seat.is_some() && !by_me).then(|| {
                view! {
                    <button class="btn" type="button" on:click=move |_| store.decline_draw()>
                        {text::game::DECLINE_DRAW}
                    </button>
                }
            });
            let withdraw = by_me.then(|| {
                view! {
                    <button class="btn" type="button" on:click=move |_| store.withdraw_draw()>
                        {text::game::WITHDRAW_DRAW}
                    </button>
                }
            });
            view! {
                <div class="offer" data-offer=offer.by.to_string() role="status">
                    <p>
                        <b>{title}</b>
                        " "
                        <span>{move || text::game::draw_agreed(&names(true))} " " {move || text::game::draw_open(&names(false))}</span>
                    </p>
                    <div class="row">{accept} {decline} {withdraw}</div>
                </div>
            }
        })
    }
}

/// Something the reader should know once.
#[component]
pub fn NoteLine(store: TableStore) -> impl IntoView {
    let note = store.note();
    move || {
        note.get().map(|note| {
            view! {
                <p class="banner note" role="alert">
                    <span>{move || words::note(note)}</span>
                    <button
                        class="btn icon quiet"
                        type="button"
                        aria-label=text::note::DISMISS
                        on:click=move |_| store.forget_note()
                    >
                        <IconView icon=Icon::Close />
                    </button>
                </p>
            }
        })
    }
}
