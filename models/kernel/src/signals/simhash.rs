//! SimHash (Charikar 2002): texts that share most of their shingles share most of their 64 bits.
//!
//! A feature is a shingle of words that follow each other, lower-cased, signs left out, with
//! single spaces between. Its hash is FNV-1a of 64 bits over UTF-8, stirred by the finaliser of
//! MurmurHash3, since the upper bits of FNV hardly change from one short text to the next. Each
//! occurrence of a shingle votes once on each bit; a bit is set that has more votes for it than
//! against it. Equal texts differ in no bit, unrelated ones in about 32.

use super::words::{Words, is_spelled};

/// Words of a shingle; a text of fewer is one shingle. With one, different texts of a language share
/// too many; with three, a changed word of a hundred moves 4 bits, with two it moves 3.
pub const SHINGLE: usize = 2;
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
pub fn simhash(words: &Words<'_>) -> Option<u64> {
    let (text, ends) = lower(words);
    let size = SHINGLE.min(ends.len());
    if size == 0 {
        return None;
    }
    let mut votes = Votes::default();
    for last in size - 1..ends.len() {
        let start = (last + 1)
            .checked_sub(size + 1)
            .map_or(0, |before| ends[before] + 1);
        votes.add(stirred(hash(&text[start..ends[last]])));
    }
    Some(votes.winners())
}

/// The spelled words in lower case with single spaces between, and where each ends.
fn lower(words: &Words<'_>) -> (Vec<u8>, Vec<usize>) {
    let mut text = Vec::with_capacity(words.text.len() + 1);
    let mut ends = Vec::with_capacity(words.tokens.len());
    for word in words.iter().filter(|word| is_spelled(word)) {
        if !ends.is_empty() {
            text.push(b' ');
        }
        if word.is_ascii() {
            text.extend(word.bytes().map(|byte| byte.to_ascii_lowercase()));
        } else {
            text.extend_from_slice(word.to_lowercase().as_bytes());
        }
        ends.push(text.len());
    }
    (text, ends)
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

fn hash(shingle: &[u8]) -> u64 {
    shingle.iter().fold(OFFSET, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(PRIME)
    })
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

    fn print(text: &str) -> Option<u64> {
        simhash(&Words::of(text))
    }

    #[test]
    fn case_signs_and_space_do_not_matter() {
        assert_eq!(print("The bees, they fly!"), print("the  bees\nthey FLY"));
        assert_ne!(print("the bees they fly"), print("they fly the bees"));
    }

    #[test]
    fn a_text_without_words_has_no_fingerprint() {
        assert_eq!(print(""), None);
        assert_eq!(print(" -- !"), None);
        assert!(print("bee").is_some());
    }
}
