//! Places where two inline elements meet without white space, such as links of a menu, a label and
//! its value, or the parts of a card: a style sheet draws them apart, and their words are two.
//!
//! On the development pages the gold text separates 1,700 such pairs with a word character on both
//! sides, and joins 110. Most of the 110 are first letters, ordinals and split words of one `span`
//! each (docs/decisions/text-and-controls.md).

use crate::page::tags::{self, Tag};

/// The effect of an inline element on the text around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Seam {
    /// An element next to text: it parts only a label from its value, `By:<span>Ann`.
    Edge,
    /// A `span`, or an element that styles words: it also wraps parts of a word.
    Part,
    /// A link: two adjacent links are separate things.
    Link,
    /// A label, a time, a button or an image, next to any element.
    Named,
}

impl Seam {
    /// The part of an element in a seam.
    #[inline]
    #[must_use]
    pub fn of(tag: Tag) -> Option<Self> {
        match tag {
            tags::SPAN
            | tags::B
            | tags::STRONG
            | tags::I
            | tags::EM
            | tags::SMALL
            | tags::INS
            | tags::DEL
            | tags::CITE
            | tags::CODE => Some(Self::Part),
            tags::A => Some(Self::Link),
            tags::LABEL | tags::TIME | tags::BUTTON | tags::IMG => Some(Self::Named),
            _ => None,
        }
    }

    /// The seam of two adjacent elements.
    #[must_use]
    pub fn with(self, next: Self) -> Self {
        if self.max(next) == Self::Named {
            Self::Named
        } else {
            self.min(next)
        }
    }

    /// The seam of an element and text next to it.
    #[must_use]
    pub fn with_text(self) -> Self {
        if self == Self::Named {
            Self::Part
        } else {
            Self::Edge
        }
    }

    /// Whether a space belongs between the text of a block so far and the text of the next node.
    #[must_use]
    pub fn parts(self, before: &[u8], after: &[u8]) -> bool {
        let (Some((last, is_only)), Some((first, is_alone))) = (last_of(before), first_of(after))
        else {
            return false;
        };
        if last == ':' {
            let label = &before[..before.len() - 1];
            return last_of(label).is_some_and(|(last, _)| last.is_lowercase())
                && first.is_uppercase();
        }
        if self == Self::Edge || !(is_of_word(last) && is_of_word(first)) {
            return false;
        }
        // a large first letter, animated letters and digits, and a continuation in lower case stay
        // together; a capital after lower case is a word, also alone: `2h`, `R`
        let is_capital = last.is_lowercase() && first.is_uppercase();
        self > Self::Part || !is_only && (is_capital || !(is_alone || first.is_lowercase()))
    }
}

/// The last character, and whether it is the only one.
fn last_of(text: &[u8]) -> Option<(char, bool)> {
    let start = text.iter().rposition(|byte| byte & 0xC0 != 0x80)?;
    let last = std::str::from_utf8(&text[start..]).ok()?.chars().next()?;
    Some((last, start == 0))
}

/// The first character, and whether it is the only one.
fn first_of(text: &[u8]) -> Option<(char, bool)> {
    let length = 1 + text
        .get(1..)?
        .iter()
        .take_while(|&byte| byte & 0xC0 == 0x80)
        .count();
    let first = std::str::from_utf8(&text[..length]).ok()?.chars().next()?;
    Some((first, length == text.len()))
}

/// Letters of scripts with capitals, and digits: these scripts separate words.
fn is_of_word(sign: char) -> bool {
    sign.is_lowercase() || sign.is_uppercase() || sign.is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(seam: Seam, before: &str, after: &str) -> bool {
        seam.parts(before.as_bytes(), after.as_bytes())
    }

    #[test]
    fn links_are_parted_where_words_meet() {
        for (before, after) in [
            ("Pricing", "Enterprise"),
            ("a", "b"),
            ("Größe", "Äpfel"),
            ("4", "5"),
        ] {
            assert!(parts(Seam::Link, before, after), "{before} {after}");
        }
        for (before, after) in [
            ("", "b"),
            ("a", ""),
            ("a ", "b"),
            ("a", " b"),
            ("(", "b"),
            ("漢", "字"),
        ] {
            assert!(!parts(Seam::Link, before, after), "{before} {after}");
        }
    }

    #[test]
    fn parts_of_a_word_stay_together() {
        for (before, after) in [
            ("Software to", "Replace"),
            ("SKU: 7", "MFR: 8"),
            ("Cook time", "50 min"),
            ("1h 54m", "R"),
        ] {
            assert!(parts(Seam::Part, before, after), "{before} {after}");
        }
        for (before, after) in [
            ("T", "HE BEES"),
            ("on 3", "rd"),
            ("e", "ach"),
            ("N", "E"),
            ("12", "5"),
            ("H", "O"),
            ("e", "B"),
        ] {
            assert!(!parts(Seam::Part, before, after), "{before} {after}");
        }
    }

    #[test]
    fn a_label_is_parted_from_its_value() {
        for seam in [Seam::Edge, Seam::Part, Seam::Link, Seam::Named] {
            for (before, after) in [
                ("Developed by:", "Valve"),
                ("wrote:", "Thanks"),
                ("Größe:", "Ändern"),
                ("автор:", "Анна"),
            ] {
                assert!(parts(seam, before, after), "{before} {after}");
            }
            for (before, after) in [
                ("std::", "Vector"),
                ("xml:", "lang"),
                ("12:", "30"),
                ("WP:", "Style"),
                (":", "A"),
                ("at:", "7"),
            ] {
                assert!(!parts(seam, before, after), "{before} {after}");
            }
        }
        assert!(!parts(Seam::Edge, "Software to", "Replace"));
    }

    #[test]
    fn the_weaker_side_decides_unless_one_is_named() {
        assert_eq!(Seam::Link.with(Seam::Link), Seam::Link);
        assert_eq!(Seam::Part.with(Seam::Link), Seam::Part);
        assert_eq!(Seam::Part.with(Seam::Named), Seam::Named);
        assert_eq!(Seam::Named.with_text(), Seam::Part);
        assert_eq!(Seam::Link.with_text(), Seam::Edge);
    }

    #[test]
    fn bytes_that_are_no_utf8_part_nothing() {
        assert!(!Seam::Link.parts(b"a\xE2", b"b"));
        assert!(!Seam::Link.parts(b"a", b"\xE2b"));
    }
}
