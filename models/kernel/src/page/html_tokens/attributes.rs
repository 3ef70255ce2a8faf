//! The attributes of a tag: where each name and value begins and ends.

use memchr::memchr;

const SPACE: u8 = 1;
const SLASH: u8 = 2;
const CLOSE: u8 = 4;
const EQUALS: u8 = 8;
const OTHER: u8 = 16;

pub const ENDS_NAME: u8 = SPACE | SLASH | CLOSE;
const ENDS_ATTRIBUTE: u8 = ENDS_NAME | EQUALS;
const ENDS_VALUE: u8 = SPACE | CLOSE;
pub const NO_FILLER: u8 = CLOSE | EQUALS | OTHER;
const NO_SPACE: u8 = SLASH | NO_FILLER;

static KINDS: [u8; 256] = kinds();

const fn kinds() -> [u8; 256] {
    let mut table = [OTHER; 256];
    table[b'\t' as usize] = SPACE;
    table[b'\n' as usize] = SPACE;
    table[0x0C] = SPACE;
    table[b'\r' as usize] = SPACE;
    table[b' ' as usize] = SPACE;
    table[b'/' as usize] = SLASH;
    table[b'>' as usize] = CLOSE;
    table[b'=' as usize] = EQUALS;
    table
}

/// The first place from `start` with a byte of one of `kinds`; the length if there is none.
#[inline]
pub fn position(text: &[u8], start: usize, kinds: u8) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    rest.iter()
        .position(|&byte| KINDS[byte as usize] & kinds != 0)
        .map_or(text.len(), |found| start + found)
}

/// Where name and value of an attribute stand, and where the search goes on.
pub struct Span {
    pub name_end: usize,
    pub value: (usize, usize),
    pub end: usize,
}

/// The attribute whose name starts at `start`, whatever its first byte is.
#[inline]
pub fn attribute(text: &[u8], start: usize) -> Span {
    let name_end = position(text, start + 1, ENDS_ATTRIBUTE);
    let equals = position(text, name_end, NO_SPACE);
    if text.get(equals) != Some(&b'=') {
        return Span {
            name_end,
            value: (name_end, name_end),
            end: equals,
        };
    }
    let first = position(text, equals + 1, NO_SPACE);
    match text.get(first) {
        Some(&quote @ (b'"' | b'\'')) => {
            let from = first + 1;
            let length = memchr(quote, &text[from..]);
            let until = length.map_or(text.len(), |length| from + length);
            Span {
                name_end,
                value: (from, until),
                end: (until + 1).min(text.len()),
            }
        }
        _ => {
            let until = position(text, first, ENDS_VALUE);
            Span {
                name_end,
                value: (first, until),
                end: until,
            }
        }
    }
}

/// Names and values of the attributes between a tag's name and its `>`.
pub fn attributes(markup: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = position(markup, at, NO_FILLER);
        if start >= markup.len() {
            return None;
        }
        let span = attribute(markup, start);
        at = span.end;
        Some((
            &markup[start..span.name_end],
            &markup[span.value.0..span.value.1],
        ))
    })
}

/// Whether a byte ends the name of a tag.
#[inline]
#[must_use]
pub fn ends_name(byte: u8) -> bool {
    KINDS[byte as usize] & ENDS_NAME != 0
}
