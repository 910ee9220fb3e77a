//! Piece letters of other languages: `Sf3` for `Nf3`.
//!
//! Moves travel and are kept with the English letters; readers see and type those of their language.
//! What is typed is read with the reader's letters first, then with the English ones, and never with a
//! third language's: `B` is a rook in Hungarian, a pawn in German and a bishop in English.

use crate::piece::Role;

/// The letters of one language, in the order of [`Role::ALL`]: pawn, knight, bishop, rook, queen, king.
/// A pawn's may be two lower-case letters, as no capital is free for it everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Letters<'a>(pub [&'a str; 6]);

impl Letters<'static> {
    /// The English ones.
    pub const ENGLISH: Letters<'static> = Letters(["P", "N", "B", "R", "Q", "K"]);
}

impl<'a> Letters<'a> {
    /// The letter of a kind of piece.
    #[must_use]
    pub fn letter(&self, role: Role) -> &'a str {
        self.0[role.index()]
    }

    /// The kind that a letter means: in this language, or else in English. Capital or not.
    ///
    /// ```
    /// use tandem_core::Role;
    /// use tandem_core::letters::Letters;
    ///
    /// let dutch = Letters(["pi", "P", "L", "T", "D", "K"]);
    /// assert_eq!(dutch.role("p"), Some(Role::Knight));
    /// assert_eq!(dutch.role("n"), Some(Role::Knight));
    /// assert_eq!(dutch.role("pi"), Some(Role::Pawn));
    /// assert_eq!(dutch.role("x"), None);
    /// ```
    #[must_use]
    pub fn role(&self, letter: &str) -> Option<Role> {
        let of = |letters: [&str; 6]| {
            Role::ALL
                .into_iter()
                .find(|role| letters[role.index()].eq_ignore_ascii_case(letter))
        };
        of(self.0).or_else(|| of(Letters::ENGLISH.0))
    }

    /// A move in SAN with this language's letters: `N@f3+` becomes `S@f3+` in German.
    #[must_use]
    pub fn localize(&self, san: &str) -> String {
        let mut local = String::with_capacity(san.len() + 1);
        for letter in san.chars() {
            let role = Role::ALL
                .into_iter()
                .find(|role| Letters::ENGLISH.0[role.index()].starts_with(letter));
            match role {
                Some(role) => local.push_str(self.letter(role)),
                None => local.push(letter),
            }
        }
        local
    }

    /// What was typed, with English letters: SAN and drops in this language or English. UCI is left
    /// as it is. Nothing is judged here; what is no move is none afterwards either.
    ///
    /// ```
    /// use tandem_core::letters::Letters;
    ///
    /// let hungarian = Letters(["gy", "H", "F", "B", "V", "K"]);
    /// assert_eq!(hungarian.to_english("Bxe5"), "Rxe5");
    /// assert_eq!(hungarian.to_english("gy@e4"), "P@e4");
    /// assert_eq!(hungarian.to_english("Nf3"), "Nf3");
    /// assert_eq!(hungarian.to_english("exd8=V+"), "exd8=Q+");
    /// assert_eq!(hungarian.to_english("b7b8q"), "b7b8q");
    /// ```
    #[must_use]
    pub fn to_english(&self, typed: &str) -> String {
        let typed = typed.trim();
        let english = |role: Role| Letters::ENGLISH.letter(role);
        if let Some((letter, square)) = typed.split_once('@') {
            return match self.role(letter.trim()) {
                Some(role) => format!("{}@{square}", english(role)),
                None => typed.to_owned(),
            };
        }
        let mut text = typed.to_owned();
        // A small letter in front is a file; only a capital names a piece. A pawn's is never written.
        let first = typed.chars().next().filter(char::is_ascii_uppercase);
        if let Some(first) = first.filter(|first| *first != 'O') {
            let mut buffer = [0; 4];
            let role = self.piece(first.encode_utf8(&mut buffer));
            if let Some(role) = role {
                text.replace_range(..1, english(role));
            }
        }
        // UCI has a small letter right behind the square, which stays.
        if let Some((before, after)) = text.clone().split_once('=') {
            let end = after
                .find(|c: char| !c.is_ascii_alphabetic())
                .unwrap_or(after.len());
            if let Some(role) = self.piece(&after[..end]) {
                text = format!("{before}={}{}", english(role), &after[end..]);
            }
        }
        text
    }

    /// A letter of a move: never a pawn's, so a letter that means one here may be English for another.
    fn piece(&self, letter: &str) -> Option<Role> {
        let is_piece = |role: &Role| *role != Role::Pawn;
        self.role(letter)
            .filter(is_piece)
            .or_else(|| Letters::ENGLISH.role(letter).filter(is_piece))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GERMAN: Letters<'_> = Letters(["B", "S", "L", "T", "D", "K"]);
    const CZECH: Letters<'_> = Letters(["P", "J", "S", "V", "D", "K"]);
    const DUTCH: Letters<'_> = Letters(["pi", "P", "L", "T", "D", "K"]);

    #[test]
    fn moves_are_shown_in_the_readers_letters() {
        for (letters, english, local) in [
            (GERMAN, "Nf3", "Sf3"),
            (GERMAN, "P@e4+", "B@e4+"),
            (GERMAN, "exd8=Q#", "exd8=D#"),
            (GERMAN, "O-O-O", "O-O-O"),
            (DUTCH, "P@e4", "pi@e4"),
            (DUTCH, "N@f7#", "P@f7#"),
            (CZECH, "Rad1", "Vad1"),
            (Letters::ENGLISH, "Qh4#", "Qh4#"),
        ] {
            assert_eq!(letters.localize(english), local);
            assert_eq!(letters.to_english(local), english);
        }
    }

    #[test]
    fn english_is_read_where_it_is_not_another_piece() {
        for (letters, typed, english) in [
            (GERMAN, "Nf3", "Nf3"),
            (GERMAN, "Bxc4", "Bxc4"),
            (GERMAN, "b@e4", "P@e4"),
            (GERMAN, "e8=q", "e8=Q"),
            (GERMAN, "e8=R", "e8=R"),
            (DUTCH, "P@e4", "N@e4"),
            (CZECH, "Sb5", "Bb5"),
            (CZECH, "P@e4", "P@e4"),
            (GERMAN, " g1f3 ", "g1f3"),
            (GERMAN, "O-O", "O-O"),
            (GERMAN, "", ""),
            (GERMAN, "?@e4", "?@e4"),
            (GERMAN, "=", "="),
            (GERMAN, "ä", "ä"),
        ] {
            assert_eq!(letters.to_english(typed), english, "{typed}");
        }
    }
}
