//! Text of a page to text of blocks: white space made uniform, invisible characters dropped.
//!
//! A run of white space (HTML's, and Unicode's spaces and line separators) becomes one space, a
//! single `<br>` one line feed; white space at the borders of a block vanishes. Control characters
//! and characters without a shape (soft hyphen, zero width space, word joiner, byte order mark)
//! are dropped; joiners that shape Persian or Indic words stay.

use super::strides::{STRIDE, strides};

/// What may stand between two pieces of text of one block.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Gap {
    #[default]
    None,
    Space,
    Line,
}

/// What to do with the character at some place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Act {
    Keep,
    Space,
    Drop,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Plain,
    Space,
    Drop,
    /// First byte of a character of which some are spaces or invisible.
    Lead,
}

static CLASSES: [Class; 256] = classes();

const fn classes() -> [Class; 256] {
    let mut table = [Class::Plain; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = Class::Drop;
        byte += 1;
    }
    table[b'\t' as usize] = Class::Space;
    table[b'\n' as usize] = Class::Space;
    table[0x0C] = Class::Space;
    table[b'\r' as usize] = Class::Space;
    table[b' ' as usize] = Class::Space;
    table[0x7F] = Class::Drop;
    table[0xC2] = Class::Lead;
    table[0xE1] = Class::Lead;
    table[0xE2] = Class::Lead;
    table[0xE3] = Class::Lead;
    table[0xEF] = Class::Lead;
    table
}

/// What to do with a character whose first byte is a [`Class::Lead`], and its length in bytes.
fn lead_act(rest: &[u8]) -> (Act, usize) {
    match *rest {
        [0xC2, 0x85 | 0xA0, ..] => (Act::Space, 2),
        [0xC2, 0x80..=0x9F | 0xAD, ..] => (Act::Drop, 2),
        [0xC2, _, ..] => (Act::Keep, 2),
        [0xE1, 0x9A, 0x80, ..]
        | [0xE2, 0x80, 0x80..=0x8A | 0xA8 | 0xA9 | 0xAF, ..]
        | [0xE2, 0x81, 0x9F, ..]
        | [0xE3, 0x80, 0x80, ..] => (Act::Space, 3),
        [0xE2, 0x80, 0x8B, ..] | [0xE2, 0x81, 0xA0, ..] | [0xEF, 0xBB, 0xBF, ..] => (Act::Drop, 3),
        [_, _, _, ..] => (Act::Keep, 3),
        _ => (Act::Keep, rest.len()),
    }
}

/// The text of all blocks so far, and the block being written.
#[derive(Default)]
pub struct TextWriter {
    text: Vec<u8>,
    block_start: usize,
    gap: Gap,
    gap_in_link: bool,
    link_chars: u32,
    /// Those of `link_chars` that are white space at the end of preformatted text.
    trailing_link_chars: u32,
}

/// A finished block: its span in bytes and how many of its characters stand in links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    pub start: u32,
    pub end: u32,
    pub link_chars: u32,
}

impl TextWriter {
    /// Where the next byte of text will stand.
    #[must_use]
    pub fn position(&self) -> u32 {
        self.text.len() as u32
    }

