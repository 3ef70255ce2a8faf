//! Known lines, looked up in any case.

use std::collections::HashSet;

/// A set of lines in lower case, and what shows for most other texts that they are not in it.
pub struct Lines {
    known: HashSet<&'static str>,
    /// By the initial, the lengths of the lines; a length is a bit.
    lengths: [u128; 32],
}

impl Lines {
    /// A set of lines of fewer than 128 bytes.
    #[must_use]
    pub fn of(lines: impl Iterator<Item = &'static str>) -> Self {
        let known: HashSet<&str> = lines.collect();
        let mut lengths = [0; 32];
        for line in &known {
            lengths[initial(line)] |= bit(line);
        }
        Self { known, lengths }
    }

    /// Whether a text may be in the set in lower case.
    #[must_use]
    pub fn may_have(&self, text: &str) -> bool {
        let lengths = self.lengths[initial(text)];
        // no other letter of the lines has another length as a capital
        lengths & bit(text) != 0 || lengths != 0 && text.contains('İ')
    }

    /// Whether a text in lower case is in the set.
    #[must_use]
    pub fn has(&self, lowered: &str) -> bool {
        self.known.contains(lowered)
    }
}

/// The last five bits of the first byte in lower case.
fn initial(text: &str) -> usize {
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
        let lines = Lines::of(["notes", "přílohy", "список", "ilgili haberler"].into_iter());
        for (text, may_have) in [
            ("notes", true),
            ("NOTES", true),
            ("Nodes", true),
            ("Note", false),
            ("votes", false),
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
