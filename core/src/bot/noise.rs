//! Chance that comes from a seed: the same question always has the same answer.

/// Mixes two numbers into one in which every bit depends on all of theirs (SplitMix64's finish).
#[inline]
pub(super) fn mix(a: u64, b: u64) -> u64 {
    let mut z = a ^ b.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A number from `-bound` to `bound` that belongs to `chance`.
#[inline]
pub(super) fn spread(chance: u64, bound: i32) -> i32 {
    let width = 2 * bound.max(0) as u64 + 1;
    (((chance >> 32) * width) >> 32) as i32 - bound.max(0)
}

/// Whether something happens that happens `of_256` times in 256.
#[inline]
pub(super) fn happens(chance: u64, of_256: u32) -> bool {
    ((chance >> 24) & 255) < u64::from(of_256)
}
