//! Headings: one goes when all that it governs went.

use super::{Decider, Page};
use crate::page::blocks::Kind;
use crate::units::{Span, Unit, UnitKind};

/// Words of a heading at most; longer ones are text.
const MOST_WORDS: f32 = 12.0;
/// Words below a heading, at least, of which none is kept.
const LEAST_BELOW: f32 = 3.0;
/// Words of a block that begins the text of a page: a heading before it may be the title.
const TEXT_WORDS: f32 = 12.0;
/// Share of the kept headings of a page without content from which they are a list of headings.
const MOST_EMPTY: f32 = 0.5;

pub fn settle(page: &mut Page<'_>) {
    let is_text = |block: &usize| page.is_kept(*block) && page.weights[*block] >= TEXT_WORDS;
    let Some(first) = (0..page.verdicts.len()).find(is_text) else {
        return;
    };
    let sections = page.units.all.iter();
    let sections = sections.filter(|unit| unit.kind == UnitKind::Section);
    let sections = sections.filter_map(|unit| Some((heading(page, unit)?, *unit)));
    let kept: Vec<(Span, Unit)> = sections
        .filter(|(heading, _)| heading.blocks().any(|block| page.is_kept(block)))
        .collect();
    let empty: Vec<Span> = kept
        .iter()
        .filter(|(heading, unit)| heading.first as usize > first && is_empty(page, *heading, unit))
        .map(|(heading, _)| *heading)
        .collect();
    if empty.len() as f32 > MOST_EMPTY * kept.len() as f32 {
        return;
    }
    for block in empty.into_iter().flat_map(Span::blocks) {
        page.drop(block, Decider::Heading);
    }
}

fn heading(page: &Page<'_>, unit: &Unit) -> Option<Span> {
    let governed = page.units.members(unit).first()?;
    Some(Span::new(unit.span.first, governed.first))
}

/// Whether all below a heading went.
fn is_empty(page: &Page<'_>, heading: Span, unit: &Unit) -> bool {
    let below = Span::new(heading.end, unit.span.end);
    let (all, kept) = page.words(below);
    let is_short = page.words(heading).0 <= MOST_WORDS;
    let headings = below
        .blocks()
        .all(|block| page.table.blocks[block].kind == Kind::Heading);
    is_short && kept <= 0.0 && all >= LEAST_BELOW && !headings
}
