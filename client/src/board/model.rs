//! All that the board widget knows of the game.

use leptos::prelude::*;
use tandem_core::premove::Plan;
use tandem_core::{Bitboard, BoardId, Color, Ply, Position, Role, Square};

use super::input::{Ground, Held, Lift, Place};

/// What a board shows at one moment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// Placement, turn and both hands, the player's own unconfirmed ply included.
    pub position: Position,
    /// How many plies have been played on this board.
    pub plies: u16,
    /// The last of them.
    pub last: Option<Ply>,
    /// The match is over.
    pub ended: bool,
    /// The boards have decided the match, whatever the relay has said so far: nothing can be played.
    pub decided: bool,
}

/// What a board says and does: capabilities and actions, apart from any drawing.
#[derive(Clone, Copy)]
pub struct BoardModel {
    /// Which of the two boards this is.
    pub board: BoardId,
    /// What lies on it.
    pub shown: Signal<Shown>,
    /// The colour at the bottom.
    pub bottom: Signal<Color>,
    /// The colour that the reader plays here, if any.
    pub mine: Signal<Option<Color>>,
    /// The reader may play a ply on this board now.
    pub may_play: Signal<bool>,
    /// The match runs, so that the turn is worth marking.
    pub running: Signal<bool>,
    /// The accessible name: which board it is, and whose.
    pub name: Signal<String>,
    /// What to say while the side to move waits for a piece, if it does.
    pub waiting: Signal<Option<String>>,
    /// The reader may line up premoves on this board.
    pub may_plan: Signal<bool>,
    /// The reader's premoves, the next one first.
    pub premoves: Signal<Vec<Ply>>,
    /// A short word to the reader, such as why a try was illegal.
    pub hint: Signal<Option<String>>,
    /// Takes a ply of the reader; true for a premove.
    pub play: Callback<(Ply, bool)>,
    /// Forgets the premoves.
    pub forget: Callback<()>,
    /// A piece was let go where it cannot go.
    pub astray: Callback<Ply>,
}

impl Shown {
    /// A position by itself, of no match.
    pub fn still(position: Position) -> Self {
        Self {
            position,
            plies: 0,
            last: None,
            ended: false,
            decided: false,
        }
    }
}

impl BoardModel {
    /// A board that is looked at; the start for one that somebody plays on.
    pub fn still(
        board: BoardId,
        shown: Signal<Shown>,
        bottom: Signal<Color>,
        name: Signal<String>,
    ) -> Self {
        Self {
            board,
            shown,
            bottom,
            mine: Signal::stored(None),
            may_play: Signal::stored(false),
            running: Signal::stored(false),
            name,
            waiting: Signal::stored(None),
            hint: Signal::stored(None),
            may_plan: Signal::stored(false),
            premoves: Signal::stored(Vec::new()),
            play: Callback::new(|_| {}),
            forget: Callback::new(|()| {}),
            astray: Callback::new(|_| {}),
        }
    }
}

/// The game under the reader's hands: the board, and how much of it has been painted.
pub struct Seen<'a> {
    /// The board.
    pub model: &'a BoardModel,
    /// How many plies were on it when it was last painted.
    pub plies: Option<u16>,
}

impl Ground for Seen<'_> {
    fn lift(&self, place: Place) -> Option<Lift> {
        let mine = self.model.mine.get_untracked()?;
        if !self.model.may_plan.get_untracked() {
            return None;
        }
        let plies = self.model.shown.with_untracked(|shown| shown.plies);
        // What has not been painted cannot have been seen.
        let now = self.model.may_play.get_untracked() && self.plies == Some(plies);
        match place {
            // A piece that the partner still has to send can be laid out all the same.
            Place::Hand(role) => {
                let any = self
                    .model
                    .shown
                    .with_untracked(|shown| shown.position.hand(mine).count(role) > 0);
                let ahead = !(now && any);
                Some(Lift { role, ahead })
            }
            Place::Square(square) => {
                let plan = untrack(|| self.model.plan())?;
                let role = plan.role_at(square)?;
                Some(Lift { role, ahead: !now })
            }
        }
    }

    fn plies(&self, from: Place, to: Square, ahead: bool) -> Vec<Ply> {
        if ahead {
            return untrack(|| self.model.plan())
                .map_or_else(Vec::new, |plan| plan.plies(from, to));
        }
        if !self.model.may_play.get_untracked() {
            return Vec::new();
        }
        let mut plies = self
            .model
            .shown
            .with_untracked(|shown| plies_from(&shown.position, from));
        plies.retain(|ply| ply.to() == to);
        plies
    }
}

impl BoardModel {
    /// The reader's pieces as they will stand once the premoves are played; on the own turn, as they
    /// stand. Reactive.
    pub fn plan(&self) -> Option<Plan> {
        let mine = self.mine.get()?;
        let now = self.may_play.get();
        self.shown.with(|shown| {
            self.premoves.with(|premoves| {
                let premoves: &[Ply] = if now { &[] } else { premoves };
                Some(Plan::new(&shown.position, mine, premoves))
            })
        })
    }

    /// The squares to mark while a piece is held: where it may go now, or some day. Reactive.
    pub fn targets(&self, held: Held) -> Bitboard {
        let (now, from) = (self.may_play.get(), held.place);
        self.shown.with(|shown| {
            let position = &shown.position;
            match from {
                Place::Hand(role) if now => position.drop_targets(role),
                Place::Square(_) if now => {
                    let plies = plies_from(position, from);
                    plies.into_iter().map(|ply| ply.to()).collect()
                }
                _ => {
                    let Some(plan) = self.plan() else {
                        return Bitboard::EMPTY;
                    };
                    let taken = match from {
                        Place::Hand(_) => position.occupied() | plan.occupied(),
                        Place::Square(_) => plan.occupied(),
                    };
                    plan.reach(from) - taken
                }
            }
        })
    }
}

/// The legal plies that begin at `from`.
fn plies_from(position: &Position, from: Place) -> Vec<Ply> {
    let begins = |ply: &&Ply| ply.origin() == from;
    position
        .legal_plies()
        .iter()
        .filter(begins)
        .copied()
        .collect()
}

/// The places of a hand, in the fixed order in which they are shown and counted on the keyboard.
pub const HAND: [Role; 5] = Role::HAND;
