//! The n-gram table: cache lines of 16 slots, used directly in the mapped file.
//!
//! A slot is a u32, little-endian: 22 bits of fingerprint, 10 bits of code; 0 is an empty slot. The
//! upper bits of a key select its bucket; when that is full, the next ones follow. A look-up of a
//! missing key finds a wrong slot with probability 16 x load / 2^22, 3 in a million.
//!
//! The first cache line holds the number of buckets over which keys are spread (u64); more buckets
//! may follow for the overflow of the last one.

pub mod builder;

pub const BUCKET_BYTES: usize = 64;
pub const SLOTS: usize = BUCKET_BYTES / 4;
/// Number of codes.
pub const CODES: usize = 1 << CODE_BITS;
/// Most buckets that a look-up reads; a writer fails if it would need more.
pub const MAX_PROBE: usize = 64;

const CODE_BITS: u32 = 10;
const CODE_MASK: u32 = (1 << CODE_BITS) - 1;

/// The first bucket, of `buckets`, for the look-up of a key.
#[inline]
#[must_use]
pub fn home(key: u64, buckets: usize) -> usize {
    ((u128::from(key) * buckets as u128) >> 64) as usize
}

/// The fingerprint of a key at its place in a slot; never 0.
#[inline]
fn fingerprint(key: u64) -> u32 {
    ((key as u32) << CODE_BITS).max(1 << CODE_BITS)
}

/// The slot contents for a key.
#[inline]
#[must_use]
pub fn slot(key: u64, code: u16) -> u32 {
    fingerprint(key) | (u32::from(code) & CODE_MASK)
}

/// A view of a table; any bytes make one, and look-ups never read outside of them.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a> {
    bytes: &'a [u8],
    buckets: usize,
}

impl<'a> Table<'a> {
    /// A view of `bytes`; bytes after the last whole bucket are ignored.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        let (first, bytes) = bytes.split_at_checked(BUCKET_BYTES).unwrap_or_default();
        let said = first
            .first_chunk()
            .map_or(0, |said| u64::from_le_bytes(*said));
        let there = bytes.len() / BUCKET_BYTES;
        let buckets = usize::try_from(said).unwrap_or(there).min(there);
        Self { bytes, buckets }
    }

    /// Bytes of all buckets.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The fingerprints of all n-grams: the lowest bits of their keys, 1 if these are zeros.
    pub fn fingerprints(&self) -> impl Iterator<Item = u32> + 'a {
        let slots = self.bytes.chunks_exact(4);
        let slots = slots.map(|slot| slot.try_into().map_or(0, u32::from_le_bytes));
        slots
            .filter(|&slot| slot != 0)
            .map(|slot| slot >> CODE_BITS)
    }

    #[inline]
    fn bucket(&self, index: usize) -> Option<&'a [u8; BUCKET_BYTES]> {
        let start = index * BUCKET_BYTES;
        self.bytes
            .get(start..start + BUCKET_BYTES)
            .and_then(|bucket| bucket.try_into().ok())
    }

    /// Prefetches the bucket of a key, and the next one, where a look-up continues if the first is
    /// full.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        let start = home(key, self.buckets) * BUCKET_BYTES;
        prefetch(self.bytes.as_ptr().wrapping_add(start));
        prefetch(self.bytes.as_ptr().wrapping_add(start + BUCKET_BYTES));
    }

    /// The code stored for a key.
    #[inline]
    #[must_use]
    pub fn get(&self, key: u64) -> Option<u16> {
        let wanted = fingerprint(key);
        let first = home(key, self.buckets);
        for index in first..first + MAX_PROBE {
            let bucket = self.bucket(index)?;
            let matches = matching(bucket, wanted);
            if matches != 0 {
                return Some(
                    (slot_at(bucket, matches.trailing_zeros() as usize) & CODE_MASK) as u16,
                );
            }
            if slot_at(bucket, SLOTS - 1) == 0 {
                return None;
            }
        }
        None
    }
}

#[inline]
fn slot_at(bucket: &[u8; BUCKET_BYTES], index: usize) -> u32 {
    bucket
        .get(index * 4..index * 4 + 4)
        .and_then(|slot| slot.try_into().ok())
        .map_or(0, u32::from_le_bytes)
}

/// One bit for each slot with the wanted fingerprint.
#[cfg(any(test, not(target_arch = "x86_64")))]
#[inline]
fn matching_portably(bucket: &[u8; BUCKET_BYTES], wanted: u32) -> u32 {
    (0..SLOTS).fold(0, |bits, index| {
        bits | u32::from(slot_at(bucket, index) & !CODE_MASK == wanted) << index
    })
}

#[cfg(not(target_arch = "x86_64"))]
use matching_portably as matching;

#[cfg(target_arch = "x86_64")]
#[inline]
fn matching(bucket: &[u8; BUCKET_BYTES], wanted: u32) -> u32 {
    use std::arch::x86_64::{
        __m128i, _mm_and_si128, _mm_cmpeq_epi32, _mm_loadu_si128, _mm_movemask_epi8,
        _mm_packs_epi16, _mm_packs_epi32, _mm_set1_epi32,
    };
    // SAFETY: SSE2 is part of x86-64; the four unaligned loads of 16 bytes stay within the 64.
    unsafe {
        let mask = _mm_set1_epi32(!CODE_MASK as i32);
        let wanted = _mm_set1_epi32(wanted as i32);
        let equal = |part: usize| {
            let slots = _mm_loadu_si128(bucket.as_ptr().add(part * 16).cast::<__m128i>());
            _mm_cmpeq_epi32(_mm_and_si128(slots, mask), wanted)
        };
        let low = _mm_packs_epi32(equal(0), equal(1));
        let high = _mm_packs_epi32(equal(2), equal(3));
        _mm_movemask_epi8(_mm_packs_epi16(low, high)) as u32
    }
}

/// Prefetches a cache line; any address is allowed.
#[cfg(target_arch = "x86_64")]
#[inline]
pub fn prefetch(address: *const u8) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a prefetch reads nothing and faults at no address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub fn prefetch(_address: *const u8) {}

#[cfg(test)]
pub mod tests;
