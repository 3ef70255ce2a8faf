//! Evidence for blocks of a few sentences.

use super::*;
use crate::text::sentences::Sentence;

const WEIGHTS: Weights = Weights {
    offset: 1.0,
    bit: 2.0,
    most_bits: 5.0,
    unknown: 3.0,
    unseen: 0.0,
    most_tokens: 10.0,
    linked_token: 4.0,
    most_linked: 2.0,
    link_block: 7.0,
    block: 6.0,
    heading: 8.0,
    paragraph: 9.0,
    path: 0.0,
    most_path: 50.0,
};

fn table(rows: &[(u32, u32, u32, f32)]) -> SentenceTable {
    let row = |&(block, tokens, oov, log2_prob): &(u32, u32, u32, f32)| Sentence {
        block,
        tokens,
        oov,
        log2_prob,
        ..Sentence::default()
    };
    SentenceTable {
        sentences: rows.iter().map(row).collect(),
    }
}

fn page(blocks: Vec<Block>) -> BlockTable {
    BlockTable {
        text: "0123456789\n".repeat(blocks.len()),
        blocks,
        ..BlockTable::default()
    }
}

fn block(kind: Kind, link_chars: u32) -> Block {
    Block {
        end: 10,
        kind,
        link_chars,
        ..Block::default()
    }
}

#[test]
fn a_token_that_boilerplate_never_met_speaks_for_content() {
    let page = page(vec![block(Kind::Paragraph, 0)]);
    let content = table(&[(0, 4, 0, -40.0)]);
    let of = |oov: u32, unseen: f32| {
        let weights = Weights { unseen, ..WEIGHTS };
        evidence(&page, &content, &table(&[(0, 4, oov, -40.0)]), &weights)[0].bits
    };

    // one more bit per token, times the factor and the four tokens
    assert!((of(2, 2.0) - of(0, 2.0) - 2.0 * 1.0 * 4.0).abs() < 1e-4);
    assert_eq!(of(2, 0.0), of(0, 0.0));
}

#[test]
fn evidence_adds_up_what_is_known_of_a_block() {
    let page = page(vec![block(Kind::Paragraph, 8)]);
    // given a margin of (-32 + 3) / 4 + 40 / 4 = 2.75 bits per token
    let content = table(&[(0, 1, 1, -12.0), (0, 3, 0, -20.0)]);
    let boilerplate = table(&[(0, 4, 0, -40.0)]);

    let found = evidence(&page, &content, &boilerplate, &WEIGHTS);

    let bits = 2.0 * (2.75 - 1.0) * 4.0 - 4.0 * 0.8 * 2.0 - 7.0 - 6.0 + 9.0;
    assert_eq!(found[0].tokens, 4.0);
    assert!((found[0].bits - bits).abs() < 1e-4);
}

#[test]
fn margin_and_length_are_bounded() {
    let page = page(vec![block(Kind::Other, 0)]);
    let content = table(&[(0, 1000, 0, 0.0)]);
    let boilerplate = table(&[(0, 1000, 0, -90_000.0)]);

    let found = evidence(&page, &content, &boilerplate, &WEIGHTS);

    assert!((found[0].bits - (2.0 * (5.0 - 1.0) * 10.0 - 6.0)).abs() < 1e-4);
}

#[test]
fn blocks_of_a_path_share_their_mean() {
    let page = page(vec![block(Kind::Other, 0); 2]);
    let weights = Weights {
        path: 1.0,
        ..WEIGHTS
    };
    let content = table(&[(0, 10, 0, -20.0), (1, 10, 0, -60.0)]);
    let boilerplate = table(&[(0, 10, 0, -50.0), (1, 10, 0, -50.0)]);

    let apart = evidence(&page, &content, &boilerplate, &WEIGHTS);
    let shared = evidence(&page, &content, &boilerplate, &weights);

    let mean = (apart[0].bits.min(50.0) + apart[1].bits) / 2.0;
    assert!((shared[0].bits - apart[0].bits - mean).abs() < 1e-3);
    assert!((shared[1].bits - apart[1].bits - mean).abs() < 1e-3);
}

#[test]
fn a_block_without_a_token_is_undecided() {
    let page = page(vec![block(Kind::Heading, 0)]);

    let found = evidence(&page, &table(&[]), &table(&[]), &WEIGHTS);

    assert_eq!(found[0], Evidence::default());
    assert_eq!(found[0].relieved(9.0), 0.0);
}
