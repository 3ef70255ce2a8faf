//! Data tables by rows.

use super::{Span, UnitKind, Units};
use crate::page::blocks::{Block, BlockTable, Kind};

pub fn find(table: &BlockTable, units: &mut Units) {
    let blocks = &table.blocks;
    let mut first = 0;
    while first < blocks.len() {
        let table = blocks[first].table;
        let is_same = |block: &&Block| block.table == table;
        let length = blocks[first..].iter().take_while(is_same).count();
        if table > 0 {
            let span = Span::new(first as u32, (first + length) as u32);
            units.add(UnitKind::Table, span, rows(blocks, span));
        }
        first += length;
    }
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
