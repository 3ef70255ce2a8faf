//! Notes that marks of the text link to, in any place and in elements of any name.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::elements::Extents;
use super::named::is_post;
use super::{Span, UnitKind, Units};
use crate::page::anchors::{Anchors, Mark};
use crate::page::blocks::{BlockTable, Kind};
use crate::page::elements::Elements;
use crate::page::tags::{DD, DT, LI, TD, TH, TR};

/// Most blocks and bytes of a note; places with more are sections.
const MOST_BLOCKS: usize = 12;
const MOST_BYTES: u32 = 4000;
/// Most digits in the text of a mark, and most letters next to them: `[note 12]`.
const DIGITS: usize = 3;
const LETTERS: usize = 6;
/// Levels around a named inline element at which its item or row is found.
const LEVELS: usize = 3;

/// Add the notes; those outside of known sections of notes become such sections.
pub fn find(table: &BlockTable, elements: &Elements, extents: &Extents, units: &mut Units) {
    let anchors = &elements.anchors;
    if !anchors.marks.iter().any(|mark| has_form(anchors, mark)) {
        return;
    }
    let places = places(elements, extents);
    // by the first block of a note its end and its marks
    let mut notes: BTreeMap<u32, (u32, Vec<&Mark>)> = BTreeMap::new();
    let mut returns = Vec::new();
    for mark in &anchors.marks {
        match places.get(anchors.name(mark)) {
            Some(place) if place.first > mark.block => {
                let note = notes.entry(place.first).or_default();
                note.0 = note.0.max(place.end);
                note.1.push(mark);
            }
            Some(place) if place.end <= mark.block => returns.push(mark.block),
            _ => {}
        }
    }
    let starts: Vec<u32> = notes.keys().copied().skip(1).chain([u32::MAX]).collect();
    for ((first, (end, mut marks)), next) in notes.into_iter().zip(starts) {
        let span = Span::new(first, end.min(next));
        if !is_note(table, span) {
            continue;
        }
        let before = |block: u32| returns.partition_point(|at| *at < block);
        let leads_back = before(span.first) < before(span.end);
        marks.retain(|mark| is_mark(table, anchors, mark, span, leads_back));
        if !marks.is_empty() {
            units.add_note(span, marks.iter().map(|mark| mark.block));
        }
    }
    add_sections(table, units);
}

/// The blocks of every place that a mark links to, by its name.
fn places<'a>(elements: &'a Elements, extents: &Extents) -> HashMap<&'a str, Span> {
    let anchors = &elements.anchors;
    let wanted: HashSet<&str> = anchors
        .marks
        .iter()
        .map(|mark| anchors.name(mark))
        .collect();
    let mut places = HashMap::new();
    let is_wanted = |name: &str| wanted.contains(name);
    let named = elements.by_label(|label| label.split_ascii_whitespace().any(is_wanted));
    // the first block after an element
    let mut next = None;
    for (at, row) in elements.rows.iter().enumerate().rev() {
        let own = extents.spans[at];
        if named[at] {
            let names = elements.text(row.label).split_ascii_whitespace();
            let names = names.filter(|name| is_wanted(name));
            let place = match next {
                Some(block) if own.is_empty() => from(elements, extents, block),
                _ => around(elements, extents, at),
            };
            // the first of equal names counts
            places.extend(names.map(|name| (name, place)));
        }
        next = (!own.is_empty()).then_some(own.first).or(next);
    }
    // many names of one block have one place
    let mut last = None;
    for (block, name) in anchors.places().filter(|(_, name)| wanted.contains(name)) {
        let place = match last {
            Some((known, place)) if known == block => place,
            _ => from(elements, extents, block),
        };
        last = Some((block, place));
        places.entry(name).or_insert(place);
    }
    places
}

/// The blocks of an element; a term has its definition, a cell its row.
fn around(elements: &Elements, extents: &Extents, at: usize) -> Span {
    let (row, own) = (elements.rows[at], extents.spans[at]);
    match row.tag {
        DT => {
            let after = elements.rows[at + 1..].iter().zip(&extents.spans[at + 1..]);
            let siblings = after
                .take_while(|(next, _)| next.parent >= row.parent && next.tag != DT)
                .filter(|(next, span)| next.parent == row.parent && !span.is_empty());
            let end = siblings.last().map_or(own.end, |(_, span)| span.end);
            Span::new(own.first, end)
        }
        TD | TH => extents
            .spans
            .get(row.parent as usize)
            .copied()
            .unwrap_or(own),
        _ => own,
    }
}

