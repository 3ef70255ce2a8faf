//! SimHash (Charikar 2002): texts that share most of their shingles share most of their 64 bits.
//!
//! A feature is a shingle of two words that follow each other, signs left out. With one word,
//! different texts of a language share too many; with three, a changed word of a hundred moves
//! 4 bits, with two it moves 3. Its hash comes from the keys of its words ([`crate::ngram::hash`]),
//! which are made when the text is cut into tokens, of folded characters: case and forms of an
//! apostrophe do not matter. Each occurrence of a shingle votes once on each bit; a bit is set that
//! has more votes for it than against it. A text of one word has its key. Equal texts differ in no
//! bit, unrelated ones in about 32.

use super::keys::keys;
use crate::ngram::hash::append;

/// The fingerprint of a text, `None` for a text without words.
#[must_use]
pub fn simhash(text: &str) -> Option<u64> {
    of_keys(&keys(text))
}

/// The same, given the keys of its words.
#[must_use]
pub fn of_keys(keys: &[u64]) -> Option<u64> {
    if let [] | [_] = keys {
        return keys.first().copied();
    }
    let mut votes = Votes::default();
    for words in keys.windows(2) {
        votes.add(pair(words[0], words[1]));
    }
    Some(votes.winners())
}

/// The hash of a shingle, given the keys of its words.
#[inline]
fn pair(first: u64, second: u64) -> u64 {
    append(first.rotate_left(1), second)
}

/// Hashes that are counted at once.
const AT_ONCE: usize = 8;

/// How many hashes have each bit: the counters of 64 bits stand upright, one digit of all of them
/// in a number, so that a few operations on whole numbers count all bits of eight hashes (the
/// adders of Harley and Seal, as in Mula, Kurz and Lemire 2018).
#[derive(Default)]
struct Votes {
    hashes: u64,
    /// The binary digits of the counters, the lowest first.
    digits: [u64; 32],
    waiting: [u64; AT_ONCE],
}

impl Votes {
    #[inline]
    fn add(&mut self, hash: u64) {
        self.waiting[self.hashes as usize % AT_ONCE] = hash;
        self.hashes += 1;
        if self.hashes as usize % AT_ONCE == 0 {
            self.settle();
        }
    }

    /// Counts the hashes that wait.
    fn settle(&mut self) {
        let [a, b, c, d, e, f, g, h] = std::mem::take(&mut self.waiting);
        let [ones, twos, fours, rest @ ..] = &mut self.digits;
        let (in_a, in_b) = (carry(ones, a, b), carry(ones, c, d));
        let (in_c, in_d) = (carry(ones, e, f), carry(ones, g, h));
        let (low, high) = (carry(twos, in_a, in_b), carry(twos, in_c, in_d));
        let mut carried = carry(fours, low, high);
        for digit in rest {
            if carried == 0 {
                return;
            }
            (*digit, carried) = (*digit ^ carried, *digit & carried);
        }
    }

    /// The bits that more than half of the hashes have.
    fn winners(mut self) -> u64 {
        self.settle();
        let count = |bit: usize| {
            let digits = self.digits.iter().rev();
            digits.fold(0, |count, digit| 2 * count + (digit >> bit & 1))
        };
        (0..64)
            .filter(|&bit| 2 * count(bit) > self.hashes)
            .fold(0, |print, bit| print | 1 << bit)
    }
}

/// Adds two numbers of one digit to a third and gives what is carried to the next digit.
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
        for number in [0, 1, 7, 8, 9, 1000, 70_001] {
            let hashes = (0..number).map(|at| pair(at, 3) | 5 & pair(at, 7));
            let mut votes = Votes::default();
            hashes.clone().for_each(|hash| votes.add(hash));

            let count = |bit: u64| hashes.clone().filter(|hash| hash >> bit & 1 == 1).count();
            let expected = (0..64).filter(|&bit| 2 * count(bit) as u64 > number);
            assert_eq!(
                votes.winners(),
                expected.fold(0, |print, bit| print | 1 << bit)
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
