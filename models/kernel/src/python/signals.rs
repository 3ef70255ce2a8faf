//! Glue for `signals`: an index of fingerprints, and tokens of a text.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::ngram::tokens::Tokeniser;
use crate::signals::copies::Copies;

/// The tokens of a text: words and signs.
#[pyfunction]
pub fn count_tokens(text: &str) -> usize {
    let mut tokens = 0;
    Tokeniser::Folded.each(text, 0, text.len(), |_| tokens += 1);
    tokens
}

/// An index of fingerprints in limited memory.
#[pyclass(name = "CopyIndex", module = "winnow.models._kernel")]
pub struct PyCopyIndex(Copies);

#[pymethods]
impl PyCopyIndex {
    #[new]
    fn new(distance: u32, max_bytes: usize) -> PyResult<Self> {
        let copies = Copies::new(distance, max_bytes).map_err(PyValueError::new_err)?;
        Ok(Self(copies))
    }

    fn find(&self, fingerprint: u64) -> Option<(u64, u32)> {
        self.0.find(fingerprint)
    }

    fn add(&mut self, fingerprint: u64) -> u64 {
        self.0.add(fingerprint)
    }

    #[getter]
    fn forgotten(&self) -> u64 {
        self.0.forgotten()
    }
}
