//! Chooses the weights of the orders that make held-out text most probable (Jelinek and Mercer
//! 1980, by expectation maximisation).

mod wanted;

use super::counter::packed;
use super::vocabulary::{START, UNKNOWN, Vocabulary};
use crate::ngram::file::facts::MAX_ORDER;
use crate::text::hash;
use wanted::Wanted;

/// Least weight of chance: held-out text may lack unknown words by accident, but no language does.
const MIN_CHANCE: f64 = 1e-4;
/// Weights for text too small for holding out any: of chance, then of the orders.
const DEFAULT: [[f64; MAX_ORDER + 1]; MAX_ORDER] = [
    [0.02, 0.98, 0.0, 0.0],
    [0.02, 0.28, 0.7, 0.0],
    [0.02, 0.18, 0.4, 0.4],
];
/// With fewer held-out tokens the choice is not trusted.
const MIN_TOKENS: usize = 1000;
/// Most rounds, and the step below which the weights count as stable. Most text takes 50 rounds;
/// where two orders predict nearly the same, weight moves slowly from one to the other.
const ROUNDS: usize = 1000;
const STILL: f64 = 1e-6;

/// The weights of a model, and their result.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weights {
    /// Of unigrams, bigrams, trigrams; the rest to 1 is the weight of chance.
    pub orders: [f64; MAX_ORDER],
    /// The probability by chance of every word of the vocabulary and of an unknown one.
    pub chance: f64,
    pub tokens: u64,
    pub oov: u64,
}

impl Weights {
    /// Weights given by the caller; held-out text is not used.
    #[must_use]
    pub fn given(orders: [f64; MAX_ORDER], chance: f64) -> Self {
        Self {
            orders,
            chance,
            ..Self::default()
        }
    }

    /// The probability of an unknown token, added to every probability.
    #[must_use]
    pub fn floor(&self) -> f64 {
        (1.0 - self.orders.iter().sum::<f64>()) * self.chance
    }
}

/// A held-out sentence as the finished model scores it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeldSentence {
    pub tokens: u32,
    /// Sum of log2 P.
    pub log2: f64,
}

impl HeldSentence {
    #[must_use]
    pub fn perplexity(&self) -> f32 {
        (-self.log2 / f64::from(self.tokens.max(1))).exp2() as f32
    }
}

/// The n-grams of a held-out text, before their counts are known.
pub struct HeldOut {
    /// Numbers of the words; `START` begins each sentence, unknown words are `UNKNOWN`.
    numbers: Vec<u32>,
    chance: f64,
    bigrams: Wanted,
    trigrams: Wanted,
}

impl HeldOut {
    /// `keys` are the counter's; words with a count below `min_count` are unknown.
    #[must_use]
    pub fn new(keys: &[u64], vocabulary: &Vocabulary, min_count: u64) -> Self {
        let number = |&key: &u64| match vocabulary.number(key) {
            _ if key == hash::START => START,
            word if vocabulary.count_of(word) < min_count => UNKNOWN,
            word => word,
        };
        let mut held_out = Self {
            numbers: keys.iter().map(number).collect(),
            chance: vocabulary.chance(min_count),
            bigrams: Wanted::default(),
            trigrams: Wanted::default(),
        };
        let windows = held_out.windows();
        let pairs = windows
            .iter()
            .flat_map(|three| [packed(&three[..2]), packed(&three[1..])]);
        held_out.bigrams = Wanted::new(pairs.collect());
        held_out.trigrams = Wanted::new(windows.iter().map(|three| packed(three)).collect());
        held_out
    }

    /// Each token after the two numbers of its history.
    fn windows(&self) -> Vec<[u32; 3]> {
        let mut windows = Vec::with_capacity(self.numbers.len());
        let mut history = [START; 2];
        for &number in &self.numbers {
            if number == START {
                history = [START; 2];
            } else {
                windows.push([history[0], history[1], number]);
                history = [history[1], number];
            }
        }
        windows
    }

    /// Notes the count of a bigram of the training text; keys must ascend from call to call.
    #[inline]
    pub fn meet_bigram(&mut self, key: u64, count: u64) {
        self.bigrams.meet(key, count);
    }

    /// Notes the count of a trigram of the training text; keys must ascend from call to call.
    #[inline]
    pub fn meet_trigram(&mut self, key: u64, count: u64) {
        self.trigrams.meet(key, count);
    }