/// The blocks that a named element begins that is inline or without text: the item or row, else the
/// element, else the block.
fn from(elements: &Elements, extents: &Extents, block: u32) -> Span {
    let alone = Span::new(block, block + 1);
    let Some(own) = elements.of_block.get(block as usize).copied() else {
        return Span::default();
    };
    let parent = |at: &u32| elements.rows.get(*at as usize).map(|row| row.parent);
    let mut above = std::iter::successors(Some(own), parent).take(LEVELS);
    let is_item = |at: &u32| {
        let row = elements.rows.get(*at as usize);
        row.is_some_and(|row| [LI, DD, DT, TD, TH, TR].contains(&row.tag))
            && extents.spans[*at as usize].first == block
    };
    let chosen = above.find(is_item).unwrap_or(own);
    let span = around(elements, extents, chosen as usize);
    if span.first == block { span } else { alone }
}

/// The text of a mark without its brackets.
fn bare<'a>(anchors: &'a Anchors, mark: &Mark) -> &'a str {
    let label = anchors.label(mark);
    label.trim_matches(|c: char| " []()【】［］〔〕".contains(c))
}

/// Whether a link has the text of a mark: a number, a letter or a sign, or more if it is set off.
fn has_form(anchors: &Anchors, mark: &Mark) -> bool {
    let label = bare(anchors, mark);
    let letters = label.chars().filter(|c| c.is_alphabetic()).count();
    let digits = label.chars().filter(char::is_ascii_digit).count();
    let is_roman = || {
        label
            .chars()
            .all(|c| "ivxlc".contains(c.to_ascii_lowercase()))
    };
    let is_number = digits > 0 && digits <= DIGITS && letters <= 1;
    let is_short = is_number || letters <= 1 && digits == 0 || is_roman();
    let is_named = mark.is_set_off && digits > 0 && digits <= DIGITS && letters <= LETTERS;
    label.chars().count() <= 2 * LETTERS && (is_short || is_named)
}

/// Whether a link is the mark of a note: it has the form of one, and is raised or in brackets, or
/// the note repeats it or leads back to it.
fn is_mark(
    table: &BlockTable,
    anchors: &Anchors,
    mark: &Mark,
    note: Span,
    leads_back: bool,
) -> bool {
    if !has_form(anchors, mark) || is_post(anchors.name(mark), "") {
        return false;
    }
    let label = bare(anchors, mark);
    let block = &table.blocks[note.first as usize];
    let text = table.text_of(block);
    // an index of letters leads to their parts
    if note.blocks().len() == 1 && text == label && label.starts_with(char::is_alphabetic) {
        return false;
    }
    let is_said = || {
        let rest = text.trim_start_matches(|c: char| "[(【［〔 ".contains(c));
        let begins = rest
            .strip_prefix(label)
            .is_some_and(|after| !after.starts_with(char::is_alphanumeric));
        begins
            || block
                .ordinal
                .is_some_and(|number| label.parse() == Ok(number))
    };
    let is_in_text = || {
        let block = &table.blocks[mark.block as usize];
        2 * block.link_chars < block.end - block.start
    };
    mark.is_set_off || is_in_text() && (leads_back || is_said())
}

/// Whether blocks are as few as a note has, below no heading of their own.
fn is_note(table: &BlockTable, span: Span) -> bool {
    let blocks = &table.blocks[span.blocks()];
    let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else {
        return false;
    };
    blocks.len() <= MOST_BLOCKS
        && last.end - first.start <= MOST_BYTES
        && first.kind != Kind::Heading
}

/// Adjacent notes outside of known sections of notes are such sections.
fn add_sections(table: &BlockTable, units: &mut Units) {
    let mut is_known = vec![false; table.blocks.len()];
    for unit in units.all.iter().filter(|unit| unit.kind == UnitKind::Notes) {
        is_known[unit.span.blocks()].fill(true);
    }
    let mut runs: Vec<Vec<Span>> = Vec::new();
    for note in units
        .notes
        .iter()
        .filter(|note| !is_known[note.span.first as usize])
    {
        match runs.last_mut() {
            Some(run) if run.last().is_some_and(|last| last.end == note.span.first) => {
                run.push(note.span)
            }
            _ => runs.push(vec![note.span]),
        }
    }
    for run in runs {
        if let (Some(first), Some(last)) = (run.first(), run.last()) {
            units.add(UnitKind::Notes, Span::new(first.first, last.end), run);
        }
    }
}
