//! Siblings of one element name and class whose contents are alike.

use super::elements::Extents;
use super::named::{is_post, is_striped};
use super::{Span, UnitKind, Units};
use crate::page::blocks::BlockTable;
use crate::page::elements::{Element, Elements, NO_ELEMENT};
use crate::page::tags::{ARTICLE, ASIDE, BLOCKQUOTE, DETAILS, DIV, SECTION, Tag};

/// From this number on, like siblings are a series; posts from two on.
const LEAST_SIBLINGS: usize = 3;
const LEAST_POSTS: usize = 2;
/// Containers of other things, such as the article and a box of links, have the same class by the
/// grid that they are in.
const LEAST_LIKENESS: f32 = 0.4;
/// Blocks of each member that are compared.
const SAMPLE: usize = 8;

pub fn find(table: &BlockTable, elements: &Elements, extents: &mut Extents, units: &mut Units) {
    let rows = elements.rows.iter().zip(&extents.spans).enumerate();
    let is_one = |row: &Element, span: &Span| {
        is_container(row.tag) && row.parent != NO_ELEMENT && !span.is_empty()
    };
    let containers = rows.filter(|(_, (row, span))| is_one(row, span));
    // most are alone in their parent
    let mut counts = vec![0_u32; elements.rows.len()];
    for (_, (row, _)) in containers.clone() {
        counts[row.parent as usize] += 1;
    }
    let mut siblings: Vec<(u32, Tag, u64, u32)> = containers
        .filter(|(_, (row, _))| counts[row.parent as usize] as usize >= LEAST_POSTS)
        .map(|(at, (row, _))| {
            (
                row.parent,
                row.tag,
                units.labels.hash(elements, at),
                at as u32,
            )
        })
        .collect();
    siblings.sort_unstable();
    let is_alike = |one: &(u32, Tag, u64, u32), next: &(u32, Tag, u64, u32)| {
        (one.0, one.1, one.2) == (next.0, next.1, next.2)
    };
    for series in siblings.chunk_by(is_alike) {
        add(table, elements, extents, series, units);
    }
}

fn is_container(tag: Tag) -> bool {
    matches!(tag, DIV | SECTION | ARTICLE | ASIDE | DETAILS | BLOCKQUOTE)
}

fn add(
    table: &BlockTable,
    elements: &Elements,
    extents: &mut Extents,
    series: &[(u32, Tag, u64, u32)],
    units: &mut Units,
) {
    if series.len() < LEAST_POSTS {
        return;
    }
    let members: Vec<Span> = series
        .iter()
        .map(|each| extents.spans[each.3 as usize])
        .collect();
    let (Some(first), Some(last)) = (members.first(), members.last()) else {
        return;
    };
    let (_, tag, label, at) = series[0];
    let row = &elements.rows[at as usize];
    let is_thread = is_post(elements.text(row.label), elements.text(row.role));
    // siblings without any label are alike by chance
    let is_named = || label != 0 || tag != DIV || is_striped(elements.text(row.label));
    let is_named = series.len() >= LEAST_SIBLINGS && is_named();
    let kind = if is_thread {
        UnitKind::Thread
    } else if is_named && likeness(table, &members) >= LEAST_LIKENESS {
        UnitKind::Series
    } else {
        return;
    };
    for (.., at) in series {
        extents.is_member[*at as usize] = true;
    }
    units.add(kind, Span::new(first.first, last.end), members);
}

/// Mean share of the element paths of a series that each of its members has.
fn likeness(table: &BlockTable, members: &[Span]) -> f32 {
    let (mut all, mut paths, mut shared) = (Vec::new(), Vec::new(), 0);
    for member in members {
        let blocks = &table.blocks[member.blocks()];
        paths.extend(blocks.iter().take(SAMPLE).map(|block| block.path));
        paths.sort_unstable();
        paths.dedup();
        shared += paths.len();
        all.append(&mut paths);
    }
    all.sort_unstable();
    all.dedup();
    shared as f32 / (members.len() * all.len()).max(1) as f32
}
