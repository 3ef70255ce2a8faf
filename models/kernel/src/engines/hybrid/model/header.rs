//! The header of a parameter file: its format, and a checksum of the rest.

use crate::engines::hybrid::reader::{Damage, Reader};
use crate::engines::hybrid::words::{EMPTY, mix};
use crate::engines::hybrid::{features, neighbourhood, page_features, templates};

/// First bytes of a parameter file.
const MAGIC: [u8; 8] = *b"WNWHYBR3";
/// Magic, feature digest and checksum.
const HEADER_BYTES: usize = 24;

/// A digest of the names of all columns, which a file must match.
#[must_use]
pub fn feature_digest() -> u64 {
    digest_of(&[
        features::names(),
        neighbourhood::names(),
        page_features::names(),
        templates::names(),
    ])
}

/// A digest of lists of names.
#[must_use]
pub fn digest_of(lists: &[Vec<&'static str>]) -> u64 {
    let names = lists
        .iter()
        .flatten()
        .flat_map(|name| name.bytes().chain([0]));
    fnv(names)
}

fn fnv(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The checksum of the part after the header.
#[must_use]
pub fn checksum(payload: &[u8]) -> u64 {
    fnv(payload.iter().copied()) ^ u64::from(payload.iter().copied().rev().fold(EMPTY, mix))
}

/// The header of a file with this `magic`, digest of names and content.
#[must_use]
pub fn header_of(magic: [u8; 8], digest: u64, payload: &[u8]) -> Vec<u8> {
    let numbers = [digest, checksum(payload)].map(u64::to_le_bytes);
    [magic, numbers[0], numbers[1]].concat()
}

/// The header of a parameter file.
#[must_use]
pub fn of_parameters(payload: &[u8]) -> Vec<u8> {
    header_of(MAGIC, feature_digest(), payload)
}

/// The part after the header of a parameter file.
pub fn checked_payload(bytes: &[u8]) -> Result<&[u8], Damage> {
    checked(bytes, MAGIC, feature_digest())
}

/// The part after the header of a file with this `magic` and digest of names.
pub fn checked(bytes: &[u8], magic: [u8; 8], digest: u64) -> Result<&[u8], Damage> {
    let (header, payload) = bytes.split_at_checked(HEADER_BYTES).ok_or(Damage::Length)?;
    if header[..8] != magic {
        return Err(Damage::Foreign);
    }
    let mut reader = Reader::new(&header[8..]);
    if reader.u64()? != digest {
        return Err(Damage::Version);
    }
    if reader.u64()? == checksum(payload) {
        Ok(payload)
    } else {
        Err(Damage::Checksum)
    }
}
