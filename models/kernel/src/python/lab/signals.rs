//! Glue for `signals`: fingerprint and quality of a text.

use pyo3::prelude::*;

use crate::signals;
use crate::signals::quality::Signal;
use crate::signals::words::Words;

#[pyfunction]
#[pyo3(signature = (text, *, with_quality = true))]
pub fn text_signals(py: Python<'_>, text: &str, with_quality: bool) -> (Option<u64>, Vec<Signal>) {
    let found = py.detach(|| signals::of(text, with_quality));
    (found.simhash, found.quality)
}

/// The words that signals count, for tests and tools.
#[pyfunction]
pub fn signal_words(text: &str) -> Vec<&str> {
    Words::of(text).iter().collect()
}
