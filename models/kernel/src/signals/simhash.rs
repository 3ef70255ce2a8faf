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

/// The fingerprint of a text, `None` for a text without words.
#[must_use]
pub fn simhash(words: &Words<'_>) -> Option<u64> {
    let words: Vec<String> = words
        .iter()
        .filter(|word| is_spelled(word))
        .map(str::to_lowercase)
        .collect();
    if words.is_empty() {
        return None;
    }
    let mut votes = [0_i32; 64];
    for shingle in words.windows(SHINGLE.min(words.len())) {
        let hash = stirred(hash(shingle));
        for (bit, vote) in votes.iter_mut().enumerate() {
            *vote += ((hash >> bit & 1) as i32) * 2 - 1;
        }
    }
    let set = votes.iter().enumerate().filter(|&(_, &vote)| vote > 0);
    Some(set.fold(0, |print, (bit, _)| print | 1 << bit))
}

fn hash(shingle: &[String]) -> u64 {
    let mut hash = OFFSET;
    let mut add = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(PRIME);
    for (number, word) in shingle.iter().enumerate() {
        if number > 0 {
            add(b' ');
        }
        word.bytes().for_each(&mut add);
    }
    hash
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
