//! Glue for gzip files.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::gzip::{Damage, Members};

type Piece<'py> = (u64, Bound<'py, PyBytes>);

#[pyclass(name = "GzipMembers", module = "winnow.models._kernel")]
pub struct PyGzipMembers {
    members: Members,
    is_after_member: bool,
}

#[pymethods]
impl PyGzipMembers {
    #[new]
    fn new(offset: u64, piece_bytes: usize) -> Self {
        Self {
            members: Members::new(offset, piece_bytes),
            is_after_member: false,
        }
    }

    fn feed(&mut self, data: &[u8]) {
        self.members.feed(data);
    }

    fn piece<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Piece<'py>>> {
        match py.detach(|| self.members.piece()) {
            Ok(found) => Ok(found.map(|(begin, piece)| (begin, PyBytes::new(py, piece)))),
            Err(Damage {
                why,
                is_after_member,
            }) => {
                self.is_after_member = is_after_member;
                Err(PyValueError::new_err(why))
            }
        }
    }

    fn rest<'py>(&mut self, py: Python<'py>) -> Option<Piece<'py>> {
        let found = self.members.rest();
        found.map(|(begin, piece)| (begin, PyBytes::new(py, piece)))
    }

    #[getter]
    fn is_inside(&self) -> bool {
        self.members.is_inside()
    }

    #[getter]
    fn is_after_member(&self) -> bool {
        self.is_after_member
    }
}
