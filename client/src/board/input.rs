//! What presses, drags and keys mean: a state machine without a screen.
//!
//! A piece is *held* from the moment it is taken up until it is played or put down, however many
//! updates arrive meanwhile. A *press* is one contact of a finger or the mouse, from down to up.
//! What is taken up before the own turn has been seen is held *ahead*: it ends as a premove, even if
//! the turn comes while it is held.

use tandem_core::{Ply, Role, Square};

/// Where a press can land, and where a held piece comes from.
pub use tandem_core::premove::Origin as Place;

/// A piece that can be taken up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lift {
    /// What it is.
    pub role: Role,
    /// Taken up now, it ends as a premove.
    pub ahead: bool,
}

/// What the state machine asks the game. The answers may change with every update.
pub trait Ground {
    /// The player's own piece that can be taken up there now.
    fn lift(&self, place: Place) -> Option<Lift>;
    /// The plies that would bring the piece from `from` to `to`, as moves of now or as premoves: none,
    /// one, or one for each promotion.
    fn plies(&self, from: Place, to: Square, ahead: bool) -> Vec<Ply>;
}

/// What a step of the hands comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing that concerns the game.
    #[default]
    Nothing,
    /// A ply for now.
    Play(Ply),
    /// A ply for later.
    Premove(Ply),
    /// A piece was let go where it cannot go.
    Astray(Place, Square),
}

/// A piece that is taken up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// Where it lies.
    pub place: Place,
    /// What it is, and whether it ends as a premove.
    pub lift: Lift,
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
    held: Option<Held>,
    press: Option<Press>,
    choice: Option<Choice>,
}

impl Input {
    /// The piece that is taken up.
    pub fn held(&self) -> Option<Held> {
        self.held
    }

    /// The piece that hangs on the finger.
    pub fn dragged(&self) -> Option<Held> {
        self.held
            .filter(|_| self.press.is_some_and(|press| press.drags))
    }

    /// The promotion that waits for a choice.
    pub fn choice(&self) -> Option<Choice> {
        self.choice
    }

    /// A finger or the mouse goes down.
    pub fn press(&mut self, place: Option<Place>, ground: &impl Ground) -> Outcome {
        if self.choice.is_some() {
            self.put_down();
            return Outcome::Nothing;
        }
        let Some(place) = place else {
            self.put_down();
            return Outcome::Nothing;
        };
        let lift = ground.lift(place);
        let mut outcome = Outcome::Nothing;
        if let (Some(held), Place::Square(to)) = (self.held, place)
            && held.place != place
        {
            let plies = ground.plies(held.place, to, held.lift.ahead);
            // A click on another own piece takes that one up; only a drag avenges it ahead of time.
            if !plies.is_empty() && lift.is_none() {
                return self.commit(held, to, &plies);
            }
            if lift.is_none() {
                outcome = Outcome::Astray(held.place, to);
            }
        }
        if let Some(lift) = lift {
            let again = self.held.is_some_and(|held| held.place == place);
            // What was taken up ahead of time stays so.
            let ahead = lift.ahead || again && self.held.is_some_and(|held| held.lift.ahead);
            self.held = Some(Held {
                place,
                lift: Lift { ahead, ..lift },
            });
            self.press = Some(Press {
                place,
                again,
                drags: false,
            });
        } else {
            self.put_down();
        }
        outcome
    }

    /// The contact has moved far enough to be a drag.
    pub fn drag(&mut self) {
        if let Some(press) = &mut self.press {
            press.drags = true;
        }
    }

    /// The contact ends over `place`.
    pub fn release(&mut self, place: Option<Place>, ground: &impl Ground) -> Outcome {
        let Some(press) = self.press.take() else {
            return Outcome::Nothing;
        };
        if place == Some(press.place) {
            if press.again {
                self.put_down();
            }
            return Outcome::Nothing;
        }
        let Some(held) = self.held.filter(|_| press.drags) else {
            return Outcome::Nothing;
        };
        let mut outcome = Outcome::Nothing;
        if let Some(Place::Square(to)) = place {
            let plies = ground.plies(held.place, to, held.lift.ahead);
            if !plies.is_empty() {
                return self.commit(held, to, &plies);
            }
            outcome = Outcome::Astray(held.place, to);
        }
        self.put_down();
        outcome
    }

    /// The contact was taken away by the browser.
    pub fn cancel(&mut self) {
        if self.press.take().is_some_and(|press| press.drags) {
            self.put_down();
        }
    }

    /// A key or an assistive tool activates a place: down and up in one.
    pub fn activate(&mut self, place: Place, ground: &impl Ground) -> Outcome {
        match self.press(Some(place), ground) {
            Outcome::Nothing => self.release(Some(place), ground),
            outcome => outcome,
        }
    }

