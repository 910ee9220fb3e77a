//! Times of clocks as text: seconds with up to three decimals.

/// Reads `58.345`, `9`, `2:03.5` or `1:00:00` as milliseconds. More than three decimals are cut.
pub(super) fn read_clock(text: &str) -> Option<u32> {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    if !is_number(decimals) {
        return None;
    }
    let mut seconds = 0u32;
    for (place, part) in whole.split(':').enumerate() {
        if place > 2 || !is_number(part) {
            return None;
        }
        seconds = seconds.checked_mul(60)?.checked_add(part.parse().ok()?)?;
    }
    let thousandths = decimals
        .bytes()
        .chain([b'0'; 3])
        .take(3)
        .fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0'));
    seconds.checked_mul(1_000)?.checked_add(thousandths)
}

/// Writes milliseconds as seconds, without zeros at the end: `58.345`, `59.43`, `9`.
pub(super) fn clock(ms: u32) -> String {
    let text = format!("{}.{:03}", ms / 1_000, ms % 1_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Writes the time for all plies and for each, in seconds: `180+2`, or `-` without clocks.
pub(super) fn time_control(base_ms: u32, increment_ms: u32) -> String {
    if (base_ms, increment_ms) == (0, 0) {
        return "-".to_owned();
    }
    format!("{}+{}", clock(base_ms), clock(increment_ms))
}

/// Reads `180+2` or `180` as milliseconds for all plies and for each; `-` as none.
pub(super) fn read_time_control(text: &str) -> Option<(u32, u32)> {
    if text == "-" {
        return Some((0, 0));
    }
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    Some((read_clock(base.trim())?, read_clock(increment.trim())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_exactly() {
        assert_eq!(read_clock("58.345"), Some(58_345));
        assert_eq!(read_clock("59.9"), Some(59_900));
        assert_eq!(read_clock("0.0004"), Some(0));
        assert_eq!(read_clock("9"), Some(9_000));
        assert_eq!(read_clock("2:03.5"), Some(123_500));
        assert_eq!(read_clock("1:00:00"), Some(3_600_000));
        for text in [
            "",
            ".",
            "1.",
            ".5",
            "1:",
            "-1",
            "+1",
            "1.2.3",
            "C: hello",
            "99999999999",
        ] {
            assert_eq!(read_clock(text), None, "{text}");
        }
        assert_eq!(read_clock("4294967.296"), None);
    }

    #[test]
    fn clocks_are_written_as_they_are_read() {
        for ms in [0, 1, 10, 100, 1_000, 10_000, 58_345, 59_430, u32::MAX] {
            assert_eq!(read_clock(&clock(ms)), Some(ms), "{ms}");
        }
        assert_eq!(clock(0), "0");
        assert_eq!(clock(100_000), "100");
        assert_eq!(time_control(30_500, 0), "30.5+0");
        assert_eq!(read_time_control("30.5+0"), Some((30_500, 0)));
        assert_eq!(read_time_control("180"), Some((180_000, 0)));
        assert_eq!(read_time_control("3 + 2"), Some((3_000, 2_000)));
        assert_eq!(time_control(0, 0), "-");
        assert_eq!(read_time_control("-"), Some((0, 0)));
        for text in ["", "--", "?", "180+", "+2", "1+2+3"] {
            assert_eq!(read_time_control(text), None, "{text}");
        }
    }
}