    /// The best weights for a model of this order, once all counts are noted.
    #[must_use]
    pub fn weights(&self, order: usize, vocabulary: &Vocabulary) -> Weights {
        let estimates = self.estimates(order, vocabulary);
        let mut weights = DEFAULT[order.clamp(1, MAX_ORDER) - 1];
        if estimates.len() >= MIN_TOKENS {
            weights = with_chance(best(weights, &estimates));
        }
        let known = |estimate: &&[f64; MAX_ORDER + 1]| estimate[1..].iter().all(|&p| p == 0.0);
        Weights {
            orders: [weights[1], weights[2], weights[3]],
            chance: self.chance,
            tokens: estimates.len() as u64,
            oov: estimates.iter().filter(known).count() as u64,
        }
    }

    /// Notes that the model lists a bigram, with its log2 probability.
    #[inline]
    pub fn list_bigram(&mut self, key: u64, log2: f32) {
        self.bigrams.list(key, log2);
    }

    /// Notes that the model lists a trigram, with its log2 probability.
    #[inline]
    pub fn list_trigram(&mut self, key: u64, log2: f32) {
        self.trigrams.list(key, log2);
    }

    /// The finished model's score of each sentence, once all its listed n-grams are noted: for each
    /// token the longest listed n-gram is used, as in scoring.
    #[must_use]
    pub fn scored(&self, unigram: impl Fn(u32) -> f64, unknown: f64) -> Vec<HeldSentence> {
        let mut sentences = Vec::new();
        for three in self.windows() {
            if three[1] == START {
                sentences.push(HeldSentence::default());
            }
            let longer = self.trigrams.log2(&three);
            let listed = longer.or_else(|| self.bigrams.log2(&three[1..]));
            let otherwise = || {
                if three[2] == UNKNOWN {
                    unknown
                } else {
                    unigram(three[2])
                }
            };
            let log2 = listed.map_or_else(otherwise, f64::from);
            if let Some(sentence) = sentences.last_mut() {
                sentence.tokens += 1;
                sentence.log2 += log2;
            }
        }
        sentences
    }

    /// The probability of each token by each order alone; the first by chance.
    fn estimates(&self, order: usize, vocabulary: &Vocabulary) -> Vec<[f64; MAX_ORDER + 1]> {
        let ratio = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        let tokens = vocabulary.tokens() as f64;
        let estimate = |[first, second, third]: [u32; 3]| {
            let mut estimate = [self.chance, 0.0, 0.0, 0.0];
            if third == UNKNOWN {
                return estimate;
            }
            estimate[1] = ratio(vocabulary.count_of(third) as f64, tokens);
            if order >= 2 && second != UNKNOWN {
                let pair = self.bigrams.count(&[second, third]);
                estimate[2] = ratio(pair, vocabulary.count_of(second) as f64);
            }
            if order >= 3 && first != UNKNOWN && second != UNKNOWN {
                let three = self.trigrams.count(&[first, second, third]);
                estimate[3] = ratio(three, self.bigrams.count(&[first, second]));
            }
            estimate
        };
        self.windows().into_iter().map(estimate).collect()
    }
}

fn mixed(weights: &[f64; MAX_ORDER + 1], estimate: &[f64; MAX_ORDER + 1]) -> f64 {
    weights
        .iter()
        .zip(estimate)
        .map(|(weight, p)| weight * p)
        .sum()
}

/// Improves weights until they are stable.
fn best(
    mut weights: [f64; MAX_ORDER + 1],
    estimates: &[[f64; MAX_ORDER + 1]],
) -> [f64; MAX_ORDER + 1] {
    for _ in 0..ROUNDS {
        let next = improved(weights, estimates);
        let is_still = weights
            .iter()
            .zip(next)
            .all(|(weight, next)| (weight - next).abs() < STILL);
        weights = next;
        if is_still {
            break;
        }
    }
    weights
}

/// One round: each order's share of the responsibility for the tokens.
fn improved(
    weights: [f64; MAX_ORDER + 1],
    estimates: &[[f64; MAX_ORDER + 1]],
) -> [f64; MAX_ORDER + 1] {
    let mut shares = [0.0; MAX_ORDER + 1];
    for estimate in estimates {
        let sum = mixed(&weights, estimate);
        for ((share, weight), p) in shares.iter_mut().zip(weights).zip(estimate) {
            *share += weight * p / sum;
        }
    }
    shares.map(|share| share / estimates.len() as f64)
}

/// The same weights, with at least `MIN_CHANCE` for chance.
fn with_chance(weights: [f64; MAX_ORDER + 1]) -> [f64; MAX_ORDER + 1] {
    let [chance, orders @ ..] = weights;
    if chance >= MIN_CHANCE {
        return weights;
    }
    let scale = (1.0 - MIN_CHANCE) / orders.iter().sum::<f64>();
    let [first, second, third] = orders.map(|weight| weight * scale);
    [MIN_CHANCE, first, second, third]
}

#[cfg(test)]
mod tests;
