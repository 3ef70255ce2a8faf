//! Glue for `page`: bodies to blocks, and blocks to text.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyType};

use super::blocks::PyBlocks;
use super::sentences::PySentences;
use crate::page::blocks::BlockTable;
use crate::page::guard::Limits;
use crate::page::lexbor::Node;
use crate::page::refusal::Refusal;
use crate::page::render::{Dropped, Format, Rendered, render, render_blocks};
use crate::page::{plain, prepare, tags, walk};

/// A page that may be parsed.
#[pyclass(frozen, name = "Prepared", module = "models._kernel")]
pub struct PyPrepared {
    #[pyo3(get)]
    markup: Py<PyBytes>,
    #[pyo3(get)]
    charset: &'static str,
    #[pyo3(get)]
    form: &'static str,
    census: crate::page::guard::Census,
}

#[pymethods]
impl PyPrepared {
    /// Name and figure of everything that has a limit.
    #[getter]
    fn census(&self) -> Vec<(&'static str, usize)> {
        let census = &self.census;
        vec![
            ("depth", census.depth),
            ("nodes", census.nodes),
            ("attributes", census.attributes),
            ("names", census.names),
            ("steps", census.steps),
            ("moved", census.moved),
        ]
    }

    #[getter]
    fn leaves_title_open(&self) -> bool {
        self.census.leaves_title_open
    }
}

/// Rendered text with its counts.
#[pyclass(frozen, name = "Rendered", module = "models._kernel", get_all)]
pub struct PyRendered {
    text: String,
    blocks_kept: usize,
    sentences_kept: usize,
    tokens_kept: u64,
    chars_kept: usize,
}

impl From<Rendered> for PyRendered {
    fn from(rendered: Rendered) -> Self {
        Self {
            text: rendered.text,
            blocks_kept: rendered.blocks_kept,
            sentences_kept: rendered.sentences_kept,
            tokens_kept: rendered.tokens_kept,
            chars_kept: rendered.chars_kept,
        }
    }
}

#[pyfunction(name = "prepare")]
fn prepare_page(
    py: Python<'_>,
    body: &Bound<'_, PyBytes>,
    content_type: &str,
    url: &str,
    limits: &Bound<'_, PyAny>,
) -> PyResult<PyPrepared> {
    let limit = |name: &str| limits.getattr(name)?.extract::<usize>();
    let limits = Limits {
        page_bytes: limit("page_bytes")?,
        depth: limit("depth")?,
        nodes: limit("nodes")?,
        attributes: limit("attributes")?,
        names: limit("names")?,
        steps: limit("steps")?,
        moved: limit("moved")?,
    };
    let bytes = body.as_bytes();
    let prepared = py
        .detach(|| prepare::prepare(bytes, content_type, url, &limits))
        .map_err(|refusal| invalid_page(py, &refusal))?;
    let markup = prepared.markup.as_bytes();
    let is_body = std::ptr::eq(markup, bytes);
    let markup = if is_body {
        body.clone()
    } else {
        PyBytes::new(py, markup)
    };
    Ok(PyPrepared {
        markup: markup.unbind(),
        charset: prepared.charset,
        form: prepared.form.as_str(),
        census: prepared.census,
    })
}

/// `models.errors.InvalidPage(Reason(...), detail)`.
fn invalid_page(py: Python<'_>, refusal: &Refusal) -> PyErr {
    static INVALID_PAGE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static REASON: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let error = REASON
        .import(py, "models.errors", "Reason")
        .and_then(|reason| reason.call1((refusal.reason.as_str(),)))
        .and_then(|reason| {
            let class = INVALID_PAGE.import(py, "models.errors", "InvalidPage")?;
            class.call1((reason, refusal.detail.as_str()))
        });
    error.map_or_else(|error| error, PyErr::from_value)
}

#[pyfunction(name = "walk")]
fn walk_tree(py: Python<'_>, tree: &Bound<'_, PyAny>) -> PyResult<PyBlocks> {
    walk_by(py, tree, walk::walk)
}

