//! Glue for `ngram`: counting, training, and the pieces that the oracle is compared with.

use std::path::PathBuf;
use std::sync::Mutex;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::ngram::{PyFacts, model_error};
use crate::ngram::file::facts::{Facts, MAX_ORDER, Smoothing};
use crate::ngram::punkt::Splitter;
use crate::ngram::punkt::parameters::{Lists, Parameters, table};
use crate::ngram::tokens::Tokeniser;
use crate::ngram::train::counter::{Counter, Plan};
use crate::ngram::train::import::Importer;
use crate::ngram::train::{Attachments, Choice, TrainError, train};

fn tokeniser_of(id: u32) -> PyResult<Tokeniser> {
    Tokeniser::from_id(id).ok_or_else(|| PyValueError::new_err("no tokeniser has this number"))
}

fn raised(py: Python<'_>, error: TrainError) -> PyErr {
    match error {
        TrainError::Io(error) => error.into(),
        TrainError::Refused(why) => model_error(py, why),
    }
}

/// Counts training text and makes a model of it.
#[pyclass(frozen, name = "Counter", module = "models._kernel")]
pub struct PyCounter {
    counter: Mutex<Option<Counter>>,
}

fn poisoned<T>(_: T) -> PyErr {
    PyRuntimeError::new_err("a call on this counter failed before")
}

fn finished() -> PyErr {
    PyRuntimeError::new_err("this counter has made its model")
}

#[pymethods]
impl PyCounter {
    #[new]
    #[pyo3(signature = (order, tokeniser, *, hold_out, punkt_table, folder))]
    fn new(
        order: usize,
        tokeniser: u32,
        hold_out: bool,
        punkt_table: Vec<u8>,
        folder: PathBuf,
    ) -> PyResult<Self> {
        if !(1..=MAX_ORDER).contains(&order) {
            return Err(PyValueError::new_err("the order of a model is 1, 2 or 3"));
        }
        let plan = Plan {
            order,
            tokeniser: tokeniser_of(tokeniser)?,
            hold_out,
            folder,
        };
        let counter = Counter::new(plan, punkt_table)?;
        Ok(Self {
            counter: Mutex::new(Some(counter)),
        })
    }

    fn feed(&self, py: Python<'_>, chunk: &[u8]) -> PyResult<()> {
        py.detach(|| {
            let mut counter = self.counter.lock().map_err(poisoned)?;
            Ok(counter.as_mut().ok_or_else(finished)?.feed(chunk)?)
        })
    }

    #[pyo3(signature = (target, *, weights, min_counts, min_gain, provenance, punkt_lists))]
    #[allow(clippy::too_many_arguments)] // one keyword an entry of the stub
    fn train(
        &self,
        py: Python<'_>,
        target: PathBuf,
        weights: Option<[f64; MAX_ORDER]>,
        min_counts: [u64; MAX_ORDER],
        min_gain: f64,
        provenance: &[u8],
        punkt_lists: &[u8],
    ) -> PyResult<PyFacts> {
        let counter = self
            .counter
            .lock()
            .map_err(poisoned)?
            .take()
            .ok_or_else(finished)?;
        let choice = Choice {
            weights,
            min_counts,
            min_gain,
        };
        let attachments = Attachments {
            provenance,
            punkt_lists,
        };
        let facts = py.detach(|| train(counter, &choice, attachments, &target));
        Ok(PyFacts::from(&facts.map_err(|error| raised(py, error))?))
    }
}

/// Collects n-grams that another program made and makes a model of them.
#[pyclass(frozen, name = "Importer", module = "models._kernel")]
pub struct PyImporter {
    importer: Mutex<Option<Importer>>,
}

#[pymethods]
impl PyImporter {
    #[new]
    fn new(py: Python<'_>, tokeniser: u32, folder: PathBuf) -> PyResult<Self> {
        let importer = Importer::new(tokeniser_of(tokeniser)?, &folder);
        Ok(Self {
            importer: Mutex::new(Some(importer.map_err(|error| raised(py, error))?)),
        })
    }

    fn add(&self, py: Python<'_>, ngrams: Vec<(Vec<String>, f32, f32)>) -> PyResult<usize> {
        let added = py.detach(|| {
            let mut importer = self.importer.lock().map_err(poisoned)?;
            let importer = importer.as_mut().ok_or_else(finished)?;
            Ok(ngrams.iter().try_fold(0, |sum, (words, log2, weight)| {
                Ok(sum + usize::from(importer.add(words, *log2, *weight)?))
            }))
        });
        added.and_then(|added| added.map_err(|error| raised(py, error)))
    }

    #[pyo3(signature = (
        target, *, order, interpolated, unknown_log2, weights, punkt_table, provenance, punkt_lists
    ))]
    #[allow(clippy::too_many_arguments)] // one keyword an entry of the stub
    fn write(
        &self,
        py: Python<'_>,
        target: PathBuf,
        order: u32,
        interpolated: bool,
        unknown_log2: f32,
        weights: [f64; MAX_ORDER],
        punkt_table: &[u8],
        provenance: &[u8],
        punkt_lists: &[u8],
    ) -> PyResult<PyFacts> {
        let importer = self.importer.lock().map_err(poisoned)?.take();
        let importer = importer.ok_or_else(finished)?;
        let smoothing = match interpolated {
            true => Smoothing::Interpolated,
            false => Smoothing::Backoff,
        };
        let facts = Facts {
            order,
            smoothing,
            unknown_log2,
            weights,
            floor: f64::from(unknown_log2).exp2(),
            ..Facts::default()
        };
        let attachments = Attachments {
            provenance,
            punkt_lists,
        };
        let facts = py.detach(|| importer.write(facts, punkt_table, attachments, &target));
        Ok(PyFacts::from(&facts.map_err(|error| raised(py, error))?))
    }
}

/// The table of Punkt parameters.
#[pyfunction]
fn punkt_table<'py>(
    py: Python<'py>,
    abbreviations: Vec<String>,
    collocations: Vec<(String, String)>,
    starters: Vec<String>,
    orthography: Vec<(String, u8)>,
) -> Bound<'py, PyBytes> {
    let lists = Lists {
        abbreviations,
        collocations,
        starters,
        orthography,
    };
    PyBytes::new(py, &py.detach(|| table(&lists)))
}

/// Spans of the sentences of a text, in characters.
#[pyfunction]
fn sentence_spans(py: Python<'_>, text: &str, punkt_table: &[u8]) -> Vec<(usize, usize)> {
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
fn tokens(py: Python<'_>, text: &str, tokeniser: u32) -> PyResult<Vec<String>> {
    let tokeniser = tokeniser_of(tokeniser)?;
    Ok(py.detach(|| tokeniser.normalised(text)))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyCounter>()?;
    module.add_class::<PyImporter>()?;
    module.add_function(wrap_pyfunction!(punkt_table, module)?)?;
    module.add_function(wrap_pyfunction!(sentence_spans, module)?)?;
    module.add_function(wrap_pyfunction!(tokens, module)?)
}
