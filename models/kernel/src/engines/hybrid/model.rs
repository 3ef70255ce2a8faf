//! The parameter file, and the judgement of a page by it.

pub mod header;

use std::ops::Range;

use super::context::Context;
use super::decode::{self, Cut};
use super::features;
use super::forest::{Forest, sigmoid};
use super::lexicon::Lexicon;
use super::neighbourhood::{self, Neighbourhood};
use super::outline::Outline;
use super::page_features;
use super::page_type::{ByPageType, PageType};
use super::reader::{Damage, Reader};
use super::recurrent::Network;
use super::rows::{HELD, Rows};
use super::templates::Templates;
use header::checked_payload;

/// Largest file that is read.
const MAX_BYTES: usize = 4 << 20;
/// Probability from which a dropped block counts as a comment.
const COMMENT: f32 = 0.5;

/// What becomes of readers' comments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Comments {
    /// As the labelled pages do: kept on forums, dropped under articles.
    #[default]
    Auto,
    Keep,
    Drop,
}

/// What the caller wants done with the probabilities.
#[derive(Clone, Copy, Debug, Default)]
pub struct Policy {
    pub comments: Comments,
    /// Instead of the threshold that suits the page.
    pub threshold: Option<f32>,
}

/// What is thought of a page.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    /// One verdict code a block.
    pub verdicts: Vec<u8>,
    /// One probability a block: that it is content.
    pub probabilities: Vec<f32>,
    /// What the probabilities were compared with.
    pub threshold: f32,
    /// The probability of each type of page.
    pub page_types: ByPageType,
}

/// A network, trees that see what it thinks around a block, and how their mean becomes verdicts.
pub struct Model {
    network: Network,
    trees: Forest,
    templates: Templates,
    comments: Forest,
    lexicon: Lexicon,
    page_types: Vec<Forest>,
    cut: Cut,
}

impl Model {
    /// Reads a parameter file.
    ///
    /// # Errors
    /// [`Damage`] when it is foreign, of other features, truncated, corrupt or out of range.
    pub fn read(bytes: &[u8]) -> Result<Self, Damage> {
        if bytes.len() > MAX_BYTES {
            return Err(Damage::Length);
        }
        let payload = checked_payload(bytes)?;
        let mut reader = Reader::new(payload);
        let first_columns = features::names().len();
        let all_columns = first_columns + neighbourhood::names().len();
        let cut = Cut {
            article: reader.f32()?,
            other: reader.f32()?,
        };
        let model = Self {
            cut,
            network: Network::read(&mut reader, first_columns)?,
            trees: Forest::read(&mut reader, all_columns)?,
            templates: Templates::read(&mut reader)?,
            comments: Forest::read(&mut reader, all_columns)?,
            lexicon: Lexicon::read(&mut reader)?,
            page_types: (0..PageType::COUNT)
                .map(|_| Forest::read(&mut reader, page_features::names().len()))
                .collect::<Result<_, _>>()?,
        };
        if reader.rest().is_empty() {
            Ok(model)
        } else {
            Err(Damage::Length)
        }
    }

    /// Judges the blocks of a page.
    #[must_use]
    pub fn judge(&self, page: &Outline<'_>, policy: Policy) -> Judgement {
        self.judge_holding(HELD, page, policy)
    }

