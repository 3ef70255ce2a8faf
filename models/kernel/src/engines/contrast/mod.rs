//! Content or boilerplate, block by block: two language models compared, without labels.

pub mod evidence;
pub mod smoothing;

use crate::engines::judgement::Judgement;
use crate::page::blocks::BlockTable;
use crate::text::sentences::SentenceTable;
use evidence::{Weights, evidence};
use smoothing::Chain;

/// Bits added to each block, in this order, until enough of a page is kept: a page of short texts
/// (a product, a list) has little evidence for content and is still content.
const RELIEF: [f32; 10] = [0.0, 5.0, 10.0, 15.0, 20.0, 30.0, 40.0, 80.0, 160.0, 400.0];

/// All parameters, in bits unless stated otherwise; the values are in
/// `winnow.models.engines.contrast`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    pub weights: Weights,
    pub chain: Chain,
    /// Share of a page's tokens below which blocks are judged again, with relief.
    pub least_share: f32,
}

/// Judges the blocks of a page.
///
/// Both tables are for the same `page`, scored by the content model and by the boilerplate model.
/// Rows of blocks that the page does not have are ignored.
#[must_use]
pub fn judge(
    page: &BlockTable,
    content: &SentenceTable,
    boilerplate: &SentenceTable,
    parameters: &Parameters,
) -> Judgement {
    let blocks = evidence(page, content, boilerplate, &parameters.weights);
    let tokens: f32 = blocks.iter().map(|block| block.tokens).sum();
    let mut kept = Vec::new();
    for relief in RELIEF {
        let bits = blocks.iter().map(|block| block.relieved(relief));
        kept = parameters.chain.content(bits);
        let held = blocks.iter().zip(&kept).filter(|(_, kept)| **kept);
        let held: f32 = held.map(|(block, _)| block.tokens).sum();
        if held >= parameters.least_share * tokens {
            break;
        }
    }
    Judgement::of_content(kept.into_iter())
}

#[cfg(test)]
pub const PARAMETERS: Parameters = Parameters {
    weights: Weights {
        offset: 0.0,
        bit: 1.0,
        most_bits: 4.0,
        unknown: 0.0,
        unseen: 0.0,
        most_tokens: 100.0,
        linked_token: 0.0,
        most_linked: 0.0,
        link_block: 0.0,
        block: 10.0,
        heading: 0.0,
        paragraph: 0.0,
        path: 0.0,
        most_path: 0.0,
    },
    chain: Chain {
        switch: 8.0,
        edge: 0.0,
    },
    least_share: 0.1,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::blocks::Block;
    use crate::text::sentences::Sentence;
    use crate::text::verdict::Verdict::{self, Boilerplate, Kept};

    /// A page with one block per number of tokens, and its bits per token for content.
    fn judged(blocks: &[(u32, f32)], parameters: &Parameters) -> Vec<Verdict> {
        let page = BlockTable {
            blocks: vec![Block::default(); blocks.len()],
            ..BlockTable::default()
        };
        let table = |bits: &dyn Fn(f32) -> f32| SentenceTable {
            sentences: (0..)
                .zip(blocks)
                .map(|(block, (tokens, margin))| Sentence {
                    block,
                    tokens: *tokens,
                    log2_prob: -20.0 * *tokens as f32 + bits(*margin) * *tokens as f32,
                    ..Sentence::default()
                })
                .collect(),
        };
        judge(
            &page,
            &table(&|margin| margin),
            &table(&|_| 0.0),
            parameters,
        )
        .verdicts
    }

    #[test]
    fn a_block_that_content_explains_better_is_kept() {
        let verdicts = judged(&[(20, -2.0), (50, 2.0), (20, -2.0)], &PARAMETERS);

        assert_eq!(verdicts, [Boilerplate, Kept, Boilerplate]);
    }

    #[test]
    fn a_short_block_goes_with_its_neighbours() {
        let between = judged(&[(50, 2.0), (2, 0.0), (50, 2.0)], &PARAMETERS);
        let apart = judged(&[(50, 2.0), (40, -2.0), (2, 0.0), (40, -2.0)], &PARAMETERS);

        assert_eq!(between, [Kept; 3]);
        assert_eq!(apart, [Kept, Boilerplate, Boilerplate, Boilerplate]);
    }

    #[test]
    fn a_page_of_short_texts_is_not_emptied() {
        let verdicts = judged(&[(3, 1.0), (3, 1.0), (3, -3.0), (3, -3.0)], &PARAMETERS);

        assert!(verdicts.contains(&Kept));
    }

    #[test]
    fn rows_of_no_block_are_kept() {
        let page = BlockTable::default();
        let stray = SentenceTable {
            sentences: vec![Sentence {
                block: 7,
                tokens: 3,
                log2_prob: -9.0,
                ..Sentence::default()
            }],
        };

        let judgement = judge(&page, &stray, &stray, &PARAMETERS);

        assert_eq!(judgement.of_sentences(&stray), [Verdict::KEPT]);
    }
}
