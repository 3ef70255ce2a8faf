//! Glue for `document`.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};

use super::blocks::PyBlocks;
use super::metadata::PyMetadata;
use super::ngram::PySentences;
use super::page::PyInline;
use crate::document::{Counts, JudgedPage, Writer};
use crate::page::render::{Dropped, Format, Rendered};
use crate::signals::quality::Signal;

/// Writes what the documents of one cleaner say.
#[pyclass(frozen, name = "Writer", module = "models._kernel")]
pub struct PyWriter(Writer);

#[pymethods]
impl PyWriter {
    #[new]
    #[pyo3(signature = (form, *, mark, links, images, quality))]
    fn new(form: Format, mark: bool, links: bool, images: bool, quality: bool) -> Self {
        Self(Writer {
            format: form,
            dropped: if mark {
                Dropped::Marked
            } else {
                Dropped::Vanish
            },
            keeps_links: links,
            keeps_images: images,
            with_quality: quality,
        })
    }

    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn write(
        &self,
        py: Python<'_>,
        url: &str,
        blocks: &PyBlocks,
        sentences: &PySentences,
        verdicts: &[u8],
        page_type: &str,
        inline: Option<&PyInline>,
    ) -> PyResult<PyWritten> {
        let page = JudgedPage {
            url,
            table: &blocks.table,
            sentences: &sentences.table,
            verdicts,
            page_type,
            inline: inline.map(|inline| &inline.0),
        };
        let (found, expected) = (verdicts.len(), sentences.table.sentences.len());
        if found != expected {
            let message = format!("{found} verdicts for {expected} sentences");
            return Err(PyValueError::new_err(message));
        }
        let written = py.detach(|| self.0.write(page));
        Ok(PyWritten {
            rendered: written.rendered,
            text_digest: written.text_digest,
            simhash: written.simhash,
            quality: written.quality,
            metadata: Py::new(py, PyMetadata(written.metadata))?,
            counts: written.counts,
        })
    }
}

/// What a document says; strings of Python are made of what is read.
#[pyclass(frozen, name = "Written", module = "models._kernel")]
pub struct PyWritten {
    rendered: Rendered,
    text_digest: [u8; 32],
    simhash: Option<u64>,
    quality: Vec<Signal>,
    #[pyo3(get)]
    metadata: Py<PyMetadata>,
    counts: Counts,
}

#[pymethods]
impl PyWritten {
    #[getter]
    fn text(&self) -> &str {
        &self.rendered.text
    }

    #[getter]
    fn text_digest(&self) -> String {
        hex(&self.text_digest)
    }

    #[getter]
    fn simhash(&self) -> String {
        let simhash = self.simhash.map(|bits| format!("{bits:016x}"));
        simhash.unwrap_or_default()
    }

    #[getter]
    fn quality<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.quality.iter().copied().into_py_dict(py)
    }

    #[getter]
    fn blocks_kept(&self) -> usize {
        self.rendered.blocks_kept
    }

    #[getter]
    fn sentences(&self) -> usize {
        self.counts.sentences
    }

    #[getter]
    fn sentences_kept(&self) -> usize {
        self.rendered.sentences_kept
    }

    #[getter]
    fn tokens(&self) -> u64 {
        self.counts.tokens
    }

    #[getter]
    fn tokens_kept(&self) -> u64 {
        self.rendered.tokens_kept
    }

    #[getter]
    fn oov(&self) -> u64 {
        self.counts.oov
    }

    #[getter]
    fn chars_kept(&self) -> usize {
        self.rendered.chars_kept
    }

    #[getter]
    fn bytes_kept(&self) -> u64 {
        self.counts.bytes_kept
    }

    #[getter]
    fn perplexity_quantiles(&self) -> &[f64] {
        &self.counts.perplexity_quantiles
    }

    #[getter]
    fn dropped(&self) -> Vec<(u8, u64, u64, u64)> {
        self.counts.dropped.clone()
    }
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: [u8; 16] = *b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits
        .map(|digit| char::from(DIGITS[usize::from(digit)]))
        .collect()
}
