//! Binds the [`Input`] of one player to pointers and keys.
//!
//! The finger's way over the screen never touches a signal: the piece that hangs on it is one
//! element, moved by one transform. Signals change only when something is taken up, put down or
//! played.

use leptos::html;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{self, Element, KeyboardEvent, PointerEvent};
use tandem_core::{Color, Ply, Role, Square};

use super::input::{Input, Place};
use super::model::{BoardModel, HAND};
use super::roving::{Roving, element_of};

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
    /// The square that is ringed because the finger is over it.
    over: StoredValue<Option<Square>>,
}

impl Control {
    /// Hands for one board.
    pub fn new(model: BoardModel) -> Self {
        let control = Self {
            model,
            roving: Roving::new(model.bottom),
            dragged: NodeRef::new(),
            input: RwSignal::new(Input::default()),
            contact: StoredValue::new(None),
            over: StoredValue::new(None),
        };
        // Whatever the game brings, a piece that is still there stays held.
        Effect::new(move || {
            control.model.shown.track();
            control.model.may_play.track();
            let mut input = control.input.get_untracked();
            input.refresh(&control.model);
            control.set(input);
        });
        control
    }

    /// A finger or the mouse goes down on the board or in the hand.
    pub fn pointer_down(self, event: &PointerEvent, place: Option<Place>) {
        if event.button() != 0 {
            self.put_down();
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
        self.step(|input, model| input.press(place, model));
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
        let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
        if !contact.drags {
            if (x - contact.x).hypot(y - contact.y) < DRAG_FROM {
                return;
            }
            contact.drags = true;
            self.contact.set_value(Some(contact));
            self.step(|input, _| {
                input.drag();
                None
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
        self.step(|input, model| input.release(place, model));
    }

    /// The browser takes the contact away.
    pub fn pointer_cancel(self, event: &PointerEvent) {
        if self.ends(event) {
            self.step(|input, _| {
                input.cancel();
                None
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
        match key.as_str() {
            "Enter" | " " => self.activate(Place::Square(self.roving.square.get_untracked())),
            "Escape" => self.put_down(),
            key => {
                let Some(role) = key
                    .parse::<usize>()
                    .ok()
                    .and_then(|digit| HAND.get(digit.wrapping_sub(1)))
                else {
                    return false;
                };
                self.activate(Place::Hand(*role));
            }
        }
        true
    }

    /// A key or an assistive tool activates a place.
    pub fn activate(self, place: Place) {
        self.step(|input, model| input.activate(place, model));
    }

    /// The role of the waiting promotion has been chosen.
    pub fn choose(self, role: Role) {
        self.step(|input, model| input.choose(role, model));
    }

    /// Puts down whatever is held.
    pub fn put_down(self) {
        self.step(|input, _| {
            input.put_down();
            None
        });
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
        let (across, down) = (across as u8, down as u8);
        match self.model.bottom.get_untracked() {
            Color::White => Square::from_coords(across, 7 - down),
            Color::Black => Square::from_coords(7 - across, down),
        }
    }

    /// One step of the state machine; what it plays, the game plays.
    fn step(self, step: impl FnOnce(&mut Input, &BoardModel) -> Option<Ply>) {
        let mut input = self.input.get_untracked();
        let ply = step(&mut input, &self.model);
        self.set(input);
        if let Some(ply) = ply {
            self.model.play.run(ply);
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
        let size = f64::from(grid.client_width()) / 8.0;
        let lift = if touch { size * TOUCH_LIFT } else { 0.0 };
        let style = web_sys::HtmlElement::style(&dragged);
        let transform = format!(
            "translate({}px, {}px)",
            x - size / 2.0,
            y - size / 2.0 - lift
        );
        // Setting a property of a style fails only for one that is read-only.
        let _ = style.set_property("--size", &format!("{size}px"));
        let _ = style.set_property("transform", &transform);
    }
}
