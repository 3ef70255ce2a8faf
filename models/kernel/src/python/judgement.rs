//! Glue for `engines::judgement`.

use std::sync::Arc;

use pyo3::prelude::*;

use crate::engines::judgement::Judgement;

/// An engine's result for one page.
#[pyclass(frozen, name = "Judgement", module = "winnow.models._kernel")]
pub struct PyJudgement(pub Arc<Judgement>);

#[pymethods]
impl PyJudgement {
    #[getter]
    fn verdicts(&self) -> Vec<u8> {
        let verdicts = self.0.verdicts.iter();
        verdicts.map(|verdict| *verdict as u8).collect()
    }

    #[getter]
    fn probabilities(&self) -> &[f32] {
        &self.0.probabilities
    }

    #[getter]
    fn threshold(&self) -> Option<f32> {
        self.0.threshold
    }

    #[getter]
    fn confidence(&self) -> Option<f32> {
        self.0.confidence
    }

    #[getter]
    fn page_type(&self) -> &'static str {
        self.0.page_type().map_or("", |(name, _)| name)
    }

    #[getter]
    fn page_type_probability(&self) -> f32 {
        self.0
            .page_type()
            .map_or(0.0, |(_, probability)| probability)
    }

    #[getter]
    fn page_types(&self) -> &[f32] {
        self.0.page_types.as_ref().map_or(&[], |types| types)
    }
}
