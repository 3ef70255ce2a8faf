//! Text of a page to text of blocks: white space normalised, invisible characters dropped.
//!
//! A run of white space (HTML's, and Unicode's spaces and line separators) becomes one space, a
//! single `<br>` one line feed; white space at the borders of a block is removed. Control
//! characters and invisible characters are dropped: soft hyphen, zero width space, word joiner,
//! byte order mark, and those that make the visible text differ from the real one (embeddings,
//! overrides and isolates of direction, tags, marks of annotations;
//! docs/decisions/charsets-and-characters.md). Characters that shape words of Arabic, Hebrew,
//! Persian or Indic text are kept: joiners and marks of direction. A space separates elements that
//! a style sheet draws apart, see [`seam`].

pub(crate) mod classes;
pub mod seam;
mod wide;

use super::strides::{STRIDE, strides};
pub use classes::is_invisible;
use classes::{Act, CLASSES, Class, lead_act};
use seam::Seam;

/// The gap between two pieces of text of one block.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Gap {
    #[default]
    None,
    Space,
    /// White space with a line feed of the source in it: no space between letters of scripts
    /// without spaces.
    Feed,
    Line,
}

/// In code it acts as a space, most of all without `pre`.
const HARD_SPACE: &[u8] = b"\xC2\xA0";

/// The text of all blocks so far, and the block being written.
#[derive(Default)]
pub struct TextWriter {
    text: Vec<u8>,
    block_start: usize,
    gap: Gap,
    gap_in_link: bool,
    /// A space in the gap that is not white space of HTML.
    gap_is_drawn: bool,
    /// The place where two elements meet at the end of the text so far, and whether the text is a
    /// label.
    seam: Option<(Seam, bool)>,
    link_chars: u32,
    /// The part of `link_chars` that is white space at the end of preformatted text.
    trailing_link_chars: u32,
    /// Nothing was written since the border of a line of code, and whether that was its start.
    is_line_start: bool,
    is_line_entered: bool,
}

/// A finished block: its span in bytes and its number of characters inside links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    pub start: u32,
    pub end: u32,
    pub link_chars: u32,
}

impl TextWriter {
    /// Reserve this many bytes.
    pub fn reserve(&mut self, bytes: usize) {
        self.text.reserve(bytes);
    }

    /// The position of the next byte of text.
    #[must_use]
    pub fn position(&self) -> u32 {
        self.text.len() as u32
    }

