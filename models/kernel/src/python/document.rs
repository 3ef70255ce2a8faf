//! Glue for `document`.

use blake3::Hash;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyBytes, PyDict};

use super::checksum::named;
use super::metadata::PyMetadata;
use super::rule::PyJudgedPage;
use crate::document::{Counts, Page, Writer};
use crate::page::render::{Dropped, Format, Rendered};
use crate::signals::Signals;

/// Writes documents with the options of one cleaner.
#[pyclass(frozen, name = "Writer", module = "winnow.models._kernel")]
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

    fn write(&self, py: Python<'_>, url: &str, judged: &PyJudgedPage) -> PyResult<PyWritten> {
        let page = Page {
            url,
            table: &judged.blocks.get().table,
            sentences: &judged.sentences.get().table,
            verdicts: &judged.verdicts,
            page_type: judged.page_type(),
            inline: judged.blocks.get().inline.as_ref(),
        };
        let written = py.detach(|| self.0.write(page));
        Ok(PyWritten {
            rendered: written.rendered,
            text_digest: written.text_digest,
            signals: written.signals,
            metadata: Py::new(py, PyMetadata(written.metadata))?,
            counts: written.counts,
        })
    }
}

/// The fields of a document; Python strings are built when a field is read.
#[pyclass(frozen, name = "Written", module = "winnow.models._kernel")]
pub struct PyWritten {
    rendered: Rendered,
    text_digest: Hash,
    signals: Signals,
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
        named(self.text_digest)
    }

    #[getter]
    fn simhash(&self) -> String {
        let simhash = self.signals.simhash.map(|bits| format!("{bits:016x}"));
        simhash.unwrap_or_default()
    }

    #[getter]
    fn words(&self) -> usize {
        self.signals.words
    }

    #[getter]
    fn outline<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.rendered.outline)
    }

    #[getter]
    fn quality<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.signals.quality.iter().copied().into_py_dict(py)
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
    fn oov_kept(&self) -> u64 {
        self.counts.oov_kept
    }

    #[getter]
    fn chars_kept(&self) -> usize {
        self.rendered.chars_kept
    }

    #[getter]
    fn bytes_kept(&self) -> u64 {
        self.counts.bytes_kept
    }

    /// Kept text per token; none without a token.
    #[getter]
    fn perplexity(&self) -> Option<f64> {
        let tokens = self.rendered.tokens_kept as f64;
        (tokens > 0.0).then(|| (-self.counts.log2_kept / tokens).exp2())
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
