//! Data tables by rows.

use super::elements::Extents;
use super::{Span, UnitKind, Units};
use crate::page::blocks::{Block, BlockTable, Kind};
use crate::page::elements::Elements;
use crate::page::tags::{TABLE, TR};

/// Mean characters of the blocks of a table from which it is a layout of prose, unless cells of it
/// are headers.
const PROSE: usize = 80;
/// Fewest rows of a table by roles.
const LEAST_ROWS: usize = 2;

pub fn find(table: &BlockTable, units: &mut Units) {
    let blocks = &table.blocks;
    let mut first = 0;
    while first < blocks.len() {
        let number = blocks[first].table;
        let is_same = |block: &&Block| block.table == number;
        let length = blocks[first..].iter().take_while(is_same).count();
        if number > 0 {
            let span = Span::new(first as u32, (first + length) as u32);
            let rows = rows(blocks, span);
            if is_grid(table, &rows) {
                units.add(UnitKind::Table, span, rows);
            }
        }
        first += length;
    }
}

/// Tables that no `table` element makes: by the roles of their elements, the outermost.
pub fn by_role(table: &BlockTable, elements: &Elements, extents: &Extents, units: &mut Units) {
    let has_role = |at: usize, names: &[&str]| {
        let row = &elements.rows[at];
        let mut words = elements.text(row.role).split_ascii_whitespace();
        let is_other = row.has_role() && !matches!(row.tag, TABLE | TR);
        is_other && words.any(|word| names.contains(&word))
    };
    let mut end = 0;
    for at in 0..elements.rows.len() {
        if at < end || !has_role(at, &["table", "grid", "treegrid"]) {
            continue;
        }
        // parents come before their children
        let inside = |each: &usize| elements.rows[*each].parent as usize >= at;
        let inside = (at + 1..elements.rows.len()).take_while(inside);
        let mut rows: Vec<Span> = Vec::new();
        for each in inside {
            end = each + 1;
            if has_role(each, &["row"]) && !extents.spans[each].is_empty() {
                rows.push(extents.spans[each]);
            }
        }
        let span = extents.spans[at];
        let is_other = table.blocks[span.blocks()]
            .iter()
            .all(|block| block.table == 0);
        if rows.len() >= LEAST_ROWS && is_other && is_short(table, span) {
            units.add(UnitKind::Table, span, rows);
        }
    }
}

/// Whether blocks have short texts.
fn is_short(table: &BlockTable, span: Span) -> bool {
    let blocks = &table.blocks[span.blocks()];
    let chars = blocks
        .iter()
        .map(|block| table.text_of(block).chars().count());
    chars.sum::<usize>() < PROSE * blocks.len()
}

/// Whether a reader sees rows and columns: some cell is a header, or several cells of a row have
/// short texts.
fn is_grid(table: &BlockTable, rows: &[Span]) -> bool {
    let cells = rows.iter().flat_map(|row| &table.blocks[row.blocks()]);
    if cells.clone().any(|block| block.header) {
        return true;
    }
    let count = cells.clone().count();
    let chars: usize = cells
        .map(|block| table.text_of(block).chars().count())
        .sum();
    count > rows.len() && chars < PROSE * count
}

/// The rows of a table: adjacent cells with one row number. The caption is in none.
fn rows(blocks: &[Block], span: Span) -> Vec<Span> {
    let mut rows: Vec<Span> = Vec::new();
    let mut last = None;
    for at in span.blocks() {
        let block = &blocks[at];
        if block.kind == Kind::Caption {
            last = None;
            continue;
        }
        match rows.last_mut().filter(|_| last == Some(block.row)) {
            Some(row) => row.end = at as u32 + 1,
            None => rows.push(Span::new(at as u32, at as u32 + 1)),
        }
        last = Some(block.row);
    }
    rows
}
