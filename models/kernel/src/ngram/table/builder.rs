//! Writes a table of n-grams.

use super::{BUCKET_BYTES, MAX_PROBE, SLOTS, home, slot};

/// Share of the slots that are used, in percent: 4.7 bytes per n-gram; at 93 % look-ups cost twice
/// as much because of overflowing buckets.
pub const LOAD_PERCENT: usize = 85;

/// Number of buckets for this many n-grams at the usual load: at least one.
#[must_use]
pub fn buckets_for(ngrams: u64) -> u64 {
    (ngrams * 100)
        .div_ceil((LOAD_PERCENT * SLOTS) as u64)
        .max(1)
}

/// Writes a table from slots in ascending order of their keys, bucket by bucket, so that a table of
/// any size is built in the memory of a few buckets.
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
    /// Keys are too unevenly spread: a look-up would read more than `MAX_PROBE` buckets.
    Crowded,
}

impl<E, W: FnMut(&[u8]) -> Result<(), E>> Builder<W> {
    /// `buckets` is the result of `buckets_for`; `write` receives the bytes in order.
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

    /// Writes the current bucket; the overflow goes to the next.
    fn close(&mut self) -> Result<(), BuildError<E>> {
        let taken = self.filled.len().min(SLOTS);
        let mut bucket = [0; BUCKET_BYTES];
        for (bytes, slot) in bucket.chunks_exact_mut(4).zip(self.filled.drain(..taken)) {
            bytes.copy_from_slice(&slot.to_le_bytes());
        }
        (self.write)(&bucket).map_err(BuildError::Write)?;
        self.current += 1;
        // a look-up may have to read a run of full buckets, and one more that is not full
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

    /// Writes the rest.
    pub fn finish(mut self) -> Result<(), BuildError<E>> {
        while self.current < self.buckets || !self.filled.is_empty() {
            self.close()?;
        }
        Ok(())
    }
}
