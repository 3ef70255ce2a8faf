//! Maps keyed by hashes of page content.
//!
//! Authors of pages can choose these hashes; a secret of the process spreads them, so nobody can
//! choose colliding keys.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;

use super::hash::append;

static SECRET: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0));

/// The secret of the process.
#[must_use]
pub fn secret() -> u64 {
    *SECRET
}

/// Begins every hash with the secret.
#[derive(Clone, Copy)]
pub struct Secret(u64);

impl Default for Secret {
    fn default() -> Self {
        Self(secret())
    }
}

impl BuildHasher for Secret {
    type Hasher = Spread;

    fn build_hasher(&self) -> Spread {
        Spread(self.0)
    }
}

/// Spreads integer keys by one multiplication each.
#[derive(Clone, Copy)]
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

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = append(self.0, value);
    }
}

/// A map from a hash.
pub type HashedMap<K, V> = HashMap<K, V, Secret>;

/// An empty map with room for this many keys.
#[must_use]
pub fn with_room<K, V>(keys: usize) -> HashedMap<K, V> {
    HashMap::with_capacity_and_hasher(keys, Secret::default())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn keys_that_end_alike_stand_apart() {
        let hashes = (0..4096_u32).map(|n| Secret::default().hash_one(n << 20));
        let places: HashSet<u64> = hashes.map(|hash| hash % 4096).collect();

        assert!(places.len() > 2048, "{}", places.len()); // 2,589 by chance
    }

    #[test]
    fn keys_of_two_parts_that_end_alike_stand_apart() {
        let hashes = (0..4096_u32).map(|n| Secret::default().hash_one((7_u32, n << 20)));
        let places: HashSet<u64> = hashes.map(|hash| hash % 4096).collect();

        assert!(places.len() > 2048, "{}", places.len());
    }
}
