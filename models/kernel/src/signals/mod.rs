//! Figures of a kept text: a fingerprint for finding near copies, and the quality signals used for
//! filtering collections.

pub mod copies;
mod keys;
pub mod quality;
pub mod repeats;
pub mod signs;
pub mod simhash;
mod table;
pub mod words;

use quality::Signal;
use words::Words;

/// The figures of a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Signals {
    /// The fingerprint; `None` for a text without words.
    pub simhash: Option<u64>,
    pub words: usize,
    /// Empty unless requested.
    pub quality: Vec<Signal>,
}

/// The signals of a text, all from the same words.
#[must_use]
pub fn of(text: &str, with_quality: bool) -> Signals {
    let (keys, quality) = if with_quality {
        let words = Words::of(text);
        (words.keys(), quality::signals(&words))
    } else {
        (keys::keys(text), Vec::new())
    };
    Signals {
        simhash: simhash::of_keys(&keys),
        words: keys.len(),
        quality,
    }
}
