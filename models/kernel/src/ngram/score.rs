//! Blocks to scored sentences: split, tokenise, look up, in one pass over a page.
//!
//! First all keys of a page are computed; then the buckets of a token are prefetched `AHEAD` tokens
//! before they are read, so that a look-up need not wait for memory.

use super::backoff;
use super::file::facts::Smoothing;
use super::model::{Hit, Model, Values};
use super::punkt::Splitter;
use super::tokens::Tokeniser;
use crate::page::blocks::BlockTable;
use crate::text::hash::{self, Keys, START};
use crate::text::sentences::{Sentence, SentenceTable};

/// Tokens between prefetching a bucket and reading it, long enough for distant memory.
const AHEAD: usize = 32;
/// Bytes of text per token of a usual page, at most.
const TOKEN_BYTES: usize = 8;

/// Scores pages one after another, in the same buffers.
pub struct Scorer<'m> {
    model: &'m Model,
    splitter: Splitter<'m>,
    spans: Vec<(usize, usize)>,
    keys: Vec<Keys>,
}

impl<'m> Scorer<'m> {
    #[must_use]
    pub fn new(model: &'m Model) -> Self {
        Self {
            model,
            splitter: Splitter::new(model.punkt()),
            spans: Vec::new(),
            keys: Vec::new(),
        }
    }

    /// Splits the blocks of a page into sentences and scores them.
    pub fn score(&mut self, page: &BlockTable) -> SentenceTable {
        self.score_where(page, |_| true)
    }

    /// Splits the blocks of a page into sentences and scores the sentences of the selected blocks;
    /// in the others only tokens are counted.
    pub fn score_where(
        &mut self,
        page: &BlockTable,
        is_asked: impl Fn(usize) -> bool,
    ) -> SentenceTable {
        let mut sentences = Vec::new();
        let mut spans = std::mem::take(&mut self.spans);
        self.keys.clear();
        self.keys.reserve(page.text.len() / TOKEN_BYTES);
        for (index, block) in page.blocks.iter().enumerate() {
            let is_unscored = !is_asked(index);
            spans.clear();
            self.splitter.split(page.text_of(block), &mut spans);
            for &(start, end) in &spans {
                let start = block.start + start as u32;
                let end = block.start + end as u32;
                let tokens = if is_unscored {
                    self.count(&page.text, start as usize, end as usize)
                } else {
                    self.gather(&page.text, start as usize, end as usize)
                };
                if tokens > 0 {
                    let block = index as u32;
                    sentences.push(Sentence {
                        start,
                        end,
                        block,
                        tokens,
                        is_unscored,
                        ..Sentence::default()
                    });
                }
            }
        }
        self.spans = spans;
        fill(self.model, &self.keys, &mut sentences);
        SentenceTable { sentences }
    }

    /// The same, followed by `score_again` of another model: tokens that both models cut alike are
    /// cut once, while their keys are still available.
    pub fn score_twice(
        &mut self,
        page: &BlockTable,
        second: &Model,
    ) -> (SentenceTable, SentenceTable) {
        let first = self.score(page);
        let again = self.again(page, &first, second);
        (first, again)
    }

    /// Scores of another model for the sentences of the page that was scored last.
    #[must_use]
    pub fn again(&self, page: &BlockTable, first: &SentenceTable, second: &Model) -> SentenceTable {
        if second.facts.tokeniser != self.model.facts.tokeniser {
            return Scorer::new(second).score_again(page, first);
        }
        let unscored = |row: &Sentence| Sentence {
            oov: 0,
            log2_prob: 0.0,
            ..*row
        };
        let mut sentences: Vec<Sentence> = first.sentences.iter().map(unscored).collect();
        fill(second, &self.keys, &mut sentences);
        SentenceTable { sentences }
    }

