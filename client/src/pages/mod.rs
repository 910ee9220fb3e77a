//! The screens.

pub mod home;
pub mod not_found;
pub mod solo;
pub mod table;
