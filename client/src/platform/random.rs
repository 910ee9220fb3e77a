//! Random numbers from the browser.

/// Random bytes, fit for secrets.
pub fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // Every browser that runs WebAssembly has a random source.
    getrandom::fill(&mut bytes).expect("the browser gives random numbers");
    bytes
}

/// A number from 0 to 1, to spread what many pages do at the same time.
pub fn share() -> f64 {
    f64::from(u16::from_le_bytes(bytes())) / f64::from(u16::MAX)
}
