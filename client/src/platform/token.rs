//! The secret by which a table knows this browser again.

use super::{random, storage};

/// 128 random bits, made once for each table and remembered.
pub fn for_table(code: &str) -> [u8; 16] {
    let key = format!("tandem.token.{code}");
    if let Some(token) = storage::get(&key).as_deref().and_then(parse) {
        return token;
    }
    let token = random::bytes();
    storage::set(&key, &write(&token));
    token
}

fn write(token: &[u8; 16]) -> String {
    token.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn parse(text: &str) -> Option<[u8; 16]> {
    if text.len() != 32 || !text.is_ascii() {
        return None;
    }
    let mut token = [0; 16];
    for (index, byte) in token.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * index..2 * index + 2)?, 16).ok()?;
    }
    Some(token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_survives_writing_and_reading() {
        let token = core::array::from_fn(|index| (index * 37) as u8);
        assert_eq!(parse(&write(&token)), Some(token));
    }

    #[test]
    fn what_is_no_token_is_not_read_as_one() {
        for text in [
            "",
            "00",
            "zz000000000000000000000000000000",
            "ä0000000000000000000000000000000",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
