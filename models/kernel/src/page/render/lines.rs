//! Kept blocks as plain text.

use super::{Outline, Part};
use crate::page::blocks::{Block, BlockTable, Kind};

/// Most bytes between two blocks, except tabs of empty cells.
pub const MAX_SEPARATOR: usize = 2;
/// Most tabs in a row: beyond this number of empty or covered cells, columns are not kept.
const MAX_TABS: u16 = 64;

/// Write the parts, which have about `bytes` bytes: a blank line between paragraphs, a line feed
/// between list items and between rows of a table, a tab between cells of a row. An empty cell
/// keeps its tab, so that each value stays in its column; none is written for columns before the
/// first and after the last cell with text.
pub fn write<'page>(
    table: &BlockTable,
    parts: impl Iterator<Item = Part<'page>>,
    bytes: usize,
) -> (String, Outline) {
    let parts: Vec<Part<'page>> = parts.collect();
    let mut out = String::with_capacity(bytes);
    let mut outline = Outline::default();
    let mut previous: Option<&Block> = None;
    for unit in parts.chunk_by(|left, right| are_one(left.block, right.block)) {
        // empty columns are not counted
        let first = unit.iter().map(|part| part.block.place).min().unwrap_or(0);
        for part in unit {
            separate(previous, part.block, first, &mut out);
            outline.add(part.block, out.trim_end_matches('\t').len());
            if is_cell(part.block) {
                part.write(table, &mut out, put_on_line);
            } else {
                part.write(table, &mut out, |text, out| out.push_str(text));
            }
            previous = Some(part.block);
        }
    }
    (out, outline)
}

fn are_one(left: &Block, right: &Block) -> bool {
    is_cell(left) && is_cell(right) && left.table == right.table
}

fn is_cell(block: &Block) -> bool {
    block.kind == Kind::TableCell && block.table > 0
}

/// End the output before a block. Its table, if any, begins in the column `first`.
fn separate(before: Option<&Block>, block: &Block, first: u16, out: &mut String) {
    let row = before.filter(|before| are_one(before, block));
    match (row, before) {
        (Some(before), _) if before.row == block.row => {
            if before.group == block.group {
                out.push(' ');
            } else {
                tabs(block.place.saturating_sub(before.place).max(1), out);
            }
            return;
        }
        (Some(_), _) => out.push('\n'),
        (_, Some(before)) => out.push_str(separator(before, block)),
        _ => {}
    }
    if is_cell(block) {
        tabs(block.place.saturating_sub(first), out);
    }
}

fn tabs(number: u16, out: &mut String) {
    out.extend((0..number.min(MAX_TABS)).map(|_| '\t'));
}

fn separator(before: &Block, block: &Block) -> &'static str {
    let same = |kind| before.kind == kind && block.kind == kind;
    if same(Kind::ListItem) || same(Kind::Code) && before.group == block.group {
        "\n"
    } else {
        "\n\n"
    }
}

/// In a row, line feeds and tabs would read as borders.
fn put_on_line(text: &str, out: &mut String) {
    out.extend(text.chars().map(|character| match character {
        '\n' | '\t' => ' ',
        other => other,
    }));
}
