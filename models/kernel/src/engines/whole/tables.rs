//! Data tables: kept or dropped as a whole, never by cells.

use super::{Decider, INSIDE, Page};
use crate::page::blocks::Kind;
use crate::page::tags::{H1, H6};
use crate::units::{Span, UnitKind};

/// Share of the characters of a table inside links, from which it is navigation.
const LINKED: f32 = 0.85;

pub fn settle(page: &mut Page<'_>) {
    for at in 0..page.units.all.len() {
        let unit = page.units.all[at];
        let rows = page.units.members(&unit);
        if let (UnitKind::Table, Some(first), Some(last)) = (unit.kind, rows.first(), rows.last()) {
            decide(page, unit.span, Span::new(first.first, last.end));
        }
    }
}

/// Whether a block is a heading; data tables have headings in their cells too.
fn is_heading(page: &Page<'_>, block: usize) -> bool {
    let tag = page.table.paths.tag(page.table.blocks[block].path);
    (H1..=H6).contains(&tag)
}

fn decide(page: &mut Page<'_>, unit: Span, cells: Span) {
    let (all, kept) = page.words(cells);
    if kept < all {
        let least = if is_inside(page, unit, cells) {
            INSIDE
        } else {
            0.0
        };
        let is_kept = page.mean_odds(cells) > least;
        for block in cells.blocks() {
            if page.table.blocks[block].kind == Kind::Caption || is_heading(page, block) {
                continue;
            }
            if is_kept {
                page.keep(block, Decider::Table);
            } else {
                page.drop(block, Decider::Table);
            }
        }
    }
    let has_cells = page.words(cells).1 > 0.0;
    for block in unit.blocks() {
        let is_caption = page.table.blocks[block].kind == Kind::Caption;
        if is_caption && has_cells && page.odds[block] > INSIDE {
            page.keep(block, Decider::Table);
        } else if is_caption && !has_cells && all > 0.0 {
            page.drop(block, Decider::Table);
        }
    }
}

/// Whether a table with few links is between kept blocks of text, next to them or to their headings
/// and labels.
fn is_inside(page: &Page<'_>, unit: Span, cells: Span) -> bool {
    let own = page.table.blocks[cells.first as usize].table;
    page.is_between_text(unit, |of| of.table != own) && page.linked(cells) < LINKED
}
