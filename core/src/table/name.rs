//! Names and lines of text as people may enter them.

use super::event::PlayerId;
use super::state::State;

/// How many characters a name may have.
pub const NAME_MAX_CHARS: usize = 20;

/// `text` in one line: control characters, direction marks and other invisible signs removed, white
/// space folded, at most `max_chars` characters. May be empty.
pub fn clean_text(text: &str, max_chars: usize) -> String {
    let visible: String = text
        .chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .filter(|&c| !is_invisible(c))
        .collect();
    let mut clean = String::new();
    // A mark stands above or below a letter; without one before it, it shows nothing by itself.
    let words = visible
        .split(' ')
        .map(|word| word.trim_start_matches(is_mark));
    for word in words.filter(|word| !word.is_empty()) {
        if !clean.is_empty() {
            clean.push(' ');
        }
        clean.push_str(word);
    }
    let cut: String = clean.chars().take(max_chars).collect();
    cut.trim_end().to_owned()
}

/// Characters that show nothing, or change the direction of what stands around them.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{2800}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
            | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Marks that are drawn at the letter before them (Unicode's blocks of combining marks).
fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{0300}'..='\u{036F}' | '\u{0483}'..='\u{0489}' | '\u{1AB0}'..='\u{1AFF}'
        | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}' | '\u{FE20}'..='\u{FE2F}')
}

/// The name `wanted` gives to `player` at this table: cleaned, and with a number behind it if
/// somebody else has it already. Empty stays empty: people without a name are many.
pub(super) fn unique_name(state: &State, player: PlayerId, wanted: &str) -> String {
    let clean = clean_text(wanted, NAME_MAX_CHARS);
    let taken = |name: &str| {
        let name = name.to_lowercase();
        state
            .players()
            .iter()
            .any(|other| other.id != player && other.name.to_lowercase() == name)
    };
    if clean.is_empty() || !taken(&clean) {
        return clean;
    }
    (2..=u32::MAX)
        .map(|number| {
            let tail = format!(" {number}");
            let head: String = clean
                .chars()
                .take(NAME_MAX_CHARS - tail.chars().count())
                .collect();
            format!("{}{tail}", head.trim_end())
        })
        .find(|name| !taken(name))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_one_visible_line() {
        assert_eq!(clean_text("  Anna\t\n Maria ", 20), "Anna Maria");
        assert_eq!(clean_text("a\u{202E}b\u{200B}c\u{0007}", 20), "abc");
        assert_eq!(clean_text("\u{3164}\u{00AD}\u{2800}", 20), "");
        assert_eq!(clean_text("\u{0301}\u{0301} \u{20DD}", 20), "");
        assert_eq!(clean_text("Zoe\u{0308} \u{0301}B", 20), "Zoe\u{0308} B");
        assert_eq!(clean_text("Žluťoučký kůň běží", 9), "Žluťoučký");
        assert_eq!(clean_text("abc def", 4), "abc");
    }
}
