//! Kept blocks as plain text.

use super::Part;
use crate::page::blocks::{Block, BlockTable, Kind};

/// Bytes between two blocks at most.
pub const MAX_SEPARATOR: usize = 2;

/// Write the parts, of about so many bytes: a blank line between paragraphs, a line feed between
/// list items and between rows of a table, a tab between cells of a row.
pub fn write<'page>(
    table: &BlockTable,
    parts: impl Iterator<Item = Part<'page>>,
    bytes: usize,
) -> String {
    let mut out = String::with_capacity(bytes);
    let mut previous: Option<&Block> = None;
    for part in parts {
        if let Some(previous) = previous {
            out.push_str(separator(previous, part.block));
        }
        if part.block.kind == Kind::TableCell && part.block.table > 0 {
            part.write(table, &mut out, put_on_line);
        } else {
            part.write(table, &mut out, |text, out| out.push_str(text));
        }
        previous = Some(part.block);
    }
    out
}

fn separator(before: &Block, block: &Block) -> &'static str {
    let same = |kind| before.kind == kind && block.kind == kind;
    if same(Kind::TableCell) && before.table == block.table && block.table > 0 {
        if before.row != block.row {
            "\n"
        } else if before.group != block.group {
            "\t"
        } else {
            " "
        }
    } else if same(Kind::ListItem) || same(Kind::Code) && before.group == block.group {
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
