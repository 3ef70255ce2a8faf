//! The layout of a model file, and all checks of a file.
//!
//! A file is a header of 512 bytes and a payload of sections, each at a multiple of 64:
//!
//! | offset | bytes | |
//! |---|---|---|
//! | 0 | 8 | magic `WINNOWLM` |
//! | 8 | 4 | version |
//! | 12 | 4 | number of sections |
//! | 16 | 8 | bytes of the whole file |
//! | 24 | 8 | XXH3-64 of the payload: finds damage, fast |
//! | 32 | 32 | SHA-256 of the payload: the model's identity |
//! | 64 | 16 x 24 | sections: id, offset, bytes |
//! | 504 | 8 | XXH3-64 of the bytes before |

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

pub const MAGIC: [u8; 8] = *b"WINNOWLM";
pub const VERSION: u32 = 1;
pub const HEADER_BYTES: usize = 512;
pub const MAX_SECTIONS: usize = 16;
pub const ALIGNMENT: usize = 64;
pub const DIGEST: Range<usize> = 32..64;
const ENTRY_BYTES: usize = 24;
const SECTIONS_AT: usize = 64;
const HEADER_SUM_AT: usize = HEADER_BYTES - 8;

/// The contents of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Section {
    /// `Facts`.
    Facts = 1,
    /// 1024 x f32: the log2 probability of each code.
    Codebook = 2,
    /// UTF-8 JSON: language, corpus, licences.
    Provenance = 3,
    /// The table of n-grams.
    Ngrams = 4,
    /// 1024 x f32: the log2 weight of each code of `Backoffs`.
    BackoffCodebook = 5,
    /// The table of backoff weights of histories.
    Backoffs = 6,
    /// The table of Punkt parameters.
    Punkt = 7,
    /// The same as text, for people and for the oracle.
    PunktLists = 8,
    /// 201 x f32: quantiles of the perplexity of held-out sentences.
    Quantiles = 9,
}

/// The parts of a file that passed all checks except the one of its contents.
#[derive(Clone, Debug)]
pub struct Layout {
    sections: Vec<(u64, Range<usize>)>,
    pub digest: [u8; 32],
    payload_sum: u64,
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes
        .get(at..at + 8)
        .and_then(|eight| eight.try_into().ok())
        .map_or(0, u64::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes
        .get(at..at + 4)
        .and_then(|four| four.try_into().ok())
        .map_or(0, u32::from_le_bytes)
}

impl Layout {
    /// Reads and checks the header of a whole file.
    pub fn parse(file: &[u8]) -> Result<Self, String> {
        if !file.starts_with(&MAGIC) {
            return Err("not a Winnow model".into());
        }
        let version = u32_at(file, 8);
        if file.len() >= 12 && version != VERSION {
            return Err(format!(
                "of version {version}, this program reads version {VERSION}"
            ));
        }
        let Some(header) = file.get(..HEADER_BYTES) else {
            return Err("truncated in the header".into());
        };
        if u64_at(header, HEADER_SUM_AT) != xxh3_64(&header[..HEADER_SUM_AT]) {
            return Err("corrupt: the header does not match its checksum".into());
        }
        let bytes = u64_at(header, 16);
        if bytes != file.len() as u64 {
            return Err(format!(
                "truncated or extended: {} bytes instead of {bytes}",
                file.len()
            ));
        }
        Ok(Self {
            sections: sections(header, file.len())?,
            digest: header[DIGEST].try_into().unwrap_or_default(),
            payload_sum: u64_at(header, 24),
        })
    }

    /// Reads the whole payload and compares it with its checksum.
    pub fn verify(&self, file: &[u8]) -> Result<(), String> {
        let payload = file.get(HEADER_BYTES..).unwrap_or_default();
        if xxh3_64(payload) != self.payload_sum {
            return Err("corrupt: the contents do not match their checksum".into());
        }
        Ok(())
    }

    /// The position of a section; `parse` has checked that it is within the file.
    #[must_use]
    pub fn find(&self, section: Section) -> Option<Range<usize>> {
        let found = self.sections.iter().find(|(id, _)| *id == section as u64)?;
        Some(found.1.clone())
    }
}

/// The table of sections, each within the file and aligned.
fn sections(header: &[u8], file_bytes: usize) -> Result<Vec<(u64, Range<usize>)>, String> {
    let count = u32_at(header, 12) as usize;
    if count > MAX_SECTIONS {
        return Err(format!("corrupt: {count} sections"));
    }
    let mut sections = Vec::with_capacity(count);
    for index in 0..count {
        let entry = SECTIONS_AT + index * ENTRY_BYTES;
        let [id, start, bytes] = [0, 8, 16].map(|at| u64_at(header, entry + at));
        let end = start
            .checked_add(bytes)
            .filter(|&end| end <= file_bytes as u64);
        let (Some(end), true) = (end, start % ALIGNMENT as u64 == 0) else {
            return Err(format!("corrupt: section {id} lies outside of the file"));
        };
        sections.push((id, start as usize..end as usize));
    }
    Ok(sections)
}

/// The bytes of a header.
#[must_use]
pub fn header(
    sections: &[(Section, Range<u64>)],
    file_bytes: u64,
    payload_sum: u64,
    digest: &[u8],
) -> [u8; HEADER_BYTES] {
    let mut bytes = [0; HEADER_BYTES];
    let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
    put(0, &MAGIC);
    put(8, &VERSION.to_le_bytes());
    put(12, &(sections.len() as u32).to_le_bytes());
    put(16, &file_bytes.to_le_bytes());
    put(24, &payload_sum.to_le_bytes());
    put(DIGEST.start, digest);
    for (index, (id, range)) in sections.iter().enumerate() {
        let entry = [*id as u64, range.start, range.end - range.start];
        for (field, value) in entry.iter().enumerate() {
            put(
                SECTIONS_AT + index * ENTRY_BYTES + field * 8,
                &value.to_le_bytes(),
            );
        }
    }
    let sum = xxh3_64(&bytes[..HEADER_SUM_AT]);
    bytes[HEADER_SUM_AT..].copy_from_slice(&sum.to_le_bytes());
    bytes
}
