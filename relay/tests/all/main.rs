//! The relay from outside: real sockets, and the core's own replica as every page.
//!
//! No test waits for a time to pass. Each waits for a state, and fails when it does not come.

mod binary;
mod bots;
mod faults;
mod operator;
mod play;
mod reconnect;
mod refuse;
mod restart;
mod support;
mod talk;
mod visitors;
mod web;
