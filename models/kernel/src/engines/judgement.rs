//! What an engine makes of a page.

use super::decider::Decider;
use super::page_type::{ByPageType, PageType};
use crate::text::sentences::SentenceTable;
use crate::text::verdict::Verdict;

/// Probability from which a block is content by a wide margin.
const SURE: f32 = 0.9;

/// The judgement of one page; what is here for one block is in the order of the blocks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement {
    pub verdicts: Vec<Verdict>,
    /// How likely each block is content; empty when the engine has no probabilities.
    pub probabilities: Vec<f32>,
    /// What the probabilities were compared with.
    pub threshold: Option<f32>,
    /// The probability of each type of page, when the engine tells them apart.
    pub page_types: Option<ByPageType>,
    /// How good the verdicts are held to be, 0 to 1: an estimate of their F1, when there is one.
    pub confidence: Option<f32>,
    /// What decided each verdict; empty when all are the engine's.
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

    /// The likeliest type of page and its probability; the first of equals.
    #[must_use]
    pub fn page_type(&self) -> Option<(&'static str, f32)> {
        let types = PageType::NAMES.into_iter().zip(self.page_types?);
        types.reduce(|best, next| if next.1 > best.1 { next } else { best })
    }

    /// The code of the verdict of a block; one that the page does not have is kept.
    #[must_use]
    pub fn of_block(&self, block: usize) -> u8 {
        let verdict = self.verdicts.get(block);
        verdict.map_or(Verdict::KEPT, |verdict| *verdict as u8)
    }

    /// The code of the verdict of each sentence: that of its block.
    #[must_use]
    pub fn of_sentences(&self, table: &SentenceTable) -> Vec<u8> {
        let sentences = table.sentences.iter();
        sentences
            .map(|sentence| self.of_block(sentence.block as usize))
            .collect()
    }

    /// Whether a block is held for content by a wide margin; one that the page does not have is not.
    #[must_use]
    pub fn is_sure(&self, block: u32) -> bool {
        let likely = self.probabilities.get(block as usize);
        likely.is_some_and(|likely| *likely >= SURE)
    }
}
