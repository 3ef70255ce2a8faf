//! The tree of a page: an arena of nodes linked by number.

mod node;
mod verify;

use std::borrow::Cow;

use memchr::{memchr, memchr2};

use crate::attributes::{Attributes, attributes};
use crate::doctype::{self, Doctype};
use crate::tag::{self, Tag};
use crate::tokenizer::{Read, Span};

pub(crate) use node::{HOLDS_HTML, LISTED, OPEN, SHADOW_HOST, SHADOW_ROOT};
pub use node::{Kind, MERGED, Node, RAW, REPLACES_NUL};
pub use verify::Damage;

/// The number of a node. 0 is the document. In links 0 means *no node*, because the document is
/// never a child.
pub type Id = u32;

/// A page. A text may consist of several text nodes in a row, because a node is one range of the
/// input.
pub struct Tree<'i> {
    /// The input.
    pub input: &'i [u8],
    /// The input as a string.
    pub markup: &'i str,
    /// All nodes in creation order. Some may be out of the tree.
    pub nodes: Vec<Node>,
    /// Element names unknown to HTML; the first has the number [`tag::COUNT`].
    pub names: Vec<Span>,
    /// Attributes that later tags added to `html` and `body`.
    pub merged: Vec<(Id, Span)>,
    /// The attributes that are indexed ([`Names`](crate::Names)). The attributes of one tag follow
    /// each other, and [`END`](crate::tokenizer::END) follows the last one.
    pub read: Vec<Read>,
    /// Whether the document is in quirks mode.
    pub is_quirky: bool,
    /// Whether the input has carriage returns or NUL, so that texts differ from their spans.
    pub has_line_ends: bool,
    /// Most levels of elements open at once, limited by [`Limits::depth`](crate::Limits::depth).
    /// The tree is at most one level deeper.
    pub depth: usize,
    /// Steps that the build took; see [`Limits::steps`](crate::Limits::steps).
    pub steps: u64,
}

impl<'i> Tree<'i> {
    pub(crate) fn new(markup: &'i str, mut nodes: Vec<Node>) -> Self {
        let input = markup.as_bytes();
        nodes.clear();
        nodes.reserve(input.len() / 24 + 16);
        nodes.push(Node::new(Kind::Document, tag::UNKNOWN, Span::default(), 0));
        Self {
            input,
            markup,
            nodes,
            names: Vec::new(),
            merged: Vec::new(),
            read: Vec::new(),
            is_quirky: false,
            has_line_ends: memchr2(b'\r', b'\0', input).is_some(),
            depth: 0,
            steps: 0,
        }
    }

    /// The node with this number.
    ///
    /// # Panics
    /// There is no such node.
    #[inline]
    #[must_use]
    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    /// The name of an element in lower case.
    #[must_use]
    pub fn name(&self, id: Id) -> Cow<'i, str> {
        self.tag_name(self.node(id).tag)
    }

    /// The name with this number, in lower case.
    #[must_use]
    pub fn tag_name(&self, tag: Tag) -> Cow<'i, str> {
        let tag = tag as usize;
        match tag::NAMES.get(tag) {
            Some(name) => Cow::Borrowed(*name),
            None => {
                let name = self.names[tag - tag::COUNT].of(self.input);
                let name = String::from_utf8_lossy(name).to_ascii_lowercase();
                Cow::Owned(name.replace('\0', "\u{FFFD}"))
            }
        }
    }

    /// The characters of a text node: references decoded, line ends normalized.
    #[must_use]
    pub fn text(&self, id: Id) -> Cow<'i, str> {
        let node = self.node(id);
        let range = node.span.start as usize..node.span.end as usize;
        let mut text = Cow::Borrowed(self.markup.get(range).unwrap_or_default());
        let bytes = node.span.of(self.input);
        // before references are decoded, because `&#13;` stays a carriage return
        if self.has_line_ends && memchr2(b'\r', b'\0', bytes).is_some() {
            let nul = if node.flags & REPLACES_NUL == 0 {
                ""
            } else {
                "\u{FFFD}"
            };
            text = Cow::Owned(normalized(&text, nul));
        }
        if node.flags & RAW == 0 && memchr(b'&', bytes).is_some() {
            text = match text {
                Cow::Borrowed(text) => htmlize::unescape(text),
                Cow::Owned(text) => Cow::Owned(htmlize::unescape(&*text).into_owned()),
            };
        }
        text
    }

    /// The characters of a comment.
    #[must_use]
    pub fn comment(&self, id: Id) -> Cow<'i, str> {
        let span = self.node(id).span;
        let range = span.start as usize..span.end as usize;
        let text = self.markup.get(range).unwrap_or_default();
        if self.has_line_ends {
            return Cow::Owned(normalized(text, "\u{FFFD}"));
        }
        Cow::Borrowed(text)
    }

    /// The name and identifiers of a doctype.
    #[must_use]
    pub fn doctype(&self, id: Id) -> Doctype<'i> {
        doctype::of_span(self.input, self.node(id).span)
    }

    /// Names and values of an element's attributes in the page's spelling. A name may occur twice;
    /// the first one counts.
    pub fn attributes(&self, id: Id) -> impl Iterator<Item = (&'i [u8], &'i [u8])> + use<'i> {
        let node = self.node(id);
        let input = self.input;
        let mut later: Vec<Attributes<'i>> = Vec::new();
        if node.flags & MERGED != 0 {
            let merged = self.merged.iter().filter(|(of, _)| *of == id);
            later.extend(merged.map(|(_, span)| attributes(span.of(input))));
        }
        attributes(node.span.of(input)).chain(later.into_iter().flatten())
    }

    /// The children of a node in order.
    pub fn children(&self, id: Id) -> impl Iterator<Item = Id> {
        let mut next = self.node(id).first_child;
        std::iter::from_fn(move || {
            let child = next;
            next = if child == 0 { 0 } else { self.node(child).next };
            (child != 0).then_some(child)
        })
    }
}

fn normalized(text: &str, nul: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.replace('\0', nul)
}
