//! Glue for `ngram`: the open model and its scores.

use std::path::PathBuf;

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyType};

use super::blocks::PyBlocks;
use super::sentences::{PySentences, Second};
use crate::ngram::file::facts::{Facts, MAX_ORDER, Smoothing};
use crate::ngram::file::layout::Section;
use crate::ngram::model::Model;
use crate::ngram::score::Scorer;
use crate::ngram::sentences::SentenceTable;
use crate::page::blocks::{Block, BlockTable};

/// `models.errors.ModelError`.
pub fn model_error(py: Python<'_>, why: String) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    match CLASS.import(py, "models.errors", "ModelError") {
        Ok(class) => PyErr::from_type(class.clone(), why),
        Err(error) => error,
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
