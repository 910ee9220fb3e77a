//! Parts that several pages use.

pub mod clock;
pub mod confirm;
pub mod connection;
pub mod fields;
pub mod icon;
pub mod language;
pub mod later;
pub mod level;
pub mod option_fields;
pub mod page;
pub mod prefs;
pub mod qr;
pub mod sound;
pub mod tells;
pub mod theme;
pub mod words;
