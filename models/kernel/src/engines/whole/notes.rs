//! Footnotes and references: they stay with the text that they belong to.

use super::{Decider, Page};
use crate::units::UnitKind;

/// Words from which a block is text that notes belong to.
const TEXT_WORDS: f32 = 12.0;
/// Blocks before notes among which such text is kept.
const BEFORE: usize = 24;

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
        for block in unit.span.blocks() {
            if !page.is_hidden(block) {
                page.keep(block, Decider::Notes);
            }
        }
    }
}
