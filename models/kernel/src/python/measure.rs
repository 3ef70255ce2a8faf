//! Glue for `measure`.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::measure::{self, TooLong};

fn refused(error: TooLong) -> PyErr {
    PyValueError::new_err(format!(
        "{} x {} symbols are more than {} cells",
        error.left,
        error.right,
        measure::MAX_CELLS
    ))
}

#[pyfunction]
fn lcs_length(py: Python<'_>, left: Vec<u32>, right: Vec<u32>) -> PyResult<usize> {
    py.detach(|| measure::lcs_length(&left, &right))
        .map_err(refused)
}

#[pyfunction]
fn lcs_pairs(py: Python<'_>, left: Vec<u32>, right: Vec<u32>) -> PyResult<Vec<(usize, usize)>> {
    py.detach(|| measure::lcs_pairs(&left, &right))
        .map_err(refused)
}

#[pyfunction]
fn edit_distance(py: Python<'_>, left: Vec<u32>, right: Vec<u32>) -> PyResult<usize> {
    py.detach(|| measure::edit_distance(&left, &right))
        .map_err(refused)
}

#[pyfunction]
fn char_edit_distance(py: Python<'_>, left: &str, right: &str) -> PyResult<usize> {
    py.detach(|| {
        let symbols = |text: &str| text.chars().map(u32::from).collect::<Vec<_>>();
        measure::edit_distance(&symbols(left), &symbols(right))
    })
    .map_err(refused)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(lcs_length, module)?)?;
    module.add_function(wrap_pyfunction!(lcs_pairs, module)?)?;
    module.add_function(wrap_pyfunction!(edit_distance, module)?)?;
    module.add_function(wrap_pyfunction!(char_edit_distance, module)?)
}
