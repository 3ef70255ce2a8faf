//! Words to small numbers while counting, so that a trigram fits into 64 bits.

use crate::ngram::table::prefetch;
use crate::text::hash;

/// Bits of a word number: three make a key.
pub const WORD_BITS: u32 = 21;
/// Most words that a vocabulary can number; later ones are counted as `UNKNOWN`.
pub const MAX_WORDS: usize = (1 << WORD_BITS) - 1;

/// Numbers that are not words: overflow of the vocabulary, sentence start, sentence end.
pub const UNKNOWN: u32 = 0;
pub const START: u32 = 1;
pub const END: u32 = 2;
pub const FIRST_WORD: u32 = 3;

/// An empty slot of the index.
const EMPTY: u32 = UNKNOWN;
const FIRST_SLOTS: usize = 1 << 12;
/// Tokens between prefetching a slot and reading it.
const AHEAD: usize = 8;

/// The words seen so far, numbered in the order of their first occurrence, and their counts.
///
/// Words are found through an index of slots, a power of two of them and at most half in use. A
/// slot is only a number, so that the index of many words fits in the processor's cache; the keys
/// of frequent words, which occur early, are close together.
pub struct Vocabulary {
    slots: Vec<u32>,
    keys: Vec<u64>,
    counts: Vec<u64>,
    tokens: u64,
}

impl Default for Vocabulary {
    fn default() -> Self {
        let keys = vec![0, hash::START, 0]; // of UNKNOWN, START and END
        Self {
            slots: vec![EMPTY; FIRST_SLOTS],
            counts: vec![0; keys.len()],
            tokens: 0,
            keys,
        }
    }
}

impl Vocabulary {
    /// Counts tokens and appends the numbers of their words.
    pub fn count(&mut self, keys: &[u64], numbers: &mut Vec<u32>) {
        for &key in keys.iter().take(AHEAD) {
            self.ask(key);
        }
        for (index, &key) in keys.iter().enumerate() {
            if let Some(&coming) = keys.get(index + AHEAD) {
                self.ask(coming);
            }
            let number = self.number_or_new(key);
            self.counts[number as usize] += 1;
            numbers.push(number);
        }
        self.tokens += keys.len() as u64;
    }

    fn ask(&self, key: u64) {
        let slot = self.slots.as_ptr().wrapping_add(self.home(key));
        prefetch(slot.cast());
    }

    fn home(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1)
    }

    /// The slot of a word, or the free one for it.
    fn slot(&self, key: u64) -> usize {
        let mut slot = self.home(key);
        loop {
            let number = self.slots[slot];
            if number == EMPTY || self.keys[number as usize] == key {
                return slot;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    fn number_or_new(&mut self, key: u64) -> u32 {
        let slot = self.slot(key);
        let next = self.keys.len();
        if self.slots[slot] != EMPTY || next >= MAX_WORDS {
            return self.slots[slot];
        }
        self.slots[slot] = next as u32;
        self.keys.push(key);
        self.counts.push(0);
        if self.keys.len() * 2 > self.slots.len() {
            self.grow();
        }
        next as u32
    }

    fn grow(&mut self) {
        let slots = self.slots.len() * 2;
        self.slots.clear();
        self.slots.resize(slots, EMPTY);
        for number in self.words() {
            let slot = self.slot(self.keys[number as usize]);
            self.slots[slot] = number;
        }
    }

    pub fn count_sentence(&mut self) {
        self.counts[START as usize] += 1;
    }

    /// The number of a word, `UNKNOWN` if it was never counted.
    #[must_use]
    pub fn number(&self, key: u64) -> u32 {
        self.slots[self.slot(key)]
    }

    /// The key of a word; 0 for an unused number.
    #[must_use]
    pub fn key(&self, number: u32) -> u64 {
        self.keys.get(number as usize).copied().unwrap_or(0)
    }

    /// How often a word was counted; for `START`, the number of sentences.
    #[must_use]
    pub fn count_of(&self, number: u32) -> u64 {
        self.counts.get(number as usize).copied().unwrap_or(0)
    }

    /// Tokens counted, including those beyond the vocabulary.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// The probability of each word if all words with this count or more, and one unknown word,
    /// were equally likely.
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
        let mut numbers = vec![1];
        vocabulary.count(&[7, 9, 7, 8], &mut numbers);
        assert_eq!(numbers, [1, 3, 4, 3, 5]);
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
        let keys: Vec<u64> = (1..=MAX_WORDS as u64 + 10).collect();
        let mut numbers = Vec::new();
        vocabulary.count(&keys, &mut numbers);
        assert_eq!(vocabulary.words().count(), MAX_WORDS - FIRST_WORD as usize);
        assert_eq!(vocabulary.tokens(), MAX_WORDS as u64 + 10);
        assert_eq!(numbers.last(), Some(&UNKNOWN));
        assert_eq!(vocabulary.number(FIRST_WORD.into()), 2 * FIRST_WORD - 1);
    }
}
