//! Data tables by rows.

use super::{Span, UnitKind, Units};
use crate::page::blocks::{Block, BlockTable, Kind};
use crate::page::tags::H1;

/// Mean characters of the blocks of a table from which it is a layout of prose, unless cells of it
/// are headers.
const PROSE: usize = 80;

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

/// Whether a reader sees rows and columns: some cell is a header, or several cells of a row have
/// short texts. A table around a headline of the page is layout.
fn is_grid(table: &BlockTable, rows: &[Span]) -> bool {
    let cells = rows.iter().flat_map(|row| &table.blocks[row.blocks()]);
    if cells.clone().any(|block| table.paths.tag(block.path) == H1) {
        return false;
    }
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
