//! Glue for `page::tree`: markup to a tree, for tests, the lab and views of pages.

use std::borrow::Cow;

use pyo3::prelude::*;

use crate::page::limits::Limits;
use crate::page::tree::{Options, Tree};

/// A parsed page, for tests, the lab and views of pages.
#[pyclass(frozen, name = "Tree", module = "winnow.models._kernel")]
pub struct PyTree(pub Tree<'static>);

#[pymethods]
impl PyTree {
    #[new]
    #[pyo3(signature = (markup, limits, *, is_xml=false, is_repaired=true))]
    fn new(
        py: Python<'_>,
        markup: &str,
        limits: Limits,
        is_xml: bool,
        is_repaired: bool,
    ) -> PyResult<Self> {
        let options = Options {
            is_xml,
            is_repaired,
        };
        let markup = Cow::Owned(markup.to_owned());
        Ok(Self(py.detach(|| Tree::of(markup, options, &limits))?))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// Depth, name and text of elements, texts and comments.
    fn rows(&self, py: Python<'_>) -> Vec<(u32, String, String)> {
        let rows = py.detach(|| self.0.rows());
        let rows = rows.into_iter().map(|row| (row.depth, row.name, row.text));
        rows.collect()
    }

    /// Markup of the page without anything that could load, run or navigate.
    fn view(&self, py: Python<'_>) -> String {
        py.detach(|| self.0.view())
    }
}
