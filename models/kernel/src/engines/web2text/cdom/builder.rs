//! Builds the nodes of the collapsed DOM, children before their parents.

use super::{CdomNode, is_blank};
use crate::engines::hints::WEB2TEXT;
use crate::engines::web2text::dom::{NONE, Row, is_block_tag};
use crate::page::tags;
use crate::page::tagset::TagSet;
use crate::text::hash::{append, token};

#[derive(Clone, Copy)]
struct Children {
    first: u32,
    last: u32,
    count: u32,
}

impl Default for Children {
    fn default() -> Self {
        Self {
            first: NONE,
            last: NONE,
            count: 0,
        }
    }
}

impl Children {
    fn prepend(&mut self, node: u32, nodes: &mut [CdomNode<'_>]) {
        nodes[node as usize].next = self.first;
        self.first = node;
        if self.last == NONE {
            self.last = node;
        }
        self.count += 1;
    }
}

/// The nodes made so far.
pub struct Builder<'tree> {
    /// In creation order; linked by `first_child`, `last_child` and `next`.
    pub nodes: Vec<CdomNode<'tree>>,
    /// The kept children of each row.
    children: Vec<Children>,
}

impl<'tree> Builder<'tree> {
    /// A builder for this number of rows.
    pub fn of(rows: usize) -> Self {
        Self {
            nodes: Vec::new(),
            children: vec![Children::default(); rows],
        }
    }

    /// Put a node before its siblings under the row of its parent; false if there is no such row.
    pub fn attach(&mut self, node: u32, parent: u32) -> bool {
        let Some(siblings) = self.children.get_mut(parent as usize) else {
            return false;
        };
        siblings.prepend(node, &mut self.nodes);
        true
    }

    fn push(&mut self, node: CdomNode<'tree>) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    pub fn leaf(&mut self, row: &Row<'tree>) -> Option<u32> {
        if is_blank(row.text) {
            return None;
        }
        Some(self.push(CdomNode {
            text_node: row.node,
            text: row.text,
            breaks_before: row.after_block,
            breaks_after: row.before_block,
            ..CdomNode::EMPTY
        }))
    }

    pub fn element(&mut self, row: &Row<'tree>, index: usize) -> Option<u32> {
        let Children { first, last, count } = self.children[index];
        if count == 0 {
            return None;
        }
        let is_block = is_block_tag(row.tag);
        let breaks_before = is_block || row.after_block;
        let breaks_after = is_block || row.before_block;
        if breaks_before {
            self.pass_down_before(first);
        }
        if breaks_after {
            self.pass_down_after(last);
        }
        let made = if count == 1 {
            first
        } else {
            self.push(CdomNode {
                has_form: row.has_input,
                first_child: first,
                last_child: last,
                ..CdomNode::EMPTY
            })
        };
        let node = &mut self.nodes[made as usize];
        node.tags = node.tags.with(TagSet::of(&[row.tag]));
        node.chain += 1;
        node.tag_key = append(node.tag_key, u64::from(row.tag) + 1);
        node.class_key = with_words(node.class_key, row.class);
        for names in [row.class, row.id] {
            node.hints = node.hints.with(WEB2TEXT.hints(names));
        }
        node.is_link |= row.tag == tags::A;
        node.breaks_before = breaks_before;
        node.breaks_after = breaks_after;
        Some(made)
    }

    /// Pass the break down to the first nodes below, as far as one that has it already.
    fn pass_down_before(&mut self, mut node: u32) {
        while let Some(below) = self.nodes.get_mut(node as usize) {
            if below.breaks_before {
                return;
            }
            below.breaks_before = true;
            node = below.first_child;
        }
    }

    fn pass_down_after(&mut self, mut node: u32) {
        while let Some(below) = self.nodes.get_mut(node as usize) {
            if below.breaks_after {
                return;
            }
            below.breaks_after = true;
            node = below.last_child;
        }
    }
}

/// Fold in the words of a class attribute, the last one first, which keeps the order of a chain.
fn with_words(key: u64, class: &[u8]) -> u64 {
    class
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
        .rev()
        .fold(key, |key, word| append(key, token(word)))
}
