//! What the features read: the page's elements and blocks as flat arrays, in document order.

use super::tag::Tag;

/// No node: the parent of `body`.
pub const NO_NODE: u32 = u32::MAX;

/// Whether a reader with scripts sees an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Concealed {
    #[default]
    No,
    /// By its attributes, or by those of an element around it.
    Hidden,
    /// Inside `noscript`.
    NoScript,
}

/// One block-level element; parents stand before their children.
#[derive(Clone, Copy, Debug, Default)]
pub struct Node<'a> {
    /// Index of the nearest block-level ancestor, [`NO_NODE`] for the first node.
    pub parent: u32,
    pub tag: Tag,
    /// `class` and `id`, joined by a blank.
    pub label: &'a str,
    /// `role`, `itemprop` and `itemtype`, joined by blanks.
    pub role: &'a str,
    /// Images and form controls right below the node.
    pub images: u32,
    pub controls: u32,
    /// Inherited from the elements around.
    pub concealed: Concealed,
}

/// One block of text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span<'a> {
    pub node: u32,
    pub text: &'a str,
    /// Characters of the text that stand inside links, and the number of links.
    pub link_chars: u32,
    pub links: u32,
}

/// One page.
#[derive(Clone, Debug, Default)]
pub struct Outline<'a> {
    pub nodes: Vec<Node<'a>>,
    pub spans: Vec<Span<'a>>,
    pub title: &'a str,
    /// `og:description` or the `description` of the head.
    pub description: &'a str,
}

impl Outline<'_> {
    /// A page of an empty `body`.
    #[must_use]
    pub fn of_body() -> Self {
        Self {
            nodes: vec![Node {
                parent: NO_NODE,
                tag: Tag::Body,
                ..Node::default()
            }],
            ..Self::default()
        }
    }
}
