//! Lists by items, definition lists by terms, and figures.

use super::elements::{Extents, is_list};
use super::{Span, UnitKind, Units};
use crate::page::elements::Elements;
use crate::page::tags::{DL, DT, FIGURE, LI, Tag};

/// A list has at least this many items with text.
const LEAST_ITEMS: usize = 2;

pub fn find(elements: &Elements, extents: &mut Extents, units: &mut Units) {
    let mut items: Vec<(u32, Tag, Span)> = Vec::new();
    let mut loose = Vec::new();
    let rows = elements.rows.iter().zip(&extents.spans);
    for ((row, span), is_member) in rows.zip(&mut extents.is_member) {
        if span.is_empty() {
            continue;
        }
        if row.tag == FIGURE {
            units.add(UnitKind::Figure, *span, [*span]);
        }
        let around = elements.rows.get(row.parent as usize);
        if around.is_some_and(|around| is_list(around.tag)) {
            items.push((row.parent, row.tag, *span));
            *is_member = true;
        } else if row.tag == LI && span.blocks().len() == 1 {
            loose.push((row.parent, *span));
        }
    }
    add_loose(&loose, units);
    items.sort_by_key(|(list, ..)| *list);
    for list in items.chunk_by(|one, next| one.0 == next.0) {
        let Some(at) = list.first().map(|item| item.0 as usize) else {
            continue;
        };
        let kind = match elements.rows[at].tag {
            DL => UnitKind::Definitions,
            _ => UnitKind::List,
        };
        let has = |is_term: bool| list.iter().any(|item| (item.1 == DT) == is_term);
        if has(true) && has(false) {
            let members = definitions(list);
            // references have a list for each term; one with several definitions may be of a poster
            if members.len() >= LEAST_ITEMS || list.len() == LEAST_ITEMS {
                units.add(kind, extents.spans[at], members);
            }
        } else if list.len() >= LEAST_ITEMS {
            units.add(kind, extents.spans[at], list.iter().map(|item| item.2));
        }
    }
}

/// Items of one block, right after each other, that no list is around.
fn add_loose(loose: &[(u32, Span)], units: &mut Units) {
    let is_next =
        |one: &(u32, Span), next: &(u32, Span)| one.0 == next.0 && one.1.end == next.1.first;
    let runs = loose.chunk_by(is_next);
    for run in runs.filter(|run| run.len() >= LEAST_ITEMS) {
        let members: Vec<Span> = run.iter().map(|item| item.1).collect();
        let span = Span::new(members[0].first, members[run.len() - 1].end);
        units.add(UnitKind::List, span, members);
    }
}

/// The items of a list of terms: each with everything up to the next one, or the next ones.
fn definitions(items: &[(u32, Tag, Span)]) -> Vec<Span> {
    let mut members: Vec<Span> = Vec::new();
    let mut is_defined = true;
    for (_, tag, span) in items {
        let is_next = *tag == DT && is_defined;
        is_defined = *tag != DT;
        match members.last_mut().filter(|_| !is_next) {
            Some(member) => member.end = span.end,
            None => members.push(*span),
        }
    }
    members
}