    /// Scores the sentences that another model split; sentences without a token are left out.
    pub fn score_again(&mut self, page: &BlockTable, found: &SentenceTable) -> SentenceTable {
        self.keys.clear();
        let mut sentences = Vec::with_capacity(found.sentences.len());
        for row in &found.sentences {
            let tokens = self.gather(&page.text, row.start as usize, row.end as usize);
            if tokens > 0 {
                sentences.push(Sentence {
                    start: row.start,
                    end: row.end,
                    block: row.block,
                    tokens,
                    ..Sentence::default()
                });
            }
        }
        fill(self.model, &self.keys, &mut sentences);
        SentenceTable { sentences }
    }

    /// Scores a text as one sentence, token by token.
    pub fn explain(&mut self, text: &str) -> Vec<Hit> {
        self.keys.clear();
        self.gather(text, 0, text.len());
        let mut hits = Vec::with_capacity(self.keys.len());
        each_hit_of(self.model, &self.keys, |_, hit| hits.push(hit));
        hits
    }

    /// The number of the tokens of a sentence.
    fn count(&self, text: &str, start: usize, end: usize) -> u32 {
        let mut tokens = 0;
        let tokeniser = self.model.facts.tokeniser;
        tokeniser.each(text, start, end, |_| tokens += 1);
        tokens
    }

    /// Appends the keys of the tokens of a sentence and returns their number.
    fn gather(&mut self, text: &str, start: usize, end: usize) -> u32 {
        let before = self.keys.len();
        push_keys(self.model.facts.tokeniser, text, start, end, &mut self.keys);
        (self.keys.len() - before) as u32
    }
}

/// Calls `take` with the index and the hit of every token.
fn each_hit_of(model: &Model, keys: &[Keys], take: impl FnMut(usize, Hit)) {
    let facts = &model.facts;
    let values = model.ngrams();
    match (facts.smoothing, facts.order) {
        (Smoothing::Backoff, _) => backoff::each_hit(model, keys, take),
        (_, 1) => each_hit::<1>(values, keys, facts.unknown_log2, take),
        (_, 2) => each_hit::<2>(values, keys, facts.unknown_log2, take),
        _ => each_hit::<3>(values, keys, facts.unknown_log2, take),
    }
}

/// Adds the hits of the tokens to their sentences, some of which have none.
fn fill(model: &Model, keys: &[Keys], sentences: &mut [Sentence]) {
    let mut rest = sentences.iter_mut().filter(|each| !each.is_unscored);
    let mut sentence = rest.next();
    let mut left = sentence.as_ref().map_or(0, |sentence| sentence.tokens);
    let mut sum = 0.0_f64;
    each_hit_of(model, keys, |_, hit| {
        sum += f64::from(hit.log2_prob);
        left = left.saturating_sub(1);
        if let Some(current) = &mut sentence {
            current.oov += u32::from(hit.order == 0);
            if left == 0 {
                current.log2_prob = sum as f32;
                sum = 0.0;
                sentence = rest.next();
                left = sentence.as_ref().map_or(0, |sentence| sentence.tokens);
            }
        }
    });
}

/// Appends the keys of the tokens of one sentence, whose history begins with the sentence start.
pub fn push_keys(tokeniser: Tokeniser, text: &str, start: usize, end: usize, out: &mut Vec<Keys>) {
    let mut previous = START;
    let mut history = hash::bigram(START, START);
    tokeniser.each(text, start, end, |token| {
        let pair = hash::bigram(previous, token.key);
        out.push([token.key, pair, hash::trigram(history, token.key)]);
        previous = token.key;
        history = pair;
    });
}

/// The longest listed n-gram of each token; values are interpolated already.
fn each_hit<const ORDER: usize>(
    values: Values<'_>,
    keys: &[Keys],
    unknown_log2: f32,
    mut take: impl FnMut(usize, Hit),
) {
    let ask = |keys: &Keys| keys[..ORDER].iter().for_each(|&key| values.prefetch(key));
    keys.iter().take(AHEAD).for_each(ask);
    for (index, token) in keys.iter().enumerate() {
        if let Some(coming) = keys.get(index + AHEAD) {
            ask(coming);
        }
        let listed = values.longest::<ORDER>(token);
        let (order, log2_prob) = listed.unwrap_or((0, unknown_log2));
        take(index, Hit { order, log2_prob });
    }
}
