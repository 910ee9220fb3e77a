//! See README.md.
fn main() {}
