//! Text patterns, compiled once.

use aho_corasick::{AhoCorasick, MatchKind};
use regex::Regex;

/// A constant pattern.
#[expect(clippy::expect_used, reason = "a constant, and the tests compile each")]
pub fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern")
}

/// Words to search for together.
#[expect(clippy::expect_used, reason = "constants, and the tests compile each")]
pub fn words(words: &[&str]) -> AhoCorasick {
    // the kind of match with a vectorised search
    AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostFirst)
        .build(words)
        .expect("a few words")
}