    /// Judges while no more than `held` rows are in memory: those of a larger page are written
    /// once for each stage, and all its blocks are asked whether they are comments, for which of
    /// them are kept is known only when all are judged.
    fn judge_holding(&self, held: usize, page: &Outline<'_>, policy: Policy) -> Judgement {
        if page.spans.is_empty() {
            return Judgement::default();
        }
        let context = Context::of(page);
        let blocks = context.blocks();
        let parts = || {
            (0..blocks)
                .step_by(held)
                .map(|first| first..blocks.min(first + held))
        };
        let are_all_held = blocks <= held;
        let mut rows = Rows::zeros(blocks.min(held));
        let mut inputs = self.network.read_words(&context);
        for part in parts() {
            write_first(&context, part.clone(), &mut rows);
            self.network.read_rows(&rows, &mut inputs[part]);
        }
        let odds = self.network.log_odds(&inputs);
        drop(inputs);
        let first: Vec<f32> = odds.iter().copied().map(sigmoid).collect();
        let around = Neighbourhood::of(&context, &first);
        let mut probabilities = Vec::with_capacity(blocks);
        let mut is_comment = Vec::new();
        for part in parts() {
            if !are_all_held {
                write_first(&context, part.clone(), &mut rows);
            }
            for (row, block) in part.enumerate() {
                around.write(block, &mut rows.columns(row, features::names_count()));
            }
            probabilities.extend(self.trees.probabilities(&rows));
            if !are_all_held {
                is_comment.extend(self.comments.probabilities(&rows));
            }
        }
        let page_types = self.page_types(&context, &probabilities);
        self.network.mix(&odds, &mut probabilities);
        self.templates.adjust(&context, &mut probabilities);
        let threshold = policy.threshold.unwrap_or_else(|| {
            decode::threshold(self.cut, &page_types, &probabilities, &context.weights)
        });
        if are_all_held {
            let is_kept = |block: usize| probabilities[block] > threshold;
            is_comment = self.comments_among(&rows, policy.comments, is_kept);
        }
        let mut judgement = Judgement {
            verdicts: verdicts(&probabilities, &is_comment, threshold, policy.comments),
            threshold,
            page_types,
            probabilities,
        };
        judgement.keep_something(&context.weights);
        judgement
    }

    /// How likely blocks are comments. Unless comments are dropped, a block that is kept stays one
    /// way or the other, and what is said of it means nothing.
    fn comments_among(
        &self,
        rows: &Rows,
        comments: Comments,
        is_kept: impl Fn(usize) -> bool,
    ) -> Vec<f32> {
        let is_open = |block| comments == Comments::Drop || !is_kept(block);
        self.comments.probabilities_where(rows, is_open)
    }

    fn page_types(&self, context: &Context<'_, '_>, probabilities: &[f32]) -> ByPageType {
        let mut row = Rows::zeros(1);
        let scores = self.lexicon.scores(&context.words);
        page_features::write(context, probabilities, &scores, &mut row.columns(0, 0));
        let mut odds = [0.0; PageType::COUNT];
        for (value, forest) in odds.iter_mut().zip(&self.page_types) {
            *value = forest.log_odds(&row).first().copied().unwrap_or(0.0).exp();
        }
        let sum: f32 = odds.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        odds.map(|value| value / sum)
    }
}

impl Judgement {
    /// The judgement of `blocks` blocks, of which so many in a `run` were judged as one.
    #[must_use]
    pub fn spread(self, run: usize, blocks: usize) -> Self {
        if run == 1 {
            return self;
        }
        Self {
            verdicts: repeated(&self.verdicts, run, blocks),
            probabilities: repeated(&self.probabilities, run, blocks),
            ..self
        }
    }

    /// An engine that empties a page has failed: the likeliest block stays.
    fn keep_something(&mut self, weights: &[f32]) {
        if self.verdicts.contains(&decode::KEPT) {
            return;
        }
        if let Some(block) = decode::fallback(&self.probabilities, weights) {
            self.verdicts[block] = decode::KEPT;
        }
    }
}

/// Every value `run` times over, `count` in all.
fn repeated<T: Copy>(values: &[T], run: usize, count: usize) -> Vec<T> {
    let each = values.iter();
    each.flat_map(|value| std::iter::repeat_n(*value, run))
        .take(count)
        .collect()
}

fn verdicts(content: &[f32], comment: &[f32], threshold: f32, comments: Comments) -> Vec<u8> {
    content
        .iter()
        .zip(comment)
        .map(|(content, comment)| {
            let is_comment = *comment > COMMENT;
            match comments {
                Comments::Keep if is_comment => decode::KEPT,
                Comments::Drop if is_comment => decode::COMMENT,
                _ if *content > threshold => decode::KEPT,
                _ if is_comment => decode::COMMENT,
                _ => decode::FURNITURE,
            }
        })
        .collect()
}

/// The rows of all blocks with the columns of the first stage.
#[must_use]
pub fn first_rows(context: &Context<'_, '_>) -> Rows {
    let mut rows = Rows::zeros(context.blocks());
    write_first(context, 0..context.blocks(), &mut rows);
    rows
}

/// Makes `rows` those of some blocks.
fn write_first(context: &Context<'_, '_>, blocks: Range<usize>, rows: &mut Rows) {
    rows.resize(blocks.len());
    for (row, block) in blocks.enumerate() {
        features::write(context, block, &mut rows.columns(row, 0));
    }
}

#[cfg(test)]
mod tests;
