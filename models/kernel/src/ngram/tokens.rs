//! Text to tokens: one rule for the trainer, the scorer and (in Python) the oracle.
//!
//! - A word is a run of letters, digits and combining marks that begins with a letter or digit;
//!   an apostrophe (`'` or `’`) between two of its characters belongs to it.
//! - A character of a script written without spaces is a separate token.
//! - Any other visible character is a separate token.
//! - White space and controls separate tokens. Soft hyphens, joiners and variation selectors are
//!   dropped, also inside a word.
//!
//! Normalising maps the curly apostrophe, quotation marks and dashes to `'`, `"` and `-`, and
//! under a folding rule each character to its lower case (final sigma to sigma).

mod bytes;

use super::chars::{Class, class};
use super::letters::{Letters, push_normal};
use crate::text::hash;
use bytes::{Byte, kind};

/// The variant of the rule that a model uses; its number is in the model file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Tokeniser {
    /// Lower case.
    Folded = 1,
    /// Upper and lower case are different tokens.
    Cased = 2,
    /// Lower case, and an apostrophe is always a separate token (for `import-pyplexity`).
    Split = 3,
}

/// A token: its key and its byte offsets in the text, half open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub key: u64,
    pub start: usize,
    pub end: usize,
}

impl Tokeniser {
    /// The variant with this number, if there is one.
    #[must_use]
    pub fn from_id(id: u32) -> Option<Self> {
        [Self::Folded, Self::Cased, Self::Split]
            .into_iter()
            .find(|&tokeniser| tokeniser as u32 == id)
    }

    /// Calls `emit` with each token of `text[start..end]`, in order.
    ///
    /// Offsets that are not on character borders, or beyond the text, give no token.
    #[inline]
    pub fn each(self, text: &str, start: usize, end: usize, emit: impl FnMut(Token)) {
        match self {
            Self::Folded => each::<true, true>(text, start, end, emit),
            Self::Cased => each::<false, true>(text, start, end, emit),
            Self::Split => each::<true, false>(text, start, end, emit),
        }
    }

    /// The normalised text of each token of `text`.
    #[must_use]
    pub fn normalised(self, text: &str) -> Vec<String> {
        let mut tokens = Vec::new();
        self.each(text, 0, text.len(), |token| {
            let span = text.get(token.start..token.end).unwrap_or_default();
            let mut normal = String::with_capacity(span.len());
            for c in span.chars() {
                if class(c) != Class::Soft {
                    push_normal(&mut normal, c, self != Self::Cased);
                }
            }
            tokens.push(normal);
        });
        tokens
    }
}

fn each<const FOLD: bool, const JOIN: bool>(
    text: &str,
    start: usize,
    end: usize,
    mut emit: impl FnMut(Token),
) {
    let Some(visible) = text.get(..end) else {
        return;
    };
    if !visible.is_char_boundary(start) {
        return;
    }
    let bytes = visible.as_bytes();
    let mut scratch = String::new();
    let mut at = start;
    while at < end {
        match kind(bytes, at) {
            Byte::Space => at += 1,
            Byte::Word => {
                if let Some((length, key)) = short_word::<FOLD>(text.as_bytes(), at, end) {
                    emit(Token {
                        key,
                        start: at,
                        end: at + length,
                    });
                    at += length;
                    continue;
                }
                let stop = ascii_word_end::<JOIN>(bytes, at);
                if wide_follows::<JOIN>(bytes, stop) {
                    at = wide::<FOLD, JOIN>(visible, at, &mut scratch, &mut emit);
                    continue;
                }
                let key = hash::ascii_word::<FOLD>(text.as_bytes(), at, stop);
                emit(Token {
                    key,
                    start: at,
                    end: stop,
                });
                at = stop;
            }
            Byte::Mark => {
                emit(Token {
                    key: hash::byte(bytes[at]),
                    start: at,
                    end: at + 1,
                });
                at += 1;
            }
            Byte::Wide => at = wide::<FOLD, JOIN>(visible, at, &mut scratch, &mut emit),
        }
    }
}

/// Length and key of the word at `at`, if eight bytes decide both: most words are shorter, and end
/// neither at an apostrophe nor at a character beyond ASCII.
#[inline]
fn short_word<const FOLD: bool>(text: &[u8], at: usize, end: usize) -> Option<(usize, u64)> {
    let eight = u64::from_le_bytes(*text.get(at..)?.first_chunk()?);
    let mut length = hash::word_prefix(eight);
    if at + length >= end {
        length = end - at;
    } else {
        let next = u8::try_from(eight.checked_shr(8 * length as u32)? & 0xff).ok()?;
        if next == b'\'' || !next.is_ascii() {
            return None;
        }
    }
    Some((length, hash::short_word::<FOLD>(eight, length)))
}

#[inline]
fn ascii_word_end<const JOIN: bool>(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    loop {
        while let Some(eight) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
            let letters = hash::word_prefix(u64::from_le_bytes(*eight));
            at += letters;
            if letters < 8 {
                break;
            }
        }
        while kind(bytes, at) == Byte::Word {
            at += 1;
        }
        if JOIN && bytes.get(at) == Some(&b'\'') && kind(bytes, at + 1) == Byte::Word {
            at += 2;
            continue;
        }
        return at;
    }
}

/// Whether the word that seems to end at `at` may continue with characters beyond ASCII.
#[inline]
fn wide_follows<const JOIN: bool>(bytes: &[u8], at: usize) -> bool {
    let next = if JOIN && bytes.get(at) == Some(&b'\'') {
        at + 1
    } else {
        at
    };
    kind(bytes, next) == Byte::Wide
}

/// Emits the token that begins at `at`, if there is one, and returns its end.
fn wide<const FOLD: bool, const JOIN: bool>(
    text: &str,
    at: usize,
    scratch: &mut String,
    emit: &mut impl FnMut(Token),
) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let Some(first) = rest.chars().next() else {
        return text.len();
    };
    let letters = Letters::get();
    let letter = letters.letter(first);
    let mut length = first.len_utf8();
    scratch.clear();
    match letter.class {
        Class::Skip | Class::Soft => return at + length,
        Class::Start => length = push_word::<FOLD, JOIN>(rest, letters, scratch),
        // they have no capitals and no variants
        Class::Solo => scratch.push(first),
        Class::Continue | Class::Mark => letter.push_normal::<FOLD>(first, scratch),
    }
    emit(Token {
        key: hash::token(scratch.as_bytes()),
        start: at,
        end: at + length,
    });
    at + length
}

/// Appends the normal form of the word at the start of `text`, and returns its bytes in `text`.
fn push_word<const FOLD: bool, const JOIN: bool>(
    text: &str,
    letters: Letters,
    out: &mut String,
) -> usize {
    let mut length = 0;
    let mut apostrophe = false;
    for (at, c) in text.char_indices() {
        let letter = letters.letter(c);
        match letter.class {
            Class::Start => {}
            Class::Continue if !apostrophe => {}
            Class::Soft if !apostrophe && at > 0 => continue,
            Class::Mark if JOIN && !apostrophe && length == at && matches!(c, '\'' | '’') => {
                apostrophe = true;
                continue;
            }
            _ => break,
        }
        if apostrophe {
            out.push('\'');
            apostrophe = false;
        }
        letter.push_normal::<FOLD>(c, out);
        length = at + c.len_utf8();
    }
    length
}

#[cfg(test)]
mod tests;
