//! The facts of a model in a model file, in a fixed binary form (little-endian).

use crate::ngram::tokens::Tokeniser;

pub const MAX_ORDER: usize = 3;

/// How the probability of an unlisted n-gram follows from lower orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub enum Smoothing {
    /// Listed values are interpolated over all orders: the longest listed n-gram is used.
    #[default]
    Interpolated = 0,
    /// P(w | h) = backoff(h) P(w | shorter h), as in ARPA files.
    Backoff = 1,
}

/// The facts of a model. Arrays are by order, unigrams first; probabilities are not logarithms.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "python",
    pyo3::pyclass(frozen, get_all, skip_from_py_object, module = "winnow.models._kernel")
)]
pub struct ModelFacts {
    pub order: u32,
    pub tokeniser: Tokeniser,
    pub smoothing: Smoothing,
    /// log2 P of an unlisted token.
    pub unknown_log2: f32,
    /// Share of each order in an interpolated probability; 0 beyond `order`.
    pub weights: [f64; MAX_ORDER],
    /// The constant added to every interpolated probability: the probability of an unknown token.
    pub floor: f64,
    /// N-grams in the table.
    pub listed: [u64; MAX_ORDER],
    /// Different n-grams in the training text; 0 for an imported model.
    pub seen: [u64; MAX_ORDER],
    /// N-grams with fewer occurrences than this in the text are not listed.
    pub min_counts: [u64; MAX_ORDER],
    /// Least cost, in bits of training text, of leaving out a listed n-gram.
    pub min_gain: f64,
    pub training_tokens: u64,
    pub training_sentences: u64,
    /// Tokens held out to choose the weights; 0 if the weights were given.
    pub held_out_tokens: u64,
    /// The number of them without a unigram.
    pub held_out_oov: u64,
    /// Sum of log2 P over the held-out tokens, by the listed n-grams.
    pub held_out_log2: f64,
}

impl Default for ModelFacts {
    fn default() -> Self {
        Self {
            order: 1,
            tokeniser: Tokeniser::Folded,
            smoothing: Smoothing::Interpolated,
            unknown_log2: 0.0,
            weights: [0.0; MAX_ORDER],
            floor: 0.0,
            listed: [0; MAX_ORDER],
            seen: [0; MAX_ORDER],
            min_counts: [0; MAX_ORDER],
            min_gain: 0.0,
            training_tokens: 0,
            training_sentences: 0,
            held_out_tokens: 0,
            held_out_oov: 0,
            held_out_log2: 0.0,
        }
    }
}

impl ModelFacts {
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let words = [
            self.order,
            self.tokeniser as u32,
            self.smoothing as u32,
            self.unknown_log2.to_bits(),
        ];
        let arrays = [self.listed, self.seen, self.min_counts].concat();
        let counts = [
            self.training_tokens,
            self.training_sentences,
            self.held_out_tokens,
            self.held_out_oov,
        ];
        let reals = [
            self.weights.as_slice(),
            &[self.floor, self.min_gain, self.held_out_log2],
        ]
        .concat();
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let longs = reals
            .iter()
            .map(|real| real.to_bits())
            .chain(arrays)
            .chain(counts);
        bytes.extend(longs.flat_map(u64::to_le_bytes));
        bytes
    }

    /// The facts in `bytes`, or the problem with them.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, &'static str> {
        let mut fields = Fields { bytes };
        let order = fields.u32()?;
        let tokeniser =
            Tokeniser::from_id(fields.u32()?).ok_or("made with an unknown tokeniser")?;
        let smoothing = match fields.u32()? {
            0 => Smoothing::Interpolated,
            1 => Smoothing::Backoff,
            _ => return Err("made with an unknown kind of smoothing"),
        };
        let facts = Self {
            order,
            tokeniser,
            smoothing,
            unknown_log2: f32::from_bits(fields.u32()?),
            weights: fields.reals()?,
            floor: fields.real()?,
            min_gain: fields.real()?,
            held_out_log2: fields.real()?,
            listed: fields.counts()?,
            seen: fields.counts()?,
            min_counts: fields.counts()?,
            training_tokens: fields.u64()?,
            training_sentences: fields.u64()?,
            held_out_tokens: fields.u64()?,
            held_out_oov: fields.u64()?,
        };
        if !(1..=MAX_ORDER).contains(&(order as usize)) {
            return Err("of an order outside 1-3");
        }
        if !LOG2_RANGE.contains(&facts.unknown_log2) {
            return Err("corrupt: invalid probability of unknown tokens");
        }
        if !facts.is_of_probabilities() {
            return Err("corrupt: invalid probabilities");
        }
        Ok(facts)
    }

    /// Whether weights, floor and figures of the held-out text are valid probabilities.
    fn is_of_probabilities(&self) -> bool {
        let mut shares = self.weights.iter().chain([&self.floor]);
        let least = f64::from(*LOG2_RANGE.start()) * self.held_out_tokens as f64;
        shares.all(|share| (0.0..=1.0).contains(share))
            && (least..=0.0).contains(&self.held_out_log2)
            && self.min_gain >= 0.0
    }
}

/// The range of a log2 probability: the sum of a sentence stays in the range of its mean.
pub const LOG2_RANGE: std::ops::RangeInclusive<f32> = -120.0..=0.0;

struct Fields<'a> {
    bytes: &'a [u8],
}

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], &'static str> {
        let (head, tail) = self
            .bytes
            .split_first_chunk()
            .ok_or("truncated in its facts")?;
        self.bytes = tail;
        Ok(*head)
    }

    fn u32(&mut self) -> Result<u32, &'static str> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, &'static str> {
        self.take().map(u64::from_le_bytes)
    }

    fn real(&mut self) -> Result<f64, &'static str> {
        self.take().map(f64::from_le_bytes)
    }

    fn reals(&mut self) -> Result<[f64; MAX_ORDER], &'static str> {
        Ok([self.real()?, self.real()?, self.real()?])
    }

    fn counts(&mut self) -> Result<[u64; MAX_ORDER], &'static str> {
        Ok([self.u64()?, self.u64()?, self.u64()?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_survive_the_file() {
        let facts = ModelFacts {
            order: 3,
            tokeniser: Tokeniser::Cased,
            smoothing: Smoothing::Backoff,
            unknown_log2: -26.5,
            weights: [0.1, 0.3, 0.6],
            floor: 1e-8,
            listed: [1, 2, 3],
            seen: [4, 5, 6],
            min_counts: [7, 8, 9],
            min_gain: 2.5,
            training_tokens: 10,
            training_sentences: 11,
            held_out_tokens: 12,
            held_out_oov: 13,
            held_out_log2: -99.5,
        };
        let bytes = facts.to_bytes();
        assert_eq!(ModelFacts::from_bytes(&bytes), Ok(facts));
        for length in 0..bytes.len() {
            assert!(ModelFacts::from_bytes(&bytes[..length]).is_err());
        }
    }

    #[test]
    fn figures_of_no_probability_are_refused() {
        let wrong = [
            ModelFacts {
                weights: [0.5, f64::NAN, 0.0],
                ..ModelFacts::default()
            },
            ModelFacts {
                floor: -0.1,
                ..ModelFacts::default()
            },
            ModelFacts {
                held_out_tokens: 1,
                held_out_log2: -1e300,
                ..ModelFacts::default()
            },
            ModelFacts {
                min_gain: f64::NAN,
                ..ModelFacts::default()
            },
        ];
        for facts in wrong {
            assert!(ModelFacts::from_bytes(&facts.to_bytes()).is_err());
        }
    }
}
