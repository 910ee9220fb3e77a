//! What presses, drags and keys mean: a state machine without a screen.
//!
//! A piece is *held* from the moment it is taken up until it is played or put down, however many
//! updates arrive meanwhile. A *press* is one contact of a finger or the mouse, from down to up.

use tandem_core::{Ply, Role, Square};

/// Where a press can land, and where a held piece comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A square of the board.
    Square(Square),
    /// A place of the player's own hand.
    Hand(Role),
}

/// What the state machine asks the game. The answers may change with every update.
pub trait Ground {
    /// Whether the player's own piece lies there.
    fn may_lift(&self, place: Place) -> bool;
    /// The plies that would bring the piece from `from` to `to` now: none, one, or one for each
    /// promotion.
    fn plies(&self, from: Place, to: Square) -> Vec<Ply>;
}

/// One contact, from down to up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Press {
    place: Place,
    /// The piece was held before, so that letting it go where it lies puts it down.
    again: bool,
    /// The contact has moved: the piece hangs on the finger.
    drags: bool,
}

/// A pawn that has arrived and waits for the choice of its new role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Where the pawn comes from.
    pub from: Square,
    /// Where it arrives.
    pub to: Square,
}

/// The state of the player's hands on one board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Input {
    held: Option<Place>,
    press: Option<Press>,
    choice: Option<Choice>,
}

impl Input {
    /// The piece that is taken up.
    pub fn held(&self) -> Option<Place> {
        self.held
    }

    /// The piece that hangs on the finger.
    pub fn dragged(&self) -> Option<Place> {
        self.press
            .filter(|press| press.drags)
            .map(|press| press.place)
    }

    /// The promotion that waits for a choice.
    pub fn choice(&self) -> Option<Choice> {
        self.choice
    }

    /// A finger or the mouse goes down.
    pub fn press(&mut self, place: Option<Place>, ground: &impl Ground) -> Option<Ply> {
        if self.choice.is_some() {
            self.put_down();
            return None;
        }
        let Some(place) = place else {
            self.put_down();
            return None;
        };
        if let (Some(from), Place::Square(to)) = (self.held, place)
            && from != place
        {
            let plies = ground.plies(from, to);
            if !plies.is_empty() {
                return self.commit(from, to, &plies);
            }
        }
        if ground.may_lift(place) {
            let again = self.held == Some(place);
            self.held = Some(place);
            self.press = Some(Press {
                place,
                again,
                drags: false,
            });
        } else {
            self.put_down();
        }
        None
    }

    /// The contact has moved far enough to be a drag.
    pub fn drag(&mut self) {
        if let Some(press) = &mut self.press {
            press.drags = true;
        }
    }

    /// The contact ends over `place`.
    pub fn release(&mut self, place: Option<Place>, ground: &impl Ground) -> Option<Ply> {
        let press = self.press.take()?;
        if place == Some(press.place) {
            if press.again {
                self.put_down();
            }
            return None;
        }
        if !press.drags {
            return None;
        }
        if let Some(Place::Square(to)) = place {
            let plies = ground.plies(press.place, to);
            if !plies.is_empty() {
                return self.commit(press.place, to, &plies);
            }
        }
        self.put_down();
        None
    }

    /// The contact was taken away by the browser.
    pub fn cancel(&mut self) {
        if self.press.take().is_some_and(|press| press.drags) {
            self.put_down();
        }
    }

    /// A key or an assistive tool activates a place: down and up in one.
    pub fn activate(&mut self, place: Place, ground: &impl Ground) -> Option<Ply> {
        let ply = self.press(Some(place), ground);
        if ply.is_some() {
            return ply;
        }
        self.release(Some(place), ground)
    }

    /// The role of the promotion that waits has been chosen.
    pub fn choose(&mut self, role: Role, ground: &impl Ground) -> Option<Ply> {
        let choice = self.choice?;
        self.put_down();
        let chosen =
            |ply: &Ply| matches!(ply, Ply::Move { promotion: Some(to), .. } if *to == role);
        ground
            .plies(Place::Square(choice.from), choice.to)
            .into_iter()
            .find(chosen)
    }

    /// Puts down whatever is held.
    pub fn put_down(&mut self) {
        *self = Self::default();
    }

    /// The game has changed. What is still there stays held.
    pub fn refresh(&mut self, ground: &impl Ground) {
        if self.held.is_some_and(|held| !ground.may_lift(held)) {
            self.put_down();
        }
        if let Some(choice) = self.choice
            && ground
                .plies(Place::Square(choice.from), choice.to)
                .is_empty()
        {
            self.choice = None;
        }
    }

