//! The attributes of a tag, read from its bytes when they are needed.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::tokenizer::attribute;

/// Iterates over names and values as the page spells them.
#[derive(Clone)]
pub struct Attributes<'i> {
    markup: &'i [u8],
    at: usize,
}

/// Read the attributes in `markup`, the bytes between the name of a tag and its `>`.
///
/// A name that occurs twice is given twice; the first one counts.
#[must_use]
pub fn attributes(markup: &[u8]) -> Attributes<'_> {
    Attributes { markup, at: 0 }
}

impl<'i> Iterator for Attributes<'i> {
    type Item = (&'i [u8], &'i [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(b' ' | b'\t' | b'\n' | b'\r' | 0x0C | b'/') = self.markup.get(self.at) {
            self.at += 1;
        }
        if self.at >= self.markup.len() {
            return None;
        }
        let found = attribute(self.markup, self.at);
        self.at = found.end;
        let piece = |(start, end)| &self.markup[start..end];
        Some((piece(found.name), piece(found.value)))
    }
}

/// The value of the first attribute with this name.
#[must_use]
pub fn value<'i>(markup: &'i [u8], name: &[u8]) -> Option<&'i [u8]> {
    let mut all = attributes(markup);
    let found = all.find(|(spelled, _)| spelled.eq_ignore_ascii_case(name));
    found.map(|(_, value)| value)
}

/// A value with character references decoded and line ends normalized.
#[must_use]
pub fn decoded(value: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(value);
    let is_plain = !value
        .iter()
        .any(|byte| matches!(byte, b'&' | b'\r' | b'\0'));
    if is_plain {
        return text;
    }
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = text.replace('\0', "\u{FFFD}");
    Cow::Owned(htmlize::unescape_attribute(&*text).into_owned())
}

/// Names in lower case and decoded values in the order of names, each name once.
fn canonical(markup: &[u8]) -> Vec<(Vec<u8>, Cow<'_, str>)> {
    let mut found: Vec<_> = attributes(markup)
        .map(|(name, value)| (name.to_ascii_lowercase(), decoded(value)))
        .collect();
    // stable, so that the first of two attributes with one name stays
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    found.dedup_by(|(later, _), (first, _)| later == first);
    found
}

/// A number that is equal for tags with the same attributes; never 0.
pub(crate) fn digest(markup: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    canonical(markup).hash(&mut hasher);
    hasher.finish().max(1)
}

/// Whether two tags have the same attributes with the same values.
pub(crate) fn are_same(one: &[u8], other: &[u8]) -> bool {
    canonical(one) == canonical(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_the_same_in_any_order_and_spelling() {
        let one = br#" class="a&amp;b" ID=x / hidden"#;
        let other = br#"hidden id='x' class=a&amp;b class="other""#;

        assert!(are_same(one, other));
        assert_eq!(digest(one), digest(other));
    }

    #[test]
    fn attributes_differ_by_name_value_or_number() {
        let one: &[u8] = b" class=a id=x";
        for other in [&b" class=a"[..], b" class=b id=x", b" class=a name=x", b""] {
            assert!(!are_same(one, other));
            assert_ne!(digest(one), digest(other));
        }
    }

    #[test]
    fn a_value_is_decoded_by_the_rules_of_attributes() {
        assert_eq!(
            decoded(b"a&amp;b&copy=1&copy;\r\n\0"),
            "a&b&copy=1\u{A9}\n\u{FFFD}"
        );
    }

    #[test]
    fn half_of_a_surrogate_pair_is_the_replacement_character() {
        assert_eq!(decoded(b"&#xD83D;&#xDE00;"), "\u{FFFD}\u{FFFD}");
    }
}
