//! The n-gram table: cache lines of 16 slots that work where they lie in the mapped file.
//!
//! A slot is a u32, little-endian: 22 bits of fingerprint, 10 bits of code; 0 is an empty slot.
//! A key belongs to the bucket that its upper bits choose, and to the next ones when that is
//! full. A look-up of a key that is not there finds a wrong slot with probability
//! 16 x load / 2^22, 3 in a million.
//!
//! The first cache line holds the number of buckets that keys are spread over (u64); more
//! buckets may follow those, for what overflows the last one.

pub const BUCKET_BYTES: usize = 64;
pub const SLOTS: usize = BUCKET_BYTES / 4;
/// Values that a code can stand for.
pub const CODES: usize = 1 << CODE_BITS;
/// Buckets a look-up reads at most; a writer fails rather than need more.
pub const MAX_PROBE: usize = 64;
/// Share of the slots that are used, in percent: 4.7 bytes an n-gram; at 93 % look-ups cost twice
/// as much because of overflowing buckets.
pub const LOAD_PERCENT: usize = 85;

const CODE_BITS: u32 = 10;
const CODE_MASK: u32 = (1 << CODE_BITS) - 1;

/// The bucket, of `buckets`, in which the look-up of a key begins.
#[inline]
#[must_use]
pub fn home(key: u64, buckets: usize) -> usize {
    ((u128::from(key) * buckets as u128) >> 64) as usize
}

/// The fingerprint of a key in the place where a slot has it; never 0.
#[inline]
fn fingerprint(key: u64) -> u32 {
    ((key as u32) << CODE_BITS).max(1 << CODE_BITS)
}

/// What a slot holds for a key.
#[inline]
#[must_use]
pub fn slot(key: u64, code: u16) -> u32 {
    fingerprint(key) | (u32::from(code) & CODE_MASK)
}

/// A view of a table; any bytes make one, and no bytes make a look-up read outside of them.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a> {
    bytes: &'a [u8],
    buckets: usize,
}

impl<'a> Table<'a> {
    /// A view of `bytes`; what is left over after whole buckets is not looked at.
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

    /// The fingerprints of all n-grams: the lowest bits of their keys, 1 where these are zeros.
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

    /// Asks the processor to bring the bucket of a key into its cache, and the next one, where a
    /// look-up goes on when that is full.
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

/// One bit a slot whose fingerprint is the wanted one.
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

/// Asks the processor to bring a cache line into its cache; any address will do.
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

/// Buckets for so many n-grams at the usual load: at least one.
#[must_use]
pub fn buckets_for(ngrams: u64) -> u64 {
    (ngrams * 100)
        .div_ceil((LOAD_PERCENT * SLOTS) as u64)
        .max(1)
}

/// Writes a table from slots that come in the order of their keys, bucket by bucket, so that a
/// table of any size is built in the memory of a few buckets.
pub struct Builder<W> {
    write: W,
    buckets: usize,
    current: usize,
    filled: Vec<u32>,
    overflow: usize,
}

/// Why a table could not be built.
#[derive(Debug)]
pub enum BuildError<E> {
    Write(E),
    /// Keys too unevenly spread: a look-up would read more than `MAX_PROBE` buckets.
    Crowded,
}

impl<E, W: FnMut(&[u8]) -> Result<(), E>> Builder<W> {
    /// `buckets` as `buckets_for` gives them; `write` takes the bytes in order.
    pub fn new(buckets: u64, mut write: W) -> Result<Self, BuildError<E>> {
        let mut first = [0; BUCKET_BYTES];
        first[..8].copy_from_slice(&buckets.to_le_bytes());
        write(&first).map_err(BuildError::Write)?;
        Ok(Self {
            write,
            buckets: usize::try_from(buckets).unwrap_or(usize::MAX),
            current: 0,
            filled: Vec::new(),
            overflow: 0,
        })
    }

    /// Adds a slot; keys must not descend.
    pub fn push(&mut self, key: u64, code: u16) -> Result<(), BuildError<E>> {
        let home = home(key, self.buckets);
        while self.current < home {
            self.close()?;
        }
        self.filled.push(slot(key, code));
        Ok(())
    }

    /// Writes the bucket under work; what does not fit goes on to the next.
    fn close(&mut self) -> Result<(), BuildError<E>> {
        let taken = self.filled.len().min(SLOTS);
        let mut bucket = [0; BUCKET_BYTES];
        for (bytes, slot) in bucket.chunks_exact_mut(4).zip(self.filled.drain(..taken)) {
            bytes.copy_from_slice(&slot.to_le_bytes());
        }
        (self.write)(&bucket).map_err(BuildError::Write)?;
        self.current += 1;
        // a run of full buckets is what a look-up may have to read, and one more that is not
        self.overflow = if self.filled.is_empty() {
            0
        } else {
            self.overflow + 1
        };
        if self.overflow + 1 >= MAX_PROBE {
            return Err(BuildError::Crowded);
        }
        Ok(())
    }

