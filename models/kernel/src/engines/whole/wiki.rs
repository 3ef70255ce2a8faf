//! The article of a wiki: its box of facts, and the lines around it that lead to other parts.

use super::stems::{BOX, Rule, WIKI};
use super::tables::LINKED;
use super::{Decider, INSIDE, NEAR, Page, TEXT_WORDS};
use crate::page::tags::{ASIDE, DIV, SECTION, TABLE};
use crate::units::Span;

/// Most words of a box.
const BOX_WORDS: f32 = 400.0;

/// Most words of one.
const MOST_WORDS: f32 = 60.0;

pub fn settle(page: &mut Page<'_>) {
    let named = page.named(Rule::Wiki, |mut words| {
        words.any(|name| WIKI.contains(&name))
    });
    let (Some(elements), Some(named)) = (page.table.elements.as_ref(), named) else {
        return;
    };
    // only the outermost of them, so that each block is read once
    let mut is_inside = vec![false; elements.rows.len()];
    for (at, span) in page.units.spans.iter().enumerate() {
        let parent = elements.rows[at].parent as usize;
        let is_in_another = is_inside.get(parent).copied().unwrap_or_default();
        is_inside[at] = is_in_another || named[at];
        if is_inside[at] && !is_in_another && page.words(*span).0 <= MOST_WORDS {
            for block in span.blocks() {
                page.drop(block, Decider::Promotion);
            }
        }
    }
}

/// Keep boxes of facts above kept text, such as an aside with names and values.
pub fn keep_boxes(page: &mut Page<'_>) {
    let named = page.named(Rule::Box, |mut words| words.any(|word| word.ends_with(BOX)));
    let (Some(elements), Some(named)) = (page.table.elements.as_ref(), named) else {
        return;
    };
    let rows = elements.rows.iter().zip(&named);
    let is_box = |tag| matches!(tag, ASIDE | DIV | SECTION | TABLE);
    let boxes = rows.zip(&page.units.spans);
    let boxes = boxes.filter(|((row, named), _)| **named && is_box(row.tag));
    let boxes: Vec<Span> = boxes.map(|(_, span)| *span).collect();
    let mut end = 0;
    for span in boxes {
        // only the outermost of them, so that each block is read once
        if span.first < end {
            continue;
        }
        end = span.end;
        let below = span.end as usize..page.verdicts.len();
        let mut below = below.take(NEAR);
        if below.any(|block| page.is_kept(block) && page.weights[block] >= TEXT_WORDS)
            && page.words(span).0 <= BOX_WORDS
            && page.mean_odds(span) > INSIDE
            && page.linked(span) < LINKED
        {
            for block in span.blocks() {
                if !page.is_hidden(block) {
                    page.keep(block, Decider::Table);
                }
            }
        }
    }
}
