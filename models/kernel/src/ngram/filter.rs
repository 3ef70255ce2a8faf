//! One bit for every n-gram of a small table: finds most unlisted n-grams without a look-up in the
//! table itself.
//!
//! A small model lists few of a page's bigrams. With 77,000 n-grams, 7 % of the unlisted ones pass
//! the filter, and the table rejects them.

use super::table::{BUCKET_BYTES, SLOTS, Table};

/// Bits of a fingerprint that select a bit of the filter: 128 kB, so that it stays in a cache next
/// to the table.
const BITS: u32 = 20;
const WORDS: usize = (1 << BITS) / u64::BITS as usize;
/// Largest table for which the filter is useful, in bytes: eight bits per n-gram.
const MOST: usize = (1 << BITS) / 8 / SLOTS * BUCKET_BYTES;

/// The n-grams of a table by the lowest bits of their keys.
#[derive(Debug)]
pub struct Filter(Box<[u64; WORDS]>);

impl Filter {
    /// The filter of a table; none if too much would pass it.
    #[must_use]
    pub fn of(table: Table<'_>) -> Option<Self> {
        if table.bytes() > MOST {
            return None;
        }
        let mut filter = Self(Box::new([0; WORDS]));
        // the fingerprint of a key that ends in zeros is different
        filter.add(0);
        for fingerprint in table.fingerprints() {
            filter.add(u64::from(fingerprint));
        }
        Some(filter)
    }

    fn add(&mut self, key: u64) {
        let (word, bit) = place(key);
        self.0[word] |= bit;
    }

    /// Whether the table may list a key; if false, it does not.
    #[inline]
    #[must_use]
    pub fn passes(&self, key: u64) -> bool {
        let (word, bit) = place(key);
        self.0[word] & bit != 0
    }
}

/// The word and the bit of a key.
#[inline]
fn place(key: u64) -> (usize, u64) {
    let word = key as usize / u64::BITS as usize % WORDS;
    (word, 1 << (key % u64::from(u64::BITS)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ngram::table::builder::buckets_for;
    use crate::ngram::table::tests::{build, keys};
    use crate::text::hash::mix;

    fn table(keys: &[u64]) -> Vec<u8> {
        let entries: Vec<_> = keys.iter().map(|&key| (key, 1)).collect();
        build(&entries, buckets_for(keys.len() as u64)).unwrap()
    }

    #[test]
    fn what_is_listed_passes_and_little_else() {
        let mut keys = keys(70_000);
        keys.extend((1..5).map(|high| high << 60)); // all of them end in zeros
        keys.sort_unstable();
        let bytes = table(&keys);

        let filter = Filter::of(Table::new(&bytes)).unwrap();

        assert!(keys.iter().all(|&key| filter.passes(key)));
        let others = (1..=100_000).filter(|&n| filter.passes(mix(n, 0xdead_beef_1234_5677)));
        assert!(others.count() < 8_000);
    }

    #[test]
    fn a_large_table_has_none() {
        let bytes = table(&keys(140_000));

        assert!(Filter::of(Table::new(&bytes)).is_none());
    }
}
