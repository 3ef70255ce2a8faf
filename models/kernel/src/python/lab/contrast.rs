//! Glue for `engines::contrast`: functions for its training.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::engines::contrast::{Parameters, judge};
use crate::python::judgement::PyJudgement;
use crate::python::ngram::PySentences;

#[pyfunction]
pub fn judge_by_contrast(
    py: Python<'_>,
    content: Vec<Py<PySentences>>,
    boilerplate: Vec<Py<PySentences>>,
    parameters: Parameters,
) -> PyResult<Vec<PyJudgement>> {
    if content.len() != boilerplate.len() {
        return Err(PyValueError::new_err("two scores for each page are needed"));
    }
    let pairs = content.iter().zip(&boilerplate);
    let pairs: Vec<(&PySentences, &PySentences)> =
        pairs.map(|(one, other)| (one.get(), other.get())).collect();
    Ok(py.detach(|| {
        let judgements = pairs.iter().map(|(content, boilerplate)| {
            let page = &content.blocks.get().table;
            judge(page, &content.table, &boilerplate.table, &parameters)
        });
        judgements.map(Arc::new).map(PyJudgement).collect()
    }))
}