    /// Writes what is left.
    pub fn finish(mut self) -> Result<(), BuildError<E>> {
        while self.current < self.buckets || !self.filled.is_empty() {
            self.close()?;
        }
        Ok(())
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::ngram::hash::mix;

    /// So many keys, spread over all numbers, in their order.
    pub fn keys(count: u64) -> Vec<u64> {
        let mut keys: Vec<u64> = (1..=count).map(|n| mix(n, 0x9e37_79b9_7f4a_7c15)).collect();
        keys.sort_unstable();
        keys
    }

    /// The bytes of a table.
    pub fn build(entries: &[(u64, u16)], buckets: u64) -> Result<Vec<u8>, BuildError<()>> {
        let mut bytes = Vec::new();
        let mut builder = Builder::new(buckets, |bucket: &[u8]| {
            bytes.extend_from_slice(bucket);
            Ok(())
        })?;
        for &(key, code) in entries {
            builder.push(key, code)?;
        }
        builder.finish()?;
        Ok(bytes)
    }

    #[test]
    fn every_ngram_is_found_with_its_code() {
        let entries: Vec<_> = keys(50_000).into_iter().zip((0..1024).cycle()).collect();
        let bytes = build(&entries, buckets_for(entries.len() as u64)).unwrap();
        let table = Table::new(&bytes);
        let wrong = entries
            .iter()
            .filter(|&&(key, code)| table.get(key) != Some(code))
            .count();
        // a fingerprint shared within a bucket hides the later one: 16 * .85 / 2 / 2^22 a key
        assert!(wrong <= 3, "{wrong} of {}", entries.len());
        assert!(bytes.len() as f64 / (entries.len() as f64) < 4.72);
    }

    #[test]
    fn overflow_of_the_last_bucket_changes_no_home() {
        let mut entries: Vec<_> = keys(1000).into_iter().map(|key| (key, 3)).collect();
        let last = (1..40).map(|n| (u64::MAX - 40 * 5000 + n * 5000, 4));
        entries.extend(last);
        let bytes = build(&entries, buckets_for(entries.len() as u64)).unwrap();
        let table = Table::new(&bytes);
        let found = |&&(key, code): &&(u64, u16)| table.get(key) == Some(code);
        assert_eq!(entries.iter().filter(found).count(), entries.len());
    }

    #[test]
    fn false_hits_are_as_rare_as_the_fingerprint_says() {
        let entries: Vec<_> = keys(20_000).into_iter().map(|key| (key, 1)).collect();
        let bytes = build(&entries, buckets_for(entries.len() as u64)).unwrap();
        let table = Table::new(&bytes);
        let hits = (1..=2_000_000_u64)
            .filter(|&n| table.get(mix(n, 0xdead_beef_1234_5677)).is_some())
            .count();
        assert!(hits <= 20, "{hits} false hits in two million"); // 6.5 expected
    }

    #[test]
    fn both_ways_to_compare_agree() {
        let mut state = 7_u64;
        for _ in 0..10_000 {
            let mut bucket = [0_u8; BUCKET_BYTES];
            for byte in &mut bucket {
                state = mix(state ^ 0x1234_5678_9abc_def1, 0x9e37_79b9_7f4a_7c15);
                *byte = (state >> 32) as u8 & if state & 1 == 0 { 0xff } else { 0 };
            }
            let wanted = slot_at(&bucket, (state >> 5) as usize % SLOTS) & !CODE_MASK;
            assert_eq!(
                matching(&bucket, wanted),
                matching_portably(&bucket, wanted)
            );
        }
    }

    #[test]
    fn overflow_goes_on_to_the_next_buckets_and_is_bounded() {
        let crowded = |count: u64| -> Vec<_> { (0..count).map(|n| (n * 7 + 1, 5)).collect() };
        let bytes = build(&crowded(100), 3).unwrap();
        assert_eq!(bytes.len(), 8 * BUCKET_BYTES); // one says that there are three
        let table = Table::new(&bytes);
        assert!(
            crowded(100)
                .iter()
                .all(|&(key, code)| table.get(key) == Some(code))
        );
        assert!(build(&crowded(16 * 100), 3).is_err());
    }

    #[test]
    fn hostile_bytes_end_every_look_up() {
        for bytes in [
            &[][..],
            &[9; 63],
            &[0xff; 64],
            &[0xff; 128],
            &[0xff; 64 * 200],
        ] {
            let table = Table::new(bytes);
            table.prefetch(u64::MAX);
            assert_eq!(table.get(12345), None);
        }
    }
}
