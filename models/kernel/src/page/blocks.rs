//! The table of blocks: one text buffer and one row per block, filled by one walk over the page.

use super::declared::Declared;
use super::elements::Elements;
use super::marks::Marks;
use super::paths::Paths;
use aho_corasick::{AhoCorasick, Input};

/// The kind of a block, from the markup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    Heading,
    Paragraph,
    ListItem,
    TableCell,
    Code,
    Quote,
    Caption,
    #[default]
    Other,
}

impl Kind {
    /// Whether nothing but a paragraph or a division is around the text.
    #[must_use]
    pub fn is_plain(self) -> bool {
        matches!(self, Self::Paragraph | Self::Other)
    }

    /// The names in documents, by code.
    pub const NAMES: [&str; 8] = [
        "heading",
        "paragraph",
        "list_item",
        "table_cell",
        "code",
        "quote",
        "caption",
        "other",
    ];

    #[must_use]
    pub fn as_str(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

/// One block: a span of the text buffer and facts from the markup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Byte offsets into [`BlockTable::text`], half open, on character borders.
    pub start: u32,
    pub end: u32,
    /// Characters (not bytes) of the span that are inside links.
    pub link_chars: u32,
    /// Index into [`BlockTable::paths`].
    pub path: u32,
    pub kind: Kind,
    /// 1-6 for headings, nesting depth from 1 for list items, else 0.
    pub level: u8,
    /// Number of the element that decides the kind (heading, item, cell, ...), in document order
    /// from 1: blocks of one item share it. 0 if no element decides.
    pub group: u32,
    /// Number of an item in its ordered list.
    pub ordinal: Option<u32>,
    /// Number of its item's list; 0 outside of lists.
    pub list: u32,
    /// Number of lists around the block, for every kind.
    pub lists: u8,
    /// Number of quotes around the block, for every kind.
    pub quotes: u8,
    /// Innermost data table around the block, from 1; 0 outside. Layout tables do not count.
    pub table: u32,
    /// Row and column in that table, from 0, with spans applied.
    pub row: u32,
    pub column: u16,
    /// Number of cells before it in its row, including empty ones and columns covered from other
    /// rows.
    pub place: u16,
    /// Number of the cell around it, numbered as `group`; 0 outside of tables.
    pub cell: u32,
    /// Number of lists around that cell.
    pub cell_lists: u8,
    /// Whether the block is in a header cell (`th`).
    pub header: bool,
}

/// Directives for machine readers on links and parts of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkWishes {
    pub links: u32,
    /// Links with `rel=nofollow`.
    pub nofollow_links: u32,
    /// Elements with `data-nosnippet`.
    pub nosnippet_parts: u32,
}

/// All blocks of a page in document order.
#[derive(Clone, Debug, Default)]
pub struct BlockTable {
    /// The texts of all blocks, in order, each followed by a line feed.
    pub text: String,
    pub blocks: Vec<Block>,
    /// Distinct tag paths, `body/div/p`.
    pub paths: Paths,
    /// Length of the markup or text that was read, in bytes.
    pub markup_bytes: usize,
    /// The page's declared metadata.
    pub declared: Declared,
    /// Author, date and licence marks in the markup.
    pub marks: Marks,
    pub wishes: LinkWishes,
    /// Only if requested.
    pub elements: Option<Elements>,
}

impl BlockTable {
    /// The text of one block.
    #[must_use]
    pub fn text_of(&self, block: &Block) -> &str {
        self.text
            .get(block.start as usize..block.end as usize)
            .unwrap_or("")
    }

    /// The lines that contain one of some words and have at most this many bytes, in order.
    ///
    /// Each line is checked once, even if a word occurs in it several times.
    pub fn lines_with<'table>(
        &'table self,
        words: &AhoCorasick,
        max_bytes: usize,
    ) -> impl Iterator<Item = &'table str> {
        let bytes = self.text.as_bytes();
        let mut from = 0;
        std::iter::from_fn(move || {
            while let Some(word) = words.find(Input::new(bytes).range(from..)) {
                let (first, at) = (from, word.start());
                let start = memchr::memrchr(b'\n', &bytes[first..at]);
                let start = start.map_or(first, |feed| first + feed + 1);
                let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |feed| at + feed);
                from = bytes.len().min(end + 1);
                if end - start <= max_bytes {
                    return self.text.get(start..end);
                }
            }
            None
        })
    }

    /// Characters of all block texts.
    #[must_use]
    pub fn chars(&self) -> usize {
        let ends = self.blocks.len();
        self.text.chars().count() - ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_lines_with_a_word_are_found_once_in_their_order() {
        let table = BlockTable {
            text: "Bees\nBy Ann, by hand\nwritten by nobody at all\nby Bob\n".to_owned(),
            ..BlockTable::default()
        };
        let words = AhoCorasick::new(["by", "By", "x"]).unwrap();

        let lines: Vec<&str> = table.lines_with(&words, 16).collect();

        assert_eq!(lines, ["By Ann, by hand", "by Bob"]);
        assert_eq!(BlockTable::default().lines_with(&words, 16).count(), 0);
    }
}
