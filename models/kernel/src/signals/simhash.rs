//! SimHash (Charikar 2002): texts that share most of their shingles share most of their 64 bits.
//!
//! A feature is a shingle of two words that follow each other, lower-cased, signs left out, with a
//! space between; a text of one word is one shingle. With one word, different texts of a language
//! share too many; with three, a changed word of a hundred moves 4 bits, with two it moves 3.
//! Its hash is FNV-1a of 64 bits over UTF-8, stirred by the finaliser of MurmurHash3, since the
//! upper bits of FNV hardly change from one short text to the next. Each occurrence of a shingle
//! votes once on each bit; a bit is set that has more votes for it than against it. Equal texts differ in no bit, unrelated ones in about 32.

use super::words::is_spelled;
use crate::ngram::tokens::Tokeniser;

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// For each byte, its bits as numbers, the lowest first.
static BITS: [[u16; 8]; 256] = bits();

const fn bits() -> [[u16; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte][bit] = (byte >> bit & 1) as u16;
            bit += 1;
        }
        byte += 1;
    }
    table
}

/// The fingerprint of a text, `None` for a text without words.
#[must_use]
pub fn simhash(text: &str) -> Option<u64> {
    let mut votes = Votes::default();
    let mut words = 0_usize;
    // hashes of the last word by itself, and of it with a space behind
    let (mut alone, mut before) = (OFFSET, OFFSET);
    Tokeniser::Folded.each(text, 0, text.len(), |token| {
        let word = text.get(token.start..token.end).unwrap_or("");
        if !is_spelled(word) {
            return;
        }
        // one pass for both: each byte waits for the hash of the one before
        let mut pair = before;
        alone = OFFSET;
        let mut add = |byte: u8| {
            alone = (alone ^ u64::from(byte)).wrapping_mul(PRIME);
            pair = (pair ^ u64::from(byte)).wrapping_mul(PRIME);
        };
        if word.is_ascii() {
            word.bytes().for_each(|byte| add(byte.to_ascii_lowercase()));
        } else {
            word.to_lowercase().bytes().for_each(add);
        }
        before = (alone ^ u64::from(b' ')).wrapping_mul(PRIME);
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

/// How many hashes have each bit.
struct Votes {
    hashes: u64,
    counts: [u64; 64],
    /// What is not in `counts` yet, eight bits of a hash at a time.
    recent: [[u16; 8]; 8],
}

impl Default for Votes {
    fn default() -> Self {
        Self {
            hashes: 0,
            counts: [0; 64],
            recent: [[0; 8]; 8],
        }
    }
}

impl Votes {
    fn add(&mut self, hash: u64) {
        for (counts, byte) in self.recent.iter_mut().zip(hash.to_le_bytes()) {
            for (count, bit) in counts.iter_mut().zip(BITS[byte as usize]) {
                *count += bit;
            }
        }
        self.hashes += 1;
        if self.hashes % u64::from(u16::MAX) == 0 {
            self.settle();
        }
    }

    fn settle(&mut self) {
        for (count, recent) in self.counts.iter_mut().zip(self.recent.iter().flatten()) {
            *count += u64::from(*recent);
        }
        self.recent = [[0; 8]; 8];
    }

    /// The bits that more than half of the hashes have.
    fn winners(mut self) -> u64 {
        self.settle();
        let set = self.counts.iter().enumerate();
        set.filter(|&(_, &count)| 2 * count > self.hashes)
            .fold(0, |print, (bit, _)| print | 1 << bit)
    }
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
    fn a_text_without_words_has_no_fingersimhash() {
        assert_eq!(simhash(""), None);
        assert_eq!(simhash(" -- !"), None);
        assert!(simhash("bee").is_some());
    }
}
