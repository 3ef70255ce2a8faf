//! Glue for `structure`.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::structure::align;

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

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(align_characters, module)?)
}
