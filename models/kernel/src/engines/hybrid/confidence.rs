//! The expected quality of the verdicts of a page: an estimate of its F1 without gold text.
//!
//! The probabilities of the blocks give an expected F1; a small forest corrects it by features of
//! the page and of its verdicts. It is trained on pages outside the training data of its parameter
//! file (`lab/train/hybrid/confidence.py`).

use std::sync::LazyLock;

use super::context::Context;
use super::forest::alone::Forest;
use super::forest::{log_odds, sigmoid};
use super::model::header::{checked, digest_of, header_of};
use super::neighbourhood::Whole;
use super::outline::{Outline, Span};
use super::page_features;
use super::reader::{Damage, Reader};
use super::rows::{Row, Writer};
use super::sink::{Names, Sink, share};
use crate::engines::judgement::Judgement;
use crate::engines::page_type::PageType;
use crate::text::verdict::Verdict;

/// First bytes of a file.
const MAGIC: [u8; 8] = *b"WNWCONF1";
/// Largest accepted file.
const MAX_BYTES: usize = 1 << 20;
/// Distance from the threshold within which a block is a close call.
const CLOSE: f32 = 0.15;

/// The name of the expected F1.
const EXPECTED: &str = "k_f";

const TYPES: [&str; PageType::COUNT] = [
    "type_article",
    "type_forum",
    "type_product",
    "type_collection",
    "type_listing",
    "type_documentation",
    "type_service",
];

/// The forest of a confidence file.
pub struct Confidence(Forest);

impl Confidence {
    /// Reads a file.
    ///
    /// # Errors
    /// [`Damage`] if it is foreign, has other features, is truncated, corrupt or out of range.
    pub fn read(bytes: &[u8]) -> Result<Self, Damage> {
        if bytes.len() > MAX_BYTES {
            return Err(Damage::Length);
        }
        let mut reader = Reader::new(checked(bytes, MAGIC, feature_digest())?);
        let forest = Forest::read(&mut reader, names().len())?;
        if reader.rest().is_empty() {
            Ok(Self(forest))
        } else {
            Err(Damage::Length)
        }
    }

    /// The estimate for the page of a row, 0 to 1.
    #[must_use]
    pub fn of(&self, row: &Row) -> f32 {
        sigmoid(log_odds(row[expected_column()]) + self.0.log_odds(row))
    }
}

/// Appends the confidence features of a judgement to the features of its page.
///
/// `odds` are the network's alone.
pub fn write(row: &mut Row, context: &Context<'_, '_>, odds: &[f32], judgement: &Judgement) {
    let mut out = Writer(row, page_features::names_count());
    put(context, odds, judgement, &mut out);
}

fn put(context: &Context<'_, '_>, odds: &[f32], judgement: &Judgement, out: &mut impl Sink) {
    let threshold = judgement.threshold.unwrap_or_default();
    let is_kept: Vec<bool> = judgement.verdicts.iter().map(is_kept_by).collect();
    let sums = Sums::of(context, odds, judgement, threshold);
    out.put("k_threshold", threshold);
    out.put("k_words", sums.kept);
    out.put("k_share", share(sums.kept, sums.all));
    let blocks = is_kept.iter().filter(|is_kept| **is_kept).count() as f32;
    out.put("k_blocks", blocks);
    out.put("k_words_mean", share(sums.kept, blocks));
    out.put("k_precision", share(sums.hits, sums.kept));
    out.put("k_recall", share(sums.hits, sums.expected));
    out.put(EXPECTED, share(2.0 * sums.hits, sums.kept + sums.expected));
    out.put("k_doubt", share(sums.doubt, sums.all));
    out.put("k_doubt_expected", share(sums.doubt, sums.expected));
    out.put("k_close", share(sums.close, sums.kept));
    out.put("k_looser", share(2.0 * sums.kept, sums.kept + sums.looser));
    let strict = share(2.0 * sums.stricter, sums.kept + sums.stricter);
    out.put("k_stricter", strict);
    out.put("k_network", share(sums.difference, sums.all));
    let network = share(2.0 * sums.agreed, sums.kept + sums.network);
    out.put("k_network_f", network);
    runs(context, &is_kept, sums.kept, out);
    container(context, &judgement.probabilities, &is_kept, sums.kept, out);
    let types = judgement.page_types.unwrap_or_default();
    for (name, probability) in TYPES.iter().zip(types) {
        out.put(name, probability);
    }
}

