//! The tree of a page for its readers: names by the numbers of [`tags`], decoded texts, and the
//! attributes that are used.

mod arena;
mod decoded;
mod dump;
mod view;

use std::borrow::Cow;
use std::fmt;

use winnow_html::tree::RAW;
use winnow_html::{Kind, tag};

use super::attributes::Name;
use super::tags::{self, Tag};
pub use arena::{Options, Tree};
use decoded::{Entry, Id};

/// A node of a tree.
#[derive(Clone, Copy)]
pub struct Node<'tree> {
    tree: &'tree Tree<'tree>,
    id: Id,
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && std::ptr::eq(self.tree, other.tree)
    }
}

impl Eq for Node<'_> {}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Node").field(&self.id).finish()
    }
}

/// The kind of a node, as far as readers need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    Element,
    Text,
    /// Comments, doctypes, the document.
    Else,
}

impl<'tree> Node<'tree> {
    fn node(self) -> &'tree winnow_html::Node {
        &self.tree.nodes[self.id as usize]
    }

    fn of(self, id: Id) -> Option<Self> {
        (id != 0).then_some(Self { id, ..self })
    }

    /// The number of the node, unique in the tree.
    #[must_use]
    pub fn id(self) -> u32 {
        self.id
    }

    /// The count of numbers in its tree.
    #[must_use]
    pub fn nodes(self) -> usize {
        self.tree.nodes.len()
    }

    #[inline]
    #[must_use]
    pub fn kind(self) -> NodeKind {
        match self.node().kind {
            Kind::Html | Kind::Svg | Kind::MathMl => NodeKind::Element,
            Kind::Text => NodeKind::Text,
            _ => NodeKind::Else,
        }
    }

    /// The number of the element's name, [`tags::UNKNOWN`] for a name without one.
    #[inline]
    #[must_use]
    pub fn tag(self) -> Tag {
        self.tree.tags[self.node().tag as usize]
    }

    /// The element's name in lower case if it has no number; empty for names with one.
    #[must_use]
    pub fn unknown_name(self) -> &'tree [u8] {
        if self.tag() != tags::UNKNOWN {
            return &[];
        }
        let tag = self.node().tag as usize;
        match tag::NAMES.get(tag) {
            Some(name) => name.as_bytes(),
            None => self
                .tree
                .own_names
                .get(tag - tag::COUNT)
                .map_or(&[], |name| name),
        }
    }

    #[inline]
    #[must_use]
    pub fn is_html(self) -> bool {
        self.node().kind == Kind::Html
    }

    #[inline]
    #[must_use]
    pub fn next(self) -> Option<Self> {
        self.of(self.node().next)
    }

    #[inline]
    #[must_use]
    pub fn previous(self) -> Option<Self> {
        self.of(self.node().previous)
    }

    #[inline]
    #[must_use]
    pub fn parent(self) -> Option<Self> {
        self.of(self.node().parent)
    }

    /// The first child; the content of a `template` is not a child.
    #[inline]
    #[must_use]
    pub fn first_child(self) -> Option<Self> {
        let first = self.of(self.node().first_child)?;
        (first.node().kind != Kind::Content).then_some(first)
    }

    /// The bytes of a text node, none for other nodes.
    #[inline]
    #[must_use]
    pub fn text(self) -> &'tree [u8] {
        let node = self.node();
        match node.kind {
            Kind::Text => self.tree.bytes(node.span),
            _ => &[],
        }
    }

    /// Whether a text is literal, with markup characters as text, as in scripts.
    #[must_use]
    pub fn is_raw_text(self) -> bool {
        let node = self.node();
        node.kind == Kind::Text && node.flags & RAW != 0
    }

    /// The attributes of an element that are used, in the order of the markup.
    #[inline]
    pub fn attributes(self) -> Attributes<'tree> {
        let node = self.node();
        let entries = if node.kind.is_element() {
            &self.tree.attributes[node.read as usize..]
        } else {
            &[]
        };
        Attributes {
            tree: self.tree,
            entries: entries.iter(),
        }
    }

    /// The attributes of an element as they are written, nothing for others.
    #[must_use]
    pub fn markup(self) -> &'tree [u8] {
        let node = self.node();
        if node.kind.is_element() {
            self.tree.bytes(node.span)
        } else {
            &[]
        }
    }

    /// All attributes of an element, read from its markup: names in their spelling, and decoded
    /// values.
    pub fn markup_attributes(self) -> impl Iterator<Item = (&'tree [u8], Cow<'tree, [u8]>)> {
        winnow_html::attributes::attributes(self.markup()).map(|(name, value)| {
            let is_plain = !value.contains(&b'&');
            let value = match is_plain {
                true => Cow::Borrowed(value),
                false => {
                    let decoded = winnow_html::attributes::decoded(value);
                    Cow::Owned(decoded.into_owned().into_bytes())
                }
            };
            (name, value)
        })
    }

    /// The value of the first attribute with one of `names`, if the element has any.
    #[must_use]
    pub fn value(self, names: &[Name]) -> Option<&'tree [u8]> {
        let mut attributes = self.attributes();
        let found = attributes.find(|attribute| names.contains(&attribute.name()));
        found.map(Attribute::value)
    }
}

/// The attributes of one element that are used, in the order of the markup.
pub struct Attributes<'tree> {
    tree: &'tree Tree<'tree>,
    entries: std::slice::Iter<'tree, Entry>,
}

impl<'tree> Iterator for Attributes<'tree> {
    type Item = Attribute<'tree>;

    #[inline]
    fn next(&mut self) -> Option<Attribute<'tree>> {
        let entry = self.entries.next()?;
        Some(Attribute {
            name: entry.name?,
            value: self.tree.bytes(entry.value),
        })
    }
}

/// One attribute of an element.
#[derive(Clone, Copy)]
pub struct Attribute<'tree> {
    name: Name,
    value: &'tree [u8],
}

impl<'tree> Attribute<'tree> {
    #[inline]
    #[must_use]
    pub fn name(self) -> Name {
        self.name
    }

    /// The value with references decoded; empty when the attribute has none.
    #[inline]
    #[must_use]
    pub fn value(self) -> &'tree [u8] {
        self.value
    }
}

#[cfg(test)]
mod tests;
