//! Tokens and n-grams as 64-bit keys: no vocabulary and no strings on the hot path.
//!
//! Two words or n-grams have the same key with probability 2^-64 per pair; the table adds its own,
//! larger error (see `table`).

/// Odd constants without structure (the first digits are from wyhash).
const S0: u64 = 0xa076_1d64_78bd_642f;
const S1: u64 = 0xe703_7ed1_a0b4_28db;
const S2: u64 = 0x8ebc_6af0_9c88_c6e3;
const S3: u64 = 0x5899_65cc_7537_4cc3;

/// The key of the sentence start, which no token has: the history of the first token.
pub const START: u64 = 0x1234_5678_9abc_def1;

/// The keys of one token with its history: of its unigram, bigram and trigram.
pub type Keys = [u64; 3];

/// Sets the bit that distinguishes an ASCII capital from its small letter; digits and `'` have it
/// set.
pub const SMALL: u64 = 0x2020_2020_2020_2020;

/// The 64-bit fold of a 128-bit product: every bit of both factors reaches every bit of it.
#[inline]
#[must_use]
pub fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

/// A hash extended by one value; order matters.
#[inline]
#[must_use]
pub fn append(hash: u64, value: u64) -> u64 {
    mix(hash ^ value, 0x9e37_79b9_7f4a_7c15)
}

/// Up to eight bytes from `at`, little-endian, zero beyond `end`. `at <= end <= bytes.len()`.
#[inline]
#[must_use]
pub fn load(bytes: &[u8], at: usize, end: usize) -> u64 {
    let wanted = end - at;
    let word = match bytes.get(at..at + 8) {
        Some(eight) => u64::from_le_bytes(eight.try_into().unwrap_or_default()),
        None => few(bytes.get(at..).unwrap_or_default()),
    };
    if wanted >= 8 {
        word
    } else {
        word & ((1 << (8 * wanted)) - 1)
    }
}

/// All of fewer than eight bytes, little-endian, without a loop.
#[inline]
fn few(bytes: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let last = u64::from(u32::from_le_bytes(*last));
        return u64::from(u32::from_le_bytes(*first)) | last << (8 * (bytes.len() - 4));
    }
    let byte = |at: usize| bytes.get(at).map_or(0, |&byte| u64::from(byte) << (8 * at));
    byte(0) | byte(1) | byte(2)
}

const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each of eight bytes.
const HIGH: u64 = 0x80 * ONES;

/// Sets the highest bit of each byte that is at least `least`; all bytes must be below 128.
#[inline]
fn reach(bytes: u64, least: u8) -> u64 {
    bytes + ONES * u64::from(0x80 - least)
}

/// Length of the word at the start of eight bytes of text, little-endian: ASCII letters and digits.
#[inline]
#[must_use]
pub fn word_prefix(eight: u64) -> usize {
    let low = eight & !HIGH;
    let small = low | SMALL;
    let letters = reach(small, b'a') & !reach(small, b'z' + 1);
    let digits = reach(low, b'0') & !reach(low, b'9' + 1);
    let others = !(letters | digits) & HIGH | eight & HIGH;
    others.trailing_zeros() as usize / 8
}

/// Where the class that begins at `start` ends, at a blank, and where its first digit is, else the same.
#[inline]
#[must_use]
pub fn class_end(bytes: &[u8], start: usize) -> (usize, usize) {
    let (mut end, mut digit) = (start, None);
    loop {
        let rest = bytes.get(end..).unwrap_or_default();
        // zeros follow the text
        let eight = match rest.first_chunk() {
            Some(eight) => u64::from_le_bytes(*eight),
            None => few(rest),
        };
        let low = eight & !HIGH;
        let blanks = !(reach(low, b' ' + 1) | eight) & HIGH;
        let digits = reach(low, b'0') & !reach(low, b'9' + 1) & !eight & HIGH;
        let place = |marks: u64| end + marks.trailing_zeros() as usize / 8;
        let digits = digits & !blanks & blanks.wrapping_sub(1);
        if digits != 0 && digit.is_none() {
            digit = Some(place(digits));
        }
        if blanks != 0 {
            let end = place(blanks);
            return (end, digit.unwrap_or(end));
        }
        end += 8;
    }
}

/// The key of the token made of the first `length` bytes, at most eight, of a text: ASCII letters
/// and digits only; with `FOLD` it is the key of the lower-cased token.
#[inline]
#[must_use]
pub fn short_word<const FOLD: bool>(eight: u64, length: usize) -> u64 {
    let kept = u64::MAX >> (64 - 8 * length.clamp(1, 8));
    let small = if FOLD { SMALL } else { 0 };
    mix(((eight | small) & kept) ^ S0, S1 ^ length as u64)
}

