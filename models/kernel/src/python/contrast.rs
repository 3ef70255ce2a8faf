//! Glue for `contrast`.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::ngram::PySentences;
use crate::contrast::chain::Chain;
use crate::contrast::evidence::Weights;
use crate::contrast::{Parameters, judge};

/// Reads the fields of `models.contrast.ContrastParameters`.
fn read(given: &Bound<'_, PyAny>) -> PyResult<Parameters> {
    let number = |name: &str| given.getattr(name)?.extract::<f32>();
    Ok(Parameters {
        weights: Weights {
            offset: number("offset")?,
            bit: number("bit")?,
            most_bits: number("most_bits")?,
            unknown: number("unknown")?,
            most_tokens: number("most_tokens")?,
            linked_token: number("linked_token")?,
            most_linked: number("most_linked")?,
            link_block: number("link_block")?,
            block: number("block")?,
            heading: number("heading")?,
            paragraph: number("paragraph")?,
            path: number("path")?,
            most_path: number("most_path")?,
        },
        chain: Chain {
            switch: number("switch")?,
            edge: number("edge")?,
        },
        least_share: number("least_share")?,
    })
}

#[pyfunction(name = "contrast")]
fn contrast_page<'py>(
    py: Python<'py>,
    content: &PySentences,
    furniture: &PySentences,
    parameters: &Bound<'_, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let parameters = read(parameters)?;
    let page = &content.blocks.get().table;
    let verdicts = py.detach(|| judge(page, &content.table, &furniture.table, &parameters));
    Ok(PyBytes::new(py, &verdicts))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(contrast_page, module)?)
}
