//! Glue for `web2text`.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::blocks::PyBlocks;
use super::page::with_root;
use crate::engines::web2text::chain::{self, Node as NodeScores, Pair};
use crate::engines::web2text::columns::Columns;
use crate::engines::web2text::labels::{labelled_blocks, leaves_of};
use crate::engines::web2text::network::{Ensemble, Layer, Leaning, Scaling};
use crate::engines::web2text::{align, names};

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

/// The leaves of the collapsed DOM of one page.
#[pyclass(frozen, name = "Leaves", module = "models._kernel")]
pub struct PyLeaves {
    #[pyo3(get)]
    texts: Vec<String>,
    columns: Columns,
}

#[pymethods]
impl PyLeaves {
    fn __len__(&self) -> usize {
        self.texts.len()
    }

    #[getter]
    fn columns<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        pack(
            py,
            self.columns.rows.iter().map(|value| value.to_le_bytes()),
        )
    }
}

#[pyfunction]
fn leaves(py: Python<'_>, tree: &Bound<'_, PyAny>) -> PyResult<PyLeaves> {
    let found = with_root(py, tree, |root, _| leaves_of(root))?;
    let (texts, columns) = found.unwrap_or_default();
    Ok(PyLeaves { texts, columns })
}

#[pyfunction]
fn column_names() -> Vec<String> {
    names::names()
}

/// The networks of a weight file.
#[pyclass(frozen, name = "StructureNetworks", module = "models._kernel")]
pub struct PyStructureNetworks {
    ensemble: Ensemble,
}

/// Width, inputs, filters, weights, biases; the last two as little-endian float32.
type PackedLayer<'py> = (
    usize,
    usize,
    usize,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
);

#[pymethods]
impl PyStructureNetworks {
    #[new]
    fn new(
        means: &Bound<'_, PyBytes>,
        spreads: &Bound<'_, PyBytes>,
        limit: f32,
        content_bias: f32,
        agreement: f32,
        members: Vec<Vec<PackedLayer<'_>>>,
    ) -> PyResult<Self> {
        let layer = |(width, inputs, filters, weights, biases): PackedLayer<'_>| {
            Ok(Layer {
                width,
                inputs,
                filters,
                weights: floats(&weights)?,
                biases: floats(&biases)?,
            })
        };
        let network = |layers: Vec<PackedLayer<'_>>| layers.into_iter().map(layer).collect();
        let members: PyResult<Vec<Vec<Layer>>> = members.into_iter().map(network).collect();
        let scaling = Scaling {
            means: floats(means)?,
            spreads: floats(spreads)?,
            limit,
        };
        let leaning = Leaning {
            content_bias,
            agreement,
        };
        let ensemble = Ensemble::new(scaling, leaning, &members?, names::names().len());
        let ensemble = ensemble.map_err(|mismatch| PyValueError::new_err(mismatch.0))?;
        Ok(Self { ensemble })
    }

    fn walk(
        &self,
        py: Python<'_>,
        tree: &Bound<'_, PyAny>,
        with_concealed: bool,
    ) -> PyResult<PyBlocks> {
        let table = with_root(py, tree, |root, markup_bytes| {
            labelled_blocks(root, markup_bytes, with_concealed, &self.ensemble)
        })?;
        Ok(table.unwrap_or_default().into())
    }

    fn scores<'py>(&self, py: Python<'py>, leaves: &PyLeaves) -> Bound<'py, PyBytes> {
        let scores = py.detach(|| self.ensemble.scores(leaves.columns.rows.clone()));
        pack(py, scores.into_iter().flatten().map(f32::to_le_bytes))
    }

    fn labels<'py>(&self, py: Python<'py>, leaves: &PyLeaves) -> Bound<'py, PyBytes> {
        let labels = py.detach(|| self.ensemble.labels(leaves.columns.clone()));
        PyBytes::new(py, &labels)
    }
}

#[pyfunction]
fn chain_labels<'py>(
    py: Python<'py>,
    nodes: &Bound<'py, PyBytes>,
    pairs: &Bound<'py, PyBytes>,
) -> PyResult<Bound<'py, PyBytes>> {
    let (nodes, pairs) = chain_scores(nodes, pairs)?;
    let labels = py.detach(|| chain::best_labels(&nodes, &pairs));
    Ok(PyBytes::new(py, &labels))
}

#[pyfunction]
fn chain_marginals<'py>(
    py: Python<'py>,
    nodes: &Bound<'py, PyBytes>,
    pairs: &Bound<'py, PyBytes>,
) -> PyResult<(f64, Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
    let (nodes, pairs) = chain_scores(nodes, pairs)?;
    let found = py.detach(|| chain::marginals(&nodes, &pairs));
    Ok((
        found.log_partition,
        pack(py, found.nodes.into_iter().flatten().map(f64::to_le_bytes)),
        pack(py, found.pairs.into_iter().flatten().map(f64::to_le_bytes)),
    ))
}

fn chain_scores(
    nodes: &Bound<'_, PyBytes>,
    pairs: &Bound<'_, PyBytes>,
) -> PyResult<(Vec<NodeScores>, Vec<Pair>)> {
    let (nodes, pairs) = (rows(nodes)?, rows(pairs)?);
    if pairs.len() + 1 != nodes.len().max(1) {
        return Err(PyValueError::new_err(
            "a chain has one pair fewer than blocks",
        ));
    }
    Ok((nodes, pairs))
}

/// Rows of `N` little-endian float64.
fn rows<const N: usize>(packed: &Bound<'_, PyBytes>) -> PyResult<Vec<[f64; N]>> {
    let numbers: Vec<f64> = words(packed)?.map(f64::from_le_bytes).collect();
    let rows = numbers.chunks_exact(N);
    if !rows.remainder().is_empty() {
        return Err(PyValueError::new_err("scores of part of a row"));
    }
    Ok(rows.filter_map(|row| row.try_into().ok()).collect())
}

fn floats(packed: &Bound<'_, PyBytes>) -> PyResult<Vec<f32>> {
    Ok(words(packed)?.map(f32::from_le_bytes).collect())
}

fn words<'a, const N: usize>(
    packed: &'a Bound<'_, PyBytes>,
) -> PyResult<impl Iterator<Item = [u8; N]> + 'a> {
    let words = packed.as_bytes().chunks_exact(N);
    if !words.remainder().is_empty() {
        return Err(PyValueError::new_err("numbers that are cut off"));
    }
    Ok(words.filter_map(|word| word.try_into().ok()))
}

fn pack<'py, const N: usize>(
    py: Python<'py>,
    numbers: impl Iterator<Item = [u8; N]>,
) -> Bound<'py, PyBytes> {
    PyBytes::new(py, &numbers.flatten().collect::<Vec<u8>>())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyLeaves>()?;
    module.add_class::<PyStructureNetworks>()?;
    module.add_function(wrap_pyfunction!(align_characters, module)?)?;
    module.add_function(wrap_pyfunction!(leaves, module)?)?;
    module.add_function(wrap_pyfunction!(column_names, module)?)?;
    module.add_function(wrap_pyfunction!(chain_labels, module)?)?;
    module.add_function(wrap_pyfunction!(chain_marginals, module)?)
}
