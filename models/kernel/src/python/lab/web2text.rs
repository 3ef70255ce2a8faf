//! Glue for `engines::web2text`: functions for its training.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::engines::web2text::chain::{self, Node, Pair};
use crate::engines::web2text::columns::Columns;
use crate::engines::web2text::labels::leaves_of;
use crate::engines::web2text::names;
use crate::python::convert::Packed;
use crate::python::tree::PyTree;
use crate::python::web2text::Web2TextNetworks;

/// The leaves of the collapsed DOM of one page.
#[pyclass(frozen, module = "winnow.models._kernel.lab")]
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

/// The scores of labels, six for each leaf.
#[pyfunction]
pub fn web2text_scores(
    py: Python<'_>,
    networks: &Web2TextNetworks,
    leaves: &Leaves,
) -> Packed<f32> {
    let scores = py.detach(|| networks.0.scores(leaves.columns.rows.clone()));
    scores.into_iter().flatten().collect()
}

/// One byte per leaf, 1 for content.
#[pyfunction]
pub fn web2text_labels(py: Python<'_>, networks: &Web2TextNetworks, leaves: &Leaves) -> Vec<u8> {
    py.detach(|| networks.0.labels(leaves.columns.clone()))
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
        return Err(PyValueError::new_err("the last row of scores is truncated"));
    }
    Ok(rows.filter_map(|row| row.try_into().ok()).collect())
}
