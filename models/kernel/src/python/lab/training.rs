//! Glue for `ngram`: counting, training, and the parts that the oracle is compared with.

use std::path::PathBuf;
use std::sync::Mutex;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::ngram::file::facts::{MAX_ORDER, ModelFacts, Smoothing};
use crate::ngram::punkt::Splitter;
use crate::ngram::punkt::parameters::Parameters;
use crate::ngram::tokens::Tokeniser;
use crate::ngram::train::counter::{Counter, Plan};
use crate::ngram::train::import::Importer;
use crate::ngram::train::{Attachments, Choice, train};

/// The data for a model, until it is built.
struct Unfinished<T>(Mutex<Option<T>>);

impl<T> Unfinished<T> {
    fn new(parts: T) -> Self {
        Self(Mutex::new(Some(parts)))
    }

    fn add<R>(&self, more: impl FnOnce(&mut T) -> PyResult<R>) -> PyResult<R> {
        let mut parts = self.0.lock().map_err(poisoned)?;
        more(parts.as_mut().ok_or_else(finished)?)
    }

    fn finish(&self) -> PyResult<T> {
        let parts = self.0.lock().map_err(poisoned)?.take();
        parts.ok_or_else(finished)
    }
}

fn poisoned<T>(_: T) -> PyErr {
    PyRuntimeError::new_err("an earlier call failed: create a new object")
}

fn finished() -> PyErr {
    PyRuntimeError::new_err("the model is built already: create a new object")
}

/// Counts training text and builds a model from it.
#[pyclass(frozen, name = "Counter", module = "winnow.models._kernel.lab")]
pub struct PyCounter(Unfinished<Counter>);

#[pymethods]
impl PyCounter {
    #[new]
    #[pyo3(signature = (order, tokeniser, *, hold_out, punkt_table, folder))]
    fn new(
        order: usize,
        tokeniser: Tokeniser,
        hold_out: u64,
        punkt_table: Vec<u8>,
        folder: PathBuf,
    ) -> PyResult<Self> {
        if !(1..=MAX_ORDER).contains(&order) {
            return Err(PyValueError::new_err(format!("order {order}: 1, 2 or 3")));
        }
        let plan = Plan {
            order,
            tokeniser,
            hold_out,
            folder,
        };
        Ok(Self(Unfinished::new(Counter::new(plan, punkt_table)?)))
    }

    fn feed(&self, py: Python<'_>, chunk: &[u8]) -> PyResult<()> {
        py.detach(|| self.0.add(|counter| Ok(counter.feed(chunk)?)))
    }

    #[pyo3(signature = (target, *, weights, min_counts, min_gain, provenance, punkt_lists))]
    #[allow(clippy::too_many_arguments)] // one keyword per entry of the stub
    fn train(
        &self,
        py: Python<'_>,
        target: PathBuf,
        weights: Option<[f64; MAX_ORDER]>,
        min_counts: [u64; MAX_ORDER],
        min_gain: f64,
        provenance: &[u8],
        punkt_lists: &[u8],
    ) -> PyResult<ModelFacts> {
        let counter = self.0.finish()?;
        let choice = Choice {
            weights,
            min_counts,
            min_gain,
        };
        let attachments = Attachments {
            provenance,
            punkt_lists,
        };
        Ok(py.detach(|| train(counter, &choice, attachments, &target))?)
    }
}

/// Collects n-grams of another program and builds a model from them.
#[pyclass(frozen, name = "Importer", module = "winnow.models._kernel.lab")]
pub struct PyImporter(Unfinished<Importer>);

#[pymethods]
impl PyImporter {
    #[new]
    fn new(tokeniser: Tokeniser, folder: PathBuf) -> PyResult<Self> {
        Ok(Self(Unfinished::new(Importer::new(tokeniser, &folder)?)))
    }

    fn add(&self, py: Python<'_>, ngrams: Vec<(Vec<String>, f32, f32)>) -> PyResult<usize> {
        py.detach(|| {
            self.0.add(|importer| {
                let mut added = 0;
                for (words, log2, weight) in &ngrams {
                    added += usize::from(importer.add(words, *log2, *weight)?);
                }
                Ok(added)
            })
        })
    }

    #[pyo3(signature = (
        target, *, order, smoothing, unknown_log2, weights, punkt_table, provenance, punkt_lists
    ))]
    #[allow(clippy::too_many_arguments)] // one keyword per entry of the stub
    fn write(
        &self,
        py: Python<'_>,
        target: PathBuf,
        order: u32,
        smoothing: Smoothing,
        unknown_log2: f32,
        weights: [f64; MAX_ORDER],
        punkt_table: &[u8],
        provenance: &[u8],
        punkt_lists: &[u8],
    ) -> PyResult<ModelFacts> {
        let importer = self.0.finish()?;
        let facts = ModelFacts {
            order,
            smoothing,
            unknown_log2,
            weights,
            floor: f64::from(unknown_log2).exp2(),
            ..ModelFacts::default()
        };
        let attachments = Attachments {
            provenance,
            punkt_lists,
        };
        Ok(py.detach(|| importer.write(facts, punkt_table, attachments, &target))?)
    }
}

/// Spans of the sentences of a text, in characters.
#[pyfunction]
pub fn sentence_spans(py: Python<'_>, text: &str, punkt_table: &[u8]) -> Vec<(usize, usize)> {
    py.detach(|| {
        let mut spans = Vec::new();
        Splitter::new(Parameters::new(punkt_table)).split(text, &mut spans);
        let mut characters = 0;
        let mut bytes = 0;
        let mut count_to = |end: usize| {
            characters += text.get(bytes..end).map_or(0, |part| part.chars().count());
            bytes = end;
            characters
        };
        spans
            .iter()
            .map(|&(start, end)| (count_to(start), count_to(end)))
            .collect()
    })
}

/// Normalised tokens of a text.
#[pyfunction]
pub fn tokens(py: Python<'_>, text: &str, tokeniser: Tokeniser) -> Vec<String> {
    py.detach(|| tokeniser.normalised(text))
}
