//! SimHash (Charikar 2002): texts that share most of their shingles share most of their 64 bits.
//!
//! A feature is a shingle of two adjacent words, without signs. With one word, different texts of a
//! language share too many; with three, a changed word in a hundred changes 4 bits, with two it
//! changes 3. Its hash comes from the keys of its words ([`crate::text::hash`]), which are computed
//! during tokenization from folded characters: case and forms of an apostrophe do not matter. Each
//! occurrence of a shingle votes once on each bit; a bit is set if it has more votes for it than
//! against it. A text of one word has its key. Equal texts differ in no bit, unrelated ones in
//! about 32.

use super::keys::keys;
use crate::text::hash::append;

/// The fingerprint of a text, `None` for a text without words.
#[must_use]
pub fn simhash(text: &str) -> Option<u64> {
    of_keys(&keys(text))
}

/// The same from the keys of its words.
#[must_use]
pub fn of_keys(keys: &[u64]) -> Option<u64> {
    if let [] | [_] = keys {
        return keys.first().copied();
    }
    let mut votes = Votes::default();
    let mut rest = keys;
    while let Some(words) = rest.first_chunk::<{ AT_ONCE + 1 }>() {
        votes.add(std::array::from_fn(|at| pair(words[at], words[at + 1])));
        rest = &rest[AT_ONCE..];
    }
    // the missing ones vote for no bit
    let mut last = [0; AT_ONCE];
    for (hash, words) in last.iter_mut().zip(rest.windows(2)) {
        *hash = pair(words[0], words[1]);
    }
    votes.add(last);
    Some(votes.winners(keys.len() as u64 - 1))
}

/// The hash of a shingle, from the keys of its words.
#[inline]
fn pair(first: u64, second: u64) -> u64 {
    append(first.rotate_left(1), second)
}

/// Hashes that are counted together.
const AT_ONCE: usize = 16;

/// Counts of each bit in the hashes: the counters of 64 bits are stored by binary digit, one digit
/// of all of them in a number, so that a few integer operations count all bits of sixteen hashes
/// (the adders of Harley and Seal, as in Mula, Kurz and Lemire 2018). The lowest digit comes first.
#[derive(Default)]
struct Votes([u64; 32]);

impl Votes {
    #[inline]
    fn add(&mut self, hashes: [u64; AT_ONCE]) {
        let mut carried = hashes;
        let mut digits = self.0.iter_mut();
        let mut left = AT_ONCE;
        while left > 1 {
            let Some(digit) = digits.next() else { return };
            left /= 2;
            for at in 0..left {
                carried[at] = carry(digit, carried[2 * at], carried[2 * at + 1]);
            }
        }
        let mut carried = carried[0];
        for digit in digits {
            if carried == 0 {
                return;
            }
            (*digit, carried) = (*digit ^ carried, *digit & carried);
        }
    }

    /// The bits set in more than half of this many hashes: all counts are compared at once, from
    /// the highest digit down.
    fn winners(&self, hashes: u64) -> u64 {
        let (mut more, mut equal) = (0, u64::MAX);
        for (place, digit) in self.0.iter().enumerate().rev() {
            let half = (((hashes / 2) >> place) & 1).wrapping_neg();
            more |= equal & digit & !half;
            equal &= !(digit ^ half);
        }
        more
    }
}

/// Adds two one-digit numbers to a third and returns the carry.
#[inline]
fn carry(digit: &mut u64, one: u64, other: u64) -> u64 {
    let sum = *digit ^ one;
    let carried = *digit & one | sum & other;
    *digit = sum ^ other;
    carried
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_signs_and_space_do_not_matter() {
        assert_eq!(
            simhash("The bees, they fly!"),
            simhash("the  bees\nthey FLY")
        );
        assert_ne!(simhash("the bees they fly"), simhash("they fly the bees"));
    }

    #[test]
    fn votes_are_those_counted_one_by_one() {
        for number in [2, 3, 16, 17, 18, 33, 1000, 70_001] {
            let keys: Vec<u64> = (0..number).map(|at| pair(at, 7)).collect();
            let hashes = keys.windows(2).map(|words| pair(words[0], words[1]));

            let count = |bit: u64| hashes.clone().filter(|hash| hash >> bit & 1 == 1).count();
            let expected = (0..64).filter(|&bit| 2 * count(bit) as u64 > number - 1);
            assert_eq!(
                of_keys(&keys),
                Some(expected.fold(0, |print, bit| print | 1 << bit))
            );
        }
    }

    #[test]
    fn a_text_without_words_has_no_fingerprint() {
        assert_eq!(simhash(""), None);
        assert_eq!(simhash(" -- !"), None);
        assert!(simhash("bee").is_some());
    }
}
