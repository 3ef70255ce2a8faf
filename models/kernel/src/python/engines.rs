//! Glue for `engines`: batches of pages to judgements.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::blocks::{PyBlocks, tables};
use super::convert::Packed;
use super::judgement::PyJudgement;
use super::ngram::PySentences;
use crate::engines::contrast::{Parameters, judge};
use crate::engines::hybrid::confidence::{self, Confidence};
use crate::engines::hybrid::model::{Model, Policy};
use crate::engines::hybrid::occlusion::{Thing, influences};
use crate::engines::hybrid::reader::Damage;
use crate::engines::hybrid::roles::{Convention, Conventions};

/// A parameter file of the hybrid engine.
#[pyclass(frozen, module = "models._kernel")]
pub struct HybridModel(Model);

#[pymethods]
impl HybridModel {
    #[new]
    #[pyo3(signature = (file, confidence=None))]
    fn new(py: Python<'_>, file: &[u8], confidence: Option<&[u8]>) -> PyResult<Self> {
        Ok(Self(py.detach(|| {
            let model = Model::read(file)?;
            Ok::<_, Damage>(match confidence {
                Some(file) => model.with_confidence(Confidence::read(file)?),
                None => model,
            })
        })?))
    }

    fn confidence_features(&self, py: Python<'_>, page: &PyBlocks) -> PyResult<Packed<f32>> {
        if page.table.elements.is_none() {
            return Err(PyValueError::new_err("blocks were cut without elements"));
        }
        let row = py.detach(|| self.0.confidence_row(&page.table, Policy::default()));
        let columns = confidence::names().len();
        let row = row.and_then(|rows| rows.iter().next());
        Ok(row.map_or_else(Packed::default, |row| Packed(row[..columns].to_vec())))
    }

    /// What weighed in the judgement of a block, as kinds, words and numbers, and log-odds.
    fn influences(
        &self,
        py: Python<'_>,
        page: &PyBlocks,
        block: usize,
    ) -> PyResult<Vec<(&'static str, String, f32)>> {
        if page.table.elements.is_none() {
            return Err(PyValueError::new_err("blocks were cut without elements"));
        }
        let found = py.detach(|| influences(&self.0, &page.table, block, Policy::default()));
        let named = found.into_iter().map(|each| {
            let kind = each.thing.kind();
            let name = match each.thing {
                Thing::Word(name) | Thing::Label(name) | Thing::Element(name) => name,
                Thing::Block(other) => other.to_string(),
            };
            (kind, name, each.log_odds)
        });
        Ok(named.collect())
    }

    fn judge(
        &self,
        py: Python<'_>,
        pages: Vec<Py<PyBlocks>>,
        comments: Convention,
        roles: (Convention, Convention, Convention),
        threshold: Option<f32>,
    ) -> PyResult<Vec<PyJudgement>> {
        let tables = tables(&pages);
        if tables.iter().any(|table| table.elements.is_none()) {
            return Err(PyValueError::new_err("blocks were cut without elements"));
        }
        let policy = Policy {
            comments,
            roles: Conventions {
                title: roles.0,
                bylines: roles.1,
                captions: roles.2,
            },
            threshold,
        };
        Ok(py.detach(|| {
            let judgements = tables.iter().map(|table| self.0.judge(table, policy));
            judgements.map(PyJudgement).collect()
        }))
    }
}

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
        judgements.map(PyJudgement).collect()
    }))
}
