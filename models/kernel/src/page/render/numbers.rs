//! Numbers that items of a list write themselves, which are not written a second time.

use std::collections::{HashMap, HashSet};

use super::{Part, Piece, span};
use crate::page::blocks::{BlockTable, Kind};

/// Most digits of the number that an item begins with.
const DIGITS: usize = 3;
/// Signs after such a number; the last three need no space after them.
const MARKS: [char; 6] = ['.', ')', ':', '．', '、', '）'];
const WIDE: usize = 3;

/// The numbers of items, and what is left of their first blocks without them.
#[derive(Default)]
pub struct Numbers {
    /// By the group of an item.
    pub of_items: HashMap<u32, u32>,
    /// By the index of a part.
    rests: HashMap<usize, Vec<Piece>>,
}

/// The number of an item: the index of its part, and its end in the text.
struct Own {
    at: usize,
    ordinal: u32,
    end: u32,
}

/// Find the numbers that items begin with: in ordered lists before the text, in others only as
/// blocks before it.
///
/// Only of lists where all items have one and count on: amounts and telephone numbers do not.
pub fn of(table: &BlockTable, parts: &[Part<'_>]) -> Numbers {
    let is_first = |part: &Part<'_>| {
        part.block.kind == Kind::ListItem
            && end(table, part, part.block.ordinal.unwrap_or(1)).is_some()
    };
    if !parts.iter().any(is_first) {
        return Numbers::default();
    }
    // by list its numbers, unless an item does not count on
    let mut lists: HashMap<u32, Option<Vec<Own>>> = HashMap::new();
    let mut seen = HashSet::new();
    for (at, part) in parts.iter().enumerate() {
        let block = part.block;
        if block.kind != Kind::ListItem || !seen.insert(block.group) {
            continue;
        }
        let items = lists.entry(block.list).or_insert_with(|| Some(Vec::new()));
        let count = items.as_ref().map_or(0, Vec::len);
        let ordinal = block.ordinal.unwrap_or(count as u32 + 1);
        let goes_on = || {
            let next = parts.get(at + 1);
            next.is_some_and(|next| next.block.group == block.group)
        };
        let found = end(table, part, ordinal).filter(|end| match rest(part, *end).is_empty() {
            true => goes_on(),
            false => block.ordinal.is_some(),
        });
        match (items.as_mut(), found) {
            (Some(counted), Some(end)) => counted.push(Own { at, ordinal, end }),
            _ => *items = None,
        }
    }
    let mut numbers = Numbers::default();
    let counted = lists.into_values().flatten();
    for own in counted.filter(|items| items.len() > 1).flatten() {
        let part = &parts[own.at];
        numbers.of_items.insert(part.block.group, own.ordinal);
        numbers.rests.insert(own.at, rest(part, own.end));
    }
    numbers
}

impl Numbers {
    /// The parts without these numbers.
    pub fn without<'a>(&'a self, parts: &[Part<'a>]) -> Vec<Part<'a>> {
        let left = |(at, part): (usize, &Part<'a>)| match self.rests.get(&at) {
            None => Some(*part),
            Some(pieces) => (!pieces.is_empty()).then_some(Part {
                block: part.block,
                pieces,
            }),
        };
        parts.iter().enumerate().filter_map(left).collect()
    }
}

/// The end of a number at the beginning of a part, with a mark and space unless it is all of it.
fn end(table: &BlockTable, part: &Part<'_>, number: u32) -> Option<u32> {
    let (first, last) = (part.pieces.first()?, part.pieces.last()?);
    if part.pieces.iter().any(|piece| piece.marked.is_some()) || first.start != part.block.start {
        return None;
    }
    let text = span(table, first.start, last.end);
    let after_digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &text[..text.len() - after_digits.len()];
    if digits.len() > DIGITS || digits.parse() != Ok(number) {
        return None;
    }
    let after_marks = after_digits.trim_start_matches(MARKS);
    let after = after_marks.trim_start();
    let is_marked = after_marks.len() < after_digits.len()
        && (after.len() < after_marks.len() || after_digits.starts_with(&MARKS[WIDE..]));
    let length = (text.len() - after.len()) as u32;
    (after.is_empty() || is_marked).then_some(first.start + length)
}

/// The pieces of a part from a byte on.
pub fn rest(part: &Part<'_>, from: u32) -> Vec<Piece> {
    let later = part.pieces.iter().filter(|piece| piece.end > from);
    let mut pieces: Vec<Piece> = later.copied().collect();
    if let Some(first) = pieces.first_mut() {
        first.start = first.start.max(from);
        first.lead = first.start;
    }
    pieces
}
