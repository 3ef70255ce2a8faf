//! Counts and final values of the n-grams that held-out text needs.

use crate::ngram::train::counter::packed;

/// Counts of some n-grams, selected while all n-grams pass in ascending order of their keys, and
/// the final values of the listed ones.
#[derive(Default)]
pub struct Wanted {
    keys: Vec<u64>,
    counts: Vec<u64>,
    listed: Vec<Option<f32>>,
    passed: usize,
}

impl Wanted {
    pub fn new(mut keys: Vec<u64>) -> Self {
        keys.sort_unstable();
        keys.dedup();
        Self {
            counts: vec![0; keys.len()],
            listed: vec![None; keys.len()],
            keys,
            passed: 0,
        }
    }

    #[inline]
    pub fn meet(&mut self, key: u64, count: u64) {
        while self
            .keys
            .get(self.passed)
            .is_some_and(|&wanted| wanted < key)
        {
            self.passed += 1;
        }
        if self.keys.get(self.passed) == Some(&key) {
            self.counts[self.passed] = count;
        }
    }

    pub fn count(&self, numbers: &[u32]) -> f64 {
        let found = self.keys.binary_search(&packed(numbers));
        found.map_or(0.0, |at| self.counts[at] as f64)
    }

    /// Notes that an n-gram is listed, with its log2 probability.
    pub fn list(&mut self, key: u64, log2: f32) {
        if let Ok(at) = self.keys.binary_search(&key) {
            self.listed[at] = Some(log2);
        }
    }

    pub fn log2(&self, numbers: &[u32]) -> Option<f32> {
        self.listed[self.keys.binary_search(&packed(numbers)).ok()?]
    }
}
