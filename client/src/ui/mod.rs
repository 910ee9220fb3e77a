//! Parts that several pages use.

pub mod icon;
pub mod page;
pub mod theme;
