//! Binds the [`Input`] of one player to pointers and keys.
//!
//! The finger's way over the screen never touches a signal: the piece that hangs on it is one
//! element, moved by one transform. Signals change only when something is taken up, put down or
//! played.

use leptos::html;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{self, Element, KeyboardEvent, PointerEvent};
use tandem_core::{Ply, Role, Square};

use super::input::{Input, Outcome, Place};
use super::model::{BoardModel, HAND, Seen};
use super::roving::{Roving, element_of};
use super::squares::square_in;
use crate::platform::page;
use crate::text;
use crate::ui::prefs::{Pref, Prefs};

/// How far a contact moves, in CSS pixels, before it is a drag.
const DRAG_FROM: f64 = 4.0;
/// A finger covers the piece it drags, so on touch the piece hangs above it, by this share of a square.
const TOUCH_LIFT: f64 = 0.75;

/// The contact that is down.
#[derive(Clone, Copy)]
struct Contact {
    pointer: i32,
    x: f64,
    y: f64,
    drags: bool,
}

/// The reader's hands on one board: the state of the input, and its ties to the page.
#[derive(Clone, Copy)]
pub struct Control {
    /// What the plies are about.
    pub model: BoardModel,
    /// The board's element, whose place on the screen says which square is meant, and its focus.
    pub roving: Roving,
    /// The element that follows the finger.
    pub dragged: NodeRef<html::Div>,
    /// What is held, dragged and asked.
    pub input: RwSignal<Input>,
    contact: StoredValue<Option<Contact>>,
    /// How many plies were on the board when it was last painted.
    painted: StoredValue<Option<u16>>,
    /// The last ply of the reader was let go by a drag, which shows its way already.
    dragged_there: StoredValue<bool>,
    /// The square that is ringed because the finger is over it.
    over: StoredValue<Option<Square>>,
    prefs: Prefs,
}

impl Control {
    /// Hands for the one board of a page that is played on: its keys count wherever the focus is.
    pub fn new(model: BoardModel) -> Self {
        let control = Self::among_others(model);
        let keys = window_event_listener(leptos::ev::keydown, move |event| {
            control.key_anywhere(&event)
        });
        on_cleanup(move || keys.remove());
        control
    }

    /// Hands for one board of several; keys count where the focus is.
    pub fn among_others(model: BoardModel) -> Self {
        let control = Self {
            model,
            roving: Roving::new(model.bottom),
            dragged: NodeRef::new(),
            input: RwSignal::new(Input::default()),
            contact: StoredValue::new(None),
            painted: StoredValue::new(None),
            dragged_there: StoredValue::new(false),
            over: StoredValue::new(None),
            prefs: Prefs::get(),
        };
        // Whatever the game brings, a piece that is still there stays held.
        Effect::new(move || {
            let plies = model.shown.with(|shown| shown.plies);
            model.may_play.track();
            model.may_plan.track();
            model.premoves.track();
            control.see(plies);
            let mut input = control.input.get_untracked();
            input.refresh(&control.ground());
            control.set(input);
        });
        control
    }

    /// Remembers that this many plies have been seen, once they have been painted.
    fn see(self, plies: u16) {
        if self.painted.get_value() == Some(plies) {
            return;
        }
        page::after_paint(move || {
            self.painted.try_set_value(Some(plies));
        });
    }

