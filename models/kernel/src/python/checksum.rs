//! Glue for the checksum of stored batches, and for digests of pages and texts.

use blake3::Hash;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

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

/// A digest as in documents, prefixed with its algorithm.
pub fn named(digest: Hash) -> String {
    format!("blake3:{}", digest.to_hex())
}
