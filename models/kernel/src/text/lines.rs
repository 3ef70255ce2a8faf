//! Known lines, looked up in any case.

use std::collections::HashSet;

use super::hash::ascii_word;

/// A set of lines in lower case, and what shows for most other texts that they are not in it.
pub struct Lines {
    known: HashSet<&'static str>,
    /// By the initial, the lengths of the lines; a length is a bit.
    lengths: [u128; 32],
    /// By a part of their hashes, the lines of ASCII.
    plain: [u64; 128],
}

impl Lines {
    /// A set of lines of fewer than 128 bytes.
    #[must_use]
    pub fn of(lines: impl Iterator<Item = &'static str>) -> Self {
        let known: HashSet<&str> = lines.collect();
        let (mut lengths, mut plain) = ([0; 32], [0; 128]);
        for line in &known {
            lengths[initial(line)] |= bit(line);
            let hash = if line.is_ascii() {
                hash(line)
            } else {
                continue;
            };
            plain[(hash >> 6) as usize & 127] |= 1 << (hash & 63);
        }
        Self {
            known,
            lengths,
            plain,
        }
    }

    /// Whether a text may be in the set in lower case, with `#` for its numbers.
    #[must_use]
    pub fn may_have(&self, text: &str) -> bool {
        let has_number = text.as_bytes().first().is_some_and(u8::is_ascii_digit);
        let lengths = self.lengths[initial(text)];
        if text.is_ascii() {
            let hash = || hash(text);
            let may_be = |hash: u64| self.plain[(hash >> 6) as usize & 127] >> (hash & 63) & 1 != 0;
            return (has_number || lengths & bit(text) != 0) && may_be(hash());
        }
        // no other letter of the lines has another length as a capital
        has_number || lengths & bit(text) != 0 || lengths != 0 && text.contains('İ')
    }

    /// Whether a text in lower case is in the set.
    #[must_use]
    pub fn has(&self, lowered: &str) -> bool {
        self.known.contains(lowered)
    }
}

/// The hash of a text of ASCII in any case; of one with a number, of its last word.
fn hash(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let has_number = bytes
        .first()
        .is_some_and(|byte| matches!(byte, b'#' | b'0'..=b'9'));
    let last = || bytes.iter().rposition(|byte| !byte.is_ascii_alphabetic());
    let start = has_number.then(last).flatten().map_or(0, |at| at + 1);
    ascii_word::<true>(bytes, start, bytes.len())
}

/// The last five bits of the first byte in lower case.
fn initial(text: &str) -> usize {
    // the case of a letter of ASCII is another bit
    if let Some(first) = text.bytes().next().filter(u8::is_ascii) {
        return usize::from(first & 31);
    }
    let first = text.chars().next().unwrap_or_default();
    let small = first.to_lowercase().next().unwrap_or(first);
    usize::from(small.encode_utf8(&mut [0; 4]).as_bytes()[0] & 31)
}

/// The bit of a length; none for long texts.
fn bit(text: &str) -> u128 {
    u32::try_from(text.len()).map_or(0, |length| 1_u128.checked_shl(length).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_may_be_in_the_set_by_its_first_letter_and_length() {
        let lines =
            Lines::of(["notes", "přílohy", "список", "ilgili haberler", "# views"].into_iter());
        for (text, may_have) in [
            ("notes", true),
            ("NOTES", true),
            ("Nodes", false),
            ("Note", false),
            ("votes", false),
            ("12 Views", true),
            ("3 visits", false),
            ("PŘÍLOHY", true),
            ("Příloh", false),
            ("СПИСОК", true),
            ("İLGİLİ HABERLER", true),
            ("", false),
            (&"n".repeat(133), false),
        ] {
            assert_eq!(lines.may_have(text), may_have, "{text}");
        }
        assert!(lines.has("notes") && !lines.has("nodes"));
    }
}
