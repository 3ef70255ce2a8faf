//! The result of an engine for a page.

use super::decider::Decider;
use super::page_type::{ByPageType, PageType};
use crate::text::sentences::SentenceTable;
use crate::text::verdict::Verdict;

/// Probability from which a block is clearly content.
const SURE: f32 = 0.9;

/// The judgement of one page; lists per block are in the order of the blocks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement {
    pub verdicts: Vec<Verdict>,
    /// The probability of each block to be content; empty if the engine has no probabilities.
    pub probabilities: Vec<f32>,
    /// The threshold for the probabilities.
    pub threshold: Option<f32>,
    /// The probability of each page type, if the engine has page types.
    pub page_types: Option<ByPageType>,
    /// Confidence in the verdicts: an estimate of their F1, 0 to 1, if there is one.
    pub confidence: Option<f32>,
    /// The decider of each verdict; empty if the engine decided all.
    pub deciders: Vec<Decider>,
}

impl Judgement {
    /// Content is kept, the rest is boilerplate.
    #[must_use]
    pub fn of_content(is_content: impl Iterator<Item = bool>) -> Self {
        let verdict = |is_content| match is_content {
            true => Verdict::Kept,
            false => Verdict::Boilerplate,
        };
        Self {
            verdicts: is_content.map(verdict).collect(),
            ..Self::default()
        }
    }

    /// Gives a block another verdict and notes what decided it, if deciders are noted.
    pub fn decide(&mut self, block: usize, verdict: Verdict, decider: Decider) {
        if let Some(own) = self.verdicts.get_mut(block) {
            *own = verdict;
        }
        if let Some(own) = self.deciders.get_mut(block) {
            *own = decider;
        }
    }

    /// The likeliest page type and its probability; the first among equals.
    #[must_use]
    pub fn page_type(&self) -> Option<(&'static str, f32)> {
        let types = PageType::NAMES.into_iter().zip(self.page_types?);
        types.reduce(|best, next| if next.1 > best.1 { next } else { best })
    }

    /// The code of the verdict of a block; a block that the page does not have is kept.
    #[must_use]
    pub fn of_block(&self, block: usize) -> u8 {
        let verdict = self.verdicts.get(block);
        verdict.map_or(Verdict::KEPT, |verdict| *verdict as u8)
    }

    /// The code of the verdict of each sentence: the verdict of its block.
    #[must_use]
    pub fn of_sentences(&self, table: &SentenceTable) -> Vec<u8> {
        let sentences = table.sentences.iter();
        sentences
            .map(|sentence| self.of_block(sentence.block as usize))
            .collect()
    }

    /// Whether a block is clearly content; false for a block that the page does not have.
    #[must_use]
    pub fn is_sure(&self, block: u32) -> bool {
        let likely = self.probabilities.get(block as usize);
        likely.is_some_and(|likely| *likely >= SURE)
    }
}
