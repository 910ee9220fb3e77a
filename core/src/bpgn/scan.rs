//! Cuts BPGN into tags, comments and words.

use super::BpgnReason;

/// A piece of the text that means something by itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// The name and value of a tag.
    Tag(&'a str, String),
    /// What stands between braces.
    Comment(&'a str),
    /// Anything else up to the next space or brace.
    Word(&'a str),
}

/// Walks through the text and knows in which line it is.
pub(super) struct Scanner<'a> {
    text: &'a str,
    /// What is not read yet: always the end of `text`.
    rest: &'a str,
    /// Where the token read last begins in `text`.
    token: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Scanner<'a> {
        // Some editors mark the start of a text with an invisible sign.
        let text = text.trim_start_matches('\u{feff}');
        Scanner {
            text,
            rest: text,
            token: 0,
        }
    }

    /// The line of the token read last, counted from 1.
    pub(super) fn line(&self) -> usize {
        let before = &self.text.as_bytes()[..self.token];
        1 + before.iter().filter(|&&byte| byte == b'\n').count()
    }

    /// The next token, or `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Token<'a>>, BpgnReason> {
        loop {
            self.rest = self.rest.trim_start();
            self.token = self.text.len() - self.rest.len();
            let Some(first) = self.rest.chars().next() else {
                return Ok(None);
            };
            return Ok(Some(match first {
                '[' => self.tag()?,
                '{' => {
                    let (comment, rest) = self.rest[1..]
                        .split_once('}')
                        .ok_or(BpgnReason::OpenComment)?;
                    self.rest = rest;
                    Token::Comment(comment)
                }
                // Like `%` in PGN, a semicolon hides the rest of its line.
                ';' | '%' => {
                    self.rest = self.rest.split_once('\n').map_or("", |(_, rest)| rest);
                    continue;
                }
                _ => {
                    let end = self
                        .rest
                        .find(|c: char| c.is_whitespace() || matches!(c, '{' | '[' | ';'))
                        .unwrap_or(self.rest.len());
                    let (word, rest) = self.rest.split_at(end);
                    self.rest = rest;
                    if first == '$' {
                        continue;
                    }
                    Token::Word(word)
                }
            }));
        }
    }

    /// `[Name "value"]`; inside the value a backslash protects a quote or a backslash.
    fn tag(&mut self) -> Result<Token<'a>, BpgnReason> {
        let inside = self.rest[1..].trim_start();
        let end = inside
            .find(|c: char| !u8::try_from(c).is_ok_and(is_in_tag_name))
            .filter(|&end| end > 0)
            .ok_or(BpgnReason::Tag)?;
        let (name, rest) = inside.split_at(end);
        let quoted = rest.trim_start().strip_prefix('"').ok_or(BpgnReason::Tag)?;
        let mut value = String::new();
        let mut characters = quoted.char_indices();
        let end = loop {
            match characters.next().ok_or(BpgnReason::Tag)? {
                (end, '"') => break end,
                (_, '\n') => return Err(BpgnReason::Tag),
                (_, '\\') => match characters.next() {
                    // Not even a backslash makes a line end part of a value.
                    None | Some((_, '\n')) => return Err(BpgnReason::Tag),
                    Some((_, character)) => value.push(character),
                },
                (_, character) => value.push(character),
            }
        };
        self.rest = quoted[end + 1..]
            .trim_start()
            .strip_prefix(']')
            .ok_or(BpgnReason::Tag)?;
        Ok(Token::Tag(name, value))
    }
}

/// Whether the name of a tag may hold this letter.
pub(super) fn is_in_tag_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
