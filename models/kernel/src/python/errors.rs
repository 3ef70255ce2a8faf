//! Errors of the kernel as the exceptions of `winnow.models.errors`.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use crate::engines::hybrid::reader::Damage;
use crate::engines::web2text::file::Unusable;
use crate::engines::web2text::network::Mismatch;
use crate::measure::align::TooLarge;
use crate::measure::{MAX_CELLS, TooLong};
use crate::ngram::train::TrainError;
use crate::page::refusal::{Reason, Refusal};

pyo3::import_exception!(winnow.models.errors, InvalidPage);
pyo3::import_exception!(winnow.models.errors, ModelError);

impl From<Damage> for PyErr {
    fn from(damage: Damage) -> Self {
        ModelError::new_err(damage.to_string())
    }
}

impl From<Unusable> for PyErr {
    fn from(why: Unusable) -> Self {
        ModelError::new_err(why.0)
    }
}

impl From<TrainError> for PyErr {
    fn from(error: TrainError) -> Self {
        match error {
            TrainError::Io(error) => error.into(),
            TrainError::Refused(why) => ModelError::new_err(why),
        }
    }
}

impl From<Refusal> for PyErr {
    fn from(refusal: Refusal) -> Self {
        InvalidPage::new_err((refusal.reason, refusal.detail))
    }
}

impl<'py> IntoPyObject<'py> for Reason {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        static REASON: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let class = REASON.import(py, "winnow.models.errors", "Reason")?;
        class.call1((self.as_str(),))
    }
}

impl From<Mismatch> for PyErr {
    fn from(mismatch: Mismatch) -> Self {
        PyValueError::new_err(mismatch.0)
    }
}

impl From<TooLong> for PyErr {
    fn from(error: TooLong) -> Self {
        PyValueError::new_err(format!(
            "{} x {} symbols are more than {MAX_CELLS} cells",
            error.left, error.right
        ))
    }
}

impl From<TooLarge> for PyErr {
    fn from(error: TooLarge) -> Self {
        PyValueError::new_err(format!("{} cells are too many to align", error.cells))
    }
}
