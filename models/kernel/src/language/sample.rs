//! A page -> the sample for the detector: the beginnings of its longest blocks.

use std::cmp::Reverse;

use crate::metadata::lines::first_chars;
use crate::page::blocks::{Block, BlockTable};

/// Characters of a sample: 300 of running text classify all development pages correctly, and the
/// detector's cost grows with them.
pub const SAMPLE_CHARS: usize = 400;
/// Characters of one block: for a page in two languages the sample has both.
const BLOCK_CHARS: usize = 200;

/// The first characters of the blocks with most text outside links, longest first, as a separate
/// page.
#[must_use]
pub fn sample(page: &BlockTable) -> BlockTable {
    let mut longest: Vec<&Block> = page
        .blocks
        .iter()
        .filter(|block| weight(block) > 0)
        .collect();
    if longest.is_empty() {
        longest = page.blocks.iter().collect(); // only links
    }
    longest.sort_by_key(|&block| Reverse(weight(block)));
    let mut heads = BlockTable::default();
    let mut left = SAMPLE_CHARS;
    for block in longest {
        let start = heads.text.len() as u32;
        let taken = first_chars(page.text_of(block), left.min(BLOCK_CHARS));
        left -= taken.chars().count();
        heads.text.push_str(taken);
        let end = heads.text.len() as u32;
        heads.blocks.push(Block {
            start,
            end,
            ..Block::default()
        });
        heads.text.push('\n');
        if left == 0 {
            break;
        }
    }
    heads
}

/// Bytes of a block outside links: a linked character counts as two bytes.
fn weight(block: &Block) -> u32 {
    (block.end - block.start).saturating_sub(2 * block.link_chars)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(texts: &[(&str, u32)]) -> BlockTable {
        let mut table = BlockTable::default();
        for &(text, link_chars) in texts {
            let start = table.text.len() as u32;
            table.text.push_str(text);
            table.blocks.push(Block {
                start,
                end: table.text.len() as u32,
                link_chars,
                ..Block::default()
            });
            table.text.push('\n');
        }
        table
    }

    #[test]
    fn long_blocks_come_first_and_links_count_for_nothing() {
        let blocks = page(&[("menu menu", 9), ("short", 0), ("a longer one", 0)]);
        assert_eq!(sample(&blocks).text, "a longer one\nshort\n");
    }

    #[test]
    fn links_speak_when_nothing_else_does() {
        let heads = sample(&page(&[("menu", 4), ("list", 4)]));
        assert_eq!(heads.text, "menu\nlist\n");
        let texts: Vec<&str> = heads
            .blocks
            .iter()
            .map(|each| heads.text_of(each))
            .collect();
        assert_eq!(texts, ["menu", "list"]);
    }

    #[test]
    fn a_sample_is_bounded_in_characters() {
        let long = "蜂".repeat(3 * SAMPLE_CHARS);
        let text = sample(&page(&[(&long, 0), (&long, 0), (&long, 0)])).text;
        assert_eq!(text.chars().filter(|&c| c == '蜂').count(), SAMPLE_CHARS);
        assert_eq!(text.lines().count(), 2);
    }
}
