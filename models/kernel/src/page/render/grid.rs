//! A data table as one of GitHub's Markdown tables.

use super::Part;
use super::escape::Place;
use super::inlined::Inlined;
use crate::page::inline::Alignment;

/// Columns up to which cells keep their column when earlier cells span or are dropped.
const MAX_ALIGNED: usize = 64;

/// Short rows are padded to the width of the table, unless it then has more than this many times
/// its cells: otherwise a hostile table would be mostly padding.
const MAX_FILLED: usize = 4;

#[derive(Clone, Default)]
struct Cell {
    text: String,
    alignment: Option<Alignment>,
}

#[derive(Default)]
struct Row {
    cells: Vec<Cell>,
    is_header: bool,
}

/// Whether any cells are in one row; the rest of a table may be one column.
pub fn has_columns(parts: &[Part<'_>]) -> bool {
    let mut columns = parts.iter().map(|part| part.block.column);
    let first = columns.next();
    columns.any(|column| Some(column) != first)
}

/// Write the cells of one table, with line feeds between rows.
///
/// The first row is the header if all its cells are header cells, or if it alone is all strong; else
/// the header stays empty.
pub fn write<'page>(page: &Inlined<'page>, parts: &[Part<'page>]) -> String {
    let rows = parts.chunk_by(|left, right| left.block.row == right.block.row);
    let rows: Vec<Row> = rows.map(|parts| row(page, parts)).collect();
    let width = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    let mut out = String::new();
    let (header, body) = match rows.split_first() {
        Some((first, others)) if first.is_header || is_told_apart(first, others) => {
            (first.cells.as_slice(), others)
        }
        _ => (&[][..], rows.as_slice()),
    };
    line(header, width, &mut out);
    out.push_str("\n|");
    for alignment in alignments(&rows, width) {
        out.push_str(match alignment {
            None => " --- |",
            Some(Alignment::Left) => " :--- |",
            Some(Alignment::Centre) => " :---: |",
            Some(Alignment::Right) => " ---: |",
        });
    }
    let cells: usize = rows.iter().map(|row| row.cells.len()).sum();
    let is_filled = rows.len().saturating_mul(width) <= cells.saturating_mul(MAX_FILLED);
    for row in body {
        out.push('\n');
        line(&row.cells, if is_filled { width } else { 0 }, &mut out);
    }
    out
}

/// Whether all cells of a first row are strong, and not all of the next row.
fn is_told_apart(first: &Row, others: &[Row]) -> bool {
    let is_strong = |cell: &Cell| {
        let inner = cell.text.strip_prefix("**");
        let inner = inner.and_then(|inner| inner.strip_suffix("**"));
        inner.is_some_and(|inner| !inner.contains("**"))
    };
    let is_all_strong = |row: &Row| row.cells.iter().all(is_strong);
    is_all_strong(first) && others.first().is_some_and(|row| !is_all_strong(row))
}

/// The alignment of each column: the alignment of most of its cells.
fn alignments(rows: &[Row], width: usize) -> Vec<Option<Alignment>> {
    let mut counts = vec![[0_usize; 4]; width];
    for row in rows {
        for (count, cell) in counts.iter_mut().zip(&row.cells) {
            if !cell.text.is_empty() {
                count[cell.alignment.map_or(0, |alignment| alignment as usize + 1)] += 1;
            }
        }
    }
    let most = |[none, left, centre, right]: [usize; 4]| {
        let all = none + left + centre + right;
        let aligned = [
            (left, Alignment::Left),
            (centre, Alignment::Centre),
            (right, Alignment::Right),
        ];
        aligned
            .into_iter()
            .find(|(cells, _)| 2 * cells > all)
            .map(|(_, alignment)| alignment)
    };
    counts.into_iter().map(most).collect()
}

fn row<'page>(page: &Inlined<'page>, parts: &[Part<'page>]) -> Row {
    let mut row = Row {
        is_header: parts.iter().all(|part| part.block.header),
        ..Row::default()
    };
    let cells = parts.chunk_by(|left, right| left.block.group == right.block.group);
    let cells = cells.map(|cell| {
        let column = cell.first().map_or(0, |part| part.block.column) as usize;
        let group = cell.first().map_or(0, |part| part.block.group);
        let alignment = page.inline().and_then(|inline| inline.alignment(group));
        let text = content(page, cell);
        (column, Cell { text, alignment })
    });
    let mut cells: Vec<(usize, Cell)> = cells.collect();
    for (column, image) in page.images_of_row(parts) {
        let text = image.replace('|', "\\|");
        match cells.last_mut() {
            Some((last, cell)) if *last == column => cell.text = [&cell.text, " ", &text].concat(),
            _ => cells.push((
                column,
                Cell {
                    text,
                    alignment: None,
                },
            )),
        }
    }
    cells.sort_by_key(|(column, _)| *column);
    for (column, cell) in cells {
        if column < MAX_ALIGNED && column > row.cells.len() {
            row.cells.resize_with(column, Cell::default);
        }
        row.cells.push(cell);
    }
    row
}

/// The blocks of one cell, on one line.
fn content<'page>(page: &Inlined<'page>, parts: &[Part<'page>]) -> String {
    let mut out = String::new();
    let place = if parts.len() > 1 {
        Place::Joined
    } else {
        Place::Inline
    };
    for part in parts {
        if !out.is_empty() {
            out.push(' ');
        }
        page.write(part, place, &mut out);
    }
    // in any container, including code
    out.replace('|', "\\|")
}

/// One row, at least `width` cells wide.
fn line(cells: &[Cell], width: usize, out: &mut String) {
    out.push('|');
    for cell in cells {
        out.push(' ');
        out.push_str(&cell.text);
        out.push_str(" |");
    }
    out.push_str(&"  |".repeat(width.saturating_sub(cells.len())));
}
