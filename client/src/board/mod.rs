//! A board on the screen, with the hands that belong to it.
//!
//! Three things in three places: [`model`] is all that the widget knows of the game, [`input`] turns
//! presses and keys into plies, and [`view`] draws. No rule of chess is known here.

pub mod arrow;
pub mod control;
pub mod hand;
pub mod input;
pub mod men;
pub mod model;
pub mod pictures;
pub mod promotion;
pub mod roving;
pub mod squares;
pub mod view;

pub use control::Control;
pub use hand::HandView;
pub use model::{BoardModel, Shown};
pub use view::BoardView;