    fn ground(&self) -> Seen<'_> {
        Seen {
            model: &self.model,
            plies: self.painted.get_value(),
        }
    }

    /// Whether the last ply of the reader was let go by a drag. Asked once.
    pub fn take_dragged(self) -> bool {
        let dragged = self.dragged_there.get_value();
        self.dragged_there.set_value(false);
        dragged
    }

    /// A finger or the mouse goes down on the board or in the hand.
    pub fn pointer_down(self, event: &PointerEvent, place: Option<Place>) {
        if event.button() != 0 {
            self.give_up();
            return;
        }
        if self.contact.with_value(Option::is_some) {
            return;
        }
        let contact = Contact {
            pointer: event.pointer_id(),
            x: f64::from(event.client_x()),
            y: f64::from(event.client_y()),
            drags: false,
        };
        self.contact.set_value(Some(contact));
        if let Some(root) = event
            .current_target()
            .and_then(|root| root.dyn_into::<Element>().ok())
        {
            // Fails only when the contact has ended already; then there is nothing to follow.
            let _ = root.set_pointer_capture(event.pointer_id());
        }
        // A finger has no right button: a tap beside the pieces takes premoves back.
        let idle = self.input.with_untracked(|input| input.held().is_none());
        self.step(&mut |input, ground| input.press(place, ground));
        if idle
            && event.pointer_type() != "mouse"
            && self.input.with_untracked(|it| it.held().is_none())
        {
            self.model.forget.run(());
        }
    }

    /// How the reader wants to move men by pointer: the word of the preference.
    fn moves_by(self) -> &'static str {
        untrack(|| self.prefs.word(Pref::Input))
    }

    /// The contact moves.
    pub fn pointer_move(self, event: &PointerEvent) {
        let Some(mut contact) = self
            .contact
            .get_value()
            .filter(|contact| contact.pointer == event.pointer_id())
        else {
            return;
        };
        if event.buttons() & 2 != 0 {
            // The right button went down while the left one drags.
            self.put_down();
            return;
        }
        let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
        if !contact.drags {
            if self.moves_by() == "click" || (x - contact.x).hypot(y - contact.y) < DRAG_FROM {
                return;
            }
            contact.drags = true;
            self.contact.set_value(Some(contact));
            self.step(&mut |input, _| {
                input.drag();
                Outcome::Nothing
            });
        }
        self.carry(x, y, event.pointer_type() != "mouse");
    }

    /// The contact ends.
    pub fn pointer_up(self, event: &PointerEvent) {
        if !self.ends(event) {
            return;
        }
        let place = self.place_at(f64::from(event.client_x()), f64::from(event.client_y()));
        self.step(&mut |input, ground| {
            let drags = input.dragged().is_some();
            let outcome = input.release(place, ground);
            self.dragged_there
                .set_value(drags && matches!(outcome, Outcome::Play(_)));
            outcome
        });
        // Who moves by dragging alone has put down what a click took up.
        if self.moves_by() == "drag" && self.input.with_untracked(|input| input.choice().is_none())
        {
            self.put_down();
        }
    }

    /// The browser takes the contact away.
    pub fn pointer_cancel(self, event: &PointerEvent) {
        if self.ends(event) {
            self.step(&mut |input, _| {
                input.cancel();
                Outcome::Nothing
            });
        }
    }

    /// A key on the board. True if it was one of the board's.
    pub fn key_down(self, event: &KeyboardEvent) -> bool {
        if event.ctrl_key() || event.alt_key() || event.meta_key() {
            return false;
        }
        let key = event.key();
        if self.roving.follow(&key).is_some() {
            return true;
        }
        let enters = matches!(key.as_str(), "Enter" | " ");
        if enters {
            self.activate(Place::Square(self.roving.square.get_untracked()));
        }
        enters
    }

    /// A key wherever the focus is, unless it belongs to a field or to something that lies over the
    /// boards: takes a piece up from the hand, or gives up what is held or lined up.
    fn key_anywhere(self, event: &KeyboardEvent) {
        if event.default_prevented()
            || event.ctrl_key()
            || event.alt_key()
            || event.meta_key()
            || page::takes_keys()
        {
            return;
        }
        let key = event.key();
        if key == "Escape" {
            self.give_up();
        } else if let Some(role) = role_of_key(&key) {
            event.prevent_default();
            self.activate(Place::Hand(role));
            if self.input.with_untracked(|input| input.held().is_some()) {
                self.roving.take_focus();
            }
        }
    }

    /// A key or an assistive tool activates a place.
    pub fn activate(self, place: Place) {
        self.step(&mut |input, ground| input.activate(place, ground));
    }

    /// The role of the waiting promotion has been chosen.
    pub fn choose(self, role: Role) {
        self.step(&mut |input, ground| input.choose(role, ground));
    }

    /// Puts down whatever is held, and says whether anything was.
    pub fn put_down(self) -> bool {
        let mut input = self.input.get_untracked();
        let held = input.put_down();
        self.set(input);
        held
    }

    /// Puts down whatever is held; if nothing is, forgets the premoves.
    pub fn give_up(self) {
        if !self.put_down() {
            self.model.forget.run(());
        }
    }

    /// The square or place of the hand at a point of the window.
    pub fn place_at(self, x: f64, y: f64) -> Option<Place> {
        if let Some(square) = self.square_at(x, y) {
            return Some(Place::Square(square));
        }
        let element = document().element_from_point(x as f32, y as f32)?;
        let place = element.closest("button[data-hand-piece]").ok()??;
        let letter = place.get_attribute("data-hand-piece")?.chars().next()?;
        HAND.into_iter()
            .find(|role| role.letter() == letter)
            .map(Place::Hand)
    }

    /// The square at a point of the window.
    pub fn square_at(self, x: f64, y: f64) -> Option<Square> {
        let rect = self.roving.grid.get_untracked()?.get_bounding_client_rect();
        if rect.width() <= 0.0 || rect.height() <= 0.0 {
            return None;
        }
        let across = (x - rect.left()) / rect.width() * 8.0;
        let down = (y - rect.top()) / rect.height() * 8.0;
        if !(0.0..8.0).contains(&across) || !(0.0..8.0).contains(&down) {
            return None;
        }
        square_in(across as u8, down as u8, self.model.bottom.get_untracked())
    }

    /// One step of the state machine; what it plays, the game plays.
    fn step(self, step: &mut dyn FnMut(&mut Input, &Seen<'_>) -> Outcome) {
        let mut input = self.input.get_untracked();
        let outcome = step(&mut input, &self.ground());
        self.set(input);
        match outcome {
            Outcome::Nothing => {}
            Outcome::Play(ply) => self.model.play.run((ply, false)),
            Outcome::Premove(ply) => self.model.play.run((ply, true)),
            Outcome::Astray(from, to) => self.model.astray.run(match from {
                Place::Square(from) => Ply::quiet(from, to),
                Place::Hand(role) => Ply::Drop { role, to },
            }),
        }
    }

    fn set(self, input: Input) {
        if self.input.get_untracked() != input {
            self.input.set(input);
        }
    }

    /// Rings the square under the finger, and no other. It is no part of the game's state, so no
    /// signal carries it.
    fn ring(self, square: Option<Square>) {
        if self.over.get_value() == square {
            return;
        }
        let find = |square| element_of(self.roving.grid, square);
        if let Some(element) = self.over.get_value().and_then(find) {
            let _ = element.remove_attribute("data-over");
        }
        if let Some(element) = square.and_then(find) {
            let _ = element.set_attribute("data-over", "");
        }
        self.over.set_value(square);
    }

    /// Whether this is the end of the contact that was followed, which it then no longer is.
    fn ends(self, event: &PointerEvent) -> bool {
        let ours = self
            .contact
            .with_value(|contact| contact.is_some_and(|it| it.pointer == event.pointer_id()));
        if ours {
            self.contact.set_value(None);
            self.ring(None);
        }
        ours
    }

    /// Hangs the dragged piece on the finger, and rings the square below.
    fn carry(self, x: f64, y: f64, touch: bool) {
        self.ring(self.square_at(x, y));
        let (Some(dragged), Some(grid)) = (
            self.dragged.get_untracked(),
            self.roving.grid.get_untracked(),
        ) else {
            return;
        };
        // Whole pixels: to write fractions takes kilobytes of program.
        let size = grid.client_width() / 8;
        let lift = if touch {
            TOUCH_LIFT * f64::from(size)
        } else {
            0.0
        };
        let half = f64::from(size) / 2.0;
        let (left, top) = ((x - half) as i32, (y - half - lift) as i32);
        let style = web_sys::HtmlElement::style(&dragged);
        let transform = format!("translate({left}px, {top}px)");
        // Setting a property of a style fails only for one that is read-only.
        let _ = style.set_property("--size", &format!("{size}px"));
        let _ = style.set_property("transform", &transform);
    }
}

/// The piece that a key takes up from the hand: its number or its letter.
fn role_of_key(key: &str) -> Option<Role> {
    let mut letters = key.chars();
    let (Some(letter), None) = (letters.next(), letters.next()) else {
        return None;
    };
    match letter.to_digit(10) {
        Some(digit) => HAND.get((digit as usize).wrapping_sub(1)).copied(),
        None => text::letters().role(key).filter(|role| HAND.contains(role)),
    }
}
