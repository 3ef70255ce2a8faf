//! Glue for `engines::rule`: batches of pages to judged ones.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::blocks::PyBlocks;
use super::engines::PyRule;
use super::ngram::{PyModel, PySentences};
use crate::engines::judgement::Judgement;
use crate::engines::rule::{Ceiling, CutPage, JudgedPage, Scope, judge};
use crate::language::choice::LanguageModel;
use crate::message::hex;

/// A set of language models, at most one per language.
#[pyclass(frozen, name = "LanguageModels", module = "winnow.models._kernel")]
pub struct PyLanguageModels {
    named: Vec<NamedModel>,
}

struct NamedModel {
    model: Py<PyModel>,
    language: String,
    /// Hex SHA-256 of its contents.
    digest: String,
}

#[pymethods]
impl PyLanguageModels {
    #[new]
    fn new(models: Vec<(Py<PyModel>, String)>) -> PyResult<Self> {
        if models.is_empty() {
            return Err(PyValueError::new_err("there is no language model"));
        }
        let named = models.into_iter().map(|(model, language)| NamedModel {
            digest: hex(model.get().model.digest()),
            model,
            language,
        });
        Ok(Self {
            named: named.collect(),
        })
    }

    #[pyo3(signature = (rule, pages, scores_dropped=false, max_perplexity=None, max_quantile=None))]
    fn judge(
        slf: &Bound<'_, Self>,
        rule: &PyRule,
        pages: Vec<Py<PyBlocks>>,
        scores_dropped: bool,
        max_perplexity: Option<f32>,
        max_quantile: Option<f64>,
    ) -> PyResult<Vec<PyJudgedPage>> {
        let py = slf.py();
        let rule = rule.over(&pages)?;
        let models = slf.get().models();
        let cut = pages.iter().map(|page| CutPage {
            table: &page.get().table,
            labels: page.get().labels.as_ref(),
        });
        let cut: Vec<CutPage<'_>> = cut.collect();
        let scope = if scores_dropped {
            Scope::All
        } else {
            Scope::Kept
        };
        let ceiling = ceiling(max_perplexity, max_quantile);
        let judged = py.detach(|| judge(&models, rule, &cut, scope, ceiling));
        let pages = judged
            .into_iter()
            .zip(&pages)
            .map(|(page, blocks)| PyJudgedPage::of(slf, blocks.clone_ref(py), page));
        pages.collect()
    }
}

impl PyLanguageModels {
    pub fn models(&self) -> Vec<LanguageModel<'_>> {
        let models = self.named.iter().map(|each| LanguageModel {
            model: &each.model.get().model,
            language: &each.language,
        });
        models.collect()
    }

    /// Their hex digests.
    pub fn digests(&self) -> Vec<&str> {
        self.named.iter().map(|each| &each.digest[..]).collect()
    }
}

/// The limit of the perplexity of kept sentences.
pub fn ceiling(max_perplexity: Option<f32>, max_quantile: Option<f64>) -> Option<Ceiling> {
    let of_all = max_perplexity.map(Ceiling::Perplexity);
    of_all.or(max_quantile.map(Ceiling::Quantile))
}

/// A page with scores and verdicts.
#[pyclass(frozen, name = "JudgedPage", module = "winnow.models._kernel")]
pub struct PyJudgedPage {
    #[pyo3(get)]
    pub blocks: Py<PyBlocks>,
    #[pyo3(get)]
    pub sentences: Py<PySentences>,
    models: Py<PyLanguageModels>,
    model: usize,
    is_known: bool,
    #[pyo3(get)]
    language: String,
    #[pyo3(get)]
    language_score: f64,
    pub verdicts: Vec<u8>,
    #[pyo3(get)]
    threshold: Option<f64>,
    pub judgement: Option<Arc<Judgement>>,
}

#[pymethods]
impl PyJudgedPage {
    #[getter]
    fn verdicts(&self) -> &[u8] {
        &self.verdicts
    }

    #[getter]
    fn model_digest(&self) -> &str {
        &self.models.get().named[self.model].digest
    }

    #[getter]
    fn model_language(&self) -> &str {
        if self.is_known {
            &self.models.get().named[self.model].language
        } else {
            ""
        }
    }

    /// The share of held-out sentences of the page's own model with a higher perplexity.
    fn stranger(&self, perplexity: f64) -> Option<f64> {
        let model = &self.models.get().named[self.model].model;
        let quantiles = &model.get().model.quantiles;
        self.is_known.then(|| quantiles.stranger(perplexity))?
    }

    #[getter]
    fn probabilities(&self) -> &[f32] {
        let judgement = self.judgement.as_ref();
        judgement.map_or(&[], |blocks| &blocks.probabilities)
    }

    /// The decider of each block's verdict, of `DECIDERS`; empty if the engine decided all.
    #[getter]
    fn deciders(&self) -> Vec<u8> {
        let judgement = self.judgement.as_ref();
        let deciders = judgement.map_or(&[][..], |blocks| &blocks.deciders);
        deciders.iter().map(|decider| *decider as u8).collect()
    }

    #[getter]
    fn confidence(&self) -> Option<f32> {
        self.judgement.as_ref()?.confidence
    }

    #[getter]
    pub fn page_type(&self) -> &'static str {
        self.typed().map_or("", |(name, _)| name)
    }

    #[getter]
    fn page_type_probability(&self) -> f32 {
        self.typed().map_or(0.0, |(_, probability)| probability)
    }

    #[getter]
    fn page_types(&self) -> &[f32] {
        let judgement = self.judgement.as_ref();
        let types = judgement.and_then(|blocks| blocks.page_types.as_ref());
        types.map_or(&[], |types| types)
    }
}

impl PyJudgedPage {
    pub fn of(
        models: &Bound<'_, PyLanguageModels>,
        blocks: Py<PyBlocks>,
        page: JudgedPage,
    ) -> PyResult<Self> {
        let py = models.py();
        let sentences = PySentences {
            table: page.sentences,
            blocks: blocks.clone_ref(py),
        };
        Ok(Self {
            blocks,
            sentences: Py::new(py, sentences)?,
            models: models.clone().unbind(),
            model: page.model,
            is_known: page.is_known,
            language: page.language,
            language_score: page.language_score,
            verdicts: page.verdicts,
            threshold: page.threshold,
            judgement: page.blocks,
        })
    }

    /// The same page with other verdicts, one per sentence.
    pub fn with_verdicts(&self, py: Python<'_>, verdicts: Vec<u8>) -> Self {
        Self {
            blocks: self.blocks.clone_ref(py),
            sentences: self.sentences.clone_ref(py),
            models: self.models.clone_ref(py),
            language: self.language.clone(),
            judgement: self.judgement.clone(),
            verdicts,
            ..*self
        }
    }

    fn typed(&self) -> Option<(&'static str, f32)> {
        self.judgement.as_ref()?.page_type()
    }
}
