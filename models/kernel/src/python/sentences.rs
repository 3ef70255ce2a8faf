//! Glue for `ngram::sentences`: the scored sentences of a page.

use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::blocks::PyBlocks;
use crate::ngram::sentences::{Sentence, SentenceTable};

type Summary = (u64, u64, Vec<f64>, Vec<(u8, u64, u64, u64)>);

/// The scored sentences of one page.
#[pyclass(frozen, name = "Sentences", module = "models._kernel")]
pub struct PySentences {
    pub table: SentenceTable,
    #[pyo3(get)]
    pub blocks: Py<PyBlocks>,
    /// What a second model made of them, when both were asked at once.
    pub second: Option<Second>,
}

/// Scores of a second model.
pub struct Second {
    pub digest: [u8; 32],
    pub table: SentenceTable,
}

impl PySentences {
    fn row(&self, index: usize) -> PyResult<&Sentence> {
        let row = self.table.sentences.get(index);
        row.ok_or_else(|| PyIndexError::new_err("sentence number out of range"))
    }
}

#[pymethods]
impl PySentences {
    fn __len__(&self) -> usize {
        self.table.sentences.len()
    }

    fn sentence(&self, index: usize) -> PyResult<(u32, u32, u32, u32, u32, f32)> {
        let row = self.row(index)?;
        Ok((
            row.start,
            row.end,
            row.block,
            row.tokens,
            row.oov,
            row.perplexity(),
        ))
    }

    fn text(&self, index: usize) -> PyResult<&str> {
        let row = self.row(index)?;
        let text = &self.blocks.get().table.text;
        Ok(text
            .get(row.start as usize..row.end as usize)
            .unwrap_or_default())
    }

    fn above<'py>(&self, py: Python<'py>, threshold: f32) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.table.above(threshold))
    }

    #[getter]
    fn tokens(&self) -> u64 {
        self.table.tokens()
    }

    #[getter]
    fn oov(&self) -> u64 {
        self.table.oov()
    }

    #[getter]
    fn log2_prob(&self) -> f64 {
        self.table.log2_prob()
    }

    fn tokens_kept(&self, verdicts: &[u8]) -> u64 {
        self.table.tokens_kept(verdicts)
    }

    /// Tokens, unknown tokens, quantiles, and sentences, tokens and bytes by verdict.
    fn summary(&self, verdicts: &[u8], shares: Vec<f64>) -> Summary {
        (
            self.table.tokens(),
            self.table.oov(),
            self.table.quantiles(&shares),
            self.table.by_verdict(verdicts),
        )
    }

    /// One field of all sentences, as bytes of 32-bit numbers.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyBytes>> {
        let field: fn(&Sentence) -> u32 = match name {
            "start" => |row| row.start,
            "end" => |row| row.end,
            "block" => |row| row.block,
            "tokens" => |row| row.tokens,
            "oov" => |row| row.oov,
            "log2_prob" => |row| row.log2_prob.to_bits(),
            "perplexity" => |row| row.perplexity().to_bits(),
            _ => return Err(PyKeyError::new_err(name.to_owned())),
        };
        let rows = self.table.sentences.iter();
        let bytes: Vec<u8> = rows.flat_map(|row| field(row).to_ne_bytes()).collect();
        Ok(PyBytes::new(py, &bytes))
    }
}
