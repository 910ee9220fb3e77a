//! The tests of tandem-core, in one binary.

mod random;

mod sample;

mod slow;

mod perft;

mod rules;

mod options;

mod notation;

mod bpgn;

mod tools;

mod protocol;

mod table;

mod world;
