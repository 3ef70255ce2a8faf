//! Data tables by rows, and listings of code.

use super::{Span, UnitKind, Units};
use crate::page::blocks::{Block, BlockTable, Kind};

pub fn find(table: &BlockTable, units: &mut Units) {
    let blocks = &table.blocks;
    let mut first = 0;
    while first < blocks.len() {
        let length = length(&blocks[first..]);
        let span = Span::new(first as u32, (first + length) as u32);
        if blocks[first].table > 0 {
            units.add(UnitKind::Table, span, rows(blocks, span));
        } else if blocks[first].kind == Kind::Code && length > 1 {
            let lines = span.blocks().map(|at| Span::new(at as u32, at as u32 + 1));
            units.add(UnitKind::Code, span, lines);
        }
        first += length;
    }
}

/// How many blocks from the first on are of one table, or of one listing.
fn length(blocks: &[Block]) -> usize {
    let Some(first) = blocks.first() else {
        return 0;
    };
    let is_same = |block: &&Block| match (first.table, first.kind) {
        (0, Kind::Code) => block.kind == Kind::Code && block.group == first.group,
        (0, _) => false,
        (table, _) => block.table == table,
    };
    blocks.iter().take_while(is_same).count().max(1)
}

/// The rows of a table: cells that follow each other with one row number. The caption is in none.
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
