//! Data tables: kept or dropped as a whole, never by cells.

use super::{DOUBT, Decider, INSIDE, NEAR, Page, SURE, TEXT_WORDS};
use crate::page::blocks::Kind;
use crate::page::tags::{ARTICLE, BODY, FIGCAPTION, FIGURE, H1, H6, HTML, MAIN, P, TABLE};
use crate::units::{Span, UnitKind};

/// Most elements around a cell among which its table is.
const MOST_AROUND: usize = 16;
/// Fewest rows of a table that is kept in doubt; rows of links to the pages around it are fewer.
const LEAST_ROWS: usize = 3;
/// Words from which a dropped line next to a table is more than a label, and most such lines.
const BAR_WORDS: f32 = 8.0;
const MOST_BARS: usize = 3;
/// Most lines of a caption above a table, and of notes below it, in a box of these.
const CAPTION_LINES: usize = 2;
const NOTE_LINES: usize = 6;
/// Most elements from such a line to the box.
const LINE_LEVELS: usize = 4;
/// Share of the characters of a table inside links, from which it is navigation.
pub const LINKED: f32 = 0.85;

pub fn settle(page: &mut Page<'_>) {
    for at in 0..page.units.all.len() {
        let unit = page.units.all[at];
        let rows = page.units.members(&unit);
        if let (UnitKind::Table, Some(first), Some(last)) = (unit.kind, rows.first(), rows.last()) {
            let is_long = rows.len() >= LEAST_ROWS;
            decide(page, unit.span, Span::new(first.first, last.end), is_long);
            keep_lines(page, unit.span);
        }
    }
}

/// Whether a block is a heading; data tables have headings in their cells too.
fn is_heading(page: &Page<'_>, block: usize) -> bool {
    let tag = page.table.paths.tag(page.table.blocks[block].path);
    (H1..=H6).contains(&tag)
}

