//! Glue for `cleaning`: pages -> the bytes of their messages, one call per batch.

use pyo3::exceptions::{PyRuntimeError, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::PyBytes;

use super::blocks::PyBlocks;
use super::engines::PyRule;
use super::page::PyReader;
use super::rule::{PyJudgedPage, PyLanguageModels, ceiling};
use super::sites::PySiteMemory;
use crate::cleaning::{Cleaner, Explained, Finished, Given};
use crate::document::Writer;
use crate::engines::rule::Ceiling;
use crate::message::{Facts, hex_of, named};
use crate::page::refusal::{Reason, Refusal};
use crate::page::render::{Dropped, Format};
use crate::read::Headers;

const NO_TEXT: &str = "URL, content type, robots tag or time of the fetch is not valid text";

/// Cleans batches of pages by the rule of one engine.
#[pyclass(frozen, name = "Cleaner", module = "winnow.models._kernel")]
pub struct PyCleaner {
    reader: Py<PyReader>,
    rule: Py<PyRule>,
    models: Py<PyLanguageModels>,
    sites: Option<Py<PySiteMemory>>,
    ceiling: Option<Ceiling>,
    writer: Writer,
    engine: String,
    engine_digest: String,
    threshold: f64,
    sources: bool,
    spans: bool,
    timed: bool,
}

#[pymethods]
impl PyCleaner {
    #[new]
    #[pyo3(signature = (
        reader, rule, models, sites, *, engine, engine_digest, threshold, max_perplexity,
        max_quantile, form, mark, links, images, quality, sources, spans, timed
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    #[expect(clippy::fn_params_excessive_bools, reason = "they are named in Python")]
    fn new(
        reader: Py<PyReader>,
        rule: Py<PyRule>,
        models: Py<PyLanguageModels>,
        sites: Option<Py<PySiteMemory>>,
        engine: String,
        engine_digest: String,
        threshold: f64,
        max_perplexity: Option<f32>,
        max_quantile: Option<f64>,
        form: Format,
        mark: bool,
        links: bool,
        images: bool,
        quality: bool,
        sources: bool,
        spans: bool,
        timed: bool,
    ) -> Self {
        Self {
            reader,
            rule,
            models,
            sites,
            ceiling: ceiling(max_perplexity, max_quantile),
            writer: Writer {
                format: form,
                dropped: if mark {
                    Dropped::Marked
                } else {
                    Dropped::Vanish
                },
                keeps_links: links,
                keeps_images: images,
                with_quality: quality,
            },
            engine,
            engine_digest,
            threshold,
            sources,
            spans,
            timed,
        }
    }

    /// One result per page: its messages, or the reason for refusing it.
    fn clean<'py>(
        &self,
        py: Python<'py>,
        pages: Vec<Bound<'py, PyAny>>,
        hosts: Vec<PyBackedStr>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let mut hosts = hosts.into_iter();
        let taken = pages.iter().map(|page| Taken::of(page, hosts.next()));
        let taken = taken.collect::<PyResult<Vec<_>>>()?;
        let given: Vec<Given<'_>> = taken.iter().flatten().map(Taken::given).collect();
        let mut cleaned = py
            .detach(|| self.with(self.spans, |cleaner| cleaner.clean(&given)))
            .into_iter();
        let results = taken.iter().map(|page| match page {
            Err(refusal) => refused(py, refusal.clone()),
            Ok(_) => match cleaned.next() {
                Some(Ok(finished)) => self.cleaned(py, finished),
                Some(Err(refusal)) => refused(py, refusal),
                None => Err(no_result()),
            },
        });
        results.collect()
    }

    /// One page with its intermediate data and the scores of all its sentences.
    fn explain<'py>(
        &self,
        py: Python<'py>,
        page: &Bound<'py, PyAny>,
        host: PyBackedStr,
    ) -> PyResult<(PyJudgedPage, Bound<'py, PyAny>)> {
        let taken = Taken::of(page, Some(host))??;
        let explained = py.detach(|| self.with(false, |cleaner| cleaner.explain(taken.given())))?;
        let Some(Explained {
            reading,
            judged,
            finished,
        }) = explained
        else {
            return Err(no_result());
        };
        let blocks = Py::new(py, PyBlocks::from(reading))?;
        let judged = PyJudgedPage::of(self.models.bind(py), blocks, judged)?;
        Ok((judged, self.cleaned(py, finished)?))
    }
}

