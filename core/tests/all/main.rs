//! The tests of tandem-core, in one binary.

mod random;

mod protocol;

mod table;

mod world;
