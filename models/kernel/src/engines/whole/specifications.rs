//! Tables and lists of what a product is like, in the element of its description.

use std::collections::HashSet;

use super::{Decider, LINKED, Page, TEXT_WORDS, WIDE};
use crate::page::blocks::Kind;
use crate::page::elements::{Elements, NO_ELEMENT};
use crate::page::tags::{BODY, HTML};
use crate::units::{Span, Unit, UnitKind};

/// Fewest names and values of such a table, and most words of it.
const LEAST_ROWS: usize = 2;
const MOST_WORDS: f32 = 400.0;
/// Mean log-odds above which they are kept.
const LEAST: f32 = -1.5;
/// Fewest items of a list or series of products.
const LEAST_CARDS: usize = 3;

pub fn settle(page: &mut Page<'_>) {
    let Some(elements) = page.table.elements.as_ref() else {
        return;
    };
    let tables: Vec<Span> = page
        .units
        .all
        .iter()
        .filter(|unit| is_open(page, unit))
        .map(|unit| unit.span)
        .collect();
    if tables.is_empty() {
        return;
    }
    let products = products(page, elements);
    let of_product = |table: &Span| {
        let around = products.get(elements.of_block[table.first as usize] as usize);
        around.is_some_and(|around| *around)
    };
    for table in tables.into_iter().filter(of_product) {
        let heading = (table.first as usize).checked_sub(1);
        let is_heading = |block: &usize| {
            let of = &page.table.blocks[*block];
            of.kind == Kind::Heading && of.link_chars == 0
        };
        for block in heading.filter(is_heading).into_iter().chain(table.blocks()) {
            if page.odds[block] > -WIDE {
                page.keep(block, Decider::Table);
            }
        }
    }
}

/// Whether a unit is of names and values, and was dropped.
fn is_open(page: &Page<'_>, unit: &Unit) -> bool {
    let rows = page.units.members(unit);
    let is_pair = |row: &&Span| match unit.kind {
        UnitKind::Table => {
            let blocks = &page.table.blocks[row.blocks()];
            let ends = blocks.first().zip(blocks.last());
            ends.is_some_and(|(name, value)| name.column < value.column)
        }
        _ => row.blocks().len() > 1,
    };
    let is_wide = |block: usize| page.table.blocks[block].column > 1;
    matches!(unit.kind, UnitKind::Table | UnitKind::Definitions)
        && rows.len() >= LEAST_ROWS
        && page.words(unit.span).0 <= MOST_WORDS
        && !unit
            .span
            .blocks()
            .any(|block| is_wide(block) || page.is_hidden(block))
        && page.words(unit.span).1 <= 0.0
        && page.mean_odds(unit.span) > LEAST
        && page.linked(unit.span) < LINKED
        && 4 * rows.iter().filter(is_pair).count() >= 3 * rows.len()
}

/// By element whether it is in a product of which text is kept, and which is not one of several.
fn products(page: &Page<'_>, elements: &Elements) -> Vec<bool> {
    let named = elements.by_label(is_product);
    let mut cards = HashSet::new();
    for unit in page.units.all.iter().filter(|unit| unit.kind.is_list()) {
        let members = page.units.members(unit);
        if members.len() >= LEAST_CARDS {
            cards.extend(members.iter().map(|member| (member.first, member.end)));
        }
    }
    let mut texts = vec![0];
    for block in 0..page.verdicts.len() {
        let is_text = page.kept_words(block) >= TEXT_WORDS && page.table.blocks[block].table == 0;
        texts.push(texts[block] + u32::from(is_text));
    }
    let has_text = |span: &Span| texts[span.end as usize] > texts[span.first as usize];
    let rows = elements.rows.iter().zip(&page.units.spans).zip(named);
    let is_one = rows.map(|((row, span), named)| {
        let is_typed = || {
            let mut words = elements.text(row.role).split_ascii_whitespace();
            row.has_role() && words.any(|word| word.ends_with("schema.org/Product"))
        };
        (named || is_typed())
            && !matches!(row.tag, HTML | BODY)
            && row.parent != NO_ELEMENT
            && !cards.contains(&(span.first, span.end))
            && has_text(span)
    });
    elements.within(is_one.collect())
}

/// Whether a class says that an element is about a product: `product-detail`.
fn is_product(label: &str) -> bool {
    let mut parts = label.split([' ', '-', '_']);
    parts.any(|part| part.eq_ignore_ascii_case("product"))
}
