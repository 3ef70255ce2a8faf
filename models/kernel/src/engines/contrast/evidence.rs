//! The evidence, in bits, that a block is content.

use crate::page::blocks::{Block, BlockTable, Kind};
use crate::text::sentences::SentenceTable;

/// The weights, in bits unless stated otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "python", derive(pyo3::FromPyObject))]
pub struct Weights {
    /// Margin of a token (log2 P by the content model minus log2 P by the boilerplate model) that
    /// favours neither.
    pub offset: f32,
    /// Factor of the margin.
    pub bit: f32,
    /// Limit of the mean margin of a block, on both sides.
    pub most_bits: f32,
    /// Added to the margin of a token that is not in the content model.
    pub unknown: f32,
    /// Added to the margin of a token that is not in the boilerplate model.
    pub unseen: f32,
    /// Tokens of a block that count.
    pub most_tokens: f32,
    /// Against content, per linked token; and the most linked tokens that count.
    pub linked_token: f32,
    pub most_linked: f32,
    /// Against content, once for a block with more than half of its text in links.
    pub link_block: f32,
    /// Against content, once per block: boilerplate has short blocks.
    pub block: f32,
    /// For content, by kind of block.
    pub heading: f32,
    pub paragraph: f32,
    /// Factor of the mean over all blocks of the same tag path, each within `most_path`: on most
    /// pages the blocks of one path are of one kind.
    pub path: f32,
    pub most_path: f32,
}

/// The evidence of one block.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    pub tokens: f32,
    /// For content; 0 for a block without a token.
    pub bits: f32,
}

impl Evidence {
    /// The bits plus some more; a block without a token stays undecided.
    #[must_use]
    pub fn relieved(&self, bits: f32) -> f32 {
        if self.tokens > 0.0 {
            self.bits + bits
        } else {
            0.0
        }
    }
}

/// Sums over the sentences of one block.
#[derive(Clone, Copy, Default)]
struct Sums {
    tokens: f32,
    unknown: f32,
    log2_prob: f32,
}

/// One value per block of the page.
#[must_use]
pub fn evidence(
    page: &BlockTable,
    content: &SentenceTable,
    boilerplate: &SentenceTable,
    weights: &Weights,
) -> Vec<Evidence> {
    let content = sums(page, content);
    let boilerplate = sums(page, boilerplate);
    let pairs = page.blocks.iter().zip(content.iter().zip(&boilerplate));
    let mut blocks: Vec<Evidence> = pairs
        .map(|(block, (content, boilerplate))| Evidence {
            tokens: content.tokens,
            bits: weights.bits(page, block, content, boilerplate),
        })
        .collect();
    weights.share_along_paths(page, &mut blocks);
    blocks
}

fn sums(page: &BlockTable, table: &SentenceTable) -> Vec<Sums> {
    let mut blocks = vec![Sums::default(); page.blocks.len()];
    for sentence in &table.sentences {
        if let Some(block) = blocks.get_mut(sentence.block as usize) {
            block.tokens += sentence.tokens as f32;
            block.unknown += sentence.oov as f32;
            block.log2_prob += sentence.log2_prob;
        }
    }
    blocks
}

impl Weights {
    fn bits(&self, page: &BlockTable, block: &Block, content: &Sums, boilerplate: &Sums) -> f32 {
        if content.tokens == 0.0 {
            return 0.0;
        }
        let tokens = content.tokens;
        let theirs = boilerplate.log2_prob - self.unseen * boilerplate.unknown;
        let theirs = theirs / boilerplate.tokens.max(1.0);
        let margin = (content.log2_prob + self.unknown * content.unknown) / tokens - theirs;
        let margin = margin.max(-self.most_bits).min(self.most_bits) - self.offset;
        let linked = linked_share(page, block);
        let link_block = if linked > 0.5 { self.link_block } else { 0.0 };
        self.bit * margin * tokens.min(self.most_tokens)
            - self.linked_token * linked * tokens.min(self.most_linked)
            - link_block
            - self.block
            + self.of_kind(block.kind)
    }

    fn of_kind(&self, kind: Kind) -> f32 {
        match kind {
            Kind::Heading => self.heading,
            Kind::Paragraph => self.paragraph,
            _ => 0.0,
        }
    }

    fn share_along_paths(&self, page: &BlockTable, blocks: &mut [Evidence]) {
        let mut paths = vec![(0.0_f32, 0.0_f32); page.paths.len()];
        for (block, evidence) in page.blocks.iter().zip(blocks.iter()) {
            if let Some((sum, count)) = paths.get_mut(block.path as usize) {
                *sum += evidence.bits.max(-self.most_path).min(self.most_path);
                *count += 1.0;
            }
        }
        for (block, evidence) in page.blocks.iter().zip(blocks) {
            if let Some((sum, count)) = paths.get(block.path as usize) {
                evidence.bits += self.path * sum / count.max(1.0);
            }
        }
    }
}

fn linked_share(page: &BlockTable, block: &Block) -> f32 {
    if block.link_chars == 0 {
        return 0.0;
    }
    let chars = page.text_of(block).chars().count();
    block.link_chars as f32 / chars.max(1) as f32
}

#[cfg(test)]
mod tests;
