//! Glue for `metadata`: what pages say about themselves, as values of Python.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};

use crate::metadata::Metadata;
use crate::metadata::wishes::Wishes;
use crate::page::blocks::BlockTable;

/// `models.page.metadata.Metadata` of a page.
pub fn metadata<'py>(
    py: Python<'py>,
    url: &str,
    table: &BlockTable,
    page_type: &str,
) -> PyResult<Bound<'py, PyAny>> {
    static METADATA: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = METADATA.import(py, "models.page.metadata", "Metadata")?;
    let found = py.detach(|| Metadata::of(url, table, page_type));
    let values = PyDict::new(py);
    let sources = PyDict::new(py);
    for (name, stated) in [
        ("title", found.title),
        ("canonical_url", found.canonical_url),
        ("author", found.author),
        ("published_at", found.published_at),
        ("modified_at", found.modified_at),
        ("site_name", found.site_name),
        ("lang", found.lang),
        ("description", found.description),
        ("image", found.image),
        ("section", found.section),
        ("licence", found.licence),
    ] {
        if !stated.is_empty() {
            values.set_item(name, stated.value)?;
            sources.set_item(name, stated.source)?;
        }
    }
    if !found.tags.is_empty() {
        values.set_item("tags", PyTuple::new(py, found.tags)?)?;
        sources.set_item("tags", found.tags_source)?;
    }
    values.set_item("sources", sources)?;
    class.call((), Some(&values))
}

/// `models.document.Wishes` of a page.
pub fn wishes<'py>(
    py: Python<'py>,
    table: &BlockTable,
    robots_tag: &str,
) -> PyResult<Bound<'py, PyAny>> {
    static WISHES: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = WISHES.import(py, "models.document", "Wishes")?;
    let found = py.detach(|| Wishes::of(table, robots_tag));
    let agents = PyDict::new(py);
    for (name, wanted) in &found.agents {
        let names: Vec<&str> = wanted.names().collect();
        agents.set_item(name, PyTuple::new(py, names)?)?;
    }
    let directives: Vec<&str> = found.directives.names().collect();
    class.call1((
        PyTuple::new(py, directives)?,
        agents,
        found.tdm_reservation,
        found.tdm_policy,
        found.parts.links,
        found.parts.nofollow_links,
        found.parts.nosnippet_parts,
    ))
}
