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
    for (at, span) in spans(elements).into_iter().enumerate() {
        if is_named(elements, at) && page.words(span).0 <= MOST_WORDS {
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
