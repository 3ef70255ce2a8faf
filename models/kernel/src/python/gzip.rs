//! Glue for gzip files.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::gzip::Members;

type Piece<'py> = (u64, Bound<'py, PyBytes>);

#[pyclass(name = "GzipMembers", module = "winnow.models._kernel")]
pub struct PyGzipMembers {
    members: Members,
}

#[pymethods]
impl PyGzipMembers {
    #[new]
    fn new(offset: u64, piece_bytes: usize) -> Self {
        Self {
            members: Members::new(offset, piece_bytes),
        }
    }

    fn feed(&mut self, data: &[u8]) {
        self.members.feed(data);
    }

    fn piece<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Piece<'py>>> {
        let found = py.detach(|| self.members.piece());
        let found = found.map_err(PyValueError::new_err)?;
        Ok(found.map(|(begin, piece)| (begin, PyBytes::new(py, piece))))
    }

    fn rest<'py>(&mut self, py: Python<'py>) -> Option<Piece<'py>> {
        let found = self.members.rest();
        found.map(|(begin, piece)| (begin, PyBytes::new(py, piece)))
    }

    #[getter]
    fn begin(&self) -> u64 {
        self.members.begin()
    }

    #[getter]
    fn is_inside(&self) -> bool {
        self.members.is_inside()
    }
}