#[pyfunction]
fn walk_with_elements(py: Python<'_>, tree: &Bound<'_, PyAny>) -> PyResult<PyBlocks> {
    walk_by(py, tree, walk::walk_with_elements)
}

fn walk_by(
    py: Python<'_>,
    tree: &Bound<'_, PyAny>,
    walk: fn(Node<'_>) -> BlockTable,
) -> PyResult<PyBlocks> {
    let table = with_root(py, tree, |root, markup_bytes| BlockTable {
        markup_bytes,
        ..walk(root)
    })?;
    Ok(table.unwrap_or_default().into())
}

/// Run `read` on the root element of a parsed page and the length of its markup without the GIL;
/// `None` for an empty tree.
pub fn with_root<T: Send>(
    py: Python<'_>,
    tree: &Bound<'_, PyAny>,
    read: impl FnOnce(Node<'_>, usize) -> T + Send,
) -> PyResult<Option<T>> {
    static PARSER: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let parser = PARSER.import(py, "selectolax.lexbor", "LexborHTMLParser")?;
    if !tree.is_exact_instance(parser) {
        return Err(PyTypeError::new_err("takes a selectolax LexborHTMLParser"));
    }
    let root = tree.getattr("root")?;
    if root.is_none() {
        return Ok(None);
    }
    let markup_bytes = tree.getattr("raw_html")?.len()?;
    let address = root.getattr("mem_id")?.extract::<usize>()?;
    Ok(py.detach(|| {
        // SAFETY: the parser, whose type was just checked, reports the address of the root of its
        // own tree; `models.page` pins the version of selectolax whose layout `Node` repeats and
        // tests it at import. The caller's reference keeps the parser and so the tree alive during
        // this call, and `models.page` hands a tree to nobody else.
        unsafe { Node::at(address) }.map(|root| read(root, markup_bytes))
    }))
}

#[pyfunction]
fn paragraphs(py: Python<'_>, text: &Bound<'_, PyBytes>) -> PyResult<PyBlocks> {
    let text = std::str::from_utf8(text.as_bytes())
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(py.detach(|| plain::paragraphs(text)).into())
}

#[pyfunction(name = "render")]
#[pyo3(signature = (blocks, sentences, verdicts, form, mark))]
fn render_page(
    py: Python<'_>,
    blocks: &PyBlocks,
    sentences: Option<&PySentences>,
    verdicts: &[u8],
    form: &str,
    mark: bool,
) -> PyResult<PyRendered> {
    let format = match form {
        "text" => Format::Text,
        "markdown" => Format::Markdown,
        other => {
            return Err(PyValueError::new_err(format!(
                "unknown form of text {other:?}"
            )));
        }
    };
    let dropped = if mark {
        Dropped::Marked
    } else {
        Dropped::Vanish
    };
    let expected = sentences.map_or(blocks.table.blocks.len(), |sentences| {
        sentences.table.sentences.len()
    });
    if verdicts.len() != expected {
        let message = format!(
            "{} verdicts for {expected} sentences or blocks",
            verdicts.len()
        );
        return Err(PyValueError::new_err(message));
    }
    let table = &blocks.table;
    let rendered = py.detach(|| match sentences {
        Some(sentences) => render(table, &sentences.table.sentences, verdicts, format, dropped),
        None => render_blocks(table, verdicts, format),
    });
    Ok(rendered.into())
}

/// Element names by lexbor's number, for the test that compares them with selectolax.
#[pyfunction]
fn tag_names() -> Vec<&'static str> {
    tags::NAMES.to_vec()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyPrepared>()?;
    module.add_class::<PyBlocks>()?;
    module.add_class::<PyRendered>()?;
    module.add_function(wrap_pyfunction!(prepare_page, module)?)?;
    module.add_function(wrap_pyfunction!(walk_tree, module)?)?;
    module.add_function(wrap_pyfunction!(walk_with_elements, module)?)?;
    module.add_function(wrap_pyfunction!(paragraphs, module)?)?;
    module.add_function(wrap_pyfunction!(render_page, module)?)?;
    module.add_function(wrap_pyfunction!(tag_names, module)?)
}
