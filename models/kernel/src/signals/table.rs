//! Hashes -> the first value of each.

use crate::text::hash::append;
use crate::text::map::secret;

/// A growing table of hashes. An entry holds its hash plus one: 0 is free.
///
/// Authors of pages can choose the hashes, so a secret determines the place of each.
pub struct Table {
    secret: u64,
    entries: Vec<(u64, u32)>,
    used: usize,
}

impl Table {
    /// A table with room for this many hashes.
    #[must_use]
    pub fn of(hashes: usize) -> Self {
        Self {
            secret: secret(),
            entries: vec![(0, 0); (2 * hashes).next_power_of_two().max(16)],
            used: 0,
        }
    }

    /// The first value of a hash: `value` if the hash is new.
    #[inline]
    pub fn first(&mut self, hash: u64, value: u32) -> u32 {
        if 2 * self.used >= self.entries.len() {
            self.grow();
        }
        let slot = self.slot(hash);
        let entry = &mut self.entries[slot];
        if entry.0 == 0 {
            *entry = (hash.wrapping_add(1), value);
            self.used += 1;
        }
        entry.1
    }

    /// The slot of a hash, or the free one for it.
    #[inline]
    fn slot(&self, hash: u64) -> usize {
        let mask = self.entries.len() - 1;
        let mut slot = append(self.secret, hash) as usize & mask;
        while self.entries[slot].0 != 0 && self.entries[slot].0 != hash.wrapping_add(1) {
            slot = (slot + 1) & mask;
        }
        slot
    }

    #[cold]
    fn grow(&mut self) {
        let room = vec![(0, 0); 2 * self.entries.len()];
        for entry in std::mem::replace(&mut self.entries, room) {
            if entry.0 != 0 {
                let slot = self.slot(entry.0.wrapping_sub(1));
                self.entries[slot] = entry;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_hash_has_its_first_value_whatever_their_number() {
        let mut table = Table::of(0);
        for round in 0..2 {
            for value in 0..1000 {
                let hash = u64::from(value).wrapping_mul(0x1_0000_0001) << 3;

                assert_eq!(table.first(hash, value + round), value);
            }
        }
    }
}
