//! Page type scores from the words of a page and of its labels.
//!
//! A linear model per type over the distinct words of a page, hashed into buckets (Weinberger et
//! al. 2009). Words of text and words of labels have different hashes.

use super::reader::{Damage, Reader};
use crate::engines::page_type::{ByPageType, PageType};

/// Number of hash buckets: a power of two.
pub const BUCKETS: u32 = 1 << 15;
const BITS: u32 = BUCKETS.ilog2();
/// Distinct words of a usual page.
const USUAL: usize = 1024;

/// The distinct words of a page, by bucket.
pub struct Vocabulary {
    seen: Vec<u64>,
    buckets: Vec<u32>,
}

impl Default for Vocabulary {
    fn default() -> Self {
        Self {
            seen: vec![0; (BUCKETS / u64::BITS) as usize],
            buckets: Vec::with_capacity(USUAL),
        }
    }
}

impl Vocabulary {
    /// The bucket of a word, and whether the word is new.
    #[inline]
    fn note(&mut self, word: u32) -> (u32, bool) {
        let bucket = word.wrapping_mul(0x9e37_79b1) >> (u32::BITS - BITS);
        let bit = 1 << (bucket % u64::BITS);
        let seen = &mut self.seen[(bucket / u64::BITS) as usize];
        let is_new = *seen & bit == 0;
        *seen |= bit;
        (bucket, is_new)
    }

    /// Adds words by their hashes.
    ///
    /// Each is written, and overwritten by the next one if it was not new: no unpredictable branch.
    pub fn extend(&mut self, words: &[u32]) {
        let mut end = self.buckets.len();
        self.buckets.resize(end + words.len(), 0);
        for word in words {
            let (bucket, is_new) = self.note(*word);
            self.buckets[end] = bucket;
            end += usize::from(is_new);
        }
        self.buckets.truncate(end);
    }

    /// The buckets of the words, each once.
    #[must_use]
    pub fn buckets(&self) -> &[u32] {
        &self.buckets
    }
}

/// Weights of a bucket in loading units of eight.
const ROW: usize = PageType::COUNT.next_power_of_two();

/// The weights of all buckets.
pub struct Lexicon {
    biases: ByPageType,
    scale: f32,
    weights: Vec<[i8; ROW]>,
}

impl Lexicon {
    /// Reads biases, the step size of the weights, and a row of weights per bucket.
    ///
    /// # Errors
    /// [`Damage`] if the bytes end too soon or a value is not a number.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, Damage> {
        let mut biases = [0.0; PageType::COUNT];
        for bias in &mut biases {
            *bias = reader.f32()?;
        }
        let scale = reader.f32()?;
        let mut weights = vec![[0; ROW]; BUCKETS as usize];
        for row in &mut weights {
            for weight in &mut row[..PageType::COUNT] {
                *weight = reader.i8()?;
            }
        }
        Ok(Self {
            biases,
            scale,
            weights,
        })
    }

    /// A score for every page type.
    #[must_use]
    pub fn scores(&self, words: &Vocabulary) -> ByPageType {
        let mut sums = [0_i32; ROW];
        for bucket in words.buckets() {
            for (sum, weight) in sums.iter_mut().zip(self.weights[*bucket as usize]) {
                *sum += i32::from(weight);
            }
        }
        std::array::from_fn(|at| self.biases[at] + self.scale * sums[at] as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::super::labels;
    use super::super::words::hash;
    use super::*;

    #[test]
    fn a_word_counts_once_and_not_as_the_same_word_of_a_label() {
        let mut words = Vocabulary::default();
        let post = hash("post");
        words.extend(&[post, post]);
        labels::read("post post", |word| words.extend(&[word]));

        assert_eq!(words.buckets().len(), 2);
    }

    #[test]
    fn scores_are_biases_and_weights_of_the_words() {
        let mut words = Vocabulary::default();
        words.extend(&[7]);
        let bucket = words.buckets()[0] as usize;
        let mut bytes = Vec::new();
        for number in [1.0_f32, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.5] {
            bytes.extend(number.to_le_bytes());
        }
        let first = bytes.len();
        bytes.resize(first + BUCKETS as usize * PageType::COUNT, 0);
        bytes[first + bucket * PageType::COUNT + 6] = (-4_i8).to_le_bytes()[0];

        let lexicon = Lexicon::read(&mut Reader::new(&bytes)).ok();

        let expected = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, -3.0];
        assert_eq!(lexicon.map(|found| found.scores(&words)), Some(expected));
    }
}