impl PyCleaner {
    fn with<T>(&self, spans: bool, work: impl FnOnce(Cleaner<'_>) -> T) -> T {
        let (models, digests) = (self.models.get().models(), self.models.get().digests());
        work(Cleaner {
            reader: self.reader.get().reader(),
            rule: self.rule.get().rule(),
            models: &models,
            ceiling: self.ceiling,
            sites: self.sites.as_ref().map(|sites| &sites.get().memory),
            writer: self.writer,
            facts: Facts {
                engine: &self.engine,
                engine_digest: &self.engine_digest,
                threshold: self.threshold,
                model_digests: &digests,
                with_sources: self.sources,
                with_spans: spans,
            },
            is_timed: self.timed,
        })
    }

    fn cleaned<'py>(&self, py: Python<'py>, page: Finished) -> PyResult<Bound<'py, PyAny>> {
        let models = self.models.get().digests();
        let cleaned = PyCleaned {
            document: PyBytes::new(py, &page.document.json).unbind(),
            chunks_at: page.document.chunks_at,
            stats: PyBytes::new(py, &page.stats).unbind(),
            outline: page.outline,
            model_digest: models.get(page.model).copied().unwrap_or("").to_owned(),
            content_digest: named(page.content_digest),
            text_digest: named(page.text_digest),
            simhash: hex_of(page.simhash),
            words: page.words,
            language: page.language,
            threshold: page.threshold,
            confidence: page.confidence,
            page_type: page.page_type,
        };
        Ok(Bound::new(py, cleaned)?.into_any())
    }
}

/// The result for a page: its messages, and the fields of a document that are read most.
#[pyclass(frozen, get_all, name = "Cleaned", module = "winnow.models._kernel")]
pub struct PyCleaned {
    document: Py<PyBytes>,
    /// Where the member `chunks` belongs.
    chunks_at: usize,
    stats: Py<PyBytes>,
    outline: Vec<u8>,
    model_digest: String,
    content_digest: String,
    text_digest: String,
    simhash: String,
    words: usize,
    language: String,
    threshold: f64,
    confidence: Option<f32>,
    page_type: &'static str,
}

/// A page from Python; its bytes are not copied.
struct Taken {
    body: PyBackedBytes,
    url: PyBackedStr,
    content_type: PyBackedStr,
    robots_tag: PyBackedStr,
    fetched_at: PyBackedStr,
    host: Option<PyBackedStr>,
}

impl Taken {
    /// Takes a page; pages with invalid text in their fields are refused.
    fn of(page: &Bound<'_, PyAny>, host: Option<PyBackedStr>) -> PyResult<Result<Self, Refusal>> {
        let text = |name: &str| page.getattr(name)?.extract::<PyBackedStr>();
        let taken = || {
            PyResult::Ok(Self {
                body: page.getattr("body")?.extract()?,
                url: text("url")?,
                content_type: text("content_type")?,
                robots_tag: text("robots_tag")?,
                fetched_at: text("fetched_at")?,
                host,
            })
        };
        match taken() {
            Err(error) if error.is_instance_of::<PyUnicodeEncodeError>(page.py()) => {
                Ok(Err(Refusal::new(Reason::Undecodable, NO_TEXT)))
            }
            taken => taken.map(Ok),
        }
    }

    fn given(&self) -> Given<'_> {
        Given {
            body: &self.body,
            headers: Headers {
                url: &self.url,
                content_type: &self.content_type,
                robots_tag: &self.robots_tag,
            },
            fetched_at: &self.fetched_at,
            host: self.host.as_deref().unwrap_or_default(),
        }
    }
}

/// Each page has a result, because there is a language model.
fn no_result() -> PyErr {
    PyRuntimeError::new_err("a page has no result")
}

/// A refusal as a value that was never raised: a traceback would hold the page.
fn refused(py: Python<'_>, why: Refusal) -> PyResult<Bound<'_, PyAny>> {
    Ok(PyErr::from(why).into_value(py).into_bound(py).into_any())
}
