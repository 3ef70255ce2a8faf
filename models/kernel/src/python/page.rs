//! Glue for `page`: bodies to blocks, and blocks to text.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::blocks::PyBlocks;
use super::engines::PyRule;
use super::ngram::PySentences;
use crate::page;
use crate::page::limits::Limits;
use crate::page::render::{Dropped, Format, Markup, Rendered};
use crate::page::source::Source;
use crate::read::{Cut, Headers, Reader};

/// Which blocks of a page to read: those that a rule judges, or a named selection.
pub enum Wanted {
    Rule(Py<PyRule>),
    Named(Cut<'static>),
}

impl FromPyObject<'_, '_> for Wanted {
    type Error = PyErr;

    fn extract(wanted: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(rule) = wanted.cast::<PyRule>() {
            return Ok(Self::Rule(rule.to_owned().unbind()));
        }
        Ok(Self::Named(match wanted.extract::<&str>()? {
            "shown" => Cut::Shown,
            "uncovered" => Cut::Uncovered,
            "every" => Cut::Every,
            other => {
                let message = format!("unknown blocks {other:?}: one of shown, uncovered, every");
                return Err(PyValueError::new_err(message));
            }
        }))
    }
}

/// Reads pages.
#[pyclass(frozen, name = "Reader", module = "winnow.models._kernel")]
pub struct PyReader {
    wanted: Wanted,
    limits: Limits,
    inline: bool,
    data_text: bool,
    skips_noindex: bool,
}

#[pymethods]
impl PyReader {
    #[new]
    #[pyo3(signature = (blocks, limits, *, inline=false, data_text=false, skips_noindex=false))]
    fn new(
        blocks: Wanted,
        limits: Limits,
        inline: bool,
        data_text: bool,
        skips_noindex: bool,
    ) -> Self {
        Self {
            wanted: blocks,
            limits,
            inline,
            data_text,
            skips_noindex,
        }
    }

    #[pyo3(signature = (body, *, url="", content_type="", robots_tag=""))]
    fn read(
        &self,
        py: Python<'_>,
        body: &[u8],
        url: &str,
        content_type: &str,
        robots_tag: &str,
    ) -> PyResult<PyBlocks> {
        let reader = self.reader();
        let headers = Headers {
            url,
            content_type,
            robots_tag,
        };
        Ok(py.detach(|| reader.read(body, headers))?.into())
    }
}

impl PyReader {
    pub fn reader(&self) -> Reader<'_> {
        Reader {
            cut: match &self.wanted {
                Wanted::Rule(rule) => rule.get().cut(),
                Wanted::Named(cut) => *cut,
            },
            limits: self.limits,
            with_inline: self.inline,
            with_data_text: self.data_text,
            skips_noindex: self.skips_noindex,
        }
    }
}

/// Charset, form and markup of a body.
#[pyclass(frozen, get_all, name = "Source", module = "winnow.models._kernel")]
pub struct PySource {
    markup: Py<PyBytes>,
    charset: &'static str,
    form: &'static str,
    is_xml: bool,
}

#[pyfunction]
#[pyo3(signature = (body, limits, *, url="", content_type=""))]
pub fn decode(
    body: &Bound<'_, PyBytes>,
    limits: Limits,
    url: &str,
    content_type: &str,
) -> PyResult<PySource> {
    let (py, bytes) = (body.py(), body.as_bytes());
    let source = py.detach(|| Source::of(bytes, content_type, url, &limits))?;
    let markup = source.text.as_bytes();
    let markup = if std::ptr::eq(markup, bytes) {
        body.clone()
    } else {
        PyBytes::new(py, markup)
    };
    Ok(PySource {
        markup: markup.unbind(),
        charset: source.charset,
        form: source.form.as_str(),
        is_xml: source.is_xml,
    })
}

#[pyfunction]
#[pyo3(signature = (
    blocks, sentences, verdicts, form, mark, *, url="", links=false, images=false
))]
#[expect(clippy::too_many_arguments, reason = "they are named in Python")]
pub fn render(
    py: Python<'_>,
    blocks: &PyBlocks,
    sentences: Option<&PySentences>,
    verdicts: &[u8],
    form: Format,
    mark: bool,
    url: &str,
    links: bool,
    images: bool,
) -> PyResult<Rendered> {
    let markup = Markup {
        inline: blocks.inline.as_ref(),
        url,
        keeps_links: links,
        keeps_images: images,
    };
    let dropped = if mark {
        Dropped::Marked
    } else {
        Dropped::Vanish
    };
    let table = &blocks.table;
    let rows = sentences.map(|sentences| &sentences.table.sentences);
    let expected = rows.map_or(table.blocks.len(), Vec::len);
    if verdicts.len() != expected {
        let found = verdicts.len();
        let message = format!("{found} verdicts for {expected} sentences or blocks");
        return Err(PyValueError::new_err(message));
    }
    Ok(py.detach(|| match rows {
        Some(rows) => page::render::render(table, rows, verdicts, form, dropped, markup),
        None => page::render::render_blocks(table, verdicts, form, markup),
    }))
}