    /// The role of the promotion that waits has been chosen.
    pub fn choose(&mut self, role: Role, ground: &impl Ground) -> Outcome {
        let (Some(choice), Some(held)) = (self.choice, self.held) else {
            return Outcome::Nothing;
        };
        self.put_down();
        let chosen =
            |ply: &Ply| matches!(ply, Ply::Move { promotion: Some(to), .. } if *to == role);
        ground
            .plies(held.place, choice.to, held.lift.ahead)
            .into_iter()
            .find(chosen)
            .map_or(Outcome::Nothing, |ply| held.act(ply))
    }

    /// Puts down whatever is held, and says whether anything was.
    pub fn put_down(&mut self) -> bool {
        let any = self.held.is_some();
        *self = Self::default();
        any
    }

    /// The game has changed. What is still there stays held; what was begun ahead of time stays so.
    pub fn refresh(&mut self, ground: &impl Ground) {
        let Some(held) = &mut self.held else {
            return;
        };
        match ground.lift(held.place) {
            Some(lift) if lift.role == held.lift.role => held.lift.ahead |= lift.ahead,
            _ => {
                self.put_down();
                return;
            }
        }
        let held = *held;
        if let Some(choice) = self.choice
            && ground
                .plies(held.place, choice.to, held.lift.ahead)
                .is_empty()
        {
            self.choice = None;
        }
    }

    fn commit(&mut self, held: Held, to: Square, plies: &[Ply]) -> Outcome {
        let (Place::Square(from), [_, _, ..]) = (held.place, plies) else {
            self.put_down();
            return plies.first().map_or(Outcome::Nothing, |ply| held.act(*ply));
        };
        self.press = None;
        self.held = Some(held);
        self.choice = Some(Choice { from, to });
        Outcome::Nothing
    }
}

