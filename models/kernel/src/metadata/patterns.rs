//! Patterns of texts, compiled once.

use aho_corasick::{AhoCorasick, MatchKind};
use regex::Regex;

/// A pattern that stands in the source.
#[expect(clippy::expect_used, reason = "a constant, and the tests compile each")]
pub fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern")
}

/// Words to look for at once.
#[expect(clippy::expect_used, reason = "constants, and the tests compile each")]
pub fn words(words: &[&str]) -> AhoCorasick {
    // of the kinds of match this is the one that is searched for by vectors
    AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostFirst)
        .build(words)
        .expect("a few words")
}
