//! What is said of a kept text in numbers: a fingerprint by which near copies are found, and the
//! signals of quality that the makers of collections filter by.

mod keys;
pub mod quality;
pub mod repeats;
pub mod signs;
pub mod simhash;
mod table;
pub mod words;

use quality::Signal;
use words::Words;

/// The fingerprint of a text, `None` for a text without words, and its signals of quality if they
/// are wanted: both from the same words.
#[must_use]
pub fn of(text: &str, with_quality: bool) -> (Option<u64>, Vec<Signal>) {
    if !with_quality {
        return (simhash::simhash(text), Vec::new());
    }
    let words = Words::of(text);
    (simhash::of_keys(&words.keys()), quality::signals(&words))
}
