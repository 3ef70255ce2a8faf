//! Glue for `hybrid`.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyType};

use super::blocks::PyBlocks;
use crate::engines::hybrid::context::Context;
use crate::engines::hybrid::lexicon::label_words;
use crate::engines::hybrid::model::{self, Comments, Judgement, Model, Policy, header};
use crate::engines::hybrid::neighbourhood::Neighbourhood;
use crate::engines::hybrid::outline::Outline;
use crate::engines::hybrid::page_type::PageType;
use crate::engines::hybrid::rows::Rows;
use crate::engines::hybrid::{features, neighbourhood, page_features, templates};
use crate::page::blocks::BlockTable;
use crate::page::runs::run_length;

/// The network and the trees of a parameter file.
#[pyclass(frozen, name = "HybridModel", module = "models._kernel")]
pub struct PyHybridModel {
    model: Model,
}

#[pymethods]
impl PyHybridModel {
    #[new]
    fn new(py: Python<'_>, file: &Bound<'_, PyBytes>) -> PyResult<Self> {
        let bytes = file.as_bytes();
        let model = py.detach(|| Model::read(bytes));
        let model = model.map_err(|damage| model_error(py, &damage.to_string()))?;
        Ok(Self { model })
    }

    fn judge(
        &self,
        py: Python<'_>,
        pages: Vec<PyRef<'_, PyBlocks>>,
        comments: &str,
        threshold: Option<f32>,
    ) -> PyResult<Vec<PyJudgement>> {
        let comments = match comments {
            "auto" => Comments::Auto,
            "keep" => Comments::Keep,
            "drop" => Comments::Drop,
            other => return Err(PyValueError::new_err(format!("unknown policy {other:?}"))),
        };
        let policy = Policy {
            comments,
            threshold,
        };
        let tables: Vec<_> = pages.iter().map(|page| &page.table).collect();
        if tables.iter().any(|table| table.elements.is_none()) {
            return Err(PyValueError::new_err("blocks were cut without elements"));
        }
        let judge = |table: &&BlockTable| {
            let blocks = table.blocks.len();
            let run = run_length(blocks, table.markup_bytes);
            let judgement = self.model.judge(&Outline::in_runs(table, run), policy);
            PyJudgement {
                judgement: judgement.spread(run, blocks),
            }
        };
        Ok(py.detach(|| tables.iter().map(judge).collect()))
    }
}

/// What is thought of one page.
#[pyclass(frozen, name = "Judgement", module = "models._kernel")]
pub struct PyJudgement {
    judgement: Judgement,
}

#[pymethods]
impl PyJudgement {
    #[getter]
    fn verdicts<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.judgement.verdicts)
    }

    #[getter]
    fn probabilities(&self) -> Vec<f32> {
        self.judgement.probabilities.clone()
    }

    #[getter]
    fn threshold(&self) -> f32 {
        self.judgement.threshold
    }

    #[getter]
    fn page_types(&self) -> Vec<f32> {
        self.judgement.page_types.to_vec()
    }
}

/// `models.errors.ModelError(detail)`.
fn model_error(py: Python<'_>, detail: &str) -> PyErr {
    static MODEL_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    MODEL_ERROR
        .import(py, "models.errors", "ModelError")
        .and_then(|class| class.call1((detail,)))
        .map_or_else(|error| error, PyErr::from_value)
}

/// Names of the columns: of the first stage, added by the second, of the kind of page.
#[pyfunction]
fn hybrid_names() -> (Vec<&'static str>, Vec<&'static str>, Vec<&'static str>) {
    (
        features::names(),
        neighbourhood::names(),
        page_features::names(),
    )
}

/// The digest of the names, and the checksum of a payload: what a file starts with.
#[pyfunction]
fn hybrid_seal(payload: &Bound<'_, PyBytes>) -> (u64, u64) {
    (
        header::feature_digest(),
        header::checksum(payload.as_bytes()),
    )
}

fn little_endian<'py>(py: Python<'py>, rows: &Rows, columns: usize) -> Bound<'py, PyBytes> {
    let mut bytes = Vec::new();
    for row in rows.iter() {
        bytes.extend(row[..columns].iter().flat_map(|value| value.to_le_bytes()));
    }
    PyBytes::new(py, &bytes)
}

