//! Data tables and listings of code: kept or dropped as a whole, never by cells or lines.

use super::{Decider, Page};
use crate::page::blocks::Kind;
use crate::page::tags::{H1, H6};
use crate::units::{Span, UnitKind};

pub fn settle(page: &mut Page<'_>) {
    for at in 0..page.units.all.len() {
        let unit = page.units.all[at];
        match unit.kind {
            UnitKind::Table => {
                let rows = page.units.members(&unit);
                let (first, last) = (rows.first(), rows.last());
                if let (Some(first), Some(last)) = (first, last) {
                    decide(page, Span::new(first.first, last.end), Decider::Table);
                }
            }
            UnitKind::Code => decide(page, unit.span, Decider::Code),
            _ => {}
        }
    }
}

/// Whether a block stands in a heading, which tables of data have in their cells too.
fn is_heading(page: &Page<'_>, block: usize) -> bool {
    let tag = page.table.paths.tag(page.table.blocks[block].path);
    (H1..=H6).contains(&tag)
}

fn decide(page: &mut Page<'_>, span: Span, decider: Decider) {
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
            page.keep(block, decider);
        } else {
            page.drop(block, decider);
        }
    }
}
