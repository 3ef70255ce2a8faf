//! Glue for `page::blocks`: the blocks of a page.

use std::sync::OnceLock;

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use super::judgement::PyJudgement;
use crate::engines::judgement::Judgement;
use crate::page::blocks::{Block, BlockTable, Kind};

/// The blocks of one page.
#[pyclass(frozen, name = "Blocks", module = "models._kernel")]
#[derive(Default)]
pub struct PyBlocks {
    pub table: BlockTable,
    /// What an engine made of the page while its tree was there.
    judgement: Option<Judgement>,
    chars: OnceLock<usize>,
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
            judgement: Some(judgement),
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

    /// One block as `models.document.Block`.
    fn block<'py>(&self, py: Python<'py>, order: usize) -> PyResult<Bound<'py, PyAny>> {
        static KIND: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        static BLOCK: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let block = self.row(order)?;
        let kind = KIND.import(py, "models.document", "BlockKind")?;
        BLOCK.import(py, "models.document", "Block")?.call1((
            self.table.text_of(block),
            kind.call1((block.kind.as_str(),))?,
            block.level,
            self.table.paths.name(block.path),
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
        self.judgement.clone().map(PyJudgement)
    }

    /// The first heading of level 1, empty if there is none.
    #[getter]
    fn first_heading(&self) -> &str {
        let is_title = |block: &&Block| block.kind == Kind::Heading && block.level == 1;
        let heading = self.table.blocks.iter().find(is_title);
        heading.map_or("", |block| self.table.text_of(block))
    }

    /// The headings of the first two levels, as (order, level, text).
    #[getter]
    fn headings(&self) -> Vec<(usize, u8, &str)> {
        let blocks = self.table.blocks.iter().enumerate();
        blocks
            .filter(|(_, block)| block.kind == Kind::Heading && block.level <= 2)
            .map(|(order, block)| (order, block.level, self.table.text_of(block)))
            .collect()
    }

    /// The texts of some blocks.
    fn texts(&self, first: usize, end: usize) -> Vec<&str> {
        let end = end.min(self.table.blocks.len());
        let blocks = self.table.blocks.get(first..end).unwrap_or_default();
        blocks
            .iter()
            .map(|block| self.table.text_of(block))
            .collect()
    }

    /// The lines of the texts that hold one of some words and are no longer than so many bytes.
    fn lines_with(&self, words: Vec<String>, max_bytes: usize) -> Vec<&str> {
        self.table.lines_with(&words, max_bytes)
    }

    /// What markup says of elements, as (name, value, block).
    #[getter]
    fn marks(&self) -> Vec<(&str, &str, u32)> {
        let marks = self.table.marks.all().iter();
        marks
            .map(|mark| (mark.name.as_str(), mark.value.as_str(), mark.block))
            .collect()
    }

    /// Links, those with `rel=nofollow`, and parts with `data-nosnippet`.
    #[getter]
    fn link_wishes(&self) -> (u32, u32, u32) {
        let wishes = self.table.wishes;
        (wishes.links, wishes.nofollow_links, wishes.nosnippet_parts)
    }

    #[getter]
    fn declared(&self) -> Vec<(&str, &str)> {
        self.table.declared.pairs().collect()
    }
}

impl PyBlocks {
    fn row(&self, order: usize) -> PyResult<&Block> {
        let block = self.table.blocks.get(order);
        block.ok_or_else(|| PyIndexError::new_err("block number out of range"))
    }
}
