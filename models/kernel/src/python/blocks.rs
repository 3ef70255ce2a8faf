//! Glue for `page::blocks`: the blocks of a page.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyType};

use super::judgement::PyJudgement;
use super::metadata::{self, PyMetadata};
use crate::data_text::TEXT_SOURCES;
use crate::engines::judgement::Judgement;
use crate::metadata::wishes::Wishes;
use crate::metadata::{Metadata, declared_language};
use crate::page::blocks::{Block, BlockTable};
use crate::page::elements::Concealed;
use crate::page::inline::Inline;
use crate::page::media::Form;
use crate::read::{Cutting, Reading};
use crate::units::{NO_UNIT, Span, Unit, Units};

/// The blocks of one page.
#[pyclass(frozen, name = "Blocks", module = "winnow.models._kernel")]
pub struct PyBlocks {
    pub table: BlockTable,
    /// Inline markup, if the reader recorded it.
    pub inline: Option<Inline>,
    /// The engine's result, if it was computed while the tree of the page existed.
    pub labels: Option<Arc<Judgement>>,
    #[pyo3(get)]
    charset: &'static str,
    form: Form,
    #[pyo3(get)]
    text_source: &'static str,
    wishes: Wishes,
    chars: OnceLock<usize>,
    /// Names of paths used by blocks: deep ones are long, and many blocks share one.
    paths: Mutex<HashMap<u32, Py<PyString>>>,
}

impl From<Reading> for PyBlocks {
    fn from(read: Reading) -> Self {
        Self {
            table: read.blocks.table,
            inline: read.blocks.inline,
            labels: read.blocks.labels,
            charset: read.charset,
            form: read.form,
            text_source: read.text_source,
            wishes: read.wishes,
            chars: OnceLock::new(),
            paths: Mutex::default(),
        }
    }
}

/// Blocks of no page.
impl From<BlockTable> for PyBlocks {
    fn from(table: BlockTable) -> Self {
        let blocks = Cutting {
            table,
            ..Cutting::default()
        };
        Self::from(Reading {
            blocks,
            charset: "utf-8",
            form: Form::Text,
            text_source: TEXT_SOURCES[0],
            wishes: Wishes::default(),
        })
    }
}

/// A unit: kind, first block, end, parent, and first block and end of each member.
type UnitRow = (&'static str, u32, u32, Option<u32>, Vec<(u32, u32)>);

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

    /// All facts of the walk about a block, for tests and tools.
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

    /// The units of the page.
    fn units(&self) -> Vec<UnitRow> {
        let units = Units::of(&self.table);
        let span = |span: &Span| (span.first, span.end);
        let row = |unit: &Unit| {
            let parent = (unit.parent != NO_UNIT).then_some(unit.parent);
            let members = units.members(unit).iter().map(span).collect();
            let Span { first, end } = unit.span;
            (unit.kind.as_str(), first, end, parent, members)
        };
        units.all.iter().map(row).collect()
    }

    /// For each block whether a reader with scripts sees it at first.
    fn is_shown(&self) -> Vec<bool> {
        let Some(elements) = self.table.elements.as_ref() else {
            return vec![true; self.table.blocks.len()];
        };
        let of_block = elements.of_block.iter();
        let row = of_block.map(|at| elements.rows.get(*at as usize));
        row.map(|row| row.is_none_or(|row| row.concealed == Concealed::No))
            .collect()
    }

    #[getter]
    fn text(&self) -> &str {
        &self.table.text
    }

    #[getter]
    fn chars(&self) -> usize {
        // a millisecond at most: releasing the GIL inside could deadlock two threads
        *self.chars.get_or_init(|| self.table.chars())
    }

    #[getter]
    fn judgement(&self) -> Option<PyJudgement> {
        self.labels.clone().map(PyJudgement)
    }

    /// The metadata that the page declares.
    fn metadata(&self, py: Python<'_>, url: &str, page_type: &str) -> PyMetadata {
        PyMetadata(py.detach(|| Metadata::of(url, &self.table, page_type)))
    }

    #[getter]
    fn form(&self) -> &'static str {
        self.form.as_str()
    }

    /// Its directives for machine readers, as `winnow.models.document.Wishes`.
    #[getter]
    fn wishes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        metadata::wishes(py, &self.wishes)
    }

    /// The language tag in the page's spelling, empty if it has none.
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
        // a look-up, or a string: nothing in it releases the GIL
        let mut known = self.paths.lock().unwrap_or_else(PoisonError::into_inner);
        let named = || PyString::new(py, &self.table.paths.name(path)).unbind();
        known.entry(path).or_insert_with(named).clone_ref(py)
    }

    fn row(&self, order: usize) -> PyResult<&Block> {
        let block = self.table.blocks.get(order);
        block.ok_or_else(|| PyIndexError::new_err("block number out of range"))
    }
}
