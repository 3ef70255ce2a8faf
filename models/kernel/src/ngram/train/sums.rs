//! Sorted n-grams -> data for probabilities: the counts of all bigrams, and each trigram with the
//! bigram of its last two words.

use std::io;

use super::counter::{Counter, packed, unpacked};
use super::spill::{Entry, Merge, Sequence, Sorter};
use super::vocabulary::{END, START, UNKNOWN, Vocabulary, WORD_BITS};
use super::weights::HeldOut;
use crate::ngram::file::facts::MAX_ORDER;

/// Summed counts, ready to become probabilities.
pub struct Sums {
    pub vocabulary: Vocabulary,
    pub held_out: HeldOut,
    /// Bigrams in the order of their keys, including the pair of two starts, as a history.
    pub bigrams: Merge,
    /// Trigrams under the key (second, third, first word).
    pub trigrams: Merge,
    /// Different n-grams seen.
    pub seen: [u64; MAX_ORDER],
}

/// A trigram with its last two words first in its key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turned {
    pub first: u32,
    /// The key of the second and third word.
    pub pair: u64,
    pub count: u32,
    /// Count of the trigram / count of its first two words.
    pub ratio: f32,
}

impl Turned {
    fn entry(key: u64, count: u64, history: u64) -> Entry {
        let turned = [unpacked(key, 1), unpacked(key, 0), unpacked(key, 2)];
        let ratio = (count as f64 / history as f64) as f32;
        let count = u32::try_from(count).unwrap_or(u32::MAX); // only compared with a gain
        Entry {
            key: packed(&turned),
            value: u64::from(count) << 32 | u64::from(ratio.to_bits()),
        }
    }

    #[must_use]
    pub fn of(entry: Entry) -> Self {
        Self {
            first: unpacked(entry.key, 0),
            pair: entry.key >> WORD_BITS,
            count: (entry.value >> 32) as u32,
            ratio: f32::from_bits(entry.value as u32),
        }
    }
}

struct Summing {
    min_counts: [u64; MAX_ORDER],
    held_out: HeldOut,
    bigrams: Sequence,
    trigrams: Sorter<Entry>,
    seen: [u64; MAX_ORDER],
}

/// One pass over the counted n-grams. For choosing the weights, n-grams below their minimum count
/// are treated as unseen, as they will be in the model.
pub fn sum_up(counter: Counter, min_counts: [u64; MAX_ORDER]) -> io::Result<Sums> {
    let (order, folder) = (counter.plan.order, counter.plan.folder);
    let vocabulary = counter.vocabulary;
    let mut summing = Summing {
        min_counts,
        held_out: HeldOut::new(&counter.held_out, &vocabulary, min_counts[0]),
        bigrams: Sequence::new(&folder)?,
        trigrams: Sorter::new(&folder, |first, _| first)?,
        seen: [vocabulary.words().count() as u64, 0, 0],
    };
    let mut ngrams = counter.ngrams.sorted()?;
    if order < 3 {
        while let Some(entry) = ngrams.next_entry()? {
            summing.bigram(entry)?;
        }
    } else {
        summing.histories(&mut ngrams)?;
    }
    Ok(Sums {
        vocabulary,
        held_out: summing.held_out,
        bigrams: summing.bigrams.read()?,
        trigrams: summing.trigrams.sorted()?,
        seen: summing.seen,
    })
}

impl Summing {
    fn bigram(&mut self, entry: Entry) -> io::Result<()> {
        let is_history_only = unpacked(entry.key, 0) == START;
        self.seen[1] += u64::from(!is_history_only);
        if is_history_only || entry.value >= self.min_counts[1] {
            self.held_out.meet_bigram(entry.key, entry.value);
        }
        self.bigrams.push(entry)
    }

    /// Takes trigrams in order, all those with the same first two words together.
    fn histories(&mut self, trigrams: &mut Merge) -> io::Result<()> {
        let mut group: Vec<Entry> = Vec::new(); // at most one per word of the vocabulary
        loop {
            let next = trigrams.next_entry()?;
            let history = |entry: &Entry| entry.key >> WORD_BITS;
            let is_over = group.first().map(history) != next.as_ref().map(history);
            if let (Some(first), true) = (group.first(), is_over) {
                self.history(history(first), &group)?;
                group.clear();
            }
            match next {
                Some(entry) => group.push(entry),
                None => return Ok(()),
            }
        }
    }

    /// The trigrams of one history, including sentence ends, sum to its count.
    fn history(&mut self, history: u64, trigrams: &[Entry]) -> io::Result<()> {
        let total = trigrams.iter().map(|entry| entry.value).sum();
        self.bigram(Entry {
            key: history,
            value: total,
        })?;
        for entry in trigrams {
            let words = [0, 1, 2].map(|from_last| unpacked(entry.key, from_last));
            if words[0] == END {
                continue;
            }
            self.seen[2] += 1;
            if entry.value >= self.min_counts[2] && !words.contains(&UNKNOWN) {
                self.held_out.meet_trigram(entry.key, entry.value);
                self.trigrams
                    .push(Turned::entry(entry.key, entry.value, total))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turned_trigram_keeps_its_words_and_counts() {
        let entry = Turned::entry(packed(&[5, 6, 7]), 3, 12);
        let expected = Turned {
            first: 5,
            pair: packed(&[6, 7]),
            count: 3,
            ratio: 0.25,
        };
        assert_eq!(Turned::of(entry), expected);
    }
}
