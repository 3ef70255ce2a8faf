//! How much of a text stands in what is said again: lines, paragraphs, runs of words.

use std::collections::HashSet;

use super::words::{Words, chars};

/// 2^61 - 1: the hashes of stretches are polynomials modulo this prime.
const PRIME: u64 = (1 << 61) - 1;
const FACTOR: u64 = 0x0afe_d15e_a5ed_cafe;

/// Elements that stood before, and their characters.
#[must_use]
pub fn repeated<'text>(elements: impl Iterator<Item = &'text str>) -> (usize, usize) {
    let mut seen = HashSet::new();
    let mut again = (0, 0);
    for element in elements {
        if !seen.insert(element) {
            again.0 += 1;
            again.1 += chars(element);
        }
    }
    again
}

/// The words of a text, so that any run of them has its hash and its length at once.
pub struct Runs {
    /// Behind each word: hash of all words so far written together, and their characters.
    joined: Vec<u64>,
    /// The same with a space behind each word.
    spaced: Vec<u64>,
    chars: Vec<usize>,
    bytes: Vec<usize>,
    powers: Vec<u64>,
}

impl Runs {
    #[must_use]
    pub fn of(words: &Words<'_>) -> Self {
        let number = words.tokens.len() + 1;
        let mut runs = Self {
            joined: Vec::with_capacity(number),
            spaced: Vec::with_capacity(number),
            chars: Vec::with_capacity(number),
            bytes: Vec::with_capacity(number),
            powers: vec![1],
        };
        let (mut joined, mut spaced, mut length, mut bytes) = (0, 0, 0, 0);
        runs.push(joined, spaced, length, bytes);
        for word in words.iter() {
            for byte in word.bytes() {
                joined = extended(joined, byte);
                spaced = extended(spaced, byte);
            }
            spaced = extended(spaced, b' ');
            length += chars(word);
            bytes += word.len();
            runs.push(joined, spaced, length, bytes);
        }
        runs
    }

    fn push(&mut self, joined: u64, spaced: u64, chars: usize, bytes: usize) {
        self.joined.push(joined);
        self.spaced.push(spaced);
        self.chars.push(chars);
        self.bytes.push(bytes);
    }

    fn words(&self) -> usize {
        self.chars.len() - 1
    }

    fn chars(&self, from: usize, size: usize) -> usize {
        self.chars[from + size] - self.chars[from]
    }

    fn power(&mut self, length: usize) -> u64 {
        while self.powers.len() <= length {
            let last = self.powers.last().copied().unwrap_or(1);
            self.powers.push(product(last, FACTOR));
        }
        self.powers[length]
    }

    /// Characters of all occurrences of the most frequent run of `size` words, with a space between
    /// words; of several such runs the first counts.
    pub fn top(&mut self, size: usize) -> usize {
        let runs = (self.words() + 1).saturating_sub(size);
        let mut table = Table::of(runs);
        let mut counts = vec![0_u32; runs];
        for from in 0..runs {
            let length = self.bytes[from + size] - self.bytes[from] + size;
            let start = product(self.spaced[from], self.power(length));
            let first = table.first(difference(self.spaced[from + size], start), from);
            counts[first] += 1;
        }
        let mut best = (0, 0);
        for (from, &count) in counts.iter().enumerate() {
            if count > best.0 {
                best = (count, from);
            }
        }
        match best {
            (0, _) => 0,
            (count, from) => (self.chars(from, size) + size - 1) * count as usize,
        }
    }

    /// Characters of the runs of `size` words that stood before; none is counted twice.
    pub fn again(&mut self, size: usize) -> usize {
        let runs = (self.words() + 1).saturating_sub(size);
        let mut table = Table::of(runs);
        let (mut from, mut found) = (0, 0);
        while from < runs {
            let length = self.bytes[from + size] - self.bytes[from];
            let start = product(self.joined[from], self.power(length));
            let hash = difference(self.joined[from + size], start);
            if table.first(hash, from) == from {
                from += 1;
            } else {
                found += self.chars(from, size);
                from += size;
            }
        }
        found
    }
}

fn extended(hash: u64, byte: u8) -> u64 {
    let sum = product(hash, FACTOR) + u64::from(byte) + 1;
    if sum >= PRIME { sum - PRIME } else { sum }
}

fn product(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    let sum = (product as u64 & PRIME) + (product >> 61) as u64;
    if sum >= PRIME { sum - PRIME } else { sum }
}

fn difference(left: u64, right: u64) -> u64 {
    if left >= right {
        left - right
    } else {
        left + PRIME - right
    }
}

/// Where each hash stood first. An entry holds it plus one: 0 is free.
struct Table {
    entries: Vec<(u64, u32)>,
    mask: usize,
}

impl Table {
    fn of(values: usize) -> Self {
        let size = (2 * values).next_power_of_two().max(2);
        Self {
            entries: vec![(0, 0); size],
            mask: size - 1,
        }
    }

    /// The first value with a hash: `value` if there was none.
    fn first(&mut self, hash: u64, value: usize) -> usize {
        let mut slot = (hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & self.mask;
        loop {
            let entry = &mut self.entries[slot];
            if entry.0 == 0 {
                *entry = (hash + 1, value as u32);
                return value;
            }
            if entry.0 == hash + 1 {
                return entry.1 as usize;
            }
            slot = (slot + 1) & self.mask;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_stand_again_are_counted_once() {
        let words = Words::of("a b c a b c a b");
        let mut runs = Runs::of(&words);
        assert_eq!(runs.top(2), 9);
        assert_eq!(runs.again(2), 4);
        assert_eq!(runs.again(3), 3);
        assert_eq!((runs.top(9), runs.again(9)), (0, 0));
    }

    #[test]
    fn a_text_without_words_has_no_runs() {
        let mut runs = Runs::of(&Words::of(""));
        assert_eq!((runs.top(2), runs.again(5)), (0, 0));
    }
}
