//! Tokens, sentences, the n-gram table, scoring and counting.

mod backoff;
pub mod chars;
pub mod codebook;
pub mod file;
mod filter;
mod letters;
pub mod model;
pub mod punkt;
pub mod score;
pub mod table;
pub mod tokens;
pub mod train;
