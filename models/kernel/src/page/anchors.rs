//! Short links to places of the page, and the inline elements that are such places: footnotes and
//! their marks.
//!
//! Block-level elements are places too, by their ids in [`elements`](super::elements).

use super::near::short_text;
use super::tags;
use super::tree::Node;

/// Longest text of a mark in bytes: `[note 12]`.
const MAX_MARK_BYTES: usize = 16;
/// Longest name that is kept, in bytes.
const MAX_NAME_BYTES: usize = 256;
/// Levels around a link at which it may be raised.
const LEVELS: usize = 2;

/// A short link to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    pub block: u32,
    /// Whether its text is raised or in brackets.
    pub is_set_off: bool,
    name: (u32, u32),
    text: (u32, u32),
}

/// The marks and inline places of a page, in document order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Anchors {
    pub marks: Vec<Mark>,
    /// Blocks and names.
    places: Vec<(u32, (u32, u32))>,
    names: String,
}

impl Anchors {
    /// Add a link in a block if it may be a mark.
    pub fn link(&mut self, node: Node<'_>, href: &[u8], block: u32) {
        let Some(hash) = memchr::memchr(b'#', href) else {
            return;
        };
        let name = &href[hash + 1..];
        if name.is_empty() {
            return;
        }
        let Some(text) = short_text(node, MAX_MARK_BYTES).filter(|text| !text.is_empty()) else {
            return;
        };
        let name = self.keep(name);
        let text = self.keep(&text);
        let is_bracketed = self.text(text).starts_with(['[', '(', '【', '［', '〔']);
        let around = std::iter::successors(node.parent(), |node| node.parent()).take(LEVELS);
        let below = std::iter::successors(node.first_child(), |node| node.first_child());
        let is_raised = around
            .chain(below.take(LEVELS))
            .any(|node| node.tag() == tags::SUP);
        if name.0 < name.1 {
            self.marks.push(Mark {
                block,
                is_set_off: is_bracketed || is_raised,
                name,
                text,
            });
        }
    }

    /// Add a named inline element of a block.
    pub fn place(&mut self, name: &[u8], block: u32) {
        if name.is_empty() {
            return; // most elements
        }
        let name = self.keep(name);
        if name.0 < name.1 {
            self.places.push((block, name));
        }
    }

    /// The blocks and names of inline places.
    pub fn places(&self) -> impl Iterator<Item = (u32, &str)> {
        self.places
            .iter()
            .map(|(block, name)| (*block, self.text(*name)))
    }

    /// The name of the place that a mark links to.
    #[must_use]
    pub fn name(&self, mark: &Mark) -> &str {
        self.text(mark.name)
    }

    /// The text of a mark.
    #[must_use]
    pub fn label(&self, mark: &Mark) -> &str {
        self.text(mark.text)
    }

    fn text(&self, span: (u32, u32)) -> &str {
        self.names
            .get(span.0 as usize..span.1 as usize)
            .unwrap_or("")
    }

    /// Keep a name; an empty span if it is too long.
    fn keep(&mut self, name: &[u8]) -> (u32, u32) {
        let start = self.names.len() as u32;
        if name.len() <= MAX_NAME_BYTES {
            self.names.push_str(&String::from_utf8_lossy(name));
        }
        (start, self.names.len() as u32)
    }
}
