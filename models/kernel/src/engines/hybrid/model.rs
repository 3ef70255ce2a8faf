//! The parameter file, and judging a page with it.

pub mod header;

use std::ops::Range;

use super::confidence::{self, Confidence};
use super::context::Context;
use super::decode::{self, Cut};
use super::features;
use super::forest::{Forest, alone, sigmoid};
use super::lexicon::Lexicon;
use super::neighbourhood::{self, Neighbourhood};
use super::outline::Outline;
use super::page_features;
use super::reader::{Damage, Reader};
use super::recurrent::{Network, is_unsure};
use super::roles::{Convention, Conventions};
use super::rows::{COLUMNS, HELD, Row, Rows, Writer};
use super::templates::Templates;
use crate::engines::judgement::Judgement;
use crate::engines::page_type::{ByPageType, PageType};
use crate::engines::whole;
use crate::page::blocks::BlockTable;
use crate::page::runs::run_length;
use crate::text::verdict::Verdict;
use header::checked_payload;

/// Largest accepted file.
const MAX_BYTES: usize = 4 << 20;
/// Probability from which a dropped block counts as a comment.
const COMMENT: f32 = 0.5;

/// The caller's policy for verdicts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Policy {
    /// Readers' comments: by default kept on forums, dropped under articles.
    pub comments: Convention,
    pub roles: Conventions,
    /// Replaces the threshold of each page.
    pub threshold: Option<f32>,
}

/// A network, trees that use its output around a block, and parameters for decoding their mean.
pub struct Model {
    network: Network,
    trees: Forest,
    templates: Templates,
    comments: Forest,
    lexicon: Lexicon,
    page_types: Vec<alone::Forest>,
    cut: Cut,
    confidence: Option<Confidence>,
}

/// Intermediate results of a judgement.
struct Judged<'a, 'page, 'text> {
    context: &'a Context<'page, 'text>,
    /// Of the network alone.
    odds: &'a [f32],
    /// The features of the page.
    row: Row,
}

impl Model {
    /// Reads a parameter file.
    ///
    /// # Errors
    /// [`Damage`] if it is foreign, has other features, is truncated, corrupt or out of range.
    pub fn read(bytes: &[u8]) -> Result<Self, Damage> {
        if bytes.len() > MAX_BYTES {
            return Err(Damage::Length);
        }
        Self::of(checked_payload(bytes)?)
    }