impl Held {
    fn act(self, ply: Ply) -> Outcome {
        if self.lift.ahead {
            Outcome::Premove(ply)
        } else {
            Outcome::Play(ply)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ground with a piece on e2 that goes to e4, a pawn on a7 that promotes on a8, and a knight in
    /// hand that drops on f3. Ahead of time the piece on e2 may go to a7 and d3 as well.
    #[derive(Clone, Copy)]
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
    const GONE: Sketch = Sketch {
        turn: true,
        pieces: false,
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

    const KNIGHT: Place = Place::Hand(Role::Knight);

    impl Ground for Sketch {
        fn lift(&self, place: Place) -> Option<Lift> {
            let role = if place == on("e2") || place == on("a7") {
                Role::Pawn
            } else if place == KNIGHT {
                Role::Knight
            } else {
                return None;
            };
            self.pieces.then_some(Lift {
                role,
                ahead: !self.turn,
            })
        }

        fn plies(&self, from: Place, to: Square, ahead: bool) -> Vec<Ply> {
            if !self.turn && !ahead {
                Vec::new()
            } else if from == on("e2")
                && (to == at("e4") || ahead && [at("d3"), at("a7")].contains(&to))
            {
                vec![Ply::quiet(at("e2"), to)]
            } else if from == on("a7") && to == at("a8") {
                [Role::Queen, Role::Rook, Role::Bishop, Role::Knight]
                    .map(|role| step("a7", "a8", Some(role)))
                    .to_vec()
            } else if from == KNIGHT && to == at("f3") {
                vec![Ply::Drop {
                    role: Role::Knight,
                    to,
                }]
            } else {
                Vec::new()
            }
        }
    }

    fn held(input: &Input) -> Option<Place> {
        input.held().map(|held| held.place)
    }

    fn click(input: &mut Input, place: Place, ground: &Sketch) -> Outcome {
        match input.press(Some(place), ground) {
            Outcome::Nothing => input.release(Some(place), ground),
            outcome => outcome,
        }
    }

    #[test]
    fn click_and_click_plays() {
        let mut input = Input::default();
        assert_eq!(click(&mut input, on("e2"), &MINE), Outcome::Nothing);
        assert_eq!(held(&input), Some(on("e2")));
        assert_eq!(
            click(&mut input, on("e4"), &MINE),
            Outcome::Play(step("e2", "e4", None))
        );
        assert_eq!(input, Input::default());
    }

    #[test]
    fn a_drag_plays_where_it_ends() {
        let mut input = Input::default();
        input.press(Some(KNIGHT), &MINE);
        input.drag();
        assert_eq!(input.dragged().map(|held| held.place), Some(KNIGHT));
        assert_eq!(
            input.release(Some(on("f3")), &MINE),
            Outcome::Play(Ply::Drop {
                role: Role::Knight,
                to: at("f3")
            })
        );
        assert_eq!(input, Input::default());
    }

    #[test]
    fn a_drag_to_nowhere_puts_down() {
        let mut input = Input::default();
        for target in [Some(on("e5")), Some(KNIGHT), None] {
            input.press(Some(on("e2")), &MINE);
            input.drag();
            let astray = match target {
                Some(Place::Square(to)) => Outcome::Astray(on("e2"), to),
                _ => Outcome::Nothing,
            };
            assert_eq!(input.release(target, &MINE), astray);
            assert_eq!(held(&input), None);
        }
    }

    #[test]
    fn a_drag_back_to_its_square_keeps_the_piece_held_once() {
        let mut input = Input::default();
        for expected in [Some(on("e2")), None] {
            input.press(Some(on("e2")), &MINE);
            input.drag();
            assert_eq!(input.release(Some(on("e2")), &MINE), Outcome::Nothing);
            assert_eq!(held(&input), expected);
        }
    }

    #[test]
    fn a_second_click_or_another_piece_puts_down() {
        let mut input = Input::default();
        click(&mut input, on("e2"), &MINE);
        click(&mut input, on("e2"), &MINE);
        assert_eq!(held(&input), None);
        click(&mut input, on("e2"), &MINE);
        click(&mut input, KNIGHT, &MINE);
        assert_eq!(held(&input), Some(KNIGHT));
        assert_eq!(
            click(&mut input, on("h6"), &MINE),
            Outcome::Astray(KNIGHT, at("h6"))
        );
        assert_eq!(held(&input), None);
    }

    #[test]
    fn a_promotion_asks_and_plays_the_chosen_role() {
        for (ground, ahead) in [(MINE, false), (THEIRS, true)] {
            let mut input = Input::default();
            click(&mut input, on("a7"), &ground);
            assert_eq!(click(&mut input, on("a8"), &ground), Outcome::Nothing);
            assert_eq!(
                input.choice(),
                Some(Choice {
                    from: at("a7"),
                    to: at("a8")
                })
            );
            let ply = step("a7", "a8", Some(Role::Knight));
            assert_eq!(
                input.choose(Role::Knight, &ground),
                if ahead {
                    Outcome::Premove(ply)
                } else {
                    Outcome::Play(ply)
                }
            );
            assert_eq!(input, Input::default());
        }
    }

    #[test]
    fn a_press_beside_the_choice_gives_it_up() {
        let mut input = Input::default();
        click(&mut input, on("a7"), &MINE);
        click(&mut input, on("a8"), &MINE);
        assert_eq!(click(&mut input, on("e4"), &MINE), Outcome::Nothing);
        assert_eq!(input, Input::default());
    }

    #[test]
    fn a_held_piece_survives_updates_until_it_is_gone() {
        let mut input = Input::default();
        click(&mut input, on("e2"), &MINE);
        input.refresh(&MINE);
        assert_eq!(held(&input), Some(on("e2")));
        assert_eq!(
            click(&mut input, on("e4"), &MINE),
            Outcome::Play(step("e2", "e4", None))
        );
        click(&mut input, on("e2"), &THEIRS);
        input.refresh(&GONE);
        assert_eq!(input, Input::default());
    }

    #[test]
    fn what_is_begun_before_the_turn_ends_as_a_premove() {
        let mut input = Input::default();
        // The first click came before the opponent's ply.
        click(&mut input, on("e2"), &THEIRS);
        input.refresh(&MINE);
        assert_eq!(
            click(&mut input, on("d3"), &MINE),
            Outcome::Premove(step("e2", "d3", None))
        );
        // So did the drag.
        input.press(Some(on("e2")), &THEIRS);
        input.refresh(&MINE);
        input.drag();
        assert_eq!(
            input.release(Some(on("e4")), &MINE),
            Outcome::Premove(step("e2", "e4", None))
        );
        // A second contact with the held piece does not make a move of it.
        click(&mut input, on("e2"), &THEIRS);
        input.refresh(&MINE);
        input.press(Some(on("e2")), &MINE);
        input.drag();
        assert_eq!(
            input.release(Some(on("e4")), &MINE),
            Outcome::Premove(step("e2", "e4", None))
        );
        // A piece that is taken up anew after the turn has come is a move.
        click(&mut input, on("e2"), &THEIRS);
        input.refresh(&MINE);
        click(&mut input, on("e2"), &MINE);
        click(&mut input, on("e2"), &MINE);
        assert_eq!(
            click(&mut input, on("e4"), &MINE),
            Outcome::Play(step("e2", "e4", None))
        );
    }

    #[test]
    fn an_own_piece_is_avenged_by_a_drag_and_taken_up_by_a_click() {
        let mut input = Input::default();
        click(&mut input, on("e2"), &THEIRS);
        click(&mut input, on("a7"), &THEIRS);
        assert_eq!(held(&input), Some(on("a7")));
        input.put_down();
        input.press(Some(on("e2")), &THEIRS);
        input.drag();
        assert_eq!(
            input.release(Some(on("a7")), &THEIRS),
            Outcome::Premove(step("e2", "a7", None))
        );
    }

    #[test]
    fn keys_take_up_and_play() {
        let mut input = Input::default();
        assert_eq!(input.activate(KNIGHT, &MINE), Outcome::Nothing);
        assert!(matches!(
            input.activate(on("f3"), &MINE),
            Outcome::Play(Ply::Drop { .. })
        ));
        input.activate(on("e2"), &MINE);
        input.activate(on("e2"), &MINE);
        assert_eq!(held(&input), None);
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
