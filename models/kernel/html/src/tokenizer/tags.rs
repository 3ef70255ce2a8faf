//! Start and end tags with their attributes (13.2.5.8, and 13.2.5.32 to 13.2.5.40).

use super::scan::{IN_ATTRIBUTE, IN_NAME, IN_VALUE, SLASH, SPACE, find, first_bytes, is_of, skip};
use super::{LAST, Read, Span, TagToken, Tokenizer};
use crate::tag::tag_of;

impl Tokenizer<'_> {
    /// The tag whose name starts at `start`; none if the input ends in it.
    #[inline(always)]
    pub(super) fn tag(&mut self, start: usize) -> Option<TagToken> {
        let input = self.input;
        let end = skip(input, start + 1, IN_NAME);
        let name = &input[start..end];
        let tag = tag_of(first_bytes(input, start, name.len()), name);
        let mut at = end;
        let mut is_self_closing = false;
        let mut read = 0;
        if input.get(at) != Some(&b'>') {
            let first = self.read.len();
            (at, is_self_closing) = self.tag_end(at)?;
            if self.read.len() > first {
                read = first as u32;
                self.read.push(LAST);
            }
        }
        self.at = at + 1;
        Some(TagToken {
            tag,
            is_self_closing,
            name: Span::new(start, end),
            attributes: Span::new(end, at),
            read,
        })
    }

    /// The place of the `>` of a tag whose attributes start at `at`, and whether a `/` precedes it.
    #[inline(always)]
    fn tag_end(&mut self, mut at: usize) -> Option<(usize, bool)> {
        let input = self.input;
        loop {
            let start = skip(input, at, SPACE | SLASH);
            match input.get(start) {
                None => return None,
                Some(b'>') => return Some((start, start > at && input[start - 1] == b'/')),
                Some(_) => {
                    let found = attribute(input, start);
                    at = found.end;
                    self.index(&found);
                }
            }
        }
    }

    #[inline(always)]
    fn index(&mut self, found: &AttributeSpan) {
        let (start, end) = found.name;
        let name = self
            .names
            .and_then(|names| names.number(self.input, start, end));
        if let Some(name) = name {
            let value = Span::new(found.value.0, found.value.1);
            self.read.push(Read { name, value });
        }
    }
}

/// An attribute in the input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttributeSpan {
    pub name: (usize, usize),
    pub value: (usize, usize),
    /// The place after the attribute.
    pub end: usize,
}

/// The attribute whose name starts at `start`; its first byte may be any.
#[inline(always)]
pub(crate) fn attribute(input: &[u8], start: usize) -> AttributeSpan {
    let name_end = skip(input, start + 1, IN_ATTRIBUTE);
    let mut at = name_end;
    if input.get(at) != Some(&b'=') {
        at = skip(input, at, SPACE);
        if input.get(at) != Some(&b'=') {
            return AttributeSpan {
                name: (start, name_end),
                value: (at, at),
                end: at,
            };
        }
    }
    at += 1;
    let mut quote = input.get(at).copied().unwrap_or(b'>');
    if is_of(quote, SPACE) {
        at = skip(input, at, SPACE);
        quote = input.get(at).copied().unwrap_or(b'>');
    }
    let (value, end) = if matches!(quote, b'"' | b'\'') {
        let from = at + 1;
        let until = find(quote, input, from);
        ((from, until), (until + 1).min(input.len()))
    } else {
        let until = skip(input, at, IN_VALUE);
        ((at, until), until)
    };
    AttributeSpan {
        name: (start, name_end),
        value,
        end,
    }
}
