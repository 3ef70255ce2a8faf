//! Counts to interpolated probabilities:
//!
//! P(w3 | w1 w2) = l3 C(w1 w2 w3) / C(w1 w2) + l2 C(w2 w3) / C(w2) + l1 C(w3) / N + l0 / (V + 1),
//!
//! maximum likelihood for each order (Fernandez-Pichel et al. 2023, eq. 2), mixed, and chance over
//! the V listed words and one unknown word. The last term is the floor, the probability of an
//! unknown token. An unseen history adds nothing.

use std::io;

use super::Choice;
use super::counter::{packed, unpacked};
use super::listing::Listing;
use super::spill::{Entry, Merge};
use super::sums::Turned;
use super::vocabulary::{START, UNKNOWN, Vocabulary};
use super::weights::{HeldOut, Weights};
use crate::ngram::file::facts::MAX_ORDER;
use crate::text::hash;

/// Lists the n-grams of a model with their log2 probabilities.
pub struct Lister<'a> {
    pub vocabulary: &'a Vocabulary,
    pub weights: Weights,
    pub choice: &'a Choice,
    pub order: usize,
}

/// A bigram with the data for the trigrams that end in it.
struct Pair {
    key: u64,
    probability: f64,
    /// The final log2 probability of a token that no trigram lists.
    listed_log2: f64,
}

impl Lister<'_> {
    /// Adds all n-grams worth listing to `to`, notes those in the held-out text, and returns their
    /// numbers by order.
    pub fn list(
        &self,
        mut bigrams: Merge,
        mut trigrams: Merge,
        to: &mut Listing,
        held_out: &mut HeldOut,
    ) -> io::Result<[u64; MAX_ORDER]> {
        let mut listed = [self.unigrams(to)?, 0, 0];
        let mut trigram = trigrams.next_entry()?.map(Turned::of);
        while let Some(entry) = bigrams.next_entry()? {
            let before = to.count();
            let pair = self.bigram(entry, to, held_out)?;
            listed[1] += to.count() - before;
            // trigrams are in the order of their last two words, like the bigrams
            while let Some(turned) = trigram.filter(|turned| turned.pair <= entry.key) {
                let before = to.count();
                if let Some(pair) = pair.as_ref().filter(|_| turned.pair == entry.key) {
                    self.trigram(turned, pair, to, held_out)?;
                }
                listed[2] += to.count() - before;
                trigram = trigrams.next_entry()?.map(Turned::of);
            }
        }
        Ok(listed)
    }

    fn unigrams(&self, to: &mut Listing) -> io::Result<u64> {
        for word in self.vocabulary.words() {
            if self.vocabulary.count_of(word) >= self.choice.min_counts[0] {
                to.push(self.vocabulary.key(word), self.unigram(word).log2() as f32)?;
            }
        }
        Ok(to.count())
    }

    /// The probability of a word after any history.
    pub fn unigram(&self, word: u32) -> f64 {
        let share = self.vocabulary.count_of(word) as f64 / self.vocabulary.tokens() as f64;
        self.weights.orders[0] * share + self.weights.floor()
    }

    /// Lists a bigram if it is worth it; None if it is not an n-gram of words.
    fn bigram(
        &self,
        entry: Entry,
        to: &mut Listing,
        held_out: &mut HeldOut,
    ) -> io::Result<Option<Pair>> {
        let (first, second) = (unpacked(entry.key, 1), unpacked(entry.key, 0));
        if first == UNKNOWN || second == UNKNOWN || second == START {
            return Ok(None);
        }
        let ratio = entry.value as f64 / self.vocabulary.count_of(first) as f64;
        let unigram = self.unigram(second);
        let probability = self.weights.orders[1] * ratio + unigram;
        let gain = entry.value as f64 * (probability.log2() - unigram.log2());
        let worth = entry.value >= self.choice.min_counts[1] && gain >= self.choice.min_gain;
        let key = hash::bigram(self.vocabulary.key(first), self.vocabulary.key(second));
        if worth && self.order >= 2 {
            to.push(key, probability.log2() as f32)?;
            held_out.list_bigram(entry.key, probability.log2() as f32);
        }
        let listed = if worth { probability } else { unigram };
        Ok(Some(Pair {
            key: self.vocabulary.key(second),
            probability,
            listed_log2: listed.log2(),
        }))
    }

    fn trigram(
        &self,
        turned: Turned,
        pair: &Pair,
        to: &mut Listing,
        held_out: &mut HeldOut,
    ) -> io::Result<()> {
        let log2 = (self.weights.orders[2] * f64::from(turned.ratio) + pair.probability).log2();
        let gain = f64::from(turned.count) * (log2 - pair.listed_log2);
        if gain < self.choice.min_gain {
            return Ok(());
        }
        let [second, third] = [1, 0].map(|from_last| unpacked(turned.pair, from_last));
        held_out.list_trigram(packed(&[turned.first, second, third]), log2 as f32);
        let history = hash::bigram(
            self.vocabulary.key(turned.first),
            self.vocabulary.key(second),
        );
        to.push(hash::trigram(history, pair.key), log2 as f32)
    }
}
