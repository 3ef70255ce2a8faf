//! Lexbor's tree as it lies in memory, and safe ways to read it.
//!
//! Everything unsafe of the walk is in this file. Whoever makes a [`Node`] promises that the
//! tree under it is lexbor's, complete, and neither changed nor freed while the node is in use.

mod layout;

use std::marker::PhantomData;

use super::tags::{self, Tag};
use layout::{RawAttribute, RawElement, RawName, RawNode, RawString, RawText, SHORT_NAME};

const ELEMENT: u32 = 1;
const TEXT: u32 = 3;
const CDATA: u32 = 4;

/// Lexbor's number of the HTML namespace.
const HTML_NAMESPACE: usize = 2;

/// A node of a live tree.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Node<'tree> {
    raw: *const RawNode,
    tree: PhantomData<&'tree ()>,
}

/// What kind of node a node is, as far as the walk cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    Element,
    Text,
    /// Comments, doctypes, processing instructions, the document.
    Else,
}

impl<'tree> Node<'tree> {
    /// The node at an address that lexbor gave out.
    ///
    /// # Safety
    /// `address` is 0 or that of a `lxb_dom_node` of the lexbor that `layout` repeats, and
    /// for the life of `'tree` its whole tree is neither changed nor freed.
    #[must_use]
    pub unsafe fn at(address: usize) -> Option<Self> {
        Self::of(address as *const RawNode)
    }

    fn of(raw: *const RawNode) -> Option<Self> {
        (!raw.is_null()).then_some(Self {
            raw,
            tree: PhantomData,
        })
    }

    fn raw(self) -> &'tree RawNode {
        // SAFETY: not null by `of`; points to a node of a live, unchanging tree by the promise of
        // `at`, because every other node is reached by lexbor's own pointers from that one.
        unsafe { &*self.raw }
    }

    #[inline]
    #[must_use]
    pub fn kind(self) -> NodeKind {
        match self.raw().node_type {
            ELEMENT => NodeKind::Element,
            TEXT | CDATA => NodeKind::Text,
            _ => NodeKind::Else,
        }
    }

    /// The number of the element's name, 0 for a name that lexbor does not know.
    #[inline]
    #[must_use]
    pub fn tag(self) -> Tag {
        let name = self.raw().local_name;
        if name < tags::COUNT {
            name as Tag
        } else {
            tags::UNKNOWN
        }
    }

    /// The element's name in lower case if lexbor does not know it; empty for known names.
    #[must_use]
    pub fn unknown_name(self) -> &'tree [u8] {
        let name = self.raw().local_name;
        if self.kind() != NodeKind::Element || name <= tags::COUNT {
            return &[];
        }
        // SAFETY: lexbor numbers an element name that it does not know by the address of its
        // `lxb_tag_data`, of which the hash entry is the first field; the entry lives as long as
        // the document.
        unsafe { name_at(name) }
    }

    #[inline]
    #[must_use]
    pub fn is_html(self) -> bool {
        self.raw().namespace == HTML_NAMESPACE
    }

    #[inline]
    #[must_use]
    pub fn next(self) -> Option<Self> {
        Self::of(self.raw().next)
    }

    #[inline]
    #[must_use]
    pub fn previous(self) -> Option<Self> {
        Self::of(self.raw().prev)
    }

    #[inline]
    #[must_use]
    pub fn parent(self) -> Option<Self> {
        Self::of(self.raw().parent)
    }

    #[inline]
    #[must_use]
    pub fn first_child(self) -> Option<Self> {
        Self::of(self.raw().first_child)
    }

    /// The bytes of a text node, none for other nodes.
    #[inline]
    #[must_use]
    pub fn text(self) -> &'tree [u8] {
        if self.kind() != NodeKind::Text {
            return &[];
        }
        // SAFETY: the type field says that this node is a `lxb_dom_character_data`, of which the
        // node is the first field.
        let text = unsafe { &*self.raw.cast::<RawText>() };
        bytes_of(&text.data)
    }

    /// The attributes of an element, none for other nodes.
    #[inline]
    pub fn attributes(self) -> Attributes<'tree> {
        let mut next = std::ptr::null();
        if self.kind() == NodeKind::Element {
            // SAFETY: the type field says that this node is a `lxb_dom_element`, of which the node
            // is the first field.
            next = unsafe { &*self.raw.cast::<RawElement>() }.first_attribute;
        }
        Attributes {
            next,
            tree: PhantomData,
        }
    }
}

/// The attributes of one element in the order of the markup.
pub struct Attributes<'tree> {
    next: *const RawAttribute,
    tree: PhantomData<&'tree ()>,
}

impl<'tree> Iterator for Attributes<'tree> {
    type Item = Attribute<'tree>;

    #[inline]
    fn next(&mut self) -> Option<Attribute<'tree>> {
        if self.next.is_null() {
            return None;
        }
        // SAFETY: not null, and lexbor's own pointer inside a live tree (see `Node::at`).
        let raw: &'tree RawAttribute = unsafe { &*self.next };
        self.next = raw.next;
        Some(Attribute { raw })
    }
}

/// One attribute of an element.
#[derive(Clone, Copy)]
pub struct Attribute<'tree> {
    raw: &'tree RawAttribute,
}

impl<'tree> Attribute<'tree> {
    /// Lexbor's number of the name: below [`KNOWN_NAMES`] fixed, else valid for this tree alone.
    #[inline]
    #[must_use]
    pub fn name_id(self) -> usize {
        self.raw.node.local_name
    }

    /// The name in lower case, for names that lexbor does not know; empty for those it knows.
    #[must_use]
    pub fn unknown_name(self) -> &'tree [u8] {
        let id = self.name_id();
        if id <= KNOWN_NAMES {
            return &[];
        }
        // SAFETY: lexbor numbers a name that it does not know by the address of its
        // `lxb_dom_attr_data`, of which the hash entry is the first field; the entry lives as long
        // as the document.
        unsafe { name_at(id) }
    }

    /// The value with entities decoded; empty when the attribute has none.
    #[inline]
    #[must_use]
    pub fn value(self) -> &'tree [u8] {
        if self.raw.value.is_null() {
            return &[];
        }
        // SAFETY: not null, and lexbor's own pointer inside a live tree.
        bytes_of(unsafe { &*self.raw.value })
    }
}

/// `LXB_DOM_ATTR__LAST_ENTRY`: larger numbers are addresses of names.
pub const KNOWN_NAMES: usize = 0x49;

/// # Safety
/// `address` is that of a `lexbor_hash_entry` of a live tree.
unsafe fn name_at<'tree>(address: usize) -> &'tree [u8] {
    // SAFETY: by the promise of the caller.
    let name: &'tree RawName = unsafe { &*(address as *const RawName) };
    if name.length > SHORT_NAME {
        // SAFETY: a name of this length is kept elsewhere, so `long` is the field in use.
        return unsafe { slice_of(name.text.long, name.length) };
    }
    // SAFETY: a name of this length is kept in place, so `short` is the field in use.
    let short = unsafe { &name.text.short };
    short.get(..name.length).unwrap_or(&[])
}

fn bytes_of(text: &RawString) -> &[u8] {
    // SAFETY: data and length of one string of lexbor, which lives as long as the tree.
    unsafe { slice_of(text.data, text.length) }
}

/// # Safety
/// `data` is null, or `length` bytes of a live tree start there.
unsafe fn slice_of<'tree>(data: *const u8, length: usize) -> &'tree [u8] {
    if data.is_null() {
        return &[];
    }
    // SAFETY: by the promise of the caller.
    unsafe { std::slice::from_raw_parts(data, length) }
}