    /// Reads the part after the header of a parameter file.
    ///
    /// # Errors
    /// See [`Model::read`].
    pub fn of(payload: &[u8]) -> Result<Self, Damage> {
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
            comments: Forest::read(&mut reader, first_columns)?,
            lexicon: Lexicon::read(&mut reader)?,
            page_types: (0..PageType::COUNT)
                .map(|_| alone::Forest::read(&mut reader, page_features::names().len()))
                .collect::<Result<_, _>>()?,
            confidence: None,
        };
        if reader.rest().is_empty() {
            Ok(model)
        } else {
            Err(Damage::Length)
        }
    }

    /// The same model with a confidence forest.
    #[must_use]
    pub fn with_confidence(self, confidence: Confidence) -> Self {
        Self {
            confidence: Some(confidence),
            ..self
        }
    }

    /// The confidence features of a page's verdicts; empty for a page without blocks.
    #[must_use]
    pub fn confidence_row(&self, table: &BlockTable, policy: Policy) -> Option<Row> {
        let page = Outline::in_runs(table, run_length(table.blocks.len(), table.markup_bytes));
        let mut found = None;
        self.judge_holding(HELD, &page, policy, |judged, judgement| {
            found = Some(judged.row_of(judgement));
        });
        found
    }

    /// Judges the blocks of a page that was read with its elements. If it has very many blocks for
    /// its size, adjacent ones are judged as one.
    #[must_use]
    pub fn judge(&self, table: &BlockTable, policy: Policy) -> Judgement {
        let blocks = table.blocks.len();
        let run = run_length(blocks, table.markup_bytes);
        let judgement = self.judge_outline(&Outline::in_runs(table, run), policy);
        if run == 1 {
            return judgement;
        }
        Judgement {
            verdicts: repeated(&judgement.verdicts, run, blocks),
            probabilities: repeated(&judgement.probabilities, run, blocks),
            ..judgement
        }
    }

    /// Judges the blocks of an outline, each by itself.
    #[must_use]
    pub fn judge_outline(&self, page: &Outline<'_>, policy: Policy) -> Judgement {
        let mut confidence = None;
        let judgement = self.judge_holding(HELD, page, policy, |judged, judgement| {
            let forest = self.confidence.as_ref();
            confidence = forest.map(|forest| forest.of(&judged.row_of(judgement)));
        });
        Judgement {
            confidence: confidence.or(judgement.confidence),
            ..judgement
        }
    }

    /// Judges with at most `held` rows in memory. Trees judge only where the network is unsure. The
    /// rows of a larger page are written once for the network and once for the trees, and every block
    /// is tested for being a comment, because the kept ones are known only at the end. `see` receives
    /// the intermediate results.
    fn judge_holding(
        &self,
        held: usize,
        page: &Outline<'_>,
        policy: Policy,
        see: impl FnOnce(Judged<'_, '_, '_>, &Judgement),
    ) -> Judgement {
        if page.spans.is_empty() {
            return Judgement {
                threshold: Some(0.0),
                page_types: Some([0.0; PageType::COUNT]),
                confidence: self.confidence.as_ref().map(|_| 0.0),
                ..Judgement::default()
            };
        }
        let context = Context::of(page);
        let blocks = context.blocks();
        let parts = || {
            (0..blocks)
                .step_by(held)
                .map(|first| first..blocks.min(first + held))
        };
        let are_all_held = blocks <= held;
        let mut rows = Rows::new(blocks.min(held));
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
            let own = &first[part.clone()];
            let is_open = |row: usize| is_unsure(own[row]);
            for (row, block) in part.enumerate().filter(|(row, _)| is_open(*row)) {
                around.write(block, &mut rows.columns(row, features::names_count()));
            }
            let found = self.trees.probabilities_where(&rows, is_open);
            let both = found.into_iter().zip(own);
            probabilities.extend(both.map(|(second, first)| match is_unsure(*first) {
                true => second,
                false => *first,
            }));
            if !are_all_held {
                is_comment.extend(self.comments.probabilities(&rows));
            }
        }
        let (page_types, row) = self.page_types(&context, &probabilities);
        self.network.mix(&odds, &mut probabilities);
        self.templates.adjust(&context, &mut probabilities);
        policy.roles.doubt(&context, &mut probabilities);
        let threshold = policy.threshold.unwrap_or_else(|| {
            decode::threshold(self.cut, &page_types, &probabilities, &context.weights)
        });
        if are_all_held {
            let is_kept = |block: usize| probabilities[block] > threshold;
            is_comment = self.comments_among(&rows, policy.comments, is_kept);
        }
        let mut judgement = Judgement {
            verdicts: verdicts(&probabilities, &is_comment, threshold, policy.comments),
            threshold: Some(threshold),
            page_types: Some(page_types),
            probabilities,
            confidence: None,
            deciders: Vec::new(),
        };
        if let Some(table) = page.table {
            whole::settle(table, &context.weights, policy.comments, &mut judgement);
        }
        let roles = policy.roles;
        roles.settle(&context, &page_types, &mut judgement);
        let with_roles = judgement.verdicts.clone();
        roles.apply(&context, &page_types, &mut judgement.verdicts);
        if !judgement.verdicts.contains(&Verdict::Kept) {
            judgement.verdicts = with_roles;
        }
        keep_something(&mut judgement, &context.weights);
        let judged = Judged {
            context: &context,
            odds: &odds,
            row,
        };
        see(judged, &judgement);
        judgement
    }

    /// The probability that blocks are comments. Unless comments are dropped, a kept block is kept
    /// in any case, and its value is undefined.
    fn comments_among(
        &self,
        rows: &Rows,
        comments: Convention,
        is_kept: impl Fn(usize) -> bool,
    ) -> Vec<f32> {
        let is_open = |block| comments == Convention::Drop || !is_kept(block);
        self.comments.probabilities_where(rows, is_open)
    }

    /// The probabilities of the page types, and their features.
    fn page_types(&self, context: &Context<'_, '_>, probabilities: &[f32]) -> (ByPageType, Row) {
        let mut row = [0.0; COLUMNS];
        let scores = self.lexicon.scores(&context.words);
        page_features::write(context, probabilities, &scores, &mut Writer(&mut row, 0));
        // a damaged forest may say more than numbers can hold: infinite odds have no shares
        const MOST: f32 = 80.0;
        let mut odds = [0.0; PageType::COUNT];
        for (value, forest) in odds.iter_mut().zip(&self.page_types) {
            *value = forest.log_odds(&row).min(MOST).exp();
        }
        let sum: f32 = odds.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        (odds.map(|value| value / sum), row)
    }
}

impl Judged<'_, '_, '_> {
    /// The confidence features of a judgement.
    fn row_of(self, judgement: &Judgement) -> Row {
        let mut row = self.row;
        confidence::write(&mut row, self.context, self.odds, judgement);
        row
    }
}

/// No page may become empty: the likeliest block is kept.
fn keep_something(judgement: &mut Judgement, weights: &[f32]) {
    if judgement.verdicts.contains(&Verdict::Kept) {
        return;
    }
    if let Some(block) = decode::fallback(&judgement.probabilities, weights) {
        judgement.verdicts[block] = Verdict::Kept;
    }
}

/// Every value `run` times in a row, `count` in all.
fn repeated<T: Copy>(values: &[T], run: usize, count: usize) -> Vec<T> {
    let each = values.iter();
    each.flat_map(|value| std::iter::repeat_n(*value, run))
        .take(count)
        .collect()
}

fn verdicts(
    content: &[f32],
    comment: &[f32],
    threshold: f32,
    comments: Convention,
) -> Vec<Verdict> {
    content
        .iter()
        .zip(comment)
        .map(|(content, comment)| {
            let is_comment = *comment > COMMENT;
            match comments {
                Convention::Keep if is_comment => Verdict::Kept,
                Convention::Drop if is_comment => Verdict::Comment,
                _ if *content > threshold => Verdict::Kept,
                _ if is_comment => Verdict::Comment,
                _ => Verdict::Boilerplate,
            }
        })
        .collect()
}

/// The rows of all blocks with their own features.
#[must_use]
pub fn block_rows(context: &Context<'_, '_>) -> Rows {
    let mut rows = Rows::new(context.blocks());
    write_first(context, 0..context.blocks(), &mut rows);
    rows
}

/// Fills `rows` with the features of some blocks.
fn write_first(context: &Context<'_, '_>, blocks: Range<usize>, rows: &mut Rows) {
    rows.resize(blocks.len());
    for (row, block) in blocks.enumerate() {
        features::write(context, block, &mut rows.columns(row, 0));
    }
}

#[cfg(test)]
mod tests;
