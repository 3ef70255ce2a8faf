//! The keys of the words of a text, ASCII 64 bytes per step.

use super::words::is_spelled;
use crate::ngram::tokens::Tokeniser;
use crate::text::hash::{ascii_word, short_word};

/// Bytes that are processed together: a bit each.
const WINDOW: usize = 64;
/// Shorter ASCII runs between other characters are not separated.
const LEAST: usize = 4 * WINDOW;
/// The class of a byte, from its highest and its lowest bit.
const LETTER: u8 = 0x80;
const APOSTROPHE: u8 = 1;

/// The key of each word of a text, in order. Words and keys are as in [`Tokeniser::Folded`],
/// without the tokens that are signs.
#[must_use]
pub fn keys(text: &str) -> Vec<u64> {
    let bytes = text.as_bytes();
    let mut keys = Vec::with_capacity(bytes.len() / 5);
    let mut at = 0;
    while at < bytes.len() {
        let windows = bytes[at..].chunks(WINDOW);
        let plain = windows.take_while(|window| window.is_ascii());
        let plain = at + plain.map(<[u8]>::len).sum::<usize>();
        // no word continues across a space, so a text may be cut there
        let start = if plain == bytes.len() {
            plain
        } else {
            let space = bytes[at..plain].iter().rposition(is_space);
            space.map_or(at, |space| at + space)
        };
        ascii_keys(bytes, at, start, &mut keys);
        let end = space_from(bytes, plain_from(bytes, plain));
        Tokeniser::Folded.each(text, start, end, |token| {
            let is_word = match bytes.get(token.start) {
                Some(first) if first.is_ascii() => first.is_ascii_alphanumeric(),
                _ => text.get(token.start..).is_some_and(is_spelled),
            };
            if is_word {
                keys.push(token.key);
            }
        });
        at = end;
    }
    keys
}

/// The start of the next long enough ASCII run from `at`, or the end.
fn plain_from(bytes: &[u8], at: usize) -> usize {
    let mut start = at;
    for (number, window) in bytes[at..].chunks(WINDOW).enumerate() {
        let end = at + number * WINDOW + window.len();
        if !window.is_ascii() {
            start = end;
        } else if end - start >= LEAST {
            return start;
        }
    }
    bytes.len()
}

/// The position of the first space from `at`, or the end.
fn space_from(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let space = rest.iter().position(is_space);
    space.map_or(bytes.len(), |space| at + space)
}

fn is_space(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\n')
}

/// Adds the keys of the words of `bytes[start..end]`, which is ASCII and ends before a space or at
/// the end.
#[inline]
fn ascii_keys(bytes: &[u8], start: usize, end: usize, keys: &mut Vec<u64>) {
    let mut word = start;
    let mut before = 0;
    for (number, chunk) in bytes[start..end].chunks(WINDOW).enumerate() {
        let at = start + number * WINDOW;
        let (letters, apostrophes) = match chunk.first_chunk() {
            Some(window) => classes(window),
            None => {
                let mut window = [b' '; WINDOW];
                window[..chunk.len()].copy_from_slice(chunk);
                classes(&window)
            }
        };
        let behind = bytes
            .get(at + WINDOW)
            .is_some_and(u8::is_ascii_alphanumeric);
        let between = (letters << 1 | before >> 63) & (letters >> 1 | u64::from(behind) << 63);
        let words = letters | (apostrophes & between);
        let goes_on = words << 1 | before >> 63;
        let mut starts = words & !goes_on;
        let mut ends = goes_on & !words;
        if before >> 63 == 0 {
            word = at + next_bit(&mut starts);
        }
        before = words;
        while ends != 0 {
            keys.push(key(bytes, word, at + next_bit(&mut ends)));
            word = at + next_bit(&mut starts);
        }
    }
    if (end - start) % WINDOW == 0 && before >> 63 == 1 {
        keys.push(key(bytes, word, end));
    }
}

/// Clears the lowest set bit and returns its place, 64 if there is none.
#[inline]
fn next_bit(bits: &mut u64) -> usize {
    let place = bits.trailing_zeros() as usize;
    *bits &= bits.wrapping_sub(1);
    place
}

/// Which bytes are letters or digits, and which are apostrophes.
#[inline]
fn classes(window: &[u8; WINDOW]) -> (u64, u64) {
    let classes = window.map(|byte| {
        let is_letter = (byte | 0x20).wrapping_sub(b'a') < 26;
        let is_digit = byte.wrapping_sub(b'0') < 10;
        let letter = LETTER * u8::from(is_letter | is_digit);
        letter | (APOSTROPHE * u8::from(byte == b'\''))
    });
    let has_apostrophe = window
        .iter()
        .fold(false, |any, &byte| any | (byte == b'\''));
    let apostrophes = if has_apostrophe { bits(&classes, 0) } else { 0 };
    (bits(&classes, 7), apostrophes)
}

/// One bit of each byte, packed.
#[inline]
fn bits(bytes: &[u8; WINDOW], bit: u32) -> u64 {
    let mut bits = 0;
    for (number, eight) in bytes.chunks_exact(8).enumerate() {
        let eight = u64::from_le_bytes(eight.try_into().unwrap_or_default());
        bits |= lowest_bits(eight >> bit) << (8 * number);
    }
    bits
}

/// The lowest bit of each of eight bytes, packed.
#[inline]
fn lowest_bits(eight: u64) -> u64 {
    (eight & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[inline]
fn key(bytes: &[u8], start: usize, end: usize) -> u64 {
    match bytes[start..].first_chunk() {
        Some(eight) if end - start <= 8 => {
            short_word::<true>(u64::from_le_bytes(*eight), end - start)
        }
        _ => ascii_word::<true>(bytes, start, end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::words::Words;

    fn assert_tokens(text: &str) {
        let mut expected = Vec::new();
        Tokeniser::Folded.each(text, 0, text.len(), |token| {
            if is_spelled(&text[token.start..]) {
                expected.push(token.key);
            }
        });
        assert_eq!(keys(text), expected, "{text:?}");
        assert_eq!(Words::of(text).keys(), expected, "{text:?}");
    }

    #[test]
    fn words_are_those_of_the_tokeniser_wherever_they_stand() {
        for text in [
            "",
            "Don't stop; it's 'quoted' O''Neill's 3.14 a_b",
            "A rather-long-sentence; pneumonoultramicroscopicsilicovolcanoconiosis's end",
            "soft\u{ad}ware e\u{301}a don’t É'tat caf\u{e9}'s 汉字 kana かな。 x\u{200b}y\u{a0}z",
            "a\tb\u{7f}c\rd\u{b}e'\nf'g",
        ] {
            for before in (0..WINDOW).chain(LEAST - WINDOW..LEAST + WINDOW) {
                let spaces = " ".repeat(before);
                assert_tokens(&format!("{spaces}{text}"));
                assert_tokens(&format!("é {spaces}{text} é {text}"));
                assert_tokens(&format!("é {}{text} é", "y'".repeat(before)));
            }
        }
    }

    #[test]
    fn words_are_those_of_the_tokeniser_in_any_mix_of_characters() {
        let signs = [
            'a', 'Z', '9', '\'', '’', ' ', '\n', '-', 'é', '\u{ad}', '字', '\u{301}',
        ];
        let mut state = 1_u64;
        for length in 0..2000 {
            let text: String = std::iter::repeat_with(|| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                // the first ones are chosen most
                let (one, other) = (state >> 33 & 0xffff, state >> 49);
                signs[(one.min(2 * other) as usize * signs.len()) >> 16]
            })
            .take(length % 200)
            .collect();
            assert_tokens(&text);
        }
    }
}
