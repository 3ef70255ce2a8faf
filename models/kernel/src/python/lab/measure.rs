//! Glue for `measure`.

use pyo3::prelude::*;

use crate::measure;
use crate::python::convert::Packed;

#[pyfunction]
pub fn lcs_length(py: Python<'_>, left: Vec<u32>, right: Vec<u32>) -> PyResult<usize> {
    Ok(py.detach(|| measure::lcs_length(&left, &right))?)
}

#[pyfunction]
pub fn lcs_pairs(py: Python<'_>, left: Vec<u32>, right: Vec<u32>) -> PyResult<Vec<(usize, usize)>> {
    Ok(py.detach(|| measure::lcs_pairs(&left, &right))?)
}

#[pyfunction]
pub fn edit_distance(py: Python<'_>, left: Vec<u32>, right: Vec<u32>) -> PyResult<usize> {
    Ok(py.detach(|| measure::edit_distance(&left, &right))?)
}

#[pyfunction]
pub fn char_edit_distance(py: Python<'_>, left: &str, right: &str) -> PyResult<usize> {
    let symbols = |text: &str| text.chars().map(u32::from).collect::<Vec<_>>();
    Ok(py.detach(|| measure::edit_distance(&symbols(left), &symbols(right)))?)
}

#[pyfunction]
#[pyo3(signature = (source, cleaned, /))]
pub fn align_characters(py: Python<'_>, source: &str, cleaned: &str) -> PyResult<Packed<i32>> {
    let positions = py.detach(|| measure::align::align(source, cleaned))?;
    let places = positions.into_iter();
    Ok(places
        .map(|place| place.and_then(|at| i32::try_from(at).ok()).unwrap_or(-1))
        .collect())
}
