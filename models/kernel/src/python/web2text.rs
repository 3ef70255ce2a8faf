//! Glue for `engines::web2text`.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::convert::Packed;
use super::tree::PyTree;
use crate::engines::web2text::chain::{self, Node, Pair};
use crate::engines::web2text::columns::Columns;
use crate::engines::web2text::file;
use crate::engines::web2text::labels::leaves_of;
use crate::engines::web2text::names;
use crate::engines::web2text::network::{Ensemble, Layer, Leaning, Scaling};

/// The leaves of the collapsed DOM of one page.
#[pyclass(frozen, module = "winnow.models._kernel")]
pub struct Leaves {
    #[pyo3(get)]
    texts: Vec<String>,
    columns: Columns,
}

#[pymethods]
impl Leaves {
    fn __len__(&self) -> usize {
        self.texts.len()
    }

    #[getter]
    fn columns(&self) -> Packed<f32> {
        Packed(self.columns.rows.clone())
    }
}

#[pyfunction]
pub fn leaves(py: Python<'_>, tree: &PyTree) -> Leaves {
    let (texts, columns) = py.detach(|| leaves_of(tree.0.root()));
    Leaves { texts, columns }
}

#[pyfunction]
pub fn web2text_column_names() -> Vec<String> {
    names::names()
}

/// The networks of a weight file.
#[pyclass(frozen, module = "winnow.models._kernel")]
pub struct Web2TextNetworks(pub Ensemble);

/// Width, inputs, filters, weights, biases.
type PackedLayer = (usize, usize, usize, Packed<f32>, Packed<f32>);

#[pymethods]
impl Web2TextNetworks {
    #[new]
    fn new(
        means: Packed<f32>,
        deviations: Packed<f32>,
        limit: f32,
        content_bias: f32,
        agreement: f32,
        members: Vec<Vec<PackedLayer>>,
    ) -> PyResult<Self> {
        let layer = |(width, inputs, filters, weights, biases): PackedLayer| Layer {
            width,
            inputs,
            filters,
            weights: weights.0,
            biases: biases.0,
        };
        let network = |layers: Vec<PackedLayer>| layers.into_iter().map(layer).collect();
        let members: Vec<Vec<Layer>> = members.into_iter().map(network).collect();
        let scaling = Scaling {
            means: means.0,
            deviations: deviations.0,
            limit,
        };
        let leaning = Leaning {
            content_bias,
            agreement,
        };
        let columns = names::names().len();
        Ok(Self(Ensemble::new(scaling, leaning, &members, columns)?))
    }

    #[staticmethod]
    fn read(py: Python<'_>, file: &[u8], threshold: f64) -> PyResult<Self> {
        Ok(Self(py.detach(|| file::read(file, threshold))?))
    }

    fn scores(&self, py: Python<'_>, leaves: &Leaves) -> Packed<f32> {
        let scores = py.detach(|| self.0.scores(leaves.columns.rows.clone()));
        scores.into_iter().flatten().collect()
    }

    fn labels(&self, py: Python<'_>, leaves: &Leaves) -> Vec<u8> {
        py.detach(|| self.0.labels(leaves.columns.clone()))
    }
}

#[pyfunction]
pub fn chain_labels(py: Python<'_>, nodes: Packed<f64>, pairs: Packed<f64>) -> PyResult<Vec<u8>> {
    let (nodes, pairs) = scores(&nodes, &pairs)?;
    Ok(py.detach(|| chain::best_labels(&nodes, &pairs)))
}

#[pyfunction]
pub fn chain_marginals(
    py: Python<'_>,
    nodes: Packed<f64>,
    pairs: Packed<f64>,
) -> PyResult<(f64, Packed<f64>, Packed<f64>)> {
    let (nodes, pairs) = scores(&nodes, &pairs)?;
    let found = py.detach(|| chain::marginals(&nodes, &pairs));
    Ok((
        found.log_partition,
        found.nodes.into_iter().flatten().collect(),
        found.pairs.into_iter().flatten().collect(),
    ))
}

/// The scores of the blocks of a chain and of its pairs.
fn scores(nodes: &Packed<f64>, pairs: &Packed<f64>) -> PyResult<(Vec<Node>, Vec<Pair>)> {
    let (nodes, pairs): (Vec<Node>, Vec<Pair>) = (rows(nodes)?, rows(pairs)?);
    if pairs.len() + 1 != nodes.len().max(1) {
        return Err(PyValueError::new_err(format!(
            "scores of {} blocks and {} pairs: a chain has one pair fewer than blocks",
            nodes.len(),
            pairs.len()
        )));
    }
    Ok((nodes, pairs))
}

fn rows<const N: usize>(numbers: &Packed<f64>) -> PyResult<Vec<[f64; N]>> {
    let rows = numbers.0.chunks_exact(N);
    if !rows.remainder().is_empty() {
        return Err(PyValueError::new_err("the last row of scores is cut off"));
    }
    Ok(rows.filter_map(|row| row.try_into().ok()).collect())
}
