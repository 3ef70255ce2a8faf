//! Glue for `contrast`.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::sentences::PySentences;
use crate::engines::contrast::chain::Chain;
use crate::engines::contrast::evidence::Weights;
use crate::engines::contrast::{Parameters, judge};

/// Reads the fields of `models.contrast.ContrastParameters`.
fn read(given: &Bound<'_, PyAny>) -> PyResult<Parameters> {
    let number = |name: &str| given.getattr(name)?.extract::<f32>();
    Ok(Parameters {
        weights: Weights {
            offset: number("offset")?,
            bit: number("bit")?,
            most_bits: number("most_bits")?,
            unknown: number("unknown")?,
            unmet: number("unmet")?,
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
fn contrast_pages<'py>(
    py: Python<'py>,
    content: Vec<Py<PySentences>>,
    furniture: Vec<Py<PySentences>>,
    parameters: &Bound<'_, PyAny>,
) -> PyResult<Vec<Bound<'py, PyBytes>>> {
    if content.len() != furniture.len() {
        return Err(PyValueError::new_err("two scores a page are needed"));
    }
    let parameters = read(parameters)?;
    let pairs: Vec<(&PySentences, &PySentences)> = content
        .iter()
        .zip(&furniture)
        .map(|(content, furniture)| (content.get(), furniture.get()))
        .collect();
    let verdicts: Vec<Vec<u8>> = py.detach(|| {
        let each = pairs.iter();
        each.map(|(content, furniture)| {
            let page = &content.blocks.get().table;
            judge(page, &content.table, &furniture.table, &parameters)
        })
        .collect()
    });
    let codes = verdicts.iter();
    Ok(codes.map(|codes| PyBytes::new(py, codes)).collect())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(contrast_pages, module)?)
}
