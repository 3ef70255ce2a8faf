//! Glue for `page::blocks`: the blocks of a page.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyType};

use super::judgement::PyJudgement;
use super::metadata::{self, PyMetadata};
use crate::engines::judgement::Judgement;
use crate::metadata::{Metadata, declared_language};
use crate::page::blocks::{Block, BlockTable};

/// The blocks of one page.
#[pyclass(frozen, name = "Blocks", module = "winnow.models._kernel")]
#[derive(Default)]
pub struct PyBlocks {
    pub table: BlockTable,
    /// What an engine made of the page while its tree was there.
    pub labels: Option<Arc<Judgement>>,
    chars: OnceLock<usize>,
    /// Names of paths that blocks were asked for: deep ones are long, and many blocks share one.
    paths: Mutex<HashMap<u32, Py<PyString>>>,
}

impl From<BlockTable> for PyBlocks {
    fn from(table: BlockTable) -> Self {
        Self {
            table,
            ..Self::default()
        }
    }
}

impl From<(BlockTable, Judgement)> for PyBlocks {
    fn from((table, judgement): (BlockTable, Judgement)) -> Self {
        Self {
            table,
            labels: Some(Arc::new(judgement)),
            ..Self::default()
        }
    }
}

/// The tables of a batch of pages.
pub fn tables(pages: &[Py<PyBlocks>]) -> Vec<&BlockTable> {
    pages.iter().map(|page| &page.get().table).collect()
}

#[pymethods]
impl PyBlocks {
    fn __len__(&self) -> usize {
        self.table.blocks.len()
    }

    /// One block as `winnow.models.document.Block`.
    fn block<'py>(&self, py: Python<'py>, order: usize) -> PyResult<Bound<'py, PyAny>> {
        static KIND: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        static BLOCK: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let block = self.row(order)?;
        let kind = KIND.import(py, "winnow.models.document", "BlockKind")?;
        BLOCK.import(py, "winnow.models.document", "Block")?.call1((
            self.table.text_of(block),
            kind.call1((block.kind.as_str(),))?,
            block.level,
            self.path(py, block.path),
            block.link_chars,
            order,
        ))
    }

    /// Everything the walk knows of a block, for tests and tools.
    fn details(&self, order: usize) -> PyResult<Vec<(&'static str, u32)>> {
        let block = self.row(order)?;
        Ok(vec![
            ("start", block.start),
            ("end", block.end),
            ("group", block.group),
            ("ordinal", block.ordinal.unwrap_or(0)),
            ("lists", u32::from(block.lists)),
            ("quotes", u32::from(block.quotes)),
            ("table", block.table),
            ("row", block.row),
            ("column", u32::from(block.column)),
            ("cell", block.cell),
            ("header", u32::from(block.header)),
        ])
    }

    #[getter]
    fn text(&self) -> &str {
        &self.table.text
    }

    #[getter]
    fn chars(&self) -> usize {
        // a millisecond at most: letting go of the interpreter inside could lock two threads
        *self.chars.get_or_init(|| self.table.chars())
    }

    #[getter]
    fn judgement(&self) -> Option<PyJudgement> {
        self.labels.clone().map(PyJudgement)
    }

    /// What the page says about itself.
    fn metadata(&self, py: Python<'_>, url: &str, page_type: &str) -> PyMetadata {
        PyMetadata(py.detach(|| Metadata::of(url, &self.table, page_type)))
    }

    /// What it asks of those who read it by machine, as `winnow.models.document.Wishes`.
    fn wishes<'py>(&self, py: Python<'py>, robots_tag: &str) -> PyResult<Bound<'py, PyAny>> {
        metadata::wishes(py, &self.table, robots_tag)
    }

    /// The language tag of the page as the page spells it, empty if it has none.
    #[getter]
    fn declared_language(&self) -> String {
        declared_language(&self.table)
    }

    #[getter]
    fn declared(&self) -> Vec<(&str, &str)> {
        self.table.declared.pairs().collect()
    }
}

impl PyBlocks {
    fn path(&self, py: Python<'_>, path: u32) -> Py<PyString> {
        // a look-up, or a string: nothing in it lets go of the interpreter
        let mut known = self.paths.lock().unwrap_or_else(PoisonError::into_inner);
        let named = || PyString::new(py, &self.table.paths.name(path)).unbind();
        known.entry(path).or_insert_with(named).clone_ref(py)
    }

    fn row(&self, order: usize) -> PyResult<&Block> {
        let block = self.table.blocks.get(order);
        block.ok_or_else(|| PyIndexError::new_err("block number out of range"))
    }
}
