//! Maps keyed by hashes, which need no further hashing.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Spreads an integer key by one multiplication.
#[derive(Clone, Copy, Default)]
pub struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// A map from a hash.
pub type HashedMap<K, V> = HashMap<K, V, BuildHasherDefault<Spread>>;
