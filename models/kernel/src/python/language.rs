//! Glue for `language`.

use pyo3::prelude::*;

use super::blocks::PyBlocks;
use crate::language::{Guess, by_script, guess, sample::sample};
use crate::page::blocks::BlockTable;

#[pyfunction]
fn sample_pages(py: Python<'_>, pages: Vec<Py<PyBlocks>>) -> Vec<PyBlocks> {
    let tables = tables(&pages);
    let samples: Vec<BlockTable> = py.detach(|| tables.into_iter().map(sample).collect());
    let rows = samples.into_iter();
    rows.map(PyBlocks::from).collect()
}

#[pyfunction]
fn guess_languages(py: Python<'_>, samples: Vec<Py<PyBlocks>>) -> Vec<(&'static str, f64)> {
    let tables = tables(&samples);
    let guesses: Vec<Guess> = py.detach(|| tables.iter().map(|each| guess(&each.text)).collect());
    let pairs = guesses.into_iter();
    pairs.map(|each| (each.language, each.confidence)).collect()
}

#[pyfunction]
fn guess_by_script(py: Python<'_>, samples: Vec<Py<PyBlocks>>) -> Vec<Option<&'static str>> {
    let tables = tables(&samples);
    py.detach(|| tables.iter().map(|each| by_script(&each.text)).collect())
}

fn tables(pages: &[Py<PyBlocks>]) -> Vec<&BlockTable> {
    pages.iter().map(|page| &page.get().table).collect()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(sample_pages, module)?)?;
    module.add_function(wrap_pyfunction!(guess_by_script, module)?)?;
    module.add_function(wrap_pyfunction!(guess_languages, module)?)
}
