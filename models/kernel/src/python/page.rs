//! Glue for `page`: bodies to blocks, and blocks to text.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyType};

use super::blocks::PyBlocks;
use super::ngram::PySentences;
use crate::page::blocks::BlockTable;
use crate::page::guard::{Census, Limits};
use crate::page::inline::Inline;
use crate::page::lexbor::Node;
use crate::page::render::{Dropped, Format, Markup, Rendered};
use crate::page::{self, plain, tags};

/// A page that may be parsed.
#[pyclass(frozen, get_all, name = "Prepared", module = "winnow.models._kernel")]
pub struct PyPrepared {
    markup: Py<PyBytes>,
    parsed: Py<PyBytes>,
    charset: &'static str,
    form: &'static str,
    census: Census,
}

#[pyfunction]
pub fn prepare(
    py: Python<'_>,
    body: &Bound<'_, PyBytes>,
    content_type: &str,
    url: &str,
    limits: Limits,
) -> PyResult<PyPrepared> {
    let bytes = body.as_bytes();
    let prepared = py.detach(|| page::prepare::prepare(bytes, content_type, url, &limits))?;
    let markup = prepared.markup.as_bytes();
    let is_body = std::ptr::eq(markup, bytes);
    let markup = if is_body {
        body.clone()
    } else {
        PyBytes::new(py, markup)
    };
    let parsed = if prepared.unread.is_empty() {
        markup.clone()
    } else {
        let length = prepared.pieces().map(<[u8]>::len).sum();
        PyBytes::new_with(py, length, |mut out| {
            for piece in prepared.pieces() {
                let (filled, rest) = std::mem::take(&mut out).split_at_mut(piece.len());
                filled.copy_from_slice(piece);
                out = rest;
            }
            Ok(())
        })?
    };
    Ok(PyPrepared {
        markup: markup.unbind(),
        parsed: parsed.unbind(),
        charset: prepared.charset,
        form: prepared.form.as_str(),
        census: prepared.census,
    })
}

#[pyfunction]
pub fn walk(tree: Tree<'_>) -> PyResult<PyBlocks> {
    tree.walk(page::walk::walk)
}

#[pyfunction]
pub fn walk_with_elements(tree: Tree<'_>) -> PyResult<PyBlocks> {
    tree.walk(page::walk::walk_with_elements)
}

/// What the markup says inside of the blocks of a page.
#[pyclass(frozen, name = "Inline", module = "winnow.models._kernel")]
pub struct PyInline(pub Inline);

#[pyfunction]
pub fn walk_inline(tree: Tree<'_>, blocks: &PyBlocks) -> PyResult<PyInline> {
    let with_concealed = blocks.table.elements.is_some();
    let found = tree.read(|root, _| page::walk::walk_inline(root, with_concealed))?;
    let (text, inline) = found.unwrap_or_default();
    if text == blocks.table.text {
        Ok(PyInline(inline))
    } else {
        Err(PyValueError::new_err(
            "the blocks are those of another page",
        ))
    }
}

/// A page that selectolax parsed.
pub struct Tree<'py>(Bound<'py, PyAny>);

impl<'py> FromPyObject<'_, 'py> for Tree<'py> {
    type Error = PyErr;

    fn extract(tree: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        static PARSER: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let parser = PARSER.import(tree.py(), "selectolax.lexbor", "LexborHTMLParser")?;
        if tree.is_exact_instance(parser) {
            return Ok(Self(tree.to_owned()));
        }
        Err(PyTypeError::new_err("takes a selectolax LexborHTMLParser"))
    }
}

impl Tree<'_> {
    fn walk(&self, walk: fn(Node<'_>) -> BlockTable) -> PyResult<PyBlocks> {
        let table = self.read(|root, markup_bytes| BlockTable {
            markup_bytes,
            ..walk(root)
        })?;
        Ok(table.unwrap_or_default().into())
    }

    /// Runs `read` on the root element of the page and the length of its markup without the GIL;
    /// `None` for an empty tree.
    pub fn read<T: Send>(
        &self,
        read: impl FnOnce(Node<'_>, usize) -> T + Send,
    ) -> PyResult<Option<T>> {
        let root = self.0.getattr("root")?;
        if root.is_none() {
            return Ok(None);
        }
        let markup_bytes = self.0.getattr("raw_html")?.len()?;
        let address = root.getattr("mem_id")?.extract::<usize>()?;
        Ok(self.0.py().detach(|| {
            // SAFETY: the parser, whose type was checked when `self` was made, reports the address
            // of the root of its own tree; `winnow.models.page` pins the version of selectolax whose
            // layout `Node` repeats and tests it at import. `self` keeps the parser and so the tree
            // alive during this call, and `winnow.models.page` hands a tree to nobody else.
            unsafe { Node::at(address) }.map(|root| read(root, markup_bytes))
        }))
    }
}

#[pyfunction]
pub fn paragraphs(py: Python<'_>, text: &[u8]) -> PyResult<PyBlocks> {
    let text =
        std::str::from_utf8(text).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(py.detach(|| plain::paragraphs(text)).into())
}

#[pyfunction]
#[pyo3(signature = (
    blocks, sentences, verdicts, form, mark, inline=None, *, url="", links=false, images=false
))]
#[expect(clippy::too_many_arguments, reason = "they are named in Python")]
pub fn render(
    py: Python<'_>,
    blocks: &PyBlocks,
    sentences: Option<&PySentences>,
    verdicts: &[u8],
    form: Format,
    mark: bool,
    inline: Option<&PyInline>,
    url: &str,
    links: bool,
    images: bool,
) -> PyResult<Rendered> {
    let markup = Markup {
        inline: inline.map(|inline| &inline.0),
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

/// Element names by lexbor's number, for the test that compares them with selectolax.
#[pyfunction]
pub fn tag_names() -> Vec<&'static str> {
    tags::NAMES.to_vec()
}
