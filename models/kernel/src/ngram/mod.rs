//! Tokens, sentences, the n-gram table, scoring and counting.

pub mod sentences;
