//! Words to small numbers while counting, so that a trigram fits into 64 bits.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::ngram::hash;

/// Bits of a word number: three make a key.
pub const WORD_BITS: u32 = 21;
/// Words that a vocabulary can number; later ones are counted as `UNKNOWN`.
pub const MAX_WORDS: usize = (1 << WORD_BITS) - 1;

/// Numbers that are no words: overflow of the vocabulary, sentence start, sentence end.
pub const UNKNOWN: u32 = 0;
pub const START: u32 = 1;
pub const END: u32 = 2;
pub const FIRST_WORD: u32 = 3;

/// Passes keys through: they are hashes already.
#[derive(Default)]
pub struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// The words met so far, numbered in the order of their first appearance, and their counts.
pub struct Vocabulary {
    numbers: HashMap<u64, u32, BuildHasherDefault<Identity>>,
    keys: Vec<u64>,
    counts: Vec<u64>,
    tokens: u64,
}

impl Default for Vocabulary {
    fn default() -> Self {
        let keys = vec![0, hash::START, 0]; // of UNKNOWN, START and END
        Self {
            numbers: HashMap::default(),
            counts: vec![0; keys.len()],
            tokens: 0,
            keys,
        }
    }
}

impl Vocabulary {
    /// Counts a token and gives the number of its word.
    #[inline]
    pub fn count(&mut self, key: u64) -> u32 {
        let next = self.keys.len();
        let number = if next < MAX_WORDS {
            *self.numbers.entry(key).or_insert(next as u32)
        } else {
            self.numbers.get(&key).copied().unwrap_or(UNKNOWN)
        };
        if number as usize == next {
            self.keys.push(key);
            self.counts.push(0);
        }
        self.counts[number as usize] += 1;
        self.tokens += 1;
        number
    }

    pub fn count_sentence(&mut self) {
        self.counts[START as usize] += 1;
    }

    /// The number of a word, `UNKNOWN` if it was never counted.
    #[must_use]
    pub fn number(&self, key: u64) -> u32 {
        self.numbers.get(&key).copied().unwrap_or(UNKNOWN)
    }

    /// The key of a word; of a number that is none, 0.
    #[must_use]
    pub fn key(&self, number: u32) -> u64 {
        self.keys.get(number as usize).copied().unwrap_or(0)
    }

    /// How often a word was counted; of `START`, the number of sentences.
    #[must_use]
    pub fn count_of(&self, number: u32) -> u64 {
        self.counts.get(number as usize).copied().unwrap_or(0)
    }

    /// Tokens counted, those beyond the vocabulary among them.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// The probability of each word if all those counted so often, and one unknown word, were
    /// equally likely.
    #[must_use]
    pub fn chance(&self, min_count: u64) -> f64 {
        let listed = self
            .words()
            .filter(|&word| self.count_of(word) >= min_count);
        1.0 / (listed.count() + 1) as f64
    }

    /// The numbers of all words.
    pub fn words(&self) -> impl Iterator<Item = u32> + use<> {
        FIRST_WORD..self.keys.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_numbered_as_they_appear() {
        let mut vocabulary = Vocabulary::default();
        let numbers = [7, 9, 7, 8].map(|key| vocabulary.count(key));
        assert_eq!(numbers, [3, 4, 3, 5]);
        assert_eq!((vocabulary.tokens(), vocabulary.count_of(3)), (4, 2));
        assert_eq!(
            (
                vocabulary.key(4),
                vocabulary.number(8),
                vocabulary.number(1)
            ),
            (9, 5, UNKNOWN)
        );
    }

    #[test]
    fn words_beyond_the_vocabulary_count_as_unknown() {
        let mut vocabulary = Vocabulary::default();
        for key in 1..=MAX_WORDS as u64 + 10 {
            vocabulary.count(key);
        }
        assert_eq!(vocabulary.words().count(), MAX_WORDS - FIRST_WORD as usize);
        assert_eq!(vocabulary.tokens(), MAX_WORDS as u64 + 10);
        assert_eq!(vocabulary.count(MAX_WORDS as u64 + 5), UNKNOWN);
    }
}
