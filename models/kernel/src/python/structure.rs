//! Glue for `structure`.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyType};

use crate::page::lexbor::Node;
use crate::structure::cdom::collapse;
use crate::structure::rows::{body_of, rows_of};
use crate::structure::{align, columns, counts};

#[pyfunction]
#[pyo3(signature = (source, cleaned, /))]
fn align_characters<'py>(
    python: Python<'py>,
    source: &str,
    cleaned: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let positions = python
        .detach(|| align::align(source, cleaned))
        .map_err(|error| {
            PyValueError::new_err(format!("{} cells are too many to align", error.cells))
        })?;
    let packed: Vec<u8> = positions
        .into_iter()
        .map(|position| position.and_then(|j| i32::try_from(j).ok()).unwrap_or(-1))
        .flat_map(i32::to_le_bytes)
        .collect();
    Ok(PyBytes::new(python, &packed))
}

/// What the network reads of one page.
#[pyclass(frozen, name = "BlockColumns", module = "models._kernel")]
pub struct PyBlockColumns {
    columns: Vec<f32>,
    #[pyo3(get)]
    texts: Vec<String>,
}

#[pymethods]
impl PyBlockColumns {
    fn __len__(&self) -> usize {
        self.texts.len()
    }

    #[getter]
    fn columns<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let packed: Vec<u8> = self
            .columns
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        PyBytes::new(py, &packed)
    }
}

#[pyfunction]
fn block_columns(py: Python<'_>, tree: &Bound<'_, PyAny>) -> PyResult<PyBlockColumns> {
    let read = |root: Node<'_>| {
        let rows = body_of(root).map(rows_of).unwrap_or_default();
        let cdom = collapse(&rows);
        let blocks = cdom.blocks.iter().map(|&row| cdom.nodes[row as usize].text);
        PyBlockColumns {
            texts: blocks.map(counts::uniform).collect(),
            columns: columns::columns(cdom),
        }
    };
    Ok(with_root(py, tree, read)?.unwrap_or(PyBlockColumns {
        columns: Vec::new(),
        texts: Vec::new(),
    }))
}

#[pyfunction]
fn column_names() -> Vec<String> {
    columns::names()
}

/// Run `read` on the root element of a parsed page without the GIL; `None` for an empty tree.
fn with_root<T: Send>(
    py: Python<'_>,
    tree: &Bound<'_, PyAny>,
    read: impl FnOnce(Node<'_>) -> T + Send,
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
    let address = root.getattr("mem_id")?.extract::<usize>()?;
    Ok(py.detach(|| {
        // SAFETY: as for `walk`: the address is that of the root of the parser's own tree, whose
        // layout is tested at import, and the caller hands the tree to nobody else meanwhile.
        unsafe { Node::at(address) }.map(read)
    }))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyBlockColumns>()?;
    module.add_function(wrap_pyfunction!(align_characters, module)?)?;
    module.add_function(wrap_pyfunction!(block_columns, module)?)?;
    module.add_function(wrap_pyfunction!(column_names, module)?)
}
