//! SimHash (Charikar 2002): texts that share most of their shingles share most of their 64 bits.
//!
//! A feature is a shingle of two words that follow each other, lower-cased, signs left out, with a
//! space between; a text of one word is one shingle. With one word, different texts of a language
//! share too many; with three, a changed word of a hundred moves 4 bits, with two it moves 3.
//! Its hash is FNV-1a of 64 bits over UTF-8, stirred by the finaliser of MurmurHash3, since the
//! upper bits of FNV hardly change from one short text to the next. Each occurrence of a shingle
//! votes once on each bit; a bit is set that has more votes for it than against it. Equal texts differ in no bit, unrelated ones in about 32.

use super::words::is_spelled;
use crate::ngram::hash::load;
use crate::ngram::tokens::Tokeniser;

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;
/// Sets the bit that tells an ASCII capital from its small letter; digits and `'` have it set.
const SMALL: u64 = 0x2020_2020_2020_2020;
/// The bits that no ASCII character has.
const BEYOND_ASCII: u64 = 0x8080_8080_8080_8080;

/// The fingerprint of a text, `None` for a text without words.
#[must_use]
pub fn simhash(text: &str) -> Option<u64> {
    let mut votes = Votes::default();
    let mut words = 0_usize;
    // hashes of the last word by itself, and of it with a space behind
    let (mut alone, mut before) = (OFFSET, OFFSET);
    Tokeniser::Folded.each(text, 0, text.len(), |token| {
        let bytes = text.as_bytes();
        let length = token.end - token.start;
        let eight = load(bytes, token.start, token.end);
        let pair;
        if length <= 8 && eight & BEYOND_ASCII == 0 {
            if !bytes[token.start].is_ascii_alphanumeric() {
                return;
            }
            alone = with_first(OFFSET, eight | SMALL, length);
            pair = with_first(before, eight | SMALL, length);
        } else {
            let word = text.get(token.start..token.end).unwrap_or("");
            if !is_spelled(word) {
                return;
            }
            let both = |(one, other), byte| (with_byte(one, byte), with_byte(other, byte));
            (alone, pair) = if word.is_ascii() {
                let lower = word.bytes().map(|byte| byte.to_ascii_lowercase());
                lower.fold((OFFSET, before), both)
            } else {
                word.to_lowercase().bytes().fold((OFFSET, before), both)
            };
        }
        before = with_byte(alone, b' ');
        words += 1;
        if words > 1 {
            votes.add(stirred(pair));
        }
    });
    match words {
        0 => None,
        1 => Some(stirred(alone)),
        _ => Some(votes.winners()),
    }
}

#[inline]
fn with_byte(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(PRIME)
}

/// A hash with the first `length` of eight bytes behind it.
///
/// It adds them all and takes what stood after `length`: a branch on the length of words would be
/// guessed wrong at every other one.
#[inline]
fn with_first(hash: u64, eight: u64, length: usize) -> u64 {
    let mut hashes = [hash; 9];
    for (at, byte) in eight.to_le_bytes().into_iter().enumerate() {
        hashes[at + 1] = with_byte(hashes[at], byte);
    }
    hashes[length.min(8)]
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

fn stirred(mut hash: u64) -> u64 {
    for factor in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] {
        hash = (hash ^ hash >> 33).wrapping_mul(factor);
    }
    hash ^ hash >> 33
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
            let hashes = (0..number).map(|at| stirred(at * 3) | 5 & stirred(at));
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
    fn the_first_bytes_are_hashed_as_one_by_one_whatever_their_number() {
        let bytes = *b"panic42'";
        for length in 0..=8 {
            let expected = bytes[..length].iter().copied().fold(7, with_byte);

            assert_eq!(with_first(7, u64::from_le_bytes(bytes), length), expected);
        }
    }

    #[test]
    fn a_text_without_words_has_no_fingerprint() {
        assert_eq!(simhash(""), None);
        assert_eq!(simhash(" -- !"), None);
        assert!(simhash("bee").is_some());
    }
}
