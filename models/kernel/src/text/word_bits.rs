//! Bits for words that occur anywhere in a text, found in one pass over it.

use aho_corasick::automaton::{Automaton, StateID};
use aho_corasick::dfa::{Builder, DFA};
use aho_corasick::{Anchored, MatchKind, StartKind};

/// Words with their bits.
///
/// The automaton is driven here, byte by byte: an iterator over matches takes three times as long.
pub struct WordBits {
    automaton: DFA,
    start: StateID,
    bits: Vec<u16>,
}

impl WordBits {
    /// Words as they are spelled.
    pub fn of<'w>(words: impl Iterator<Item = (&'w str, u16)>) -> Self {
        Self::new(words, false)
    }

    /// Words whose ASCII letters are in any case.
    pub fn in_any_case<'w>(words: impl Iterator<Item = (&'w str, u16)>) -> Self {
        Self::new(words, true)
    }

    #[expect(clippy::expect_used, reason = "constants, and the tests compile them")]
    fn new<'w>(words: impl Iterator<Item = (&'w str, u16)>, in_any_case: bool) -> Self {
        let (words, bits): (Vec<&str>, Vec<u16>) = words.unzip();
        let automaton = Builder::new()
            .match_kind(MatchKind::Standard)
            .start_kind(StartKind::Unanchored)
            .ascii_case_insensitive(in_any_case)
            .prefilter(false)
            .build(words)
            .expect("a few words");
        let start = automaton.start_state(Anchored::No).expect("unanchored");
        Self {
            automaton,
            start,
            bits,
        }
    }

    /// The bits of all words that occur in a text.
    #[must_use]
    pub fn of_text(&self, text: &[u8]) -> u16 {
        let (mut state, mut found) = (self.start, 0);
        for byte in text {
            state = self.automaton.next_state(Anchored::No, state, *byte);
            if self.automaton.is_match(state) {
                found |= self.ending_at(state);
            }
        }
        found
    }

    fn ending_at(&self, state: StateID) -> u16 {
        let words = 0..self.automaton.match_len(state);
        words.fold(0, |bits, word| {
            let word = self.automaton.match_pattern(state, word);
            bits | self.bits[word.as_usize()]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_inside_each_other_and_at_both_ends() {
        let words = [
            ("post", 1),
            ("poster", 2),
            ("ter", 4),
            ("st", 8),
            ("St", 16),
        ];
        let spelled = WordBits::of(words.into_iter());
        let in_any_case = WordBits::in_any_case(words.into_iter());

        for (text, bits, any) in [
            ("", 0, 0),
            ("pos", 0, 0),
            ("posters", 15, 31),
            ("a-post", 9, 25),
            ("poSter", 20, 31),
        ] {
            assert_eq!(spelled.of_text(text.as_bytes()), bits, "{text}");
            assert_eq!(in_any_case.of_text(text.as_bytes()), any, "{text}");
        }
    }
}
