//! Footnotes and references: they are kept with the text that they belong to.

use super::{DOUBT, Decider, Page, TEXT_WORDS, WIDE};
use crate::page::blocks::Kind;
use crate::units::{Span, UnitKind};

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
        let Some(notes) = notes else {
            continue;
        };
        if page.linked(notes) >= LINKED
            && !are_citations(page, notes)
            && page.mean_odds(notes) <= DOUBT
        {
            keep_title(page, unit.span, notes);
            continue;
        }
        for block in unit.span.blocks() {
            let text = page.text(block);
            let is_other = is_bare_link(page, block) && !is_citation(text) && !is_marked(text);
            if !page.is_hidden(block) && !is_other {
                page.keep(block, Decider::Notes);
            }
        }
    }
    follow_marks(page);
}

/// Keep the heading of links most of which are kept.
fn keep_title(page: &mut Page<'_>, section: Span, links: Span) {
    let (words, kept) = page.words(links);
    let heading = Span::new(section.first, links.first);
    if 2.0 * kept > words {
        for block in heading.blocks() {
            if page.odds[block] > -WIDE {
                page.keep(block, Decider::Notes);
            }
        }
    }
}

/// A note is kept if a block with a mark of it is kept, and goes if none is.
fn follow_marks(page: &mut Page<'_>) {
    for at in 0..page.units.notes.len() {
        let note = page.units.notes[at];
        let mut marks = page.units.marks(&note).iter();
        let is_kept = marks.any(|block| page.is_kept(*block as usize));
        for block in note.span.blocks() {
            if is_kept && !page.is_hidden(block) {
                page.keep(block, Decider::Mark);
                if page.deciders[block] == Decider::Notes {
                    page.deciders[block] = Decider::Mark;
                }
            } else if !is_kept && page.odds[block] < WIDE {
                page.drop(block, Decider::Mark);
            }
        }
    }
}

/// Whether most of some blocks, all of them links, are works with their years or addresses.
fn are_citations(page: &Page<'_>, notes: Span) -> bool {
    let blocks = notes.blocks();
    let count = blocks.len();
    2 * blocks
        .filter(|block| is_citation(page.text(*block)))
        .count()
        > count
}

/// Whether a text has the year of a work or its address.
fn is_citation(text: &str) -> bool {
    const ADDRESSES: [&str; 4] = ["doi", "http", "www.", "arxiv"];
    let numbers = text.split(|c: char| !c.is_ascii_digit());
    let is_year =
        |number: &str| number.len() == 4 && ('1'..='2').contains(&number.as_bytes()[0].into());
    numbers.into_iter().any(is_year) || ADDRESSES.iter().any(|part| text.contains(part))
}

/// Whether a text begins with the sign of a note: "* example.org".
fn is_marked(text: &str) -> bool {
    text.starts_with(['*', '†', '‡', '※'])
}

/// Whether a block outside of lists and tables is one link, for example to another article.
fn is_bare_link(page: &Page<'_>, block: usize) -> bool {
    let of = &page.table.blocks[block];
    let chars = page.text(block).chars().count() as f32;
    let is_line = matches!(of.kind, Kind::Other | Kind::Paragraph);
    is_line && of.link_chars as f32 >= LINKED * chars
}
