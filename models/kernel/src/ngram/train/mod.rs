//! Training: text to counts to a model file, in limited memory; the same text gives the same bytes.

pub mod counter;
pub mod import;
mod listing;
mod probabilities;
mod spill;
mod sums;
mod vocabulary;
mod weights;

use std::io;
use std::path::Path;

use counter::Counter;
use listing::Listing;
use probabilities::Lister;
use sums::sum_up;
use vocabulary::START;
use weights::{HeldSentence, Weights};

use super::file::facts::{MAX_ORDER, ModelFacts};
use super::file::layout::Section;
use super::file::quantiles::Quantiles;
use super::file::writer::Writer;

/// Why no model was built.
#[derive(Debug)]
pub enum TrainError {
    Io(io::Error),
    Refused(String),
}

impl From<io::Error> for TrainError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Which n-grams to list and with which weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Weights of the orders, unigrams first, or None to choose them on held-out text.
    pub weights: Option<[f64; MAX_ORDER]>,
    /// Fewest occurrences of listed n-grams, by order; must not descend.
    pub min_counts: [u64; MAX_ORDER],
    /// Least cost of leaving out a listed n-gram, in bits of training text.
    pub min_gain: f64,
}

/// The sections that training copies unchanged.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attachments<'a> {
    /// UTF-8 JSON.
    pub provenance: &'a [u8],
    pub punkt_lists: &'a [u8],
}

/// Builds a model file from the counts.
pub fn train(
    mut counter: Counter,
    choice: &Choice,
    attachments: Attachments<'_>,
    target: &Path,
) -> Result<ModelFacts, TrainError> {
    counter.flush()?;
    if counter.vocabulary.tokens() == 0 {
        return Err(TrainError::Refused(
            "the training text has no tokens".into(),
        ));
    }
    if !choice.min_counts.is_sorted() {
        return Err(TrainError::Refused(
            "minimum counts must not descend with the order".into(),
        ));
    }
    let are_weights = |orders: [f64; 3]| {
        orders.iter().all(|&weight| weight >= 0.0) && orders.iter().sum::<f64>() < 1.0
    };
    if !choice.weights.is_none_or(are_weights) {
        return Err(TrainError::Refused(
            "weights must not be negative, and their sum must be below 1".into(),
        ));
    }
    let plan = counter.plan.clone();
    let punkt = std::mem::take(&mut counter.punkt);
    let sums = sum_up(counter, choice.min_counts)?;
    let weights = match choice.weights {
        Some(orders) => Weights::given(orders, sums.vocabulary.chance(choice.min_counts[0])),
        None => sums.held_out.weights(plan.order, &sums.vocabulary),
    };
    let vocabulary = &sums.vocabulary;
    let mut listing = Listing::new(&plan.folder)?;
    let lister = Lister {
        vocabulary,
        weights,
        choice,
        order: plan.order,
    };
    let mut held_out = sums.held_out;
    let listed = lister.list(sums.bigrams, sums.trigrams, &mut listing, &mut held_out)?;
    let unknown = weights.floor().log2();
    let held = held_out.scored(|word| lister.unigram(word).log2(), unknown);
    let facts = ModelFacts {
        order: plan.order as u32,
        tokeniser: plan.tokeniser,
        unknown_log2: unknown as f32,
        weights: weights.orders,
        floor: weights.floor(),
        listed,
        seen: sums.seen,
        min_counts: choice.min_counts,
        min_gain: choice.min_gain,
        training_tokens: vocabulary.tokens(),
        training_sentences: vocabulary.count_of(START),
        held_out_tokens: weights.tokens,
        held_out_oov: weights.oov,
        held_out_log2: held.iter().map(|sentence| sentence.log2).sum(),
        ..ModelFacts::default()
    };
    let perplexities = held.iter().map(HeldSentence::perplexity).collect();
    let quantiles = Quantiles::of(perplexities);
    write(target, &facts, &quantiles, &punkt, attachments, listing)?;
    Ok(facts)
}

fn write(
    target: &Path,
    facts: &ModelFacts,
    quantiles: &Quantiles,
    punkt: &[u8],
    attachments: Attachments<'_>,
    listing: Listing,
) -> Result<(), TrainError> {
    let mut writer = Writer::create(target)?;
    write_head(&mut writer, facts, punkt, attachments)?;
    writer.section(Section::Quantiles, &quantiles.to_bytes())?;
    listing.write(&mut writer, Section::Codebook, Section::Ngrams)?;
    writer.finish()?;
    Ok(())
}

/// Writes everything except the n-grams.
fn write_head(
    writer: &mut Writer,
    facts: &ModelFacts,
    punkt: &[u8],
    attachments: Attachments<'_>,
) -> io::Result<()> {
    writer.section(Section::Facts, &facts.to_bytes())?;
    writer.section(Section::Provenance, attachments.provenance)?;
    writer.section(Section::Punkt, punkt)?;
    writer.section(Section::PunktLists, attachments.punkt_lists)
}
