//! Lists, threads and series: if most of the words are kept, similar blocks are kept too.

use super::{Decider, Page};
use crate::page::elements::{Element, Elements};
use crate::text::hash::append;
use crate::text::map::HashedMap;
use crate::units::{NO_UNIT, UnitKind, is_post};

/// Share of kept words in similar blocks from which the rest is kept.
const MOST: f32 = 0.5;
/// Log-odds below which a block is clearly boilerplate and stays dropped.
const WIDE: f32 = -3.0;

/// The unit of posts outside of any series, for example in rows of a layout table.
const POSTS: u32 = NO_UNIT - 1;

/// Similar blocks of one unit.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    all: f32,
    kept: f32,
}

pub fn settle(page: &mut Page<'_>) {
    let Some(elements) = page.table.elements.as_ref() else {
        return;
    };
    let units = innermost(page, elements);
    if units.iter().all(|unit| *unit == NO_UNIT) {
        return;
    }
    let paths = paths(elements, &page.units.labels);
    let place = |block: usize| paths[elements.of_block[block] as usize];
    let open = units.iter().copied().enumerate();
    let open = open.filter(|(block, unit)| *unit != NO_UNIT && !page.is_hidden(*block));
    let open: Vec<(usize, u32)> = open.collect();
    let mut groups: HashedMap<(u32, u64), Group> = HashedMap::default();
    for (block, unit) in &open {
        let group = groups.entry((*unit, place(*block))).or_default();
        group.all += page.weights[*block];
        group.kept += page.kept_words(*block);
    }
    for (block, unit) in open {
        let group = groups.get(&(unit, place(block))).copied();
        let group = group.unwrap_or_default();
        if group.kept > MOST * group.all && page.odds[block] > WIDE {
            let unit = page.units.all.get(unit as usize);
            page.keep(block, decider(unit.map(|unit| unit.kind)));
        }
    }
}

fn decider(kind: Option<UnitKind>) -> Decider {
    match kind {
        Some(UnitKind::Thread) | None => Decider::Thread,
        Some(UnitKind::Series) => Decider::Series,
        Some(_) => Decider::List,
    }
}

/// The smallest list, thread or series around each block; posts without one belong to the page.
fn innermost(page: &Page<'_>, elements: &Elements) -> Vec<u32> {
    let own = elements.of_block.iter();
    let own = own.map(|at| elements.rows.get(*at as usize).copied().unwrap_or_default());
    let of_page = |row: Element| {
        let is_post = is_post(elements.text(row.label), elements.text(row.role));
        if is_post { POSTS } else { NO_UNIT }
    };
    let mut units: Vec<u32> = own.map(of_page).collect();
    // inner units come after those around them
    for (at, unit) in page.units.all.iter().enumerate() {
        let is_list = matches!(
            unit.kind,
            UnitKind::List | UnitKind::Definitions | UnitKind::Thread | UnitKind::Series
        );
        if is_list {
            units[unit.span.blocks()].fill(at as u32);
        }
    }
    units
}

/// Hashes of the element names and labels from the root down to every element.
fn paths(elements: &Elements, labels: &[u64]) -> Vec<u64> {
    let mut paths: Vec<u64> = Vec::with_capacity(elements.rows.len());
    for (row, label) in elements.rows.iter().zip(labels) {
        let around = paths.get(row.parent as usize).copied().unwrap_or_default();
        let own = append(around, u64::from(row.tag));
        paths.push(append(own, *label));
    }
    paths
}
