//! Glue for `ngram`: the open model and its scores.

use std::path::PathBuf;

use pyo3::exceptions::{PyIndexError, PyKeyError, PyOverflowError};
use pyo3::prelude::*;

use super::blocks::{PyBlocks, tables};
use super::convert::Packed;
use super::errors::ModelError;
use super::judgement::PyJudgement;
use crate::ngram::file::facts::ModelFacts;
use crate::ngram::file::layout::Section;
use crate::ngram::model::Model;
use crate::ngram::score::Scorer;
use crate::page::blocks::{Block, BlockTable};
use crate::text::sentences::{Sentence, SentenceTable};

/// An open model.
#[pyclass(frozen, name = "Model", module = "winnow.models._kernel")]
pub struct PyModel {
    pub model: Model,
}

#[pymethods]
impl PyModel {
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let model = py.detach(|| Model::open(&path));
        let model = model.map_err(ModelError::new_err)?;
        Ok(Self { model })
    }

    fn read_ahead(&self, py: Python<'_>) {
        py.detach(|| std::hint::black_box(self.model.read_ahead()));
    }

    fn score(&self, py: Python<'_>, pages: Vec<Py<PyBlocks>>) -> Vec<PySentences> {
        let tables = tables(&pages);
        let scored: Vec<SentenceTable> = py.detach(|| {
            let mut scorer = Scorer::new(&self.model);
            tables.iter().map(|page| scorer.score(page)).collect()
        });
        let rows = scored.into_iter().zip(pages);
        rows.map(|(table, blocks)| PySentences { table, blocks })
            .collect()
    }

    fn score_again(&self, py: Python<'_>, pages: Vec<Py<PySentences>>) -> Vec<PySentences> {
        let found: Vec<&PySentences> = pages.iter().map(Py::get).collect();
        let scored: Vec<SentenceTable> = py.detach(|| {
            let mut scorer = Scorer::new(&self.model);
            let each = found.iter();
            each.map(|page| scorer.score_again(&page.blocks.get().table, &page.table))
                .collect()
        });
        let rows = scored.into_iter().zip(found);
        rows.map(|(table, page)| PySentences {
            table,
            blocks: page.blocks.clone_ref(py),
        })
        .collect()
    }

    fn score_text(&self, py: Python<'_>, text: String) -> PyResult<PySentences> {
        let end = u32::try_from(text.len())
            .map_err(|_| PyOverflowError::new_err("a text has at most 4 GiB"))?;
        let block = Block {
            end,
            ..Block::default()
        };
        let page = BlockTable {
            text,
            blocks: vec![block],
            ..BlockTable::default()
        };
        let table = py.detach(|| Scorer::new(&self.model).score(&page));
        Ok(PySentences {
            table,
            blocks: Py::new(py, PyBlocks::from(page))?,
        })
    }

    fn quantile(&self, share: f64) -> Option<f32> {
        self.model.quantiles.perplexity(share)
    }

    fn stranger(&self, perplexity: f64) -> Option<f64> {
        self.model.quantiles.stranger(perplexity)
    }

    fn explain(&self, py: Python<'_>, sentence: &str) -> Vec<(String, u32, f32)> {
        py.detach(|| {
            let tokens = self.model.facts.tokeniser.normalised(sentence);
            let hits = Scorer::new(&self.model).explain(sentence);
            let pairs = tokens.into_iter().zip(hits);
            pairs
                .map(|(token, hit)| (token, hit.order, hit.log2_prob))
                .collect()
        })
    }

    #[getter]
    fn facts(&self) -> ModelFacts {
        self.model.facts.clone()
    }

    #[getter]
    fn digest(&self) -> &[u8] {
        self.model.digest()
    }

    #[getter]
    fn file_bytes(&self) -> usize {
        self.model.file_bytes()
    }

    #[getter]
    fn table_bytes(&self) -> usize {
        self.model.section(Section::Ngrams).len()
    }

    #[getter]
    fn provenance(&self) -> &[u8] {
        self.model.section(Section::Provenance)
    }

    #[getter]
    fn punkt_table(&self) -> &[u8] {
        self.model.section(Section::Punkt)
    }

    #[getter]
    fn punkt_lists(&self) -> &[u8] {
        self.model.section(Section::PunktLists)
    }
}

/// The scored sentences of one page.
#[pyclass(frozen, name = "Sentences", module = "winnow.models._kernel")]
pub struct PySentences {
    pub table: SentenceTable,
    #[pyo3(get)]
    pub blocks: Py<PyBlocks>,
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

    fn above(&self, threshold: f32) -> Vec<u8> {
        self.table.above(threshold)
    }

    fn verdicts(&self, judgement: &PyJudgement) -> Vec<u8> {
        judgement.0.of_sentences(&self.table)
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

    /// One field of all sentences; floats as their bits.
    fn column(&self, name: &str) -> PyResult<Packed<u32>> {
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
        Ok(self.table.sentences.iter().map(field).collect())
    }
}

impl PySentences {
    fn row(&self, index: usize) -> PyResult<&Sentence> {
        let row = self.table.sentences.get(index);
        row.ok_or_else(|| PyIndexError::new_err("sentence number out of range"))
    }
}
