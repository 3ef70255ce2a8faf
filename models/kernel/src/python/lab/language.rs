//! Glue for `language`.

use pyo3::prelude::*;

use crate::language::sample::sample;
use crate::page::blocks::BlockTable;
use crate::python::blocks::{PyBlocks, tables};

#[pyfunction]
pub fn sample_pages(py: Python<'_>, pages: Vec<Py<PyBlocks>>) -> Vec<PyBlocks> {
    let tables = tables(&pages);
    let samples: Vec<BlockTable> = py.detach(|| tables.into_iter().map(sample).collect());
    let rows = samples.into_iter();
    rows.map(PyBlocks::from).collect()
}
