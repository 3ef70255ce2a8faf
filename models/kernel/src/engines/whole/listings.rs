//! Listings of code between blocks of text stay with them.

use super::{Decider, INSIDE, NEAR, Page, TEXT_WORDS};
use crate::page::blocks::{Block, Kind};
use crate::page::tags::{BODY, HTML, P};
use crate::units::Span;

/// Mean log-odds above which code below text is kept.
const BELOW: f32 = -1.0;
/// Most elements from code to the one with the text above it.
const LEVELS: usize = 4;

pub fn settle(page: &mut Page<'_>) {
    let mut first = 0;
    while first < page.verdicts.len() {
        let length = page.table.blocks[first..].iter();
        let end = first + length.take_while(|block| is_listing(block)).count();
        let span = Span::new(first as u32, end as u32);
        let (all, kept) = page.words(span);
        let odds = page.mean_odds(span);
        let is_beside = || {
            page.is_between_text(span, |of| !is_listing(of))
                || odds > BELOW && (is_below_text(page, first) || is_headed(page, span))
        };
        if kept < all && odds > INSIDE && is_beside() {
            for block in span.blocks() {
                page.keep(block, Decider::Listing);
            }
        }
        first = end.max(first + 1);
    }
}

/// Whether text near above code is kept and in an element around it, but not the whole page: only
/// its name and controls are between them.
fn is_below_text(page: &Page<'_>, first: usize) -> bool {
    let Some(elements) = page.table.elements.as_ref() else {
        return false;
    };
    let mut before = (0..first).rev().take(NEAR);
    let Some(text) = before.find(|block| page.weights[*block] >= TEXT_WORDS) else {
        return false;
    };
    let row = |at: u32| elements.rows.get(at as usize);
    let is_part = |at: &u32| row(*at).is_some_and(|own| !matches!(own.tag, HTML | BODY));
    let element = |block: usize| elements.of_block.get(block).copied();
    let of_text = element(text).map(|at| match row(at) {
        Some(own) if own.tag == P => own.parent,
        _ => at,
    });
    let above = std::iter::successors(element(first), |at| row(*at).map(|own| own.parent));
    page.is_kept(text)
        && of_text.as_ref().is_some_and(is_part)
        && above.skip(1).take(LEVELS).any(|at| Some(at) == of_text)
}

/// Whether code is between a kept heading and a kept paragraph on it: `<h3>open</h3> <pre> <p>`.
fn is_headed(page: &Page<'_>, span: Span) -> bool {
    let (Some(before), after) = ((span.first as usize).checked_sub(1), span.end as usize) else {
        return false;
    };
    let blocks = &page.table.blocks;
    after < blocks.len()
        && blocks[before].kind == Kind::Heading
        && blocks[after].kind == Kind::Paragraph
        && page.is_kept(before)
        && page.is_kept(after)
        && !page.is_link(after)
}

fn is_listing(block: &Block) -> bool {
    block.kind == Kind::Code && block.table == 0
}
