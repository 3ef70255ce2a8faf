//! Glue for `data_text`.

use pyo3::prelude::*;

use super::page::Tree;
use crate::data_text::find;

#[pyfunction]
pub fn data_text(tree: Tree<'_>, shown_chars: usize) -> PyResult<Option<(&'static str, String)>> {
    let found = tree.read(|root, _| find(root, shown_chars))?.flatten();
    Ok(found.map(|found| (found.source, found.markup)))
}
