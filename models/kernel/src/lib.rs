//! The hot path of Winnow: charset, guards, blocks, sentences, tokens and n-gram scores.
//!
//! Everything here is independent of Python except the glue in `python`, so `cargo test` needs no
//! Python.

pub mod cleaning;
pub mod clock;
pub mod data_text;
pub mod document;
pub mod engines;
pub mod gzip;
pub mod language;
pub mod measure;
pub mod message;
pub mod metadata;
pub mod ngram;
pub mod page;
pub mod processor;
#[cfg(feature = "python")]
mod python;
pub mod read;
pub mod signals;
pub mod sites;
pub mod text;
mod unicode;
pub mod units;
