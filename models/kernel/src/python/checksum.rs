//! Glue for the checksum of stored batches, hashes of keys, and digests of pages and texts.

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::message::named;

#[pyfunction(name = "crc32c")]
pub fn checksum(py: Python<'_>, data: PyBuffer<u8>) -> PyResult<u32> {
    let bytes = data
        .as_slice(py)
        .ok_or_else(|| PyValueError::new_err("bytes with gaps"))?;
    let mut block = [0; 4096]; // a copy: others may write to the buffer
    Ok(bytes.chunks(block.len()).fold(0, |sum, part| {
        block
            .iter_mut()
            .zip(part)
            .for_each(|(to, from)| *to = from.get());
        crc32c::crc32c_append(sum, &block[..part.len()])
    }))
}

#[pyfunction]
pub fn content_digest(py: Python<'_>, body: &[u8]) -> String {
    named(py.detach(|| blake3::hash(body)))
}

#[pyfunction]
pub fn content_digests(py: Python<'_>, bodies: Vec<PyBackedBytes>) -> Vec<String> {
    py.detach(|| {
        bodies
            .iter()
            .map(|body| named(blake3::hash(body)))
            .collect()
    })
}

/// MurmurHash2 with the seed of Kafka's clients, without its sign.
#[pyfunction]
pub fn key_hash(key: &[u8]) -> u32 {
    const MIX: u32 = 0x5bd1_e995;
    let number = |bytes: &[u8]| {
        bytes
            .iter()
            .rev()
            .fold(0, |sum, byte| sum << 8 | u32::from(*byte))
    };
    let words = key.chunks_exact(4);
    let rest = words.remainder();
    let mut hash = 0x9747_b28c ^ key.len() as u32;
    for word in words {
        let word = number(word).wrapping_mul(MIX);
        hash = hash.wrapping_mul(MIX) ^ (word ^ word >> 24).wrapping_mul(MIX);
    }
    if !rest.is_empty() {
        hash = (hash ^ number(rest)).wrapping_mul(MIX);
    }
    hash = (hash ^ hash >> 13).wrapping_mul(MIX);
    (hash ^ hash >> 15) & 0x7fff_ffff
}
