//! Attributes, read from the bytes of their tag when somebody asks.

use std::borrow::Cow;

use crate::tokenizer::attribute;

/// Names and values as they are spelled.
#[derive(Clone)]
pub struct Attributes<'i> {
    markup: &'i [u8],
    at: usize,
}

/// The attributes between a tag's name and its `>`.
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

/// The value of the first attribute `name`.
pub fn value<'i>(markup: &'i [u8], name: &[u8]) -> Option<&'i [u8]> {
    let mut all = attributes(markup);
    all.find(|(spelled, _)| spelled.eq_ignore_ascii_case(name))
        .map(|(_, value)| value)
}

/// A value with its references decoded.
pub fn decoded(value: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(value);
    let is_plain = !value
        .iter()
        .any(|byte| matches!(byte, b'&' | b'\r' | b'\0'));
    if is_plain {
        return text;
    }
    let text = text
        .replace("\r\n", "\n")
        .replace('\r', "\n")
        .replace('\0', "\u{FFFD}");
    Cow::Owned(htmlize::unescape_attribute(&*text).into_owned())
}

/// Whether two tags have the same attributes with the same values.
pub fn are_same(one: &[u8], other: &[u8]) -> bool {
    if one.trim_ascii() == other.trim_ascii() {
        return true;
    }
    let read = |markup| {
        let mut found: Vec<(Vec<u8>, Cow<'_, str>)> = Vec::new();
        for (name, value) in attributes(markup) {
            let name = name.to_ascii_lowercase();
            if !found.iter().any(|(known, _)| *known == name) {
                found.push((name, decoded(value)));
            }
        }
        found.sort();
        found
    };
    read(one) == read(other)
}
