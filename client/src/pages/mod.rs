//! The screens.

pub mod home;
pub mod not_found;
pub mod open_tables;
pub mod privacy;
pub mod rules;
pub mod settings;
pub mod solo;
pub mod table;