    /// Whether the block being written has text yet.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.text.len() > self.block_start
    }

    /// Add running text to the block.
    pub fn push(&mut self, text: &[u8], in_link: bool) {
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            match CLASSES[byte as usize] {
                Class::Space => {
                    self.space(in_link);
                    at += 1;
                }
                Class::Drop => at += 1,
                Class::Plain => at = self.run(text, at, in_link),
                Class::Lead => match lead_act(&text[at..]) {
                    (Act::Keep, _) => at = self.run(text, at, in_link),
                    (Act::Space, length) => {
                        self.space(in_link);
                        at += length;
                    }
                    (Act::Drop, length) => at += length,
                },
            }
        }
    }

    /// Copy the longest stretch from `start` that needs no change; returns where it ends.
    fn run(&mut self, text: &[u8], start: usize, in_link: bool) -> usize {
        let mut at = start;
        let mut stride = start;
        while let Some(&byte) = text.get(at) {
            if at >= stride {
                at += strides(&text[at..]);
                stride = at + STRIDE;
                continue;
            }
            match CLASSES[byte as usize] {
                Class::Plain => at += 1,
                // one space between two plain characters is already as it shall be
                Class::Space if byte == b' ' && is_plain(text, at + 1) => at += 2,
                Class::Lead => match lead_act(&text[at..]) {
                    (Act::Keep, length) => at += length,
                    _ => break,
                },
                Class::Space | Class::Drop => break,
            }
        }
        self.append(&text[start..at], in_link);
        at
    }

    fn append(&mut self, text: &[u8], in_link: bool) {
        if self.gap != Gap::None {
            if self.is_open() {
                let byte = if self.gap == Gap::Line { b'\n' } else { b' ' };
                self.text.push(byte);
                self.link_chars += u32::from(self.gap_in_link);
            }
            self.gap = Gap::None;
        }
        self.text.extend_from_slice(text);
        if in_link {
            self.link_chars += chars(text);
        }
    }

    fn space(&mut self, in_link: bool) {
        if self.gap == Gap::None {
            self.gap = Gap::Space;
            self.gap_in_link = in_link;
        }
    }

    /// A `<br>`: true if it is the second one in a row, which ends the block.
    pub fn line_break(&mut self, in_link: bool) -> bool {
        if self.gap == Gap::Line {
            return true;
        }
        if self.gap == Gap::None {
            self.gap_in_link = in_link;
        }
        self.gap = Gap::Line;
        false
    }

    /// Add preformatted text: white space stays, but for line feeds at the start of the block.
    pub fn push_preformatted(&mut self, text: &[u8], in_link: bool) {
        let mut start = 0;
        for (at, &byte) in text.iter().enumerate() {
            let leads = byte == b'\n' && !self.is_open() && at == start;
            let dropped = CLASSES[byte as usize] == Class::Drop || byte == b'\r';
            if leads || dropped {
                self.append_preformatted(&text[start..at], in_link);
                start = at + 1;
            }
        }
        self.append_preformatted(&text[start..], in_link);
    }

    fn append_preformatted(&mut self, text: &[u8], in_link: bool) {
        let spaces = text.len() - text.trim_ascii_end().len();
        if spaces < text.len() {
            self.trailing_link_chars = 0;
        }
        self.trailing_link_chars += if in_link { spaces as u32 } else { 0 };
        self.append(text, in_link);
    }

    /// End the block; `None` if it has no text.
    pub fn finish(&mut self, preformatted: bool) -> Option<Written> {
        if preformatted {
            self.trim_end();
        }
        let start = self.block_start;
        let end = self.text.len();
        let link_chars = std::mem::take(&mut self.link_chars);
        self.gap = Gap::None;
        if end == start {
            return None;
        }
        self.text.push(b'\n');
        self.block_start = end + 1;
        Some(Written {
            start: start as u32,
            end: end as u32,
            link_chars,
        })
    }

    fn trim_end(&mut self) {
        let kept = self.text[self.block_start..].trim_ascii_end().len();
        self.text.truncate(self.block_start + kept);
        self.link_chars = self.link_chars.saturating_sub(self.trailing_link_chars);
        self.trailing_link_chars = 0;
    }

    /// All text. Bytes that are no UTF-8, which lexbor never makes out of UTF-8, become `?`.
    #[must_use]
    pub fn into_text(self) -> String {
        String::from_utf8(self.text).unwrap_or_else(|error| {
            let mut text = String::with_capacity(error.as_bytes().len());
            for chunk in error.as_bytes().utf8_chunks() {
                text.push_str(chunk.valid());
                text.extend(chunk.invalid().iter().map(|_| '?'));
            }
            text
        })
    }
}

fn is_plain(text: &[u8], at: usize) -> bool {
    text.get(at)
        .is_some_and(|&byte| CLASSES[byte as usize] == Class::Plain)
}

/// Characters of UTF-8 text: bytes that do not continue one.
fn chars(text: &[u8]) -> u32 {
    text.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_is_of_the_link_in_which_it_begins() {
        let mut writer = TextWriter::default();
        for (is_first, link_chars) in [(true, 2), (false, 1)] {
            let close = |writer: &mut TextWriter| {
                writer.push(b"b", false);
                writer.finish(false).map(|block| block.link_chars)
            };
            writer.push(b"a", true);
            writer.push(b" ", is_first);
            writer.push(b" ", !is_first);
            assert_eq!(close(&mut writer), Some(link_chars));

            writer.push(b"a", true);
            writer.line_break(!is_first);
            assert_eq!(close(&mut writer), Some(3 - link_chars));

            writer.push(b"a", true);
            writer.push(b" ", is_first);
            writer.line_break(!is_first);
            assert_eq!(close(&mut writer), Some(link_chars));
        }
    }

    #[test]
    fn white_space_cut_from_the_end_of_a_block_is_none_of_a_link() {
        let mut writer = TextWriter::default();
        writer.push_preformatted(b"a \n", false);
        writer.push_preformatted(b"b ", true);
        writer.push_preformatted(b"c \n", true);
        writer.push_preformatted(b" ", false);

        let block = writer.finish(true);

        assert_eq!(block.map(|block| block.link_chars), Some(3));
        assert_eq!(writer.into_text(), "a \nb c\n");
    }

    #[test]
    fn bytes_that_are_no_utf8_keep_their_length() {
        let mut writer = TextWriter::default();
        writer.push_preformatted(b"a\xE2\x82b\xFF", false);
        writer.finish(false);

        assert_eq!(writer.into_text(), "a??b?\n");
    }
}