fn is_kept_by(verdict: &Verdict) -> bool {
    *verdict == Verdict::Kept
}

/// Sums of words.
#[derive(Default)]
struct Sums {
    all: f32,
    kept: f32,
    /// Expected to be content, of all words and of the kept ones.
    expected: f32,
    hits: f32,
    /// Expected to be misjudged even by the likelier verdict.
    doubt: f32,
    /// Near the threshold.
    close: f32,
    /// Above half of the threshold, and above the middle between it and 1.
    looser: f32,
    stricter: f32,
    /// Difference between network and final probability, words kept only by the network, and by
    /// both.
    difference: f32,
    network: f32,
    agreed: f32,
}

impl Sums {
    fn of(context: &Context<'_, '_>, odds: &[f32], judgement: &Judgement, threshold: f32) -> Self {
        let mut sums = Self::default();
        let blocks = judgement.probabilities.iter().zip(&judgement.verdicts);
        for ((weight, odds), (p, verdict)) in context.weights.iter().zip(odds).zip(blocks) {
            let alone = sigmoid(*odds);
            let when = |holds: bool| if holds { *weight } else { 0.0 };
            let is_kept = is_kept_by(verdict);
            sums.all += weight;
            sums.kept += when(is_kept);
            sums.expected += weight * p;
            sums.hits += p * when(is_kept);
            sums.doubt += weight * p.min(1.0 - p);
            sums.close += when((p - threshold).abs() < CLOSE);
            sums.looser += when(is_kept || *p > 0.5 * threshold);
            sums.stricter += when(is_kept && *p > 0.5 + 0.5 * threshold);
            sums.difference += weight * (alone - p).abs();
            sums.network += when(alone > threshold);
            sums.agreed += when(is_kept && alone > threshold);
        }
        sums
    }
}

/// The layout of the kept blocks: in one piece, or scattered.
fn runs(context: &Context<'_, '_>, is_kept: &[bool], kept: f32, out: &mut impl Sink) {
    let (mut runs, mut run, mut longest) = (0.0, 0.0_f32, 0.0_f32);
    let (mut before, mut span, mut since) = (false, 0.0, 0.0);
    for (weight, is_kept) in context.weights.iter().zip(is_kept) {
        since += weight;
        if *is_kept {
            runs += f32::from(u8::from(!before));
            run = if before { run + weight } else { *weight };
            longest = longest.max(run);
            span += if span > 0.0 { since } else { *weight };
            since = 0.0;
        }
        before = *is_kept;
    }
    out.put("k_runs", runs);
    out.put("k_longest", share(longest, kept));
    out.put("k_density", share(kept, span));
}

/// How the kept blocks agree with the single element that gives the best expected F1.
fn container(
    context: &Context<'_, '_>,
    probabilities: &[f32],
    is_kept: &[bool],
    kept: f32,
    out: &mut impl Sink,
) {
    let whole = Whole::of(context, probabilities);
    let is_in = context.page.below(whole.best_node());
    let (mut inside, mut both) = (0.0, 0.0);
    let blocks = context.weights.iter().zip(&context.page.spans);
    for ((weight, span), is_kept) in blocks.zip(is_kept) {
        if is_in[span.node as usize] {
            inside += weight;
            both += if *is_kept { *weight } else { 0.0 };
        }
    }
    out.put("k_container", share(2.0 * both, kept + inside));
    out.put("k_container_expected", whole.best_f());
}

/// The names of all columns: for the page, then for the verdicts.
#[must_use]
pub fn names() -> Vec<&'static str> {
    let mut page = Outline::of_body();
    page.spans.push(Span::default());
    let judgement = Judgement {
        verdicts: vec![Verdict::Kept],
        probabilities: vec![0.5],
        ..Judgement::default()
    };
    let mut names = Names(page_features::names());
    put(&Context::of(&page), &[0.0], &judgement, &mut names);
    names.0
}

/// The column of the expected F1.
fn expected_column() -> usize {
    static COLUMN: LazyLock<usize> = LazyLock::new(|| {
        names()
            .iter()
            .position(|name| *name == EXPECTED)
            .unwrap_or(0)
    });
    *COLUMN
}

/// The digest of the columns that a file was trained for.
#[must_use]
pub fn feature_digest() -> u64 {
    digest_of(&[names()])
}

/// The header of a file.
#[must_use]
pub fn header(payload: &[u8]) -> Vec<u8> {
    header_of(MAGIC, feature_digest(), payload)
}

#[cfg(test)]
mod tests;
