//! All that the board widget knows of the game.

use leptos::prelude::*;
use tandem_core::{BoardId, Color, Ply, Position, Role, Square};

use super::input::{Ground, Place};

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
    /// Plays a ply of the reader.
    pub play: Callback<Ply>,
}

impl Ground for BoardModel {
    fn may_lift(&self, place: Place) -> bool {
        let Some(mine) = self.mine.get_untracked() else {
            return false;
        };
        self.shown.with_untracked(|shown| match place {
            _ if shown.ended => false,
            Place::Square(square) => shown
                .position
                .piece_at(square)
                .is_some_and(|piece| piece.color == mine),
            Place::Hand(role) => shown.position.hand(mine).count(role) > 0,
        })
    }

    fn plies(&self, from: Place, to: Square) -> Vec<Ply> {
        if !self.may_play.get_untracked() {
            return Vec::new();
        }
        let mut plies = self
            .shown
            .with_untracked(|shown| plies_from(&shown.position, from));
        plies.retain(|ply| ply.to() == to);
        plies
    }
}

impl BoardModel {
    /// The squares that the piece at `from` can reach now. Reactive.
    pub fn targets(&self, from: Place) -> Vec<Square> {
        if !self.may_play.get() {
            return Vec::new();
        }
        let plies = self.shown.with(|shown| plies_from(&shown.position, from));
        plies.into_iter().map(|ply| ply.to()).collect()
    }
}

/// The legal plies that begin at `from`.
fn plies_from(position: &Position, from: Place) -> Vec<Ply> {
    let begins = |ply: &&Ply| match (from, ply) {
        (Place::Square(square), Ply::Move { from, .. }) => *from == square,
        (Place::Hand(held), Ply::Drop { role, .. }) => *role == held,
        _ => false,
    };
    position
        .legal_plies()
        .iter()
        .filter(begins)
        .copied()
        .collect()
}

/// The places of a hand, in the fixed order in which they are shown and counted on the keyboard.
pub const HAND: [Role; 5] = Role::HAND;
