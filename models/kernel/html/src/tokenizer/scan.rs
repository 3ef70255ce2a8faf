//! Classes of bytes, and searches that are fast for the short pieces of markup.

use memchr::memchr;

/// White space of HTML.
pub(super) const SPACE: u8 = 1;
pub(super) const SLASH: u8 = 2;
const CLOSE: u8 = 4;
const EQUALS: u8 = 8;
const OTHER: u8 = 16;

/// Bytes of a tag name, of an attribute's name, and of a value without quotes.
pub(super) const IN_NAME: u8 = EQUALS | OTHER;
pub(super) const IN_ATTRIBUTE: u8 = OTHER;
pub(super) const IN_VALUE: u8 = SLASH | EQUALS | OTHER;

static CLASSES: [u8; 256] = {
    let mut table = [OTHER; 256];
    table[b'\t' as usize] = SPACE;
    table[b'\n' as usize] = SPACE;
    table[0x0C] = SPACE;
    table[b'\r' as usize] = SPACE;
    table[b' ' as usize] = SPACE;
    table[b'/' as usize] = SLASH;
    table[b'>' as usize] = CLOSE;
    table[b'=' as usize] = EQUALS;
    table
};

/// Whether the byte is of one of `classes`.
#[inline(always)]
pub(super) fn is_of(byte: u8, classes: u8) -> bool {
    CLASSES[byte as usize] & classes != 0
}

/// The place after the bytes of `classes` that start at `at`.
#[inline(always)]
pub(super) fn skip(input: &[u8], mut at: usize, classes: u8) -> usize {
    while let Some(&byte) = input.get(at) {
        if !is_of(byte, classes) {
            break;
        }
        at += 1;
    }
    at
}

/// The first bytes of a name as a number: 8 at most, the first one lowest.
#[inline(always)]
pub(super) fn first_bytes(input: &[u8], start: usize, length: usize) -> u64 {
    let word = match input.get(start..start + 8).and_then(<[u8]>::first_chunk) {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => {
            let rest = input[start..].iter().rev();
            rest.fold(0, |word, &byte| word << 8 | u64::from(byte))
        }
    };
    if length >= 8 {
        word
    } else {
        word & !(u64::MAX << (8 * length))
    }
}

/// The place of the first `byte` from `at` on, or the length of the input. Texts and values are
/// short, so the first 64 bytes are searched here.
#[inline(always)]
pub(super) fn find(byte: u8, input: &[u8], mut at: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let wanted = ONES * u64::from(byte);
    for _ in 0..8 {
        let Some(eight) = input.get(at..at + 8).and_then(<[u8]>::first_chunk) else {
            break;
        };
        let differs = u64::from_le_bytes(*eight) ^ wanted;
        let zeros = differs.wrapping_sub(ONES) & !differs & (0x80 * ONES);
        if zeros != 0 {
            return at + zeros.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    memchr(byte, &input[at..]).map_or(input.len(), |length| at + length)
}

/// Whether a text starts with a whole tag name.
pub(super) fn starts_with_name(text: &[u8], name: &[u8]) -> bool {
    let Some(&next) = text.get(name.len()) else {
        return false;
    };
    !is_of(next, IN_NAME) && text[..name.len()].eq_ignore_ascii_case(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_is_found_at_every_place() {
        for length in 0..200 {
            let mut text = vec![b'a'; length];
            assert_eq!(find(b'<', &text, 0), length);
            text.extend(b"<<");
            for from in 0..=length {
                assert_eq!(find(b'<', &text, from), length);
            }
        }
    }
}