fn decide(page: &mut Page<'_>, unit: Span, cells: Span, is_long: bool) {
    let (all, kept) = page.words(cells);
    let outer = outer_captions(page, unit);
    if kept < all {
        let first = outer
            .iter()
            .fold(unit.first, |first, block| first.min(*block as u32));
        let end = outer
            .iter()
            .fold(unit.end, |end, block| end.max(*block as u32 + 1));
        let whole = Span::new(first, end);
        let least = if is_inside(page, whole, cells, is_long) {
            INSIDE
        } else if is_long && is_below(page, whole, cells) {
            DOUBT
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
    let is_caption = |block: &usize| page.table.blocks[*block].kind == Kind::Caption;
    let mut captions: Vec<usize> = unit.blocks().filter(is_caption).collect();
    captions.extend(outer);
    for block in captions {
        if has_cells && page.odds[block] > INSIDE {
            page.keep(block, Decider::Table);
        } else if !has_cells && all > 0.0 {
            page.drop(block, Decider::Table);
        }
    }
}

/// The blocks next to a table that are its captions: of the `figure` around it, or by their class.
fn outer_captions(page: &Page<'_>, unit: Span) -> Vec<usize> {
    let Some(elements) = page.table.elements.as_ref() else {
        return Vec::new();
    };
    let element = |block: usize| Some(*elements.of_block.get(block)? as usize);
    let parent = |at: &usize| elements.rows.get(elements.rows.get(*at)?.parent as usize);
    let around = element(unit.first as usize);
    let above = |at: &usize| Some(elements.rows.get(*at)?.parent as usize);
    let mut around = std::iter::successors(around, above).take(MOST_AROUND);
    // cells and rows are inside of it
    let table = around.find(|at| elements.rows.get(*at).is_some_and(|row| row.tag == TABLE));
    let Some(table) = table else {
        return Vec::new();
    };
    let is_caption = |block: &usize| {
        let Some(row) = element(*block).and_then(|at| elements.rows.get(at)) else {
            return false;
        };
        let is_of_figure =
            row.tag == FIGCAPTION && parent(&table).is_some_and(|row| row.tag == FIGURE);
        let is_named = || {
            elements
                .text(row.label)
                .split_ascii_whitespace()
                .any(is_caption_class)
        };
        let is_near = elements.rows[table].parent == row.parent;
        is_near && (is_of_figure || row.tag == P && is_named())
    };
    let before = (unit.first as usize).checked_sub(1);
    let after = Some(unit.end as usize).filter(|block| *block < page.verdicts.len());
    before.into_iter().chain(after).filter(is_caption).collect()
}

/// Keep the lines of a kept table that are in a box with it alone: its title, caption and notes.
fn keep_lines(page: &mut Page<'_>, unit: Span) {
    let Some(elements) = page.table.elements.as_ref() else {
        return;
    };
    let (first, end) = (unit.first as usize, unit.end as usize);
    if page.words(unit).1 <= 0.0 {
        return;
    }
    let row = |at: u32| elements.rows.get(at as usize);
    let is_box = |at: u32| {
        let span = page.units.spans[at as usize];
        (span.first as usize) + CAPTION_LINES >= first
            && span.end as usize <= end + NOTE_LINES
            && row(at).is_some_and(|row| !matches!(row.tag, MAIN | ARTICLE | BODY | HTML))
    };
    let is_line = |block: usize, is_named: fn(&str) -> bool| {
        let around = elements.with_parents(elements.of_block[block]);
        let mut named = false;
        for at in around.take(LINE_LEVELS) {
            if page.units.spans[at as usize].holds(unit) {
                return is_box(at) && (named || is_title(page.text(block)));
            }
            let label = row(at).map_or("", |row| elements.text(row.label));
            named |= label.split_ascii_whitespace().any(is_named);
        }
        false
    };
    let is_lost = |block: usize| {
        !page.is_kept(block)
            && page.odds[block] > INSIDE
            && page.table.blocks[block].kind != Kind::Caption
            && !page.is_hidden(block)
    };
    let above = (first.saturating_sub(CAPTION_LINES)..first)
        .filter(|block| is_lost(*block) && is_line(*block, is_caption_class));
    let below = end..page.verdicts.len().min(end + NOTE_LINES);
    let below = below.filter(|block| is_lost(*block) && is_line(*block, is_note_class));
    for block in above.chain(below).collect::<Vec<usize>>() {
        page.keep(block, Decider::Table);
    }
}

/// Whether a text begins with the number of a table: `Table 3. Prices`.
fn is_title(text: &str) -> bool {
    const NAMES: [&str; 7] = [
        "table", "tabelle", "tableau", "tabla", "tabela", "tabella", "tabel",
    ];
    let mut words = text.split_whitespace();
    let name = words.next().unwrap_or("");
    let number = words.next().unwrap_or("");
    NAMES.iter().any(|one| one.eq_ignore_ascii_case(name))
        && number.contains(|c: char| c.is_ascii_digit())
}

/// Whether a class is of what is below a table: `table-foot`.
fn is_note_class(word: &str) -> bool {
    const PARTS: [&str; 7] = [
        "foot",
        "footnote",
        "footnotes",
        "fn",
        "notes",
        "legend",
        "source",
    ];
    has_part(word, &PARTS)
}

/// Whether a class is of a caption: `table-caption`.
pub fn is_caption_class(word: &str) -> bool {
    has_part(word, &["caption"])
}

fn has_part(word: &str, parts: &[&str]) -> bool {
    word.split(['-', '_'])
        .any(|own| parts.iter().any(|part| part.eq_ignore_ascii_case(own)))
}

/// Whether a table is between kept text, next to it or to its headings and labels; one of links only
/// if cells say what its columns are.
fn is_inside(page: &Page<'_>, unit: Span, cells: Span, is_long: bool) -> bool {
    let own = page.table.blocks[cells.first as usize].table;
    let (first, end) = (unit.first as usize, unit.end as usize);
    (page.linked(cells) < LINKED || is_long && has_headers(page, cells))
        && has_text_near(page, (0..first).rev(), own)
        && has_text_near(page, end..page.verdicts.len(), own)
}

/// Whether several cells of a table are headers.
fn has_headers(page: &Page<'_>, cells: Span) -> bool {
    let headers = page.table.blocks[cells.blocks()].iter();
    headers.filter(|block| block.header).count() > 1
}

/// Whether a table of text is below kept text, or right below a sure heading.
fn is_below(page: &Page<'_>, unit: Span, cells: Span) -> bool {
    let is_sure = |block: usize| {
        page.table.blocks[block].kind == Kind::Heading
            && page.is_kept(block)
            && page.odds[block] > SURE
    };
    let above = (unit.first as usize).checked_sub(1);
    page.linked(cells) < super::LINKED
        && (above.is_some_and(is_sure) || has_text_near(page, (0..unit.first as usize).rev(), 0))
}

/// Whether the next kept blocks have the words of a text, without headings and the table `own`. A
/// few dropped labels or controls may be before them, such as `Scroll for more`.
fn has_text_near(page: &Page<'_>, blocks: impl Iterator<Item = usize>, own: u32) -> bool {
    let is_bar = |block: &usize| {
        let is_doubted = !page.is_kept(*block) && page.odds[*block] > INSIDE;
        let may_be = page.table.blocks[*block].kind != Kind::Caption;
        is_doubted && may_be && page.weights[*block] < BAR_WORDS
    };
    let mut blocks = blocks.peekable();
    for _ in 0..MOST_BARS {
        blocks.next_if(is_bar);
    }
    let kept = blocks.take(NEAR).take_while(|block| page.is_kept(*block));
    let words = kept.map(|block| {
        let of = &page.table.blocks[block];
        let is_text = of.kind != Kind::Heading && (own == 0 || of.table != own);
        if is_text { page.weights[block] } else { 0.0 }
    });
    words.sum::<f32>() >= TEXT_WORDS
}
