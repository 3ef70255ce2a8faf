//! Classes and normal forms of the characters of most alphabets, by one table look-up.

use std::sync::LazyLock;

use super::chars::{Class, class};

/// Characters below this one are in the table, including Latin, Greek, Cyrillic, Hebrew, Arabic,
/// the Indic scripts and general punctuation.
const LISTED: u32 = 0x2100;

static TABLE: LazyLock<Vec<Letter>> = LazyLock::new(|| (0..LISTED).map(Letter::listed).collect());

/// The properties of a character for the tokeniser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Letter {
    pub class: Class,
    /// The normal form under a folding rule; 0 if it is not one character, or not in the table.
    folded: u16,
}

/// The table, built on first use.
#[derive(Clone, Copy)]
pub struct Letters {
    table: &'static [Letter],
}

impl Letters {
    #[inline]
    #[must_use]
    pub fn get() -> Self {
        Self { table: &TABLE }
    }

    /// The properties of a character.
    #[inline]
    #[must_use]
    pub fn letter(self, c: char) -> Letter {
        let listed = self.table.get(c as usize).copied();
        listed.unwrap_or_else(|| Letter {
            class: class(c),
            folded: 0,
        })
    }
}

impl Letter {
    /// The entry of a character; numbers that are not characters have an unused entry.
    fn listed(number: u32) -> Self {
        let c = char::from_u32(number).unwrap_or_default();
        let mut normal = String::new();
        push_normal(&mut normal, c, true);
        let mut chars = normal.chars();
        let folded = match (chars.next(), chars.next()) {
            (Some(only), None) => u16::try_from(u32::from(only)).unwrap_or_default(),
            _ => 0,
        };
        Self {
            class: class(c),
            folded,
        }
    }

    /// Appends the normal form of this entry's character `c`.
    #[inline]
    pub fn push_normal<const FOLD: bool>(self, c: char, out: &mut String) {
        match char::from_u32(u32::from(self.folded)) {
            Some(folded) if FOLD && self.folded != 0 => out.push(folded),
            _ => push_normal(out, c, FOLD),
        }
    }
}

/// Appends the normal form of a character of a token.
pub fn push_normal(out: &mut String, c: char, fold: bool) {
    match c {
        '‘' | '’' | '‚' | '‛' | '′' => out.push('\''),
        '“' | '”' | '„' | '‟' | '«' | '»' | '″' => out.push('"'),
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => out.push('-'),
        'ς' if fold => out.push('σ'),
        _ if fold => out.extend(c.to_lowercase()),
        _ => out.push(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_says_of_every_character_what_the_rule_says() {
        let letters = Letters::get();
        for c in '\0'..=char::MAX {
            let letter = letters.letter(c);
            let (mut folded, mut cased) = (String::new(), String::new());
            letter.push_normal::<true>(c, &mut folded);
            letter.push_normal::<false>(c, &mut cased);
            let (mut expected, mut kept) = (String::new(), String::new());
            push_normal(&mut expected, c, true);
            push_normal(&mut kept, c, false);

            assert_eq!((letter.class, folded, cased), (class(c), expected, kept));
        }
    }

    #[test]
    fn characters_that_are_tokens_of_their_own_are_their_normal_form() {
        for c in ('\0'..=char::MAX).filter(|&c| class(c) == Class::Solo) {
            let mut normal = String::new();
            push_normal(&mut normal, c, true);

            assert_eq!(normal, c.to_string());
        }
    }
}
