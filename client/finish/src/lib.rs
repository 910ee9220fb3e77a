//! What the client's build needs beside a compiler.
//!
//! [`catalogue`] reads and compares what the page says in each language; the client's `build.rs` makes
//! Rust of it. [`shell`] writes what the page shows first, [`worker`] the service worker of a finished
//! build. The program of this crate puts all of it into `dist`, after Trunk has filled it.

pub mod catalogue;
pub mod shell;
pub mod worker;

/// 64 bits of a text or file as sixteen hexadecimal digits, for names that change with the content.
#[must_use]
pub fn hash(bytes: &[u8]) -> String {
    // FNV-1a, and a last stirring, because short texts leave its upper bits alike.
    let sum = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let stirred = (sum ^ (sum >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    format!("{:016x}", stirred ^ (stirred >> 29))
}
