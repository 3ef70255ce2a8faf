//! Glue for `language`.

use pyo3::prelude::*;

use super::blocks::{PyBlocks, tables};
use crate::language::{self, sample::sample};
use crate::page::blocks::BlockTable;

#[pyfunction]
pub fn sample_pages(py: Python<'_>, pages: Vec<Py<PyBlocks>>) -> Vec<PyBlocks> {
    let tables = tables(&pages);
    let samples: Vec<BlockTable> = py.detach(|| tables.into_iter().map(sample).collect());
    let rows = samples.into_iter();
    rows.map(PyBlocks::from).collect()
}

#[pyfunction]
pub fn guess_languages(py: Python<'_>, samples: Vec<Py<PyBlocks>>) -> Vec<(&'static str, f64)> {
    let tables = tables(&samples);
    py.detach(|| {
        let guesses = tables.iter().map(|sample| language::guess(&sample.text));
        let pairs = guesses.map(|guess| (guess.language, guess.confidence));
        pairs.collect()
    })
}

#[pyfunction]
pub fn guess_by_script(py: Python<'_>, samples: Vec<Py<PyBlocks>>) -> Vec<Option<&'static str>> {
    let tables = tables(&samples);
    py.detach(|| {
        let guesses = tables
            .iter()
            .map(|sample| language::by_script(&sample.text));
        guesses.collect()
    })
}
