//! Footnotes and references: they are kept with the text that they belong to.

use super::{Decider, Page};
use crate::page::blocks::Kind;
use crate::units::UnitKind;

/// Fewest words of a block that notes may belong to.
const TEXT_WORDS: f32 = 12.0;
/// Blocks before notes among which such text is kept.
const BEFORE: usize = 24;
/// Share of the characters of notes inside links, from which they are a list of links.
const LINKED: f32 = 0.8;

pub fn settle(page: &mut Page<'_>) {
    for at in 0..page.units.all.len() {
        let unit = page.units.all[at];
        if unit.kind != UnitKind::Notes {
            continue;
        }
        let first = unit.span.first as usize;
        let before = first.saturating_sub(BEFORE)..first;
        let belongs = before
            .rev()
            .filter(|block| page.weights[*block] >= TEXT_WORDS)
            .take(3)
            .any(|block| page.is_kept(block));
        if !belongs {
            continue;
        }
        let notes = page.units.members(&unit).first().copied();
        if notes.is_none_or(|notes| page.linked(notes) >= LINKED) {
            continue;
        }
        for block in unit.span.blocks() {
            if !page.is_hidden(block) && !is_bare_link(page, block) {
                page.keep(block, Decider::Notes);
            }
        }
    }
}

/// Whether a block outside of lists and tables is one link, for example to another article.
fn is_bare_link(page: &Page<'_>, block: usize) -> bool {
    let of = &page.table.blocks[block];
    let chars = page.text(block).chars().count() as f32;
    of.kind == Kind::Other && of.link_chars as f32 >= LINKED * chars
}
