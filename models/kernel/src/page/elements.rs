//! The block-level elements of a page as one flat array: the input of the structural engines.
//!
//! Recorded only on demand, together with blocks that a reader does not see at first: those inside
//! hidden elements, closed dialogs and `noscript`, marked as hidden.

use super::attributes::Name;
use super::tags::{self, Tag};
use super::tree::Node;

/// No element: the parent of the first one.
pub const NO_ELEMENT: u32 = u32::MAX;
/// Most bytes kept of an element's class and id, or role and itemprop.
const MAX_NAME_BYTES: usize = 512;

/// Whether a reader with scripts sees an element at first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Concealed {
    #[default]
    No,
    /// Hidden by its attributes, or by an element around it.
    Hidden,
    /// Inside `noscript`.
    NoScript,
}

/// One block-level element; parents come before their children.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Element {
    /// Index of the innermost block-level element around it, [`NO_ELEMENT`] only for the root.
    pub parent: u32,
    pub tag: Tag,
    pub concealed: Concealed,
    /// Spans of [`Elements::names`]: `class` and `id`, then `role`, `itemprop` and `itemtype`.
    pub label: (u32, u32),
    pub role: (u32, u32),
    /// Images and form controls inside it, but not inside a nested block-level element.
    pub images: u32,
    pub controls: u32,
}

/// The elements of a page in document order, and the element of each block.
#[derive(Clone, Debug, Default)]
pub struct Elements {
    pub rows: Vec<Element>,
    pub names: String,
    /// By block: its element, and the number of links in it.
    pub of_block: Vec<u32>,
    pub links: Vec<u32>,
    open: Vec<u32>,
    open_links: u32,
}

impl Elements {
    /// An array with only the root.
    #[must_use]
    pub fn of_root() -> Self {
        Self {
            rows: vec![Element {
                parent: NO_ELEMENT,
                tag: tags::HTML,
                ..Element::default()
            }],
            open: vec![0],
            ..Self::default()
        }
    }

    /// The array of a text without markup: all blocks below the root.
    #[must_use]
    pub fn of_text(blocks: usize) -> Self {
        Self {
            of_block: vec![0; blocks],
            links: vec![0; blocks],
            ..Self::of_root()
        }
    }

    /// Add an element whose blocks follow.
    pub fn push(&mut self, node: Node<'_>, tag: Tag, concealed: Concealed) {
        let parent = self.open.last().copied().unwrap_or(0);
        let around = self
            .rows
            .get(parent as usize)
            .map_or(Concealed::No, |row| row.concealed);
        let label = self.name(node, &[Name::Class, Name::Id]);
        let role = self.name(node, &[Name::Role, Name::ItemProp, Name::ItemType]);
        self.open.push(self.rows.len() as u32);
        self.rows.push(Element {
            parent,
            tag,
            concealed: if around == Concealed::No {
                concealed
            } else {
                around
            },
            label,
            role,
            images: 0,
            controls: 0,
        });
    }

    /// The innermost element ends.
    pub fn pop(&mut self) {
        self.open.pop();
    }

    /// A block of the innermost element ended.
    pub fn block(&mut self) {
        self.of_block.push(self.open.last().copied().unwrap_or(0));
        self.links.push(std::mem::take(&mut self.open_links));
    }

    /// A link starts in the block being written.
    pub fn link(&mut self) {
        self.open_links += 1;
    }

    /// Count an inline element, or one that is left out.
    pub fn count(&mut self, tag: Tag) {
        let Some(row) = self
            .open
            .last()
            .and_then(|at| self.rows.get_mut(*at as usize))
        else {
            return;
        };
        match tag {
            tags::IMG => row.images += 1,
            tags::INPUT | tags::BUTTON | tags::SELECT | tags::TEXTAREA => row.controls += 1,
            _ => {}
        }
    }

    fn name(&mut self, node: Node<'_>, wanted: &[Name]) -> (u32, u32) {
        let start = self.names.len();
        for attribute in node.attributes() {
            if !wanted.contains(&attribute.name()) {
                continue;
            }
            let value = attribute.value();
            let room = MAX_NAME_BYTES.saturating_sub(self.names.len() - start);
            let value = &value[..value.len().min(room)];
            if self.names.len() > start {
                self.names.push(' ');
            }
            // a cut may fall inside a character
            self.names.push_str(&String::from_utf8_lossy(value));
        }
        (start as u32, self.names.len() as u32)
    }

    /// The text of a span of names.
    #[must_use]
    pub fn text(&self, span: (u32, u32)) -> &str {
        self.names
            .get(span.0 as usize..span.1 as usize)
            .unwrap_or("")
    }
}
