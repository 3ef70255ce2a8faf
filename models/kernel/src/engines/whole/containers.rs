//! No page with text becomes empty: its best container is kept.

use super::{Decider, Page};
use crate::page::tags::{ARTICLE, MAIN};
use crate::units::Span;

/// Fewest words of such a page.
const LEAST_WORDS: f32 = 20.0;
/// Log-odds per block at which a run of blocks has no cost.
const LEVEL: f32 = -3.0;

pub fn settle(page: &mut Page<'_>) {
    let blocks = page.verdicts.len();
    if (0..blocks).any(|block| page.is_kept(block)) {
        return;
    }
    let shown: f32 = (0..blocks)
        .filter(|block| !page.is_hidden(*block))
        .map(|block| page.weights[block])
        .sum();
    if shown < LEAST_WORDS {
        return;
    }
    let best = declared(page).unwrap_or_else(|| likeliest(page));
    for block in best.blocks() {
        if page.odds[block] > LEVEL && !page.is_hidden(block) {
            page.keep(block, Decider::Container);
        }
    }
}

/// The only `main` or `article` of the page, or the one with most words.
fn declared(page: &Page<'_>) -> Option<Span> {
    let elements = page.table.elements.as_ref()?;
    let rows = elements.rows.iter().zip(&page.units.spans);
    rows.filter(|(row, _)| matches!(row.tag, MAIN | ARTICLE))
        .map(|(_, span)| *span)
        .max_by(|a, b| page.words(*a).0.total_cmp(&page.words(*b).0))
        .filter(|span| page.words(*span).0 >= LEAST_WORDS)
}

/// The run of blocks with the largest sum of log-odds above a level, weighted by words.
fn likeliest(page: &Page<'_>) -> Span {
    let (mut best, mut best_sum) = (Span::default(), 0.0);
    let (mut first, mut sum) = (0, 0.0_f32);
    for block in 0..page.verdicts.len() {
        if sum <= 0.0 {
            (first, sum) = (block, 0.0);
        }
        sum += page.weights[block] * (page.odds[block] - LEVEL);
        if sum > best_sum {
            best_sum = sum;
            best = Span::new(first as u32, block as u32 + 1);
        }
    }
    best
}
