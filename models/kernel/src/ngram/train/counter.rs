//! Training text to counts: lines in, sorted runs of n-grams on disk, words in memory.

use std::io;
use std::path::PathBuf;

use super::spill::Sorter;
use super::vocabulary::{END, START, Vocabulary, WORD_BITS};
use crate::ngram::punkt::Splitter;
use crate::ngram::punkt::parameters::Parameters;
use crate::ngram::tokens::{Token, Tokeniser};
use crate::text::hash;

/// Enough tokens for choosing the weights.
const HELD_OUT_TOKENS: usize = 1_000_000;
/// A longer line is cut, at white space if it has any.
const MAX_LINE_BYTES: usize = 1 << 20;

/// What to count.
#[derive(Clone, Debug)]
pub struct Plan {
    pub order: usize,
    pub tokeniser: Tokeniser,
    /// Hold out one of this many lines for choosing the weights; 0 for none.
    pub hold_out: u64,
    /// Where to spill.
    pub folder: PathBuf,
}

/// Counts of a text and other data needed to build a model from them.
pub struct Counter {
    pub plan: Plan,
    pub vocabulary: Vocabulary,
    /// Keys of n-grams of the order of the plan; for order 3 with the sentence end.
    pub ngrams: Sorter<u64>,
    /// Keys of the tokens of held-out sentences, each after a `hash::START`.
    pub held_out: Vec<u64>,
    /// The table of Punkt parameters.
    pub punkt: Vec<u8>,
    pending: Vec<u8>,
    lines: u64,
    spans: Vec<(usize, usize)>,
    keys: Vec<u64>,
    numbers: Vec<u32>,
}

/// The key of an n-gram: the numbers of its words, the first one highest.
#[inline]
#[must_use]
pub fn packed(numbers: &[u32]) -> u64 {
    numbers
        .iter()
        .fold(0, |key, &number| key << WORD_BITS | u64::from(number))
}

/// The number of the word at this distance before the last.
#[inline]
#[must_use]
pub fn unpacked(key: u64, from_last: u32) -> u32 {
    ((key >> (WORD_BITS * from_last)) & ((1 << WORD_BITS) - 1)) as u32
}

impl Counter {
    /// A counter that splits sentences with the Punkt table given.
    pub fn new(plan: Plan, punkt: Vec<u8>) -> io::Result<Self> {
        Ok(Self {
            ngrams: Sorter::new(&plan.folder, |a, b| a.saturating_add(b))?,
            vocabulary: Vocabulary::default(),
            held_out: Vec::new(),
            punkt,
            pending: Vec::new(),
            lines: 0,
            spans: Vec::new(),
            keys: Vec::new(),
            numbers: Vec::new(),
            plan,
        })
    }

    /// Counts the lines of a chunk; a line may continue in the next chunk. Bytes that are not UTF-8
    /// become U+FFFD.
    pub fn feed(&mut self, chunk: &[u8]) -> io::Result<()> {
        let mut rest = chunk;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let (line, behind) = (&rest[..end], &rest[end + 1..]);
            if self.pending.is_empty() {
                self.line(line)?;
            } else {
                self.pending.extend_from_slice(line);
                self.flush()?;
            }
            rest = behind;
        }
        self.pending.extend_from_slice(rest);
        while self.pending.len() > MAX_LINE_BYTES {
            let space = |byte: &u8| byte.is_ascii_whitespace();
            let cut = self.pending[..MAX_LINE_BYTES].iter().rposition(space);
            let behind = self
                .pending
                .split_off(cut.map_or(MAX_LINE_BYTES, |cut| cut + 1));
            self.flush()?;
            self.pending = behind;
        }
        Ok(())
    }

    /// Counts the text after the last line feed.
    pub fn flush(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.pending);
        self.line(&line)?;
        self.pending = line;
        self.pending.clear();
        Ok(())
    }

    fn line(&mut self, line: &[u8]) -> io::Result<()> {
        self.lines += 1;
        let held_out = self.plan.hold_out > 0
            && self.lines % self.plan.hold_out == 0
            && self.held_out.len() < HELD_OUT_TOKENS;
        let text = String::from_utf8_lossy(line);
        let mut spans = std::mem::take(&mut self.spans);
        spans.clear();
        Splitter::new(Parameters::new(&self.punkt)).split(&text, &mut spans);
        for &(start, end) in &spans {
            if held_out {
                self.hold_out(&text, start, end);
            } else {
                self.sentence(&text, start, end)?;
            }
        }
        self.spans = spans;
        Ok(())
    }

    fn hold_out(&mut self, text: &str, start: usize, end: usize) {
        let before = self.held_out.len();
        self.held_out.push(hash::START);
        let keys = &mut self.held_out;
        let keep = |token: Token| keys.push(token.key);
        self.plan.tokeniser.each(text, start, end, keep);
        if self.held_out.len() == before + 1 {
            self.held_out.truncate(before);
        }
    }

    fn sentence(&mut self, text: &str, start: usize, end: usize) -> io::Result<()> {
        let mut keys = std::mem::take(&mut self.keys);
        keys.clear();
        let keep = |token: Token| keys.push(token.key);
        self.plan.tokeniser.each(text, start, end, keep);
        self.numbers.clear();
        self.numbers.extend([START; 2]);
        self.vocabulary.count(&keys, &mut self.numbers);
        self.keys = keys;
        if self.keys.is_empty() {
            return Ok(());
        }
        self.vocabulary.count_sentence();
        match self.plan.order {
            2 => {
                for pair in self.numbers[1..].windows(2) {
                    self.ngrams.push(packed(pair))?;
                }
            }
            3 => {
                // the end makes the trigrams of a history sum to the count of that history
                self.numbers.push(END);
                for three in self.numbers.windows(3) {
                    self.ngrams.push(packed(three))?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
