//! Glue for `data_text`.

use pyo3::prelude::*;

use crate::data_text::find;
use crate::python::tree::PyTree;

#[pyfunction]
pub fn data_text(
    py: Python<'_>,
    tree: &PyTree,
    shown_chars: usize,
) -> Option<(&'static str, String)> {
    let found = py.detach(|| find(tree.0.root(), shown_chars));
    found.map(|found| (found.source, found.markup))
}
