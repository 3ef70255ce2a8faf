//! A table of data as one of GitHub's Markdown tables.

use super::Part;
use super::escape::{Place, escape};
use crate::page::blocks::BlockTable;

/// Columns up to which cells stand below each other when cells before them span or are dropped.
const MAX_ALIGNED: usize = 64;

#[derive(Default)]
struct Row {
    cells: Vec<String>,
    is_header: bool,
}

/// Whether cells stand beside each other; what is left of a table may be one column.
pub fn has_columns(parts: &[Part<'_>]) -> bool {
    let mut columns = parts.iter().map(|part| part.block.column);
    let first = columns.next();
    columns.any(|column| Some(column) != first)
}

/// Write the cells of one table, rows between line feeds.
///
/// The first row is the header if all its cells are; else the header stays empty.
pub fn write(table: &BlockTable, parts: &[Part<'_>]) -> String {
    let rows = parts.chunk_by(|left, right| left.block.row == right.block.row);
    let rows: Vec<Row> = rows.map(|parts| row(table, parts)).collect();
    let width = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    let mut out = String::new();
    let (header, body) = match rows.split_first() {
        Some((first, others)) if first.is_header => (first.cells.as_slice(), others),
        _ => (&[][..], rows.as_slice()),
    };
    line(header, width, &mut out);
    out.push_str("\n|");
    out.push_str(&" --- |".repeat(width));
    for row in body {
        out.push('\n');
        line(&row.cells, 0, &mut out);
    }
    out
}

fn row(table: &BlockTable, parts: &[Part<'_>]) -> Row {
    let mut row = Row {
        is_header: parts.iter().all(|part| part.block.header),
        ..Row::default()
    };
    for cell in parts.chunk_by(|left, right| left.block.group == right.block.group) {
        let column = cell.first().map_or(0, |part| part.block.column) as usize;
        if column < MAX_ALIGNED && column > row.cells.len() {
            row.cells.resize_with(column, String::new);
        }
        row.cells.push(content(table, cell));
    }
    row
}

/// The blocks of one cell, on one line.
fn content(table: &BlockTable, parts: &[Part<'_>]) -> String {
    let mut out = String::new();
    for part in parts {
        if !out.is_empty() {
            out.push(' ');
        }
        let (text, marks) = part.plain(table);
        escape(&text.replace('\n', " "), &marks, Place::Cell, &mut out);
    }
    out
}

/// One row, at least `width` cells wide.
fn line(cells: &[String], width: usize, out: &mut String) {
    out.push('|');
    for cell in cells {
        out.push(' ');
        out.push_str(cell);
        out.push_str(" |");
    }
    out.push_str(&"  |".repeat(width.saturating_sub(cells.len())));
}
