//! Values in the browser's storage that are read again only if they are whole and of this version.

/// What a stored value begins with; another number for whatever is written otherwise than before.
const FORMAT: &str = "1.";

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// Bytes as a text that tells whether it was damaged.
pub fn seal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(FORMAT.len() + 2 * bytes.len() + 16);
    text.push_str(FORMAT);
    for byte in checksum(bytes).to_le_bytes().iter().chain(bytes) {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    text
}

/// The bytes of a sealed text; nothing if it is of another version, or not as it was written.
pub fn open(text: &str) -> Option<Vec<u8>> {
    let digits = text.strip_prefix(FORMAT)?.as_bytes();
    let (pairs, []) = digits.as_chunks::<2>() else {
        return None;
    };
    let bytes: Option<Vec<u8>> = pairs
        .iter()
        .map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?))
        .collect();
    let bytes = bytes?;
    let (sum, bytes) = bytes.split_first_chunk()?;
    (u64::from_le_bytes(*sum) == checksum(bytes)).then(|| bytes.to_vec())
}

fn digit(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

/// FNV-1a: against accidents, not against intent.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sealed_is_read_again() {
        for bytes in [&[][..], &[0, 15, 16, 255], &[7; 300]] {
            assert_eq!(open(&seal(bytes)).as_deref(), Some(bytes));
        }
    }

    #[test]
    fn what_is_damaged_or_of_another_version_is_not() {
        let whole = seal(b"two boards");
        for end in 0..whole.len() {
            assert_eq!(open(&whole[..end]), None);
        }
        for place in 0..whole.len() {
            let mut text = whole.clone();
            let other = if text.as_bytes()[place] == b'0' {
                "1"
            } else {
                "0"
            };
            text.replace_range(place..=place, other);
            assert_eq!(open(&text), None, "{text}");
        }
        for text in ["", "1.", "0.00", "1.ä", "1.0"] {
            assert_eq!(open(text), None, "{text}");
        }
    }
}
