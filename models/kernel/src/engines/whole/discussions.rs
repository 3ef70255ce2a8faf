//! Discussions: on the page of one, what was said in answer is its text.

use super::{Decider, INSIDE, Page, TEXT_WORDS, WIDE};
use crate::engines::hybrid::roles::Convention;
use crate::page::elements::Elements;
use crate::page::tags::{BODY, HTML};
use crate::units::{is_by_readers, is_comment};

/// Share of the kept words from which dropped answers are much of a page.
const MUCH: f32 = 0.3;

/// Keep the answers of a discussion if most of them are dropped, unless they are clearly
/// boilerplate.
pub fn settle(page: &mut Page<'_>) {
    let elements = page.table.elements.as_ref();
    let Some(elements) =
        elements.filter(|_| page.is_discussion && page.comments != Convention::Drop)
    else {
        return;
    };
    let is_said = said(elements);
    let blocks = 0..page.verdicts.len();
    let kept: f32 = blocks.clone().map(|block| page.kept_words(block)).sum();
    let is_open =
        |block: &usize| is_said[elements.of_block[*block] as usize] && !page.is_hidden(*block);
    let said: Vec<usize> = blocks.filter(is_open).collect();
    let of_said: f32 = said.iter().map(|block| page.kept_words(*block)).sum();
    let is_text = |block: &usize| page.weights[*block] >= TEXT_WORDS;
    let texts = || said.iter().copied().filter(is_text);
    let (all, odds) = page.sums(texts());
    let (lost, _) = page.sums(texts().filter(|block| !page.is_kept(*block)));
    if odds <= INSIDE * all || lost <= of_said.max(MUCH * kept) {
        return;
    }
    for block in said {
        if page.odds[block] > -WIDE {
            page.open(block);
            page.keep(block, Decider::Thread);
        }
    }
}

/// By element whether readers wrote it.
fn said(elements: &Elements) -> Vec<bool> {
    let named = elements.by_label(|label| is_comment(label) || is_by_readers(label));
    let rows = elements.rows.iter().zip(named);
    let is_part = rows.map(|(row, is_named)| is_named && !matches!(row.tag, HTML | BODY));
    elements.within(is_part.collect())
}
