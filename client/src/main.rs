//! The page of Tandem: bughouse in the browser.
//!
//! In reading order: [`app`] has the routes; [`pages`] are the screens behind them; [`store`] is the
//! only code that changes what the screens show; [`net`] carries messages to the relay and back;
//! [`board`] is the board widget, which knows no rule of chess; [`ui`] are smaller parts;
//! [`platform`] is the browser; [`text`] is everything the page says, and [`language`] in which language.

mod app;
mod board;
mod language;
mod net;
mod pages;
mod platform;
mod store;
mod text;
mod ui;

fn main() {
    app::begin();
}
