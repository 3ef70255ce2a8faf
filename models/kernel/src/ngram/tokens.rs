//! Text to tokens: one rule for the trainer, the scorer and (in Python) the oracle.
//!
//! - A word is a run of letters, digits and combining marks that begins with a letter or digit;
//!   an apostrophe (`'` or `’`) between two of its characters belongs to it.
//! - A character of a script written without spaces is a token of its own.
//! - Any other visible character is a token of its own.
//! - White space and controls separate tokens. Soft hyphens, joiners and variation selectors
//!   are dropped; inside a word they do not end it.
//!
//! Normalising maps the curly apostrophe, quotation marks and dashes to `'`, `"` and `-`, and
//! under a folding rule each character to its lower case (final sigma to sigma).

use super::chars::{Class, class};
use super::hash;
use super::letters::{Letters, push_normal};

/// Which variant of the rule a model was made with; the number stands in the model file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Tokeniser {
    /// Lower case.
    Folded = 1,
    /// Upper and lower case are different tokens.
    Cased = 2,
    /// Lower case, and an apostrophe is always a token of its own (what `import-pyplexity` needs).
    Split = 3,
}

/// A token: its key and its byte offsets in the text, half open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub key: u64,
    pub start: usize,
    pub end: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Byte {
    Space,
    Word,
    Mark,
    Wide,
}

const BYTES: [Byte; 256] = {
    let mut table = [Byte::Mark; 256];
    let mut value = 0;
    while value < 256 {
        let byte = value as u8;
        table[value] = if byte >= 0x80 {
            Byte::Wide
        } else if byte.is_ascii_alphanumeric() {
            Byte::Word
        } else if byte <= b' ' || byte == 0x7f {
            Byte::Space
        } else {
            Byte::Mark
        };
        value += 1;
    }
    table
};

#[inline]
fn kind(bytes: &[u8], at: usize) -> Byte {
    bytes
        .get(at)
        .map_or(Byte::Space, |&byte| BYTES[usize::from(byte)])
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

/// Length and key of the word at `at`, if eight bytes tell both: most words are shorter, and end
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

/// Whether the word that seems to end at `at` may go on with characters beyond ASCII.
#[inline]
fn wide_follows<const JOIN: bool>(bytes: &[u8], at: usize) -> bool {
    let next = if JOIN && bytes.get(at) == Some(&b'\'') {
        at + 1
    } else {
        at
    };
    kind(bytes, next) == Byte::Wide
}

/// Emits the token that begins at `at`, if one does, and returns where it ends.
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
        // they have no capitals, and no variants
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

/// Appends the normal form of the word that `text` begins with, and returns its bytes in `text`.
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
mod tests {
    use super::*;

    fn folded(text: &str) -> Vec<String> {
        Tokeniser::Folded.normalised(text)
    }

    #[test]
    fn words_punctuation_and_inner_apostrophes() {
        assert_eq!(
            folded("Don't stop; it's 'quoted' O'Neill's 3.14 a_b"),
            [
                "don't",
                "stop",
                ";",
                "it's",
                "'",
                "quoted",
                "'",
                "o'neill's",
                "3",
                ".",
                "14",
                "a",
                "_",
                "b"
            ]
        );
    }

    #[test]
    fn typographic_variants_fold_into_one_token() {
        assert_eq!(
            folded("don’t — “Éa’ç” ’a"),
            ["don't", "-", "\"", "éa'ç", "\"", "'", "a"]
        );
        assert_eq!(folded("ΣΑΣ σας"), ["σασ", "σασ"]);
    }

    #[test]
    fn scripts_without_spaces_give_a_token_a_character() {
        assert_eq!(
            folded("汉字kana かな。"),
            ["汉", "字", "kana", "か", "な", "。"]
        );
    }

    #[test]
    fn invisible_characters_neither_split_words_nor_count() {
        assert_eq!(
            folded("soft\u{ad}ware a\u{200d} \u{ad}b c\u{200b}d"),
            ["software", "a", "b", "c", "d"]
        );
        assert_eq!(folded("\u{feff}\u{200e} \u{1}"), [""; 0]);
    }

    #[test]
    fn combining_marks_continue_words_and_stand_alone_otherwise() {
        assert_eq!(
            folded("e\u{301}a हिन्दी \u{301}"),
            ["e\u{301}a", "हिन्दी", "\u{301}"]
        );
    }

    #[test]
    fn variants_of_the_rule_differ_where_they_say() {
        assert_eq!(Tokeniser::Cased.normalised("Don’t"), ["Don't"]);
        assert_eq!(
            Tokeniser::Split.normalised("Don’t é'b"),
            ["don", "'", "t", "é", "'", "b"]
        );
    }

    #[test]
    fn the_key_of_a_token_is_that_of_its_normal_form() {
        let text = "Don't DON’T ÉTÉ été It– “A” soft\u{ad}ware’s O'é x'\u{301}y '";
        for tokeniser in [Tokeniser::Folded, Tokeniser::Cased, Tokeniser::Split] {
            let mut keys = Vec::new();
            tokeniser.each(text, 0, text.len(), |token| keys.push(token.key));
            let expected: Vec<u64> = tokeniser
                .normalised(text)
                .iter()
                .map(|normal| hash::token(normal.as_bytes()))
                .collect();
            assert_eq!(keys, expected);
        }
    }

    #[test]
    fn a_span_inside_a_text_gives_the_tokens_of_that_span() {
        let text = "étude one two’s drei";
        let mut spans = Vec::new();
        Tokeniser::Folded.each(text, 7, 14, |token| spans.push((token.start, token.end)));
        assert_eq!(spans, [(7, 10), (11, 14)]);
        let mut none = 0;
        Tokeniser::Folded.each(text, 1, 14, |_| none += 1);
        Tokeniser::Folded.each(text, 0, 99, |_| none += 1);
        assert_eq!(none, 0);
    }
}
