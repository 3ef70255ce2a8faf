//! Places where two inline elements meet without white space, such as links of a menu, a label and
//! its value, or the parts of a card: a style sheet draws them apart, and their words are two.
//!
//! On the development pages the gold text separates 1,700 such pairs with a word character on both
//! sides, and joins 110. Most of the 110 are first letters, ordinals and split words of one `span`
//! each (docs/decisions/text-and-controls.md).

use crate::page::near::start_of_class;
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
    /// An element whose class says that it is not part of the text around it, or for screen readers only,
    /// next to anything.
    Apart,
}

const CURRENCIES: &str = "$€£¥";
/// Parts of class names of amounts, counters, labels and notes at the side.
const APART: [&[u8]; 15] = [
    b"amount",
    b"badge",
    b"count",
    b"counter",
    b"counts",
    b"label",
    b"marginnote",
    b"notes",
    b"num",
    b"number",
    b"nr",
    b"qty",
    b"quantity",
    b"sidenote",
    b"sidenotes",
];

/// Whether a class says that an element is not part of the text around it: `comments_count`.
#[must_use]
pub fn is_set_apart(class: &[u8]) -> bool {
    has_part(class, &APART)
}

/// Whether a class says that an element is a unit, which touches its number, but not the text after
/// it: `12kcal`.
#[must_use]
pub fn is_unit(class: &[u8]) -> bool {
    has_part(class, &[b"unit", b"units"])
}

fn has_part(class: &[u8], names: &[&[u8]]) -> bool {
    // a class may be read again before each text after its element
    let class = start_of_class(class);
    let mut parts = class.split(|byte: &u8| !byte.is_ascii_alphabetic());
    parts.any(|part| names.iter().any(|name| name.eq_ignore_ascii_case(part)))
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
            // only the label of a row is apart from what is after it
            tags::SUP => Some(Self::Edge),
            _ => None,
        }
    }

    /// The seam of two adjacent elements.
    #[must_use]
    pub fn with(self, next: Self) -> Self {
        let stronger = self.max(next);
        if self.min(next) == Self::Edge {
            stronger.with_text()
        } else if stronger >= Self::Named {
            stronger
        } else {
            self.min(next)
        }
    }

    /// The seam of an element and text next to it.
    #[must_use]
    pub fn with_text(self) -> Self {
        match self {
            Self::Apart => Self::Apart,
            Self::Named => Self::Part,
            _ => Self::Edge,
        }
    }

    /// Whether a space belongs between the text of a block so far, which may end with a label that is
    /// all of its line, and the text of the next node.
    #[must_use]
    pub fn parts(self, before: &[u8], is_label: bool, after: &[u8]) -> bool {
        let (Some((last, is_only)), Some((first, is_alone))) = (last_of(before), first_of(after))
        else {
            return false;
        };
        if last == ':' {
            let label = &before[..before.len() - 1];
            let is_label = is_label || self == Self::Apart;
            let is_word =
                |(last, _): (char, bool)| last.is_lowercase() || is_label && last.is_uppercase();
            return last_of(label).is_some_and(is_word)
                && (first.is_uppercase() || is_label && is_of_word(first));
        }
        if self == Self::Apart
            && (is_of_word(last) && CURRENCIES.contains(first)
                || CURRENCIES.contains(last) && first.is_alphabetic())
        {
            return true;
        }
        // two amounts: `$20`, `$15`; a sign may also be after its amount
        let is_amount = || after.get(first.len_utf8()).is_some_and(u8::is_ascii_digit);
        if self >= Self::Part && last.is_ascii_digit() && CURRENCIES.contains(first) && is_amount()
        {
            return true;
        }
        if self == Self::Apart && !is_of_word(last) {
            return is_end(last) && is_of_word(first) && !(last == '.' && first.is_numeric());
        }
        if !(is_of_word(last) && is_of_word(first)) {
            return false;
        }
        if is_label && last.is_lowercase() && !first.is_lowercase() && !is_alone {
            return true;
        }
        // a large first letter, animated letters and digits, and a continuation in lower case stay
        // together; a capital after lower case is a word, also alone: `2h`, `R`
        let is_capital = last.is_lowercase() && first.is_uppercase();
        match self {
            Self::Edge => false,
            Self::Part => !is_only && (is_capital || !(is_alone || first.is_lowercase())),
            _ => true,
        }
    }
}

/// Whether a sign ends a sentence, a part of it or an amount.
fn is_end(sign: char) -> bool {
    matches!(
        sign,
        '.' | '!' | '?' | ')' | ']' | '"' | '”' | '»' | '…' | '¼'..='¾' | '⅐'..='⅞'
    )
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
        seam.parts(before.as_bytes(), false, after.as_bytes())
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
            ("was $20", "$15"),
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
            ("20", "€"),
            ("US", "$15"),
            ("20", "€ a piece"),
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
    fn a_label_that_is_a_line_is_parted_from_any_value() {
        for (before, after) in [
            ("Width:", "6 metres"),
            ("Длина:", "22 метра"),
            ("Type:", "ferry"),
            ("Address", "Old Pier 4"),
            ("Phone", "555 0100"),
            ("ANNA BERG:", "we left"),
        ] {
            let parts = Seam::Edge.parts(before.as_bytes(), true, after.as_bytes());
            assert!(parts, "{before} {after}");
        }
        for (before, after) in [
            ("Un", "likely"),
            ("Std::", "vector"),
            ("Go", "!"),
            ("WiFi", "6"),
            ("GPT", "4 and 5"),
        ] {
            let parts = Seam::Edge.parts(before.as_bytes(), true, after.as_bytes());
            assert!(!parts, "{before} {after}");
        }
    }

    #[test]
    fn a_class_sets_counters_amounts_and_notes_apart() {
        for class in [
            "comments_count",
            "badge badge-primary",
            "Step-Number",
            "sidenote",
        ] {
            assert!(is_set_apart(class.as_bytes()), "{class}");
        }
        for class in [
            "",
            "discount",
            "country",
            "account-name",
            "labels",
            "united",
        ] {
            assert!(!is_set_apart(class.as_bytes()), "{class}");
        }
        for (before, after) in [
            ("0", "Text"),
            ("200", "g"),
            ("eggs", "beaten"),
            ("1987.", "The register"),
            ("1.", "Open"),
            ("Comments", "12"),
            ("½", "tsp"),
            ("price", "$120"),
            ("120 €", "now"),
        ] {
            assert!(parts(Seam::Apart, before, after), "{before} {after}");
        }
        for (before, after) in [
            ("9.", "99"),
            ("$", "25"),
            ("(", "12"),
            ("12", ")"),
            ("漢", "字"),
        ] {
            assert!(!parts(Seam::Apart, before, after), "{before} {after}");
        }
        assert_eq!(Seam::Apart.with_text(), Seam::Apart);
        assert_eq!(Seam::Part.with(Seam::Apart), Seam::Apart);
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
        assert!(!Seam::Link.parts(b"a\xE2", false, b"b"));
        assert!(!Seam::Link.parts(b"a", false, b"\xE2b"));
    }
}
