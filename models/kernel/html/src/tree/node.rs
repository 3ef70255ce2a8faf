//! One node of a tree.

use super::Id;
use crate::tag::Tag;
use crate::tokenizer::Span;

/// The kind of a node; the kind of an element is its namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The document, node 0.
    Document,
    /// The content of a `template`, which is its only child.
    Content,
    /// A doctype.
    Doctype,
    /// A comment.
    Comment,
    /// A text, or a part of one.
    Text,
    /// An element of HTML.
    Html,
    /// An element of SVG.
    Svg,
    /// An element of MathML.
    MathMl,
}

impl Kind {
    /// Whether the node is an element.
    #[must_use]
    pub fn is_element(self) -> bool {
        matches!(self, Self::Html | Self::Svg | Self::MathMl)
    }
}

/// For a text: character references are not decoded. Set in scripts, styles and CDATA sections.
pub const RAW: u8 = 1;
/// For a text: NUL is replaced by U+FFFD; in other texts it is left out.
pub const REPLACES_NUL: u8 = 2;
/// For an element: it is on the stack of open elements.
pub(crate) const OPEN: u8 = 4;
/// For `html` or `body`: later tags added attributes, see [`Tree::merged`](super::Tree::merged).
pub const MERGED: u8 = 8;
/// For `annotation-xml`: its content is HTML.
pub(crate) const HOLDS_HTML: u8 = 16;
/// For an element: it is in the list of active formatting elements.
pub(crate) const LISTED: u8 = 32;
/// For a `template`: it is a declarative shadow root.
pub(crate) const SHADOW_ROOT: u8 = 64;
/// For an element: it has a shadow root. Elements are not texts, so they can use the bit of
/// [`RAW`].
pub(crate) const SHADOW_HOST: u8 = 1;

/// A node: 36 bytes. Links are numbers of nodes, 0 where there is no such node.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Node {
    /// The parent; 0 for the children of the document and for nodes out of the tree.
    pub parent: Id,
    /// The first child.
    pub first_child: Id,
    /// The last child.
    pub last_child: Id,
    /// The next sibling.
    pub next: Id,
    /// The previous sibling.
    pub previous: Id,
    /// The bytes of a text, comment or doctype; of an element its attributes.
    pub span: Span,
    /// The place in [`Tree::read`](super::Tree::read) of the attributes that are indexed; 0 if
    /// there are none.
    pub read: u32,
    /// The number of an element's name.
    pub tag: Tag,
    /// The kind of the node.
    pub kind: Kind,
    /// [`RAW`], [`REPLACES_NUL`] or [`MERGED`]; other bits below 128 are for the parser.
    pub flags: u8,
}

const _: () = assert!(size_of::<Node>() == 36);

impl Node {
    /// A node without links.
    #[must_use]
    pub fn new(kind: Kind, tag: Tag, span: Span, flags: u8) -> Self {
        Self {
            parent: 0,
            first_child: 0,
            last_child: 0,
            next: 0,
            previous: 0,
            span,
            read: 0,
            tag,
            kind,
            flags,
        }
    }
}
