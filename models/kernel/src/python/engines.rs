//! Glue for `engines`: batches of pages to judgements.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::blocks::{PyBlocks, tables};
use super::judgement::PyJudgement;
use super::ngram::PyModel;
use super::web2text::Web2TextNetworks;
use crate::engines::contrast::Parameters;
use crate::engines::hybrid::confidence::Confidence;
use crate::engines::hybrid::model::{Model, Policy};
use crate::engines::hybrid::occlusion::{Thing, influences};
use crate::engines::hybrid::reader::Damage;
use crate::engines::hybrid::roles::{Convention, Conventions};
use crate::engines::rule::{Rule, Thresholds};
use crate::read::Cut;

/// A parameter file of the hybrid engine.
#[pyclass(frozen, module = "winnow.models._kernel")]
pub struct HybridModel(pub Model);

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

    fn judge(
        &self,
        py: Python<'_>,
        pages: Vec<Py<PyBlocks>>,
        comments: Convention,
        roles: Roles,
        threshold: Option<f32>,
    ) -> PyResult<Vec<PyJudgement>> {
        check_elements(&pages)?;
        let (tables, policy) = (tables(&pages), policy(comments, roles, threshold));
        Ok(py.detach(|| {
            let judgements = tables.iter().map(|table| self.0.judge(table, policy));
            judgements.map(Arc::new).map(PyJudgement).collect()
        }))
    }
}

/// The policies for the title, for bylines, for captions and for the standfirst.
type Roles = (Convention, Convention, Convention, Convention);

fn policy(
    comments: Convention,
    (title, bylines, captions, standfirst): Roles,
    threshold: Option<f32>,
) -> Policy {
    Policy {
        comments,
        roles: Conventions {
            title,
            bylines,
            captions,
            standfirst,
        },
        threshold,
    }
}

pub fn check_elements(pages: &[Py<PyBlocks>]) -> PyResult<()> {
    let has_elements = |page: &Py<PyBlocks>| page.get().table.elements.is_some();
    if pages.iter().all(has_elements) {
        return Ok(());
    }
    Err(PyValueError::new_err("blocks were read without elements"))
}

/// The rule of an engine, and the blocks that it needs.
#[pyclass(frozen, name = "Rule", module = "winnow.models._kernel")]
pub struct PyRule(Parts);

enum Parts {
    Perplexity(Thresholds),
    Contrast(Py<PyModel>, Parameters),
    Hybrid(Py<HybridModel>, Policy),
    Web2Text(Py<Web2TextNetworks>),
}

#[pymethods]
impl PyRule {
    #[staticmethod]
    fn perplexity(otherwise: f64, by_language: Vec<(String, f64)>) -> Self {
        Self(Parts::Perplexity(Thresholds {
            otherwise,
            by_language,
        }))
    }

    #[staticmethod]
    fn contrast(boilerplate: Py<PyModel>, parameters: Parameters) -> Self {
        Self(Parts::Contrast(boilerplate, parameters))
    }

    #[staticmethod]
    fn hybrid(
        model: Py<HybridModel>,
        comments: Convention,
        roles: Roles,
        threshold: Option<f32>,
    ) -> Self {
        Self(Parts::Hybrid(model, policy(comments, roles, threshold)))
    }

    #[staticmethod]
    fn web2text(networks: Py<Web2TextNetworks>) -> Self {
        Self(Parts::Web2Text(networks))
    }

    #[getter]
    fn has_probabilities(&self) -> bool {
        matches!(self.0, Parts::Hybrid(..))
    }

    /// Contributions to the judgement of a block: kind, word or number, and log-odds.
    fn influences(
        &self,
        py: Python<'_>,
        page: Py<PyBlocks>,
        block: usize,
    ) -> PyResult<Vec<(&'static str, String, f32)>> {
        let Parts::Hybrid(model, _) = &self.0 else {
            return Err(PyValueError::new_err("the rule gives no probabilities"));
        };
        check_elements(std::slice::from_ref(&page))?;
        let (model, page) = (&model.get().0, &page.get().table);
        let found = py.detach(|| influences(model, page, block, Policy::default()));
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
}

impl PyRule {
    /// The blocks that the rule judges.
    pub fn cut(&self) -> Cut<'_> {
        match &self.0 {
            Parts::Perplexity(_) | Parts::Contrast(..) => Cut::Uncovered,
            Parts::Hybrid(..) => Cut::Every,
            Parts::Web2Text(networks) => Cut::Labelled(&networks.get().0),
        }
    }

    /// The rule; an error if it cannot judge these pages.
    pub fn over(&self, pages: &[Py<PyBlocks>]) -> PyResult<Rule<'_>> {
        if matches!(self.0, Parts::Hybrid(..)) {
            check_elements(pages)?;
        }
        Ok(self.rule())
    }

    /// The rule, for pages read for it.
    pub fn rule(&self) -> Rule<'_> {
        match &self.0 {
            Parts::Perplexity(thresholds) => Rule::Perplexity(thresholds),
            Parts::Contrast(model, parameters) => Rule::Contrast {
                boilerplate: &model.get().model,
                parameters,
            },
            Parts::Hybrid(model, policy) => Rule::Hybrid {
                model: &model.get().0,
                policy: *policy,
            },
            Parts::Web2Text(_) => Rule::Labelled,
        }
    }
}