/// The key of a token of one byte.
#[inline]
#[must_use]
pub fn byte(byte: u8) -> u64 {
    mix(u64::from(byte) ^ S0, S1 ^ 1)
}

#[inline]
fn hash<const FOLD: bool>(bytes: &[u8], start: usize, end: usize) -> u64 {
    let length = end - start;
    let masked = |at: usize| {
        let word = load(bytes, at, end);
        if !FOLD {
            return word;
        }
        let kept = end - at;
        let small = if kept >= 8 {
            SMALL
        } else {
            SMALL & ((1 << (8 * kept)) - 1)
        };
        word | small
    };
    if length <= 8 {
        return mix(masked(start) ^ S0, S1 ^ length as u64);
    }
    let mut key = S2 ^ length as u64;
    let mut at = start;
    while at < end {
        key = mix(key ^ masked(at), S1);
        at += 8;
    }
    mix(key, S0)
}

/// The key of a token, from its normalised text.
#[inline]
#[must_use]
pub fn token(normalised: &[u8]) -> u64 {
    hash::<false>(normalised, 0, normalised.len())
}

/// The key of the token `bytes[start..end]`, which is ASCII letters, digits and `'` only; with
/// `FOLD` it is the key of the lower-cased token. `start <= end <= bytes.len()`.
#[inline]
#[must_use]
pub fn ascii_word<const FOLD: bool>(bytes: &[u8], start: usize, end: usize) -> u64 {
    hash::<FOLD>(bytes, start, end)
}

/// The key of two adjacent tokens, from theirs.
#[inline]
#[must_use]
pub fn bigram(first: u64, second: u64) -> u64 {
    mix(first ^ S1, second ^ S3)
}

/// The key of three tokens, from the key of the first two and the key of the last.
#[inline]
#[must_use]
pub fn trigram(first_two: u64, third: u64) -> u64 {
    mix(first_two ^ S2, third ^ S0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_has_one_key_wherever_it_stands_in_the_text() {
        for word in [
            "a",
            "word",
            "eightlet",
            "nineletter",
            "don't",
            "sixteen-letters1",
        ] {
            let expected = token(word.as_bytes());
            for before in 0..9 {
                for after in 0..9 {
                    let text = format!("{}{word}{}", "x".repeat(before), "y".repeat(after));
                    let found = ascii_word::<false>(text.as_bytes(), before, before + word.len());
                    assert_eq!(found, expected, "{text}");
                }
            }
        }
    }

    #[test]
    fn folding_gives_the_key_of_the_small_letters() {
        let text = b"  DON'T Panic42Loudly  ";
        assert_eq!(ascii_word::<true>(text, 2, 7), token(b"don't"));
        assert_eq!(ascii_word::<true>(text, 8, 21), token(b"panic42loudly"));
    }

    #[test]
    fn short_words_have_the_keys_of_their_bytes() {
        for length in 1..=8 {
            let mut text = *b"DON9TaNk";
            let word = token(text.get(..length).unwrap());
            let small = token(text.to_ascii_lowercase().get(..length).unwrap());
            if let Some(next) = text.get_mut(length) {
                *next = b'-';
            }
            let eight = u64::from_le_bytes(text);

            assert_eq!(word_prefix(eight), length);
            assert_eq!(short_word::<false>(eight, length), word);
            assert_eq!(short_word::<true>(eight, length), small);
        }
        assert_eq!(byte(b'.'), token(b"."));
    }

    #[test]
    fn every_byte_but_letters_and_digits_ends_a_word() {
        for byte in 0..=u8::MAX {
            let expected = if byte.is_ascii_alphanumeric() { 8 } else { 3 };
            for filler in [b'a', b'Z', b'0', b'9'] {
                let mut text = [filler; 8];
                text[3] = byte;

                assert_eq!(word_prefix(u64::from_le_bytes(text)), expected, "{byte}");
            }
        }
    }

    #[test]
    fn classes_end_at_blanks() {
        for (text, start, expected) in [
            ("", 0, (0, 0)),
            (" a", 0, (0, 0)),
            ("card", 0, (4, 4)),
            ("card 12", 0, (4, 4)),
            ("card 12", 5, (7, 5)),
            ("card-of-many-2-letters-3\nnext", 0, (24, 13)),
            ("eight888", 0, (8, 5)),
            ("größe-é\tn9", 0, (10, 10)),
        ] {
            assert_eq!(class_end(text.as_bytes(), start), expected, "{text}");
        }
    }

    #[test]
    fn length_and_order_change_the_key() {
        assert_ne!(token(b"a"), token(b"a\0"));
        assert_ne!(token(b"aaaaaaaa"), token(b"aaaaaaaaa"));
        let (a, b) = (token(b"a"), token(b"b"));
        assert_ne!(bigram(a, b), bigram(b, a));
        assert_ne!(trigram(bigram(a, b), a), bigram(bigram(a, b), a));
    }
}
