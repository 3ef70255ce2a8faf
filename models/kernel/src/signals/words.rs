//! The words of a text for the signals: tokens, some of which are signs.

use xxhash_rust::xxh3::xxh3_64;

use super::table::Table;
use crate::ngram::tokens::Tokeniser;
use crate::text::hash::load;
use crate::unicode::is_alphanumeric;

/// A word, which may occur many times in a text.
#[derive(Clone, Copy, Debug)]
pub struct Word<'text> {
    pub text: &'text str,
    /// The same for words that differ only in case.
    pub key: u64,
    pub chars: usize,
    pub count: usize,
}

/// The words of a text: each once, and their order.
#[derive(Clone, Debug, Default)]
pub struct Words<'text> {
    pub text: &'text str,
    pub distinct: Vec<Word<'text>>,
    /// The text as one position in `distinct` per word.
    pub order: Vec<u32>,
}

impl<'text> Words<'text> {
    /// Words are runs of letters and digits; any other visible character, and each letter of a
    /// script without spaces, is a separate word.
    #[must_use]
    pub fn of(text: &'text str) -> Self {
        let mut words = Self {
            text,
            distinct: Vec::with_capacity(text.len() / 16),
            order: Vec::with_capacity(text.len() / 4),
        };
        let mut known = Table::of(text.len() / 16);
        let bytes = text.as_bytes();
        Tokeniser::Folded.each(text, 0, text.len(), |token| {
            let word = text.get(token.start..token.end).unwrap_or("");
            let hash = if word.len() <= 8 {
                load(bytes, token.start, token.end)
            } else {
                xxh3_64(word.as_bytes())
            };
            let new = words.distinct.len() as u32;
            let number = known.first(hash, new);
            if number == new {
                words.distinct.push(Word {
                    text: word,
                    key: token.key,
                    chars: chars(word),
                    count: 0,
                });
            }
            words.distinct[number as usize].count += 1;
            words.order.push(number);
        });
        words
    }

    /// The keys of the words that are not signs, in order: the result of [`keys`](super::keys).
    #[must_use]
    pub fn keys(&self) -> Vec<u64> {
        let words = self
            .order
            .iter()
            .map(|&number| self.distinct[number as usize]);
        let spelled = words.filter(|word| is_spelled(word.text));
        spelled.map(|word| word.key).collect()
    }

    pub fn iter(&self) -> impl Iterator<Item = &'text str> {
        let words = self.order.iter();
        words.map(|&number| self.distinct[number as usize].text)
    }
}

/// Whether a word has letters or digits.
#[must_use]
pub fn is_spelled(word: &str) -> bool {
    word.starts_with(is_alphanumeric)
}

#[must_use]
pub fn chars(word: &str) -> usize {
    if word.is_ascii() {
        word.len()
    } else {
        word.chars().count()
    }
}
