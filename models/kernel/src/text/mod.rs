//! Shared by all modules: hashes of words, maps by hash, known words and lines, the table of
//! sentences, verdicts, bits of words.

pub mod hash;
pub mod known;
pub mod lines;
pub mod map;
pub mod sentences;
pub mod verdict;
pub mod word_bits;
