//! Bits for words that occur anywhere in a text, found in one pass over it.

use aho_corasick::automaton::{Automaton, StateID};
use aho_corasick::dfa::{Builder, DFA};
use aho_corasick::{Anchored, MatchKind, StartKind};

/// Bytes from which a text is read in two parts.
const LONG: usize = 24;

/// Words with their bits; no word has a blank.
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
    ///
    /// Each byte waits for the state after the byte before, so two parts of a long text are read
    /// side by side. They meet at a blank, which no word has.
    #[must_use]
    pub fn of_text(&self, text: &[u8]) -> u16 {
        let middle = if text.len() < LONG {
            text.len()
        } else {
            text.len() / 2
        };
        let blank = text[middle..].iter().position(|byte| *byte == b' ');
        let (one, other) = text.split_at(blank.map_or(text.len(), |at| middle + at));
        let both = one.len().min(other.len());
        let (mut first, mut second, mut found) = (self.start, self.start, 0);
        for (byte, another) in one[..both].iter().zip(&other[..both]) {
            found |= self.read(&mut first, *byte) | self.read(&mut second, *another);
        }
        let rest = one[both..].iter();
        found |= rest.fold(0, |bits, byte| bits | self.read(&mut first, *byte));
        let rest = other[both..].iter();
        rest.fold(found, |bits, byte| bits | self.read(&mut second, *byte))
    }

    /// Goes on by one byte; the bits of the words that end there.
    #[inline]
    fn read(&self, state: &mut StateID, byte: u8) -> u16 {
        *state = self.automaton.next_state(Anchored::No, *state, byte);
        if self.automaton.is_match(*state) {
            self.ending_at(*state)
        } else {
            0
        }
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

    #[test]
    fn words_are_found_on_both_sides_of_every_blank() {
        let bits = WordBits::of([("post", 1), ("ter", 2), ("st", 4)].into_iter());
        let words = ["", "post", "ter", "st", "x", "a-poster", "stst", "po"];
        for first in words {
            for second in words {
                let apart = bits.of_text(first.as_bytes()) | bits.of_text(second.as_bytes());
                for third in words {
                    let all = apart | bits.of_text(third.as_bytes());
                    let text = format!("{first} {second}  {third}");
                    let long = format!("{first} {} {second} {third}", "x".repeat(LONG));
                    assert_eq!(bits.of_text(long.as_bytes()), all, "{long}");

                    assert_eq!(bits.of_text(text.as_bytes()), all, "{text}");
                }
            }
        }
    }
}
