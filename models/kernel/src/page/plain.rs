//! Plain text to blocks: a blank line ends a paragraph.

use super::blocks::{Block, BlockTable, Kind};
use super::elements::Elements;
use super::text::TextWriter;

/// The paragraphs of a text without markup.
#[must_use]
pub fn paragraphs(text: &str) -> BlockTable {
    let mut writer = TextWriter::default();
    let mut table = BlockTable {
        markup_bytes: text.len(),
        ..BlockTable::default()
    };
    let end = |writer: &mut TextWriter, blocks: &mut Vec<Block>| {
        if let Some(written) = writer.finish(false) {
            blocks.push(Block {
                start: written.start,
                end: written.end,
                kind: Kind::Paragraph,
                ..Block::default()
            });
        }
    };
    // text from old Macs ends its lines with only a carriage return
    let line_end = if text.contains('\n') { '\n' } else { '\r' };
    for line in text.split(line_end) {
        if line.trim().is_empty() {
            end(&mut writer, &mut table.blocks);
        } else {
            writer.push(line.as_bytes(), false);
            writer.line_break(false);
        }
    }
    end(&mut writer, &mut table.blocks);
    table.elements = Some(Elements::of_text(table.blocks.len()));
    table.text = writer.into_text();
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let table = paragraphs(text);
        let texts = table
            .blocks
            .iter()
            .map(|block| table.text_of(block).to_owned());
        texts.collect()
    }

    #[test]
    fn a_blank_line_ends_a_paragraph_whatever_the_line_ends_are() {
        for end in ["\n", "\r\n", "\r"] {
            let text = ["", "One", "two  ", "  ", "", "three", ""].join(end);

            assert_eq!(texts(&text), ["One\ntwo", "three"], "{end:?}");
        }
    }

    #[test]
    fn text_of_white_space_has_no_paragraph() {
        assert!(texts(" \n\t\n \u{a0}").is_empty());
    }
}
