//! The code of a table: ten characters of Crockford's base32, 50 random bits.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How many characters a code has.
pub const CODE_CHARS: usize = 10;

/// Crockford's alphabet: no I, L, O or U.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// The code of a table, as it stands in its link.
///
/// ```
/// use tandem_core::TableCode;
///
/// let code: TableCode = "k7qm-2d9pxr".parse().unwrap();
/// assert_eq!(code.to_string(), "K7QM2D9PXR");
/// assert_eq!("oil0000000".parse::<TableCode>().unwrap().to_string(), "0110000000");
/// assert!("K7QM".parse::<TableCode>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "u64", try_from = "u64")]
pub struct TableCode(u64);

/// Not the code of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a table code has {CODE_CHARS} characters, digits and letters without I, L, O, U")]
pub struct BadCode;

impl TableCode {
    /// The code made of the lowest 50 bits of `random`.
    pub const fn from_random(random: u64) -> TableCode {
        TableCode(random & ((1 << (5 * CODE_CHARS)) - 1))
    }
}

impl From<TableCode> for u64 {
    fn from(code: TableCode) -> u64 {
        code.0
    }
}

impl TryFrom<u64> for TableCode {
    type Error = BadCode;

    fn try_from(bits: u64) -> Result<TableCode, BadCode> {
        let code = TableCode::from_random(bits);
        if code.0 == bits {
            Ok(code)
        } else {
            Err(BadCode)
        }
    }
}

impl fmt::Display for TableCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for place in (0..CODE_CHARS).rev() {
            let digit = (self.0 >> (5 * place)) & 31;
            write!(f, "{}", char::from(ALPHABET[digit as usize]))?;
        }
        Ok(())
    }
}

impl FromStr for TableCode {
    type Err = BadCode;

    /// Reads a code as people write it: any case, with hyphens or spaces, I and L for 1, O for 0.
    fn from_str(text: &str) -> Result<TableCode, BadCode> {
        let mut bits = 0;
        let mut chars = 0;
        for c in text.chars().filter(|c| !matches!(c, '-' | ' ')) {
            let c = match c.to_ascii_uppercase() {
                'I' | 'L' => '1',
                'O' => '0',
                c => c,
            };
            let digit = ALPHABET.iter().position(|&a| char::from(a) == c);
            bits = (bits << 5) | digit.ok_or(BadCode)? as u64;
            chars += 1;
            if chars > CODE_CHARS {
                return Err(BadCode);
            }
        }
        if chars == CODE_CHARS {
            Ok(TableCode(bits))
        } else {
            Err(BadCode)
        }
    }
}
