//! Glue for `language`.

use pyo3::prelude::*;

use super::blocks::{PyBlocks, tables};
use crate::language::sample::sample;
use crate::page::blocks::BlockTable;

#[pyfunction]
pub fn sample_pages(py: Python<'_>, pages: Vec<Py<PyBlocks>>) -> Vec<PyBlocks> {
    let tables = tables(&pages);
    let samples: Vec<BlockTable> = py.detach(|| tables.into_iter().map(sample).collect());
    let rows = samples.into_iter();
    rows.map(PyBlocks::from).collect()
}