/// The columns of the first stage, row after row, as 32-bit floats.
#[pyfunction]
fn hybrid_rows<'py>(py: Python<'py>, blocks: &PyBlocks) -> Bound<'py, PyBytes> {
    let page = Outline::of(&blocks.table);
    let rows = if page.spans.is_empty() {
        Rows::zeros(0)
    } else {
        model::first_rows(&Context::of(&page))
    };
    little_endian(py, &rows, features::names_count())
}

/// The buckets of the words of a page and its labels, each once, as 32-bit numbers.
#[pyfunction]
fn hybrid_words<'py>(py: Python<'py>, blocks: &PyBlocks) -> Bound<'py, PyBytes> {
    let page = Outline::of(&blocks.table);
    let mut bytes = Vec::new();
    if !page.spans.is_empty() {
        let context = Context::of(&page);
        let buckets = context.words.buckets().iter();
        bytes.extend(buckets.flat_map(|bucket| bucket.to_le_bytes()));
    }
    PyBytes::new(py, &bytes)
}

/// What is known one by one of the words of every block: those of its text, and those of the labels
/// of its element and of all above it. Of each the number a block, and the hashes, 32-bit numbers.
#[pyfunction]
fn hybrid_block_words<'py>(
    py: Python<'py>,
    blocks: &PyBlocks,
) -> [(Bound<'py, PyBytes>, Bound<'py, PyBytes>); 2] {
    let page = Outline::of(&blocks.table);
    let [mut text, mut labels] = [const { (Vec::new(), Vec::new()) }; 2];
    if !page.spans.is_empty() {
        let context = Context::of(&page);
        for (block, span) in page.spans.iter().enumerate() {
            add_words(context.first_words(block), &mut text);
            let mut words = Vec::new();
            for label in page.labels_above(span.node) {
                label_words(label, |word| words.push(word));
            }
            add_words(&words, &mut labels);
        }
    }
    [text, labels].map(|(counts, words)| (PyBytes::new(py, &counts), PyBytes::new(py, &words)))
}

fn add_words(words: &[u32], (counts, hashes): &mut (Vec<u8>, Vec<u8>)) {
    counts.extend((words.len() as u32).to_le_bytes());
    hashes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
}

/// A template and the words of every block: 32-bit numbers, 32-bit floats.
#[pyfunction]
fn hybrid_templates<'py>(
    py: Python<'py>,
    blocks: &PyBlocks,
) -> (Bound<'py, PyBytes>, Bound<'py, PyBytes>) {
    let page = Outline::of(&blocks.table);
    let (mut found, mut words) = (Vec::new(), Vec::new());
    if !page.spans.is_empty() {
        let context = Context::of(&page);
        for (block, weight) in context.weights.iter().enumerate() {
            found.extend(templates::template(&context, block).to_le_bytes());
            words.extend(weight.to_le_bytes());
        }
    }
    (PyBytes::new(py, &found), PyBytes::new(py, &words))
}

/// The columns that the second stage adds, and those of the kind of page, for given probabilities.
#[pyfunction]
fn hybrid_second_rows<'py>(
    py: Python<'py>,
    blocks: &PyBlocks,
    probabilities: Vec<f32>,
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
    let page = Outline::of(&blocks.table);
    if page.spans.is_empty() || page.spans.len() != probabilities.len() {
        return Err(PyValueError::new_err("one probability a block"));
    }
    let context = Context::of(&page);
    let around = Neighbourhood::of(&context, &probabilities);
    let mut rows = Rows::zeros(page.spans.len());
    for block in 0..page.spans.len() {
        around.write(block, &mut rows.columns(block, 0));
    }
    let blocks = little_endian(py, &rows, neighbourhood::names().len());
    let mut row = Rows::zeros(1);
    let scores = [0.0; PageType::COUNT];
    page_features::write(&context, &probabilities, &scores, &mut row.columns(0, 0));
    let page = little_endian(py, &row, page_features::names().len());
    Ok((blocks, page))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyHybridModel>()?;
    module.add_class::<PyJudgement>()?;
    module.add_function(wrap_pyfunction!(hybrid_names, module)?)?;
    module.add_function(wrap_pyfunction!(hybrid_seal, module)?)?;
    module.add_function(wrap_pyfunction!(hybrid_rows, module)?)?;
    module.add_function(wrap_pyfunction!(hybrid_words, module)?)?;
    module.add_function(wrap_pyfunction!(hybrid_block_words, module)?)?;
    module.add_function(wrap_pyfunction!(hybrid_templates, module)?)?;
    module.add_function(wrap_pyfunction!(hybrid_second_rows, module)?)
}
