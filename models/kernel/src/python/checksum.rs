//! Glue for the checksum of stored batches, and for digests of pages and texts.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::message::named;

#[pyfunction(name = "crc32c")]
pub fn checksum(py: Python<'_>, data: &[u8], start: usize, end: usize) -> PyResult<u32> {
    let part = data.get(start..end);
    let part = part.ok_or_else(|| PyValueError::new_err(format!("no bytes {start} to {end}")))?;
    Ok(py.detach(|| crc32c::crc32c(part)))
}

#[pyfunction]
pub fn content_digest(py: Python<'_>, body: &[u8]) -> String {
    named(py.detach(|| blake3::hash(body)))
}
