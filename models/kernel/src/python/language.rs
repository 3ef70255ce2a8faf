//! Glue for `language`.

use pyo3::prelude::*;

use super::page::PyBlocks;
use crate::language::{Guess, by_script, guess};
use crate::page::blocks::BlockTable;

#[pyfunction]
fn guess_languages(py: Python<'_>, pages: Vec<Py<PyBlocks>>) -> Vec<(&'static str, f64)> {
    let tables: Vec<&BlockTable> = pages.iter().map(|page| &page.get().table).collect();
    let guesses: Vec<Guess> = py.detach(|| tables.into_iter().map(guess).collect());
    let pairs = guesses.into_iter();
    pairs.map(|each| (each.language, each.confidence)).collect()
}

#[pyfunction]
fn guess_by_script(py: Python<'_>, pages: Vec<Py<PyBlocks>>) -> Vec<&'static str> {
    let tables: Vec<&BlockTable> = pages.iter().map(|page| &page.get().table).collect();
    py.detach(|| tables.into_iter().map(by_script).collect())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(guess_by_script, module)?)?;
    module.add_function(wrap_pyfunction!(guess_languages, module)?)
}
