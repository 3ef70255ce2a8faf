//! Glue for `ngram`: the open model and its scores.

use std::path::PathBuf;

use pyo3::exceptions::{PyIndexError, PyKeyError, PyOverflowError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyType};

use super::page::PyBlocks;
use crate::ngram::file::facts::{Facts, MAX_ORDER, Smoothing};
use crate::ngram::file::layout::Section;
use crate::ngram::model::Model;
use crate::ngram::score::Scorer;
use crate::ngram::sentences::{Sentence, SentenceTable};
use crate::page::blocks::{Block, BlockTable};

/// `models.errors.ModelError`.
pub fn model_error(py: Python<'_>, why: String) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    match CLASS.import(py, "models.errors", "ModelError") {
        Ok(class) => PyErr::from_type(class.clone(), why),
        Err(error) => error,
    }
}

type Summary = (u64, u64, Vec<f64>, Vec<(u8, u64, u64, u64)>);

/// The scored sentences of one page.
#[pyclass(frozen, name = "Sentences", module = "models._kernel")]
pub struct PySentences {
    pub table: SentenceTable,
    #[pyo3(get)]
    pub blocks: Py<PyBlocks>,
    /// What a second model made of them, when both were asked at once.
    second: Option<Second>,
}

/// Scores of a second model.
struct Second {
    digest: [u8; 32],
    table: SentenceTable,
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

/// What a model file says about its model.
#[pyclass(frozen, get_all, name = "Facts", module = "models._kernel")]
pub struct PyFacts {
    order: u32,
    tokeniser: u32,
    interpolated: bool,
    unknown_log2: f32,
    weights: [f64; MAX_ORDER],
    floor: f64,
    listed: [u64; MAX_ORDER],
    met: [u64; MAX_ORDER],
    min_counts: [u64; MAX_ORDER],
    min_gain: f64,
    training_tokens: u64,
    training_sentences: u64,
    held_out_tokens: u64,
    held_out_oov: u64,
    held_out_log2: f64,
}

impl From<&Facts> for PyFacts {
    fn from(facts: &Facts) -> Self {
        Self {
            order: facts.order,
            tokeniser: facts.tokeniser as u32,
            interpolated: facts.smoothing == Smoothing::Interpolated,
            unknown_log2: facts.unknown_log2,
            weights: facts.weights,
            floor: facts.floor,
            listed: facts.listed,
            met: facts.met,
            min_counts: facts.min_counts,
            min_gain: facts.min_gain,
            training_tokens: facts.training_tokens,
            training_sentences: facts.training_sentences,
            held_out_tokens: facts.held_out_tokens,
            held_out_oov: facts.held_out_oov,
            held_out_log2: facts.held_out_log2,
        }
    }
}

/// An open model.
#[pyclass(frozen, name = "Model", module = "models._kernel")]
pub struct PyModel {
    model: Model,
}

#[pymethods]
impl PyModel {
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let model = py.detach(|| Model::open(&path));
        Ok(Self {
            model: model.map_err(|why| model_error(py, why))?,
        })
    }

    fn read_ahead(&self, py: Python<'_>) {
        py.detach(|| std::hint::black_box(self.model.read_ahead()));
    }

    fn score(&self, py: Python<'_>, pages: Vec<Py<PyBlocks>>) -> Vec<PySentences> {
        self.score_pages(py, pages, None)
    }

    fn score_twice(
        &self,
        py: Python<'_>,
        pages: Vec<Py<PyBlocks>>,
        second: &Self,
    ) -> Vec<PySentences> {
        self.score_pages(py, pages, Some(&second.model))
    }

    fn score_again(&self, py: Python<'_>, pages: Vec<Py<PySentences>>) -> Vec<PySentences> {
        let scored: Vec<SentenceTable> = {
            let found: Vec<(&BlockTable, &PySentences)> = pages
                .iter()
                .map(|page| (&page.get().blocks.get().table, page.get()))
                .collect();
            py.detach(|| {
                let mut scorer = Scorer::new(&self.model);
                let each = found.iter();
                each.map(|(page, found)| {
                    let second = found.second.as_ref();
                    match second.filter(|second| second.digest == *self.model.digest()) {
                        Some(second) => second.table.clone(),
                        None => scorer.score_again(page, &found.table),
                    }
                })
                .collect()
            })
        };
        let rows = scored.into_iter().zip(&pages);
        rows.map(|(table, page)| PySentences {
            table,
            blocks: page.get().blocks.clone_ref(py),
            second: None,
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
        let table = BlockTable {
            text,
            blocks: vec![block],
            ..BlockTable::default()
        };
        let (table, scored) = py.detach(|| {
            let scored = Scorer::new(&self.model).score(&table);
            (table, scored)
        });
        let blocks = Py::new(py, PyBlocks::from(table))?;
        Ok(PySentences {
            table: scored,
            blocks,
            second: None,
        })
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
    fn facts(&self) -> PyFacts {
        PyFacts::from(&self.model.facts)
    }

    #[getter]
    fn digest<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.model.digest())
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
    fn provenance<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.model.section(Section::Provenance))
    }

    #[getter]
    fn punkt_table<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.model.section(Section::Punkt))
    }

    #[getter]
    fn punkt_lists<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.model.section(Section::PunktLists))
    }
}

impl PyModel {
    fn score_pages(
        &self,
        py: Python<'_>,
        pages: Vec<Py<PyBlocks>>,
        second: Option<&Model>,
    ) -> Vec<PySentences> {
        let tables: Vec<&BlockTable> = pages.iter().map(|page| &page.get().table).collect();
        let scored: Vec<(SentenceTable, Option<Second>)> = py.detach(|| {
            let mut scorer = Scorer::new(&self.model);
            let each = tables.iter();
            each.map(|page| match second {
                None => (scorer.score(page), None),
                Some(model) => {
                    let (first, table) = scorer.score_twice(page, model);
                    let digest = *model.digest();
                    (first, Some(Second { digest, table }))
                }
            })
            .collect()
        });
        let rows = scored.into_iter().zip(pages);
        rows.map(|((table, second), blocks)| PySentences {
            table,
            blocks,
            second,
        })
        .collect()
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PySentences>()?;
    module.add_class::<PyFacts>()?;
    module.add_class::<PyModel>()
}