    /// Whether the current block has text yet.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.text.len() > self.block_start
    }

    /// Note that two elements meet here; the strongest of several seams at one place counts.
    pub fn seam(&mut self, seam: Seam, is_label: bool) {
        self.seam = self.seam.max(Some((seam, is_label)));
    }

    /// Add running text to the block: the content of one text node.
    pub fn push(&mut self, text: &[u8], in_link: bool) {
        if let Some((seam, is_label)) = self.seam.take() {
            let may_part = seam != Seam::Edge || is_label || self.text.last() == Some(&b':');
            let before = &self.text[self.block_start..];
            if may_part && self.gap == Gap::None && seam.parts(before, is_label, text) {
                self.space(false);
            }
        }
        let begin = self.text.len();
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            match CLASSES[byte as usize] {
                Class::Space => {
                    self.space(in_link);
                    let is_inside = self.text.len() > begin;
                    if matches!(byte, b'\n' | b'\r')
                        && self.gap == Gap::Space
                        && !self.gap_is_drawn
                        && is_inside
                    {
                        self.gap = Gap::Feed;
                    }
                    at += 1;
                }
                Class::Drop => at += 1,
                Class::Plain => at = self.run(text, at, in_link),
                Class::Lead => match lead_act(&text[at..]) {
                    (Act::Keep, _) => at = self.run(text, at, in_link),
                    (Act::Space, length) => {
                        self.space(in_link);
                        self.draw_gap();
                        at += length;
                    }
                    (Act::Drop, length) => at += length,
                },
            }
        }
        // templates break lines at elements, where a reader may need the space
        if self.gap == Gap::Feed {
            self.draw_gap();
        }
    }

    /// Copy the longest range from `start` that needs no change; returns its end.
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
                // one space between two plain characters needs no change
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
            if self.is_open() && !self.is_joined(text) {
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
            self.gap_is_drawn = false;
        }
    }

    fn draw_gap(&mut self) {
        self.gap_is_drawn = true;
        if self.gap == Gap::Feed {
            self.gap = Gap::Space;
        }
    }

    /// Whether the gap before a text is a line break of the source between wide letters.
    fn is_joined(&self, text: &[u8]) -> bool {
        self.gap == Gap::Feed && wide::are_joined(&self.text[self.block_start..], text)
    }

    /// The text of the block that ends here; empty after white space.
    #[must_use]
    pub fn touched(&self) -> &[u8] {
        match self.gap {
            Gap::None => &self.text[self.block_start..],
            _ => &[],
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

    /// Add preformatted text: white space is kept, except line feeds at the start of the block.
    pub fn push_preformatted(&mut self, text: &[u8], in_link: bool) {
        self.seam = None;
        let (mut start, mut at) = (0, 0);
        while let Some(&byte) = text.get(at) {
            let is_first = !self.is_open() || self.is_line_start;
            let leads = byte == b'\n' && is_first && at == start;
            let is_hard_space = text[at..].starts_with(HARD_SPACE);
            let (act, length) = match CLASSES[byte as usize] {
                Class::Drop => (Act::Drop, 1),
                Class::Lead => lead_act(&text[at..]),
                Class::Plain | Class::Space => (Act::Keep, 1),
            };
            if leads || act == Act::Drop || byte == b'\r' || is_hard_space {
                self.append_preformatted(&text[start..at], in_link);
                start = at + length;
            }
            if is_hard_space {
                self.append_preformatted(b" ", in_link);
            }
            at += length;
        }
        self.append_preformatted(&text[start..], in_link);
    }

    fn append_preformatted(&mut self, text: &[u8], in_link: bool) {
        let spaces = text.len() - text.trim_ascii_end().len();
        if spaces < text.len() {
            self.trailing_link_chars = 0;
        }
        self.trailing_link_chars += if in_link { spaces as u32 } else { 0 };
        if !text.is_empty() {
            self.is_line_start = false;
            self.is_line_entered = false;
        }
        self.append(text, in_link);
    }

    /// Start a line of code that is a separate element.
    pub fn enter_line(&mut self) {
        self.line_border();
        self.is_line_entered = true;
    }

    /// End it; if it is empty, it may be a blank line.
    pub fn leave_line(&mut self, may_be_blank: bool) {
        if self.is_line_entered && may_be_blank && self.is_open() {
            self.text.push(b'\n');
        }
        self.line_border();
        self.is_line_entered = false;
    }

    /// A `<br>` in preformatted text: between lines that are elements it is a blank line.
    pub fn break_preformatted(&mut self, in_link: bool) {
        let is_between = self.is_line_start && !self.is_line_entered && self.is_open();
        if is_between {
            self.text.push(b'\n');
        } else {
            self.push_preformatted(b"\n", in_link);
        }
    }

    /// Start a line of code that is an inline element, right after another one, which may be blank.
    pub fn next_line(&mut self, is_after_blank: bool) {
        if self.is_open() && (is_after_blank || self.text.last() != Some(&b'\n')) {
            self.text.push(b'\n');
        }
    }

    fn line_border(&mut self) {
        if self.is_open() && self.text.last() != Some(&b'\n') {
            self.text.push(b'\n');
        }
        self.is_line_start = true;
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
        self.seam = None;
        self.is_line_start = false;
        self.is_line_entered = false;
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

    /// All text. Bytes that are not UTF-8, which the parser never makes out of UTF-8, become `?`.
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

/// Characters of UTF-8 text: bytes that are not continuation bytes.
fn chars(text: &[u8]) -> u32 {
    text.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u32
}

#[cfg(test)]
mod tests;
