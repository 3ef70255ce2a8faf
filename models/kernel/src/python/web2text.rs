//! Glue for `engines::web2text`.

use pyo3::prelude::*;

use super::convert::Packed;
use crate::engines::web2text::file;
use crate::engines::web2text::names;
use crate::engines::web2text::network::{Ensemble, Layer, Leaning, Scaling};

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
}
