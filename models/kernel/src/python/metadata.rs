//! Glue for `metadata`: metadata of pages as Python values.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};

use crate::metadata::Metadata;
use crate::metadata::wishes::Wishes;

/// The metadata of a page; Python strings are built when a field is read.
#[pyclass(frozen, name = "Metadata", module = "winnow.models._kernel")]
pub struct PyMetadata(pub Metadata);

macro_rules! stated {
    ($($field:ident),+) => {
        #[pymethods]
        impl PyMetadata {
            $(
                #[getter]
                fn $field(&self) -> &str {
                    &self.0.$field.value
                }
            )+

            #[getter]
            fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
                PyTuple::new(py, &self.0.tags)
            }

            /// The source of each field, by name of the field.
            #[getter]
            fn sources(&self) -> BTreeMap<&'static str, &'static str> {
                self.0.sources()
            }
        }
    };
}

stated!(
    title,
    canonical_url,
    author,
    published_at,
    modified_at,
    site_name,
    lang,
    description,
    image,
    section,
    licence
);

/// `winnow.models.document.Wishes` of a page.
pub fn wishes<'py>(py: Python<'py>, found: &Wishes) -> PyResult<Bound<'py, PyAny>> {
    static WISHES: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = WISHES.import(py, "winnow.models.document", "Wishes")?;
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
        &found.tdm_policy,
        found.parts.links,
        found.parts.nofollow_links,
        found.parts.nosnippet_parts,
    ))
}
