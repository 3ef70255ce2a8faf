//! Headings and lists in an element of text stay with the text around them.

use std::collections::HashSet;

use super::controls::{is_about_others, is_control};
use super::{Decider, INSIDE, NEAR, Page, TEXT_WORDS, WIDE};
use crate::page::blocks::Kind;
use crate::page::elements::{Element, Elements};
use crate::page::tags::{BLOCKQUOTE, DD, DL, DT, H1, H6, LI, OL, P, PRE, Tag, UL};
use crate::units::{Span, Unit, UnitKind};

/// Share of the characters inside links, from which a block or a list is not text.
const LINKED: f32 = 0.3;
/// Most elements from a block up to the element that its text is in.
const LEVELS: usize = 5;

pub fn settle(page: &mut Page<'_>) {
    let Some(elements) = page.table.elements.as_ref() else {
        return;
    };
    keep_headings(page, elements);
    keep_lists(page, elements);
}

/// Keep a heading right between kept text of the same element.
fn keep_headings(page: &mut Page<'_>, elements: &Elements) {
    for block in 1..page.verdicts.len().saturating_sub(1) {
        let of = &page.table.blocks[block];
        let is_dropped = of.kind == Kind::Heading
            && of.link_chars == 0
            && !page.is_kept(block)
            && page.odds[block] > -WIDE;
        if !is_dropped || !is_text(page, block - 1) || !is_text(page, block + 1) {
            continue;
        }
        let (before, after) = (block - 1, block + 1);
        let is_long = page.weights[before] + page.weights[after] >= TEXT_WORDS;
        let is_followed = page.table.blocks[after].kind != Kind::Heading;
        let is_other = || is_control(page.text(block)) || is_about_others(page.text(block));
        let own = around(elements, block);
        let is_inside =
            || own.is_some() && around(elements, before) == own && around(elements, after) == own;
        if is_long && is_followed && is_inside() && !is_other() {
            page.keep(block, Decider::Heading);
        }
    }
}

/// Keep a list with few links right below kept text of the same element, or below its lead-in, unless
/// its first item is kept in another list.
fn keep_lists(page: &mut Page<'_>, elements: &Elements) {
    let units = page.units.all.iter();
    let is_list = |unit: &&Unit| matches!(unit.kind, UnitKind::List | UnitKind::Definitions);
    let lists = units.filter(is_list).map(|unit| unit.span);
    // the items of others were decided together
    let lists = lists.filter(|list| {
        page.words(*list).1 <= 0.0
            && page.mean_odds(*list) > INSIDE
            && page.linked(*list) < LINKED
            && is_below_text(page, elements, *list)
    });
    let lists: Vec<Span> = lists.collect();
    if lists.is_empty() {
        return;
    }
    let kept = (0..page.verdicts.len()).filter(|block| page.is_kept(*block));
    let kept: HashSet<&str> = kept.map(|block| page.text(block)).collect();
    for list in lists {
        if kept.contains(page.text(list.first as usize)) {
            continue;
        }
        for block in list.blocks() {
            if !page.is_hidden(block) {
                page.keep(block, Decider::List);
            }
        }
    }
}

/// Whether the nearest blocks before a list are kept, one of them is text, and all are in its element.
fn is_below_text(page: &Page<'_>, elements: &Elements, list: Span) -> bool {
    let first = list.first as usize;
    let own = around(elements, first);
    let is_beside = |block: &usize| is_text(page, *block) && around(elements, *block) == own;
    let mut before = (0..first).rev().take(NEAR).take_while(is_beside);
    own.is_some() && before.any(|block| page.weights[block] >= TEXT_WORDS)
}

/// Whether a block is kept and not mostly links.
fn is_text(page: &Page<'_>, block: usize) -> bool {
    let chars = page.text(block).chars().count() as f32;
    page.is_kept(block) && (page.table.blocks[block].link_chars as f32) < LINKED * chars
}

/// The element that a paragraph, a heading or a list is in; none for a part of something else.
fn around(elements: &Elements, block: usize) -> Option<u32> {
    let mut at = *elements.of_block.get(block)?;
    for _ in 0..LEVELS {
        let row: &Element = elements.rows.get(at as usize)?;
        if !is_of_text(row.tag) {
            return Some(at);
        }
        at = row.parent;
    }
    None
}

fn is_of_text(tag: Tag) -> bool {
    matches!(tag, P | LI | UL | OL | DL | DT | DD | PRE | BLOCKQUOTE) || (H1..=H6).contains(&tag)
}
