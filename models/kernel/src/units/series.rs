//! Siblings of one element name and class.

use super::elements::Extents;
use super::named::is_post;
use super::{Span, UnitKind, Units};
use crate::page::elements::{Elements, NO_ELEMENT};
use crate::page::tags::{ARTICLE, ASIDE, BLOCKQUOTE, DETAILS, DIV, SECTION, Tag};

/// From this number on, like siblings are a series; posts from two on.
const LEAST_SIBLINGS: usize = 3;
const LEAST_POSTS: usize = 2;

pub fn find(elements: &Elements, extents: &Extents, units: &mut Units) {
    let mut siblings: Vec<(u32, Tag, u64, u32)> = Vec::new();
    for (at, row) in elements.rows.iter().enumerate() {
        if is_container(row.tag) && row.parent != NO_ELEMENT && !extents.spans[at].is_empty() {
            siblings.push((row.parent, row.tag, units.labels[at], at as u32));
        }
    }
    siblings.sort_unstable();
    let is_alike = |one: &(u32, Tag, u64, u32), next: &(u32, Tag, u64, u32)| {
        (one.0, one.1, one.2) == (next.0, next.1, next.2)
    };
    for series in siblings.chunk_by(is_alike) {
        add(elements, extents, series, units);
    }
}

fn is_container(tag: Tag) -> bool {
    matches!(tag, DIV | SECTION | ARTICLE | ASIDE | DETAILS | BLOCKQUOTE)
}

fn add(elements: &Elements, extents: &Extents, series: &[(u32, Tag, u64, u32)], units: &mut Units) {
    if series.len() < LEAST_POSTS {
        return;
    }
    let (Some(first), Some(last)) = (series.first(), series.last()) else {
        return;
    };
    let row = &elements.rows[first.3 as usize];
    let is_thread = is_post(elements.text(row.label), elements.text(row.role));
    // siblings without any label are alike by chance
    let is_series = series.len() >= LEAST_SIBLINGS && (first.2 != 0 || first.1 != DIV);
    let kind = match (is_thread, is_series) {
        (true, _) => UnitKind::Thread,
        (false, true) => UnitKind::Series,
        (false, false) => return,
    };
    let span = |each: &(u32, Tag, u64, u32)| extents.spans[each.3 as usize];
    let whole = Span::new(span(first).first, span(last).end);
    units.add(kind, whole, series.iter().map(span));
}
