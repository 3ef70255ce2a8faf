//! Lines around the article of a wiki: its site, what leads to it, and the way to other parts.

use super::{Decider, Page};
use crate::page::elements::Elements;
use crate::units::spans;

/// Names of the elements with such lines: of MediaWiki, and of its skins.
const NAMES: [&str; 7] = [
    "siteSub",
    "contentSub",
    "contentSub2",
    "jump-to-nav",
    "printfooter",
    "page-header__page-subtitle",
    "page-header__actions",
];
/// Most words of one.
const MOST_WORDS: f32 = 60.0;

pub fn settle(page: &mut Page<'_>) {
    let Some(elements) = page.table.elements.as_ref() else {
        return;
    };
    if !NAMES.iter().any(|name| elements.names.contains(name)) {
        return;
    }
    // only the outermost of them, so that each block is read once
    let mut is_inside = vec![false; elements.rows.len()];
    for (at, span) in spans(elements).into_iter().enumerate() {
        let parent = elements.rows[at].parent as usize;
        let is_in_another = is_inside.get(parent).copied().unwrap_or_default();
        is_inside[at] = is_in_another || is_named(elements, at);
        if is_inside[at] && !is_in_another && page.words(span).0 <= MOST_WORDS {
            for block in span.blocks() {
                page.drop(block, Decider::Promotion);
            }
        }
    }
}

fn is_named(elements: &Elements, at: usize) -> bool {
    let mut names = elements
        .text(elements.rows[at].label)
        .split_ascii_whitespace();
    names.any(|name| NAMES.contains(&name))
}
