//! Rules, table and protocol of bughouse, without I/O.
