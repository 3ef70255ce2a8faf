//! The table of blocks: one text buffer and one row per block, filled by one walk over the page.

use super::declared::Declared;
use super::elements::Elements;
use super::marks::Marks;
use super::paths::Paths;
use aho_corasick::{AhoCorasick, Input};

/// What the markup says a block is.
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

/// One block: a span of the text buffer and what the markup says about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Byte offsets into [`BlockTable::text`], half open, on character borders.
    pub start: u32,
    pub end: u32,
    /// Characters (not bytes) of the span that stand inside links.
    pub link_chars: u32,
    /// Index into [`BlockTable::paths`].
    pub path: u32,
    pub kind: Kind,
    /// 1-6 for headings, nesting depth from 1 for list items, else 0.
    pub level: u8,
    /// Number of the element that decides the kind (heading, item, cell, ...), in document order
    /// from 1: blocks of one item share it. 0 when no element decides.
    pub group: u32,
    /// Number of an item in its ordered list.
    pub ordinal: Option<u32>,
    /// Number of the list of its item; 0 outside of lists.
    pub list: u32,
    /// How many lists the block stands in, whatever its kind.
    pub lists: u8,
    /// How many quotes the block stands in, whatever its kind.
    pub quotes: u8,
    /// Innermost data table that holds the block, from 1; 0 outside. Layout tables do not count.
    pub table: u32,
    /// Row and column in that table, from 0, as columns and rows are spanned.
    pub row: u32,
    pub column: u16,
    /// Cells before it in its row: empty ones count, and columns that cells of other rows cover.
    pub place: u16,
    /// Number of the cell around it, as of `group`; 0 outside of tables.
    pub cell: u32,
    /// How many lists that cell stands in.
    pub cell_lists: u8,
    /// The block stands in a header cell (`th`).
    pub header: bool,
}

/// What links and parts of a page ask of those who read it by machine.
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
    /// The texts of all blocks, one after the other, each followed by a line feed.
    pub text: String,
    pub blocks: Vec<Block>,
    /// Distinct tag paths, `body/div/p`.
    pub paths: Paths,
    /// Length of what the blocks were cut from, in bytes.
    pub markup_bytes: usize,
    /// What the page says about itself.
    pub declared: Declared,
    /// What its markup says of elements.
    pub marks: Marks,
    pub wishes: LinkWishes,
    /// Only when the walk was asked for them.
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

    /// The lines that hold one of some words and are no longer than so many bytes, in order.
    ///
    /// Each line is looked at once, however often a word stands in it.
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
