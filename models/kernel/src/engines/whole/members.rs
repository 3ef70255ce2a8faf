//! Members of a list or series of which no text is kept, if text of others is.
//!
//! Similar blocks were decided together. Here blocks of equal element names decide together also
//! under other classes, so that no step, offer or answer is missing.

use super::{Decider, INSIDE, Page, SURE, WIDE, decider_of};
use crate::page::blocks::Kind;
use crate::units::Span;

/// Fewest members; of two different things one may be boilerplate.
const LEAST_MEMBERS: usize = 3;

pub fn settle(page: &mut Page<'_>) {
    let mut changed = Vec::new();
    for unit in &page.units.all {
        let decider = decider_of(unit.kind).filter(|of| *of != Decider::Thread);
        let Some(decider) = decider else {
            continue;
        };
        let members = page.units.members(unit);
        if members.len() >= LEAST_MEMBERS {
            let of_unit = changes(page, members).into_iter();
            changed.extend(of_unit.map(|change| (change, decider)));
        }
    }
    for ((block, is_content), decider) in changed {
        if is_content {
            page.keep(block, decider);
        } else {
            page.drop(block, decider);
        }
    }
}

/// The blocks to keep or to drop, so that members alike are all kept or all dropped.
fn changes(page: &Page<'_>, members: &[Span]) -> Vec<(usize, bool)> {
    let blocks = &page.table.blocks;
    let has_text = |member: &Span| {
        let is_text = |block: usize| blocks[block].kind != Kind::Heading && page.is_kept(block);
        member.blocks().any(is_text)
    };
    let (kept, gone): (Vec<Span>, Vec<Span>) = members.iter().copied().partition(has_text);
    let is_open = |block: &usize| blocks[*block].table == 0 && !page.is_hidden(*block);
    let of = |members: Vec<Span>| members.into_iter().flat_map(Span::blocks).filter(is_open);
    let kept: Vec<usize> = of(kept).filter(|block| page.is_kept(*block)).collect();
    let mut paths: Vec<u32> = kept.iter().map(|block| blocks[*block].path).collect();
    paths.sort_unstable();
    let is_alike = |block: &usize| paths.binary_search(&blocks[*block].path).is_ok();
    let gone: Vec<usize> = of(gone).filter(is_alike).collect();
    if gone.is_empty() {
        return Vec::new();
    }
    let (words, odds) = page.sums(kept.iter().copied());
    if odds + page.sums(gone.iter().copied()).1 > 0.0 {
        let gone = gone.into_iter().filter(|block| page.odds[*block] > INSIDE);
        return gone.map(|block| (block, true)).collect();
    }
    // surely content although the others go
    if odds > SURE * words {
        return Vec::new();
    }
    let kept = kept.into_iter().filter(|block| page.odds[*block] < WIDE);
    kept.map(|block| (block, false)).collect()
}
