//! The nodes of a page in document order: the input of the collapsed DOM.

use crate::page::attributes::Name;
use crate::page::tags::{self, Tag};
use crate::page::tree::{Node, NodeKind};

/// No parent, no child, no row.
pub const NONE: u32 = u32::MAX;

/// One element or text node in `body`, or `body` itself.
#[derive(Clone, Copy)]
pub struct Row<'tree> {
    /// [`TEXT`] for a text node.
    pub tag: Tag,
    pub parent: u32,
    /// Whether the previous, the next sibling is a block element.
    pub after_block: bool,
    pub before_block: bool,
    /// An `input` is somewhere below.
    pub has_input: bool,
    /// The number of the node in its tree.
    pub node: u32,
    /// The bytes of a text node.
    pub text: &'tree [u8],
    pub class: &'tree [u8],
    pub id: &'tree [u8],
}

/// The number that means no element.
pub const TEXT: Tag = 2;

/// Rows of all nodes that can hold text, hidden or not; skipped subtrees have no rows.
#[must_use]
pub fn rows_of(body: Node<'_>, with_noscript: bool) -> Vec<Row<'_>> {
    let mut walk = Walk {
        rows: Vec::new(),
        with_noscript,
    };
    walk.run(body);
    walk.rows
}

/// The `body` element below the root element of a page.
#[must_use]
pub fn body_of(root: Node<'_>) -> Option<Node<'_>> {
    let mut child = root.first_child();
    while let Some(node) = child {
        if node.kind() == NodeKind::Element && node.tag() == tags::BODY {
            return Some(node);
        }
        child = node.next();
    }
    None
}

struct Walk<'tree> {
    rows: Vec<Row<'tree>>,
    with_noscript: bool,
}

impl<'tree> Walk<'tree> {
    fn run(&mut self, body: Node<'tree>) {
        let mut open = vec![(body, NONE, false)];
        while let Some((node, parent, after_block)) = open.pop() {
            let is_block = is_block_element(node);
            let next = (parent != NONE).then(|| node.next()).flatten();
            if let Some(next) = next {
                // the sibling is pushed first and so read after the children: rows are in document
                // order
                open.push((next, parent, is_block));
            }
            let Some(row) = self.take_in(node, parent) else {
                continue;
            };
            let index = self.rows.len() as u32;
            self.rows.push(Row {
                after_block,
                before_block: next.is_some_and(is_block_element),
                ..row
            });
            if let Some(child) = node.first_child() {
                open.push((child, index, false));
            }
        }
    }

    fn take_in(&mut self, node: Node<'tree>, parent: u32) -> Option<Row<'tree>> {
        let mut row = Row {
            tag: TEXT,
            parent,
            after_block: false,
            before_block: false,
            has_input: false,
            node: node.id(),
            text: &[],
            class: &[],
            id: &[],
        };
        match node.kind() {
            NodeKind::Text => row.text = node.text(),
            NodeKind::Element if self.is_skipped(node) => {
                if node.tag() == tags::INPUT {
                    self.mark_input(parent);
                }
                return None;
            }
            NodeKind::Element => {
                row.tag = node.tag();
                for attribute in node.attributes() {
                    match attribute.name() {
                        Name::Class => row.class = attribute.value(),
                        Name::Id => row.id = attribute.value(),
                        _ => {}
                    }
                }
            }
            NodeKind::Else => return None,
        }
        Some(row)
    }

    fn is_skipped(&self, node: Node<'_>) -> bool {
        is_skipped(node) && !(self.with_noscript && node.tag() == tags::NOSCRIPT)
    }

    fn mark_input(&mut self, mut above: u32) {
        while let Some(row) = self.rows.get_mut(above as usize) {
            if row.has_input {
                return;
            }
            row.has_input = true;
            above = row.parent;
        }
    }
}

/// Elements whose subtree has no text for a reader; `checkbox` and `radio` are in the authors' list
/// although HTML has no such elements.
fn is_skipped(node: Node<'_>) -> bool {
    matches!(
        node.tag(),
        tags::BR
            | tags::HEAD
            | tags::HR
            | tags::IFRAME
            | tags::IMG
            | tags::INPUT
            | tags::META
            | tags::NOSCRIPT
            | tags::SCRIPT
            | tags::SELECT
            | tags::STYLE
            | tags::TEXTAREA
            | tags::TITLE
            | tags::VIDEO
    ) || matches!(node.unknown_name(), b"checkbox" | b"radio")
}

/// Elements that break the text before and after them.
#[must_use]
pub fn is_block_tag(tag: Tag) -> bool {
    matches!(
        tag,
        tags::ADDRESS
            | tags::ARTICLE
            | tags::ASIDE
            | tags::BLOCKQUOTE
            | tags::BODY
            | tags::BR
            | tags::CANVAS
            | tags::CENTER
            | tags::DD
            | tags::DIV
            | tags::DL
            | tags::FIELDSET
            | tags::FIGCAPTION
            | tags::FIGURE
            | tags::FOOTER
            | tags::FORM
            | tags::H1
            | tags::H2
            | tags::H3
            | tags::H4
            | tags::H5
            | tags::H6
            | tags::HEAD
            | tags::HEADER
            | tags::HGROUP
            | tags::HR
            | tags::HTML
            | tags::IFRAME
            | tags::INPUT
            | tags::LI
            | tags::MAIN
            | tags::NAV
            | tags::NOSCRIPT
            | tags::OL
            | tags::OUTPUT
            | tags::P
            | tags::PRE
            | tags::SECTION
            | tags::SELECT
            | tags::TABLE
            | tags::TBODY
            | tags::TD
            | tags::TEXTAREA
            | tags::TFOOT
            | tags::THEAD
            | tags::TR
            | tags::UL
            | tags::VIDEO
    )
}

fn is_block_element(node: Node<'_>) -> bool {
    node.kind() == NodeKind::Element
        && (is_block_tag(node.tag()) || matches!(node.unknown_name(), b"checkbox" | b"radio"))
}
