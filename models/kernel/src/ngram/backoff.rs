//! Scores by backing off, for models imported from ARPA files: P(w | h) is the value listed for `h
//! w`, else backoff(h) P(w | h without its first word).

use super::file::facts::{LOG2_RANGE, Smoothing};
use super::model::{Hit, Model};
use crate::text::hash::{self, Keys, START};

/// The key of `<unk>`, which ARPA models use for all words that they do not list.
#[must_use]
pub fn unknown() -> u64 {
    hash::token(b"<unk>")
}

/// Calls `take` with the index and the hit of every token; `keys` may hold several sentences, each
/// beginning where the history of a token is the sentence start.
pub fn each_hit(model: &Model, keys: &[Keys], mut take: impl FnMut(usize, Hit)) {
    debug_assert_eq!(model.facts.smoothing, Smoothing::Backoff);
    let (ngrams, backoffs) = (model.ngrams(), model.backoffs());
    let first_history = hash::bigram(START, START);
    let mut previous = START;
    let mut history = first_history;
    for (index, token) in keys.iter().enumerate() {
        if token[1] == hash::bigram(START, token[0]) {
            (previous, history) = (START, first_history);
        }
        let listed = ngrams.get(token[0]);
        let word = if listed.is_some() {
            token[0]
        } else {
            unknown()
        };
        let pair = hash::bigram(previous, word);
        let candidates = [
            (3, hash::trigram(history, word), history),
            (2, pair, previous),
        ];
        let mut weight = 0.0;
        let mut hit = None;
        for (order, key, shorter_by) in candidates {
            if order > model.facts.order {
                continue;
            }
            if let Some(log2_prob) = ngrams.get(key) {
                hit = Some((order, log2_prob));
                break;
            }
            weight += backoffs.get(shorter_by).unwrap_or(0.0);
        }
        let (order, log2_prob) = hit.unwrap_or(match listed {
            Some(log2_prob) => (1, log2_prob),
            None => (0, model.facts.unknown_log2),
        });
        let order = if listed.is_some() { order } else { 0 };
        take(
            index,
            Hit {
                order,
                log2_prob: (log2_prob + weight).clamp(*LOG2_RANGE.start(), *LOG2_RANGE.end()),
            },
        );
        (previous, history) = (word, pair);
    }
}