    fn commit(&mut self, from: Place, to: Square, plies: &[Ply]) -> Option<Ply> {
        let (Place::Square(square), [_, _, ..]) = (from, plies) else {
            self.put_down();
            return plies.first().copied();
        };
        self.press = None;
        self.held = Some(from);
        self.choice = Some(Choice { from: square, to });
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ground with a piece on e2 that goes to e4, a pawn on a7 that promotes on a8, and a knight in
    /// hand that drops on f3.
    struct Sketch {
        turn: bool,
        pieces: bool,
    }

    const MINE: Sketch = Sketch {
        turn: true,
        pieces: true,
    };
    const THEIRS: Sketch = Sketch {
        turn: false,
        pieces: true,
    };

    fn at(name: &str) -> Square {
        name.parse().expect("a square")
    }

    fn on(name: &str) -> Place {
        Place::Square(at(name))
    }

    fn step(from: &str, to: &str, promotion: Option<Role>) -> Ply {
        Ply::Move {
            from: at(from),
            to: at(to),
            promotion,
        }
    }

    impl Ground for Sketch {
        fn may_lift(&self, place: Place) -> bool {
            self.pieces && [on("e2"), on("a7"), Place::Hand(Role::Knight)].contains(&place)
        }

        fn plies(&self, from: Place, to: Square) -> Vec<Ply> {
            if !self.turn {
                Vec::new()
            } else if from == on("e2") && to == at("e4") {
                vec![step("e2", "e4", None)]
            } else if from == on("a7") && to == at("a8") {
                [Role::Queen, Role::Rook, Role::Bishop, Role::Knight]
                    .map(|role| step("a7", "a8", Some(role)))
                    .to_vec()
            } else if from == Place::Hand(Role::Knight) && to == at("f3") {
                vec![Ply::Drop {
                    role: Role::Knight,
                    to,
                }]
            } else {
                Vec::new()
            }
        }
    }

    fn click(input: &mut Input, place: Place, ground: &Sketch) -> Option<Ply> {
        input
            .press(Some(place), ground)
            .or_else(|| input.release(Some(place), ground))
    }

    #[test]
    fn click_and_click_plays() {
        let mut input = Input::default();
        assert_eq!(click(&mut input, on("e2"), &MINE), None);
        assert_eq!(input.held(), Some(on("e2")));
        assert_eq!(
            click(&mut input, on("e4"), &MINE),
            Some(step("e2", "e4", None))
        );
        assert_eq!(input, Input::default());
    }

    #[test]
    fn a_drag_plays_where_it_ends() {
        let mut input = Input::default();
        input.press(Some(Place::Hand(Role::Knight)), &MINE);
        input.drag();
        assert_eq!(input.dragged(), Some(Place::Hand(Role::Knight)));
        assert_eq!(
            input.release(Some(on("f3")), &MINE),
            Some(Ply::Drop {
                role: Role::Knight,
                to: at("f3")
            })
        );
        assert_eq!(input, Input::default());
    }

    #[test]
    fn a_drag_to_nowhere_puts_down() {
        let mut input = Input::default();
        for target in [Some(on("e5")), Some(Place::Hand(Role::Knight)), None] {
            input.press(Some(on("e2")), &MINE);
            input.drag();
            assert_eq!(input.release(target, &MINE), None);
            assert_eq!(input.held(), None);
        }
    }

    #[test]
    fn a_drag_back_to_its_square_keeps_the_piece_held_once() {
        let mut input = Input::default();
        for held in [Some(on("e2")), None] {
            input.press(Some(on("e2")), &MINE);
            input.drag();
            assert_eq!(input.release(Some(on("e2")), &MINE), None);
            assert_eq!(input.held(), held);
        }
    }

    #[test]
    fn a_second_click_or_another_piece_puts_down() {
        let mut input = Input::default();
        click(&mut input, on("e2"), &MINE);
        click(&mut input, on("e2"), &MINE);
        assert_eq!(input.held(), None);
        click(&mut input, on("e2"), &MINE);
        click(&mut input, Place::Hand(Role::Knight), &MINE);
        assert_eq!(input.held(), Some(Place::Hand(Role::Knight)));
        click(&mut input, on("h6"), &MINE);
        assert_eq!(input.held(), None);
    }

    #[test]
    fn a_promotion_asks_and_plays_the_chosen_role() {
        let mut input = Input::default();
        click(&mut input, on("a7"), &MINE);
        assert_eq!(click(&mut input, on("a8"), &MINE), None);
        assert_eq!(
            input.choice(),
            Some(Choice {
                from: at("a7"),
                to: at("a8")
            })
        );
        assert_eq!(
            input.choose(Role::Knight, &MINE),
            Some(step("a7", "a8", Some(Role::Knight)))
        );
        assert_eq!(input, Input::default());
    }

    #[test]
    fn a_press_beside_the_choice_gives_it_up() {
        let mut input = Input::default();
        click(&mut input, on("a7"), &MINE);
        click(&mut input, on("a8"), &MINE);
        assert_eq!(click(&mut input, on("e4"), &MINE), None);
        assert_eq!(input, Input::default());
    }

    #[test]
    fn a_held_piece_survives_updates_until_it_is_gone() {
        let mut input = Input::default();
        click(&mut input, on("e2"), &THEIRS);
        input.refresh(&THEIRS);
        input.refresh(&MINE);
        assert_eq!(input.held(), Some(on("e2")));
        assert_eq!(
            click(&mut input, on("e4"), &MINE),
            Some(step("e2", "e4", None))
        );
        click(&mut input, on("e2"), &THEIRS);
        input.refresh(&Sketch {
            turn: true,
            pieces: false,
        });
        assert_eq!(input, Input::default());
    }

    #[test]
    fn keys_take_up_and_play() {
        let mut input = Input::default();
        assert_eq!(input.activate(Place::Hand(Role::Knight), &MINE), None);
        assert!(input.activate(on("f3"), &MINE).is_some());
        input.activate(on("e2"), &MINE);
        input.activate(on("e2"), &MINE);
        assert_eq!(input.held(), None);
    }

    #[test]
    fn a_cancelled_drag_puts_down() {
        let mut input = Input::default();
        input.press(Some(on("e2")), &MINE);
        input.drag();
        input.cancel();
        assert_eq!(input, Input::default());
    }
}
