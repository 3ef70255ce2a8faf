//! A few known words, among which most other words are missing.

/// Known words, and their lengths by first letter: few other words agree.
pub struct Known<const N: usize> {
    words: [&'static str; N],
    lengths: [u64; 32],
}

impl<const N: usize> Known<N> {
    /// Words of fewer than 64 bytes.
    #[must_use]
    pub const fn of(words: [&'static str; N]) -> Self {
        let (mut lengths, mut at) = ([0; 32], 0);
        while at < N {
            let word = words[at].as_bytes();
            lengths[word[0] as usize & 31] |= 1 << word.len();
            at += 1;
        }
        Self { words, lengths }
    }

    /// Whether a word is one of them, in any case.
    #[must_use]
    pub fn has(&self, word: &str) -> bool {
        let is_one = |known: &&str| word.eq_ignore_ascii_case(known);
        self.may_have(word) && self.words.iter().any(is_one)
    }

    /// Whether a word is one of them, in the same case.
    #[must_use]
    pub fn has_exactly(&self, word: &str) -> bool {
        self.may_have(word) && self.words.contains(&word)
    }

    #[inline]
    fn may_have(&self, word: &str) -> bool {
        let first = word.bytes().next().unwrap_or_default();
        let length = 1_u64.checked_shl(word.len() as u32).unwrap_or_default();
        self.lengths[usize::from(first & 31)] & length != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: Known<3> = Known::of(["hide", "a11y-hidden", "sm:hidden"]);

    #[test]
    fn words_are_known_by_all_their_letters() {
        for word in ["hide", "a11y-hidden", "sm:hidden"] {
            assert!(KNOWN.has(word) && KNOWN.has_exactly(word), "{word}");
            let large = word.to_ascii_uppercase();
            assert!(KNOWN.has(&large) && !KNOWN.has_exactly(&large), "{large}");
        }
        for word in ["", "hid", "hint", "hides", "(ide", &"h".repeat(68)] {
            assert!(!KNOWN.has(word) && !KNOWN.has_exactly(word), "{word}");
        }
    }
}
