//! Data tables: kept or dropped as a whole, never by cells.

use super::{Decider, Page};
use crate::page::blocks::Kind;
use crate::page::tags::{H1, H6};
use crate::units::{Span, UnitKind};

pub fn settle(page: &mut Page<'_>) {
    for at in 0..page.units.all.len() {
        let unit = page.units.all[at];
        let rows = page.units.members(&unit);
        if let (UnitKind::Table, Some(first), Some(last)) = (unit.kind, rows.first(), rows.last()) {
            decide(page, Span::new(first.first, last.end));
        }
    }
}

/// Whether a block is a heading; data tables have headings in their cells too.
fn is_heading(page: &Page<'_>, block: usize) -> bool {
    let tag = page.table.paths.tag(page.table.blocks[block].path);
    (H1..=H6).contains(&tag)
}

fn decide(page: &mut Page<'_>, span: Span) {
    let (all, kept) = page.words(span);
    if kept <= 0.0 || kept >= all {
        return;
    }
    let is_kept = page.mean_odds(span) > 0.0;
    for block in span.blocks() {
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
