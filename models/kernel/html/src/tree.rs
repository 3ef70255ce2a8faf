//! The tree: nodes of 36 bytes in one piece of memory, named by number.

use std::borrow::Cow;

use memchr::{memchr, memchr2};

use crate::attributes::{Attributes, attributes};
use crate::tag::{self, Tag};
use crate::tokenizer::{Read, Span};

/// The number of a node. 0 is the document, and stands for "none" in links: it is nobody's child.
pub type Id = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Document,
    /// What a `template` holds, its only child.
    Content,
    Doctype,
    Comment,
    Text,
    Html,
    Svg,
    MathMl,
}

impl Kind {
    pub fn is_element(self) -> bool {
        matches!(self, Self::Html | Self::Svg | Self::MathMl)
    }
}

/// Text that is not decoded: of scripts, styles and `<![CDATA[`.
pub const RAW: u8 = 1;
/// NUL is replaced here and not left out.
pub const REPLACES_NUL: u8 = 2;
/// On the stack of open elements.
pub const OPEN: u8 = 4;
/// `html` or `body` that were opened again with more attributes.
pub const MERGED: u8 = 8;
/// `annotation-xml` whose content is HTML.
pub const HOLDS_HTML: u8 = 16;

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Node {
    pub parent: Id,
    pub first_child: Id,
    pub last_child: Id,
    pub next: Id,
    pub previous: Id,
    /// Bytes of a text, comment or doctype; of an element its attributes.
    pub span: Span,
    /// Where the attributes that are read start in [`Tree::read`]; 0 where none is.
    pub read: u32,
    pub tag: Tag,
    pub kind: Kind,
    pub flags: u8,
}

const _: () = assert!(size_of::<Node>() == 36);

impl Node {
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

/// A page. Texts that follow each other are one text.
pub struct Tree<'i> {
    pub input: &'i [u8],
    /// The same.
    pub markup: &'i str,
    pub nodes: Vec<Node>,
    /// Names of elements that HTML does not know, from number [`tag::COUNT`] on.
    pub names: Vec<Span>,
    /// Attributes that `html` and `body` got later.
    pub merged: Vec<(Id, Span)>,
    /// Attributes that somebody reads, those of a tag in one piece.
    pub read: Vec<Read>,
    pub is_quirky: bool,
    /// Texts may hold carriage returns or NUL, which are not as they stand there.
    pub has_line_ends: bool,
}

impl<'i> Tree<'i> {
    #[inline]
    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    /// The name of an element, small; as the page spells it where HTML does not know it.
    pub fn name(&self, id: Id) -> Cow<'i, str> {
        let tag = self.node(id).tag as usize;
        match tag::NAMES.get(tag) {
            Some(name) => Cow::Borrowed(*name),
            None => {
                let name = self.names[tag - tag::COUNT].of(self.input);
                let name = String::from_utf8_lossy(name).to_ascii_lowercase();
                Cow::Owned(name.replace('\0', "\u{FFFD}"))
            }
        }
    }

    /// What a text says.
    pub fn text(&self, id: Id) -> Cow<'i, str> {
        let node = self.node(id);
        let range = node.span.start as usize..node.span.end as usize;
        let mut text = Cow::Borrowed(self.markup.get(range).unwrap_or_default());
        let bytes = node.span.of(self.input);
        // before references are decoded, which may stand for either
        if self.has_line_ends && memchr2(b'\r', b'\0', bytes).is_some() {
            let nul = if node.flags & REPLACES_NUL != 0 {
                "\u{FFFD}"
            } else {
                ""
            };
            text = Cow::Owned(
                text.replace("\r\n", "\n")
                    .replace('\r', "\n")
                    .replace('\0', nul),
            );
        }
        if node.flags & RAW == 0 && memchr(b'&', bytes).is_some() {
            text = match text {
                Cow::Borrowed(text) => htmlize::unescape(text),
                Cow::Owned(text) => Cow::Owned(htmlize::unescape(&*text).into_owned()),
            };
        }
        text
    }

    /// Names and values of an element's attributes as the page spells them; doubles come along.
    pub fn attributes(&self, id: Id) -> impl Iterator<Item = (&'i [u8], &'i [u8])> {
        let node = self.node(id);
        let is_merged = node.flags & MERGED != 0;
        let more = self
            .merged
            .iter()
            .filter(move |(of, _)| is_merged && *of == id);
        let input = self.input;
        let more: Vec<Attributes<'i>> = more.map(|(_, span)| attributes(span.of(input))).collect();
        attributes(node.span.of(input)).chain(more.into_iter().flatten())
    }

    pub fn children(&self, id: Id) -> impl Iterator<Item = Id> {
        let mut next = self.node(id).first_child;
        std::iter::from_fn(move || {
            let child = next;
            next = if child == 0 { 0 } else { self.node(child).next };
            (child != 0).then_some(child)
        })
    }
}
