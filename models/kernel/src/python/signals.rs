//! Glue for `signals`: fingerprint and quality of a text.

use pyo3::prelude::*;

use crate::signals::quality::{self, Signal};
use crate::signals::simhash;
use crate::signals::words::Words;

#[pyfunction]
pub fn text_signals(py: Python<'_>, text: &str) -> (Option<u64>, Vec<Signal>) {
    py.detach(|| {
        let words = Words::of(text);
        (simhash::simhash(&words), quality::signals(&words))
    })
}

/// The words that signals count, for tests and tools.
#[pyfunction]
pub fn signal_words(text: &str) -> Vec<&str> {
    Words::of(text).iter().collect()
}
