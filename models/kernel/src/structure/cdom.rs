//! The collapsed DOM (Vogels et al. 2018, 3.1): nodes without text vanish, an only child merges
//! with its parent. The leaves, in document order, are the blocks that the engine labels.

use super::hash::{mix, word_hash};
use super::hints::Hints;
use super::rows::{NONE, Row, TEXT, is_block_tag};
use crate::page::tags::{self, Tag};

/// A set of element names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TagSet([u64; 4]);

impl TagSet {
    #[must_use]
    pub const fn of(names: &[Tag]) -> Self {
        let mut set = Self([0; 4]);
        let mut at = 0;
        while at < names.len() {
            set.0[(names[at] >> 6) as usize] |= 1 << (names[at] & 63);
            at += 1;
        }
        set
    }

    #[must_use]
    pub fn has(self, tag: Tag) -> bool {
        self.0[usize::from(tag >> 6)] >> (tag & 63) & 1 == 1
    }

    /// Whether the sets have a name in common.
    #[must_use]
    pub fn meets(self, other: Self) -> bool {
        self.0
            .iter()
            .zip(other.0)
            .any(|(&left, right)| left & right != 0)
    }

    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}

/// A node of the collapsed DOM. Parents stand before their children.
#[derive(Clone, Copy)]
pub struct CdomNode<'tree> {
    pub parent: u32,
    pub depth: u32,
    /// Half-open range of the blocks below.
    pub first_block: u32,
    pub end_block: u32,
    /// Own name and those of the nodes merged into it, without `#text`.
    pub tags: TagSet,
    /// How many names that are.
    pub chain: u32,
    /// Hash of the chain of names; of the words in their classes.
    pub tag_key: u64,
    pub class_key: u64,
    pub hints: Hints,
    /// A block element begins, ends there.
    pub breaks_before: bool,
    pub breaks_after: bool,
    /// An `input` stands below (inner nodes only).
    pub has_form: bool,
    /// Everything below stands inside an `a` that is merged into this node.
    pub is_link: bool,
    /// The bytes of a leaf's text node, white space as in the source.
    pub text: &'tree [u8],
    first_child: u32,
    last_child: u32,
    next: u32,
}

/// The collapsed DOM of a page; empty for a page without text.
#[derive(Default)]
pub struct Cdom<'tree> {
    pub nodes: Vec<CdomNode<'tree>>,
    /// The node of each block.
    pub blocks: Vec<u32>,
}

/// Collapse the rows of a page.
#[must_use]
pub fn collapse<'tree>(rows: &[Row<'tree>]) -> Cdom<'tree> {
    let mut builder = Builder {
        nodes: Vec::new(),
        children: vec![Children::default(); rows.len()],
    };
    let mut root = NONE;
    // backwards, so that children are there before their parents
    for (index, row) in rows.iter().enumerate().rev() {
        let made = if row.tag == TEXT {
            builder.leaf(row)
        } else {
            builder.element(row, index)
        };
        let Some(node) = made else { continue };
        match builder.children.get_mut(row.parent as usize) {
            Some(siblings) => siblings.prepend(node, &mut builder.nodes),
            None => root = node,
        }
    }
    in_document_order(&builder.nodes, root)
}

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

struct Builder<'tree> {
    /// In the order of making; tied together by `first_child`, `last_child` and `next`.
    nodes: Vec<CdomNode<'tree>>,
    /// The kept children of each row.
    children: Vec<Children>,
}

impl<'tree> Builder<'tree> {
    fn push(&mut self, node: CdomNode<'tree>) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    fn leaf(&mut self, row: &Row<'tree>) -> Option<u32> {
        if is_blank(row.text) {
            return None;
        }
        Some(self.push(CdomNode {
            text: row.text,
            breaks_before: row.after_block,
            breaks_after: row.before_block,
            ..CdomNode::EMPTY
        }))
    }

    fn element(&mut self, row: &Row<'tree>, index: usize) -> Option<u32> {
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
        node.tag_key = mix(node.tag_key, u64::from(row.tag) + 1);
        node.class_key = with_words(node.class_key, row.class);
        node.hints = node
            .hints
            .with(Hints::of(row.class))
            .with(Hints::of(row.id));
        node.is_link |= row.tag == tags::A;
        node.breaks_before = breaks_before;
        node.breaks_after = breaks_after;
        Some(made)
    }

    /// Let the first nodes below inherit the break, down to one that has it already.
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

impl CdomNode<'_> {
    const EMPTY: Self = Self {
        parent: NONE,
        depth: 0,
        first_block: 0,
        end_block: 0,
        tags: TagSet([0; 4]),
        chain: 0,
        tag_key: 0,
        class_key: 0,
        hints: Hints::NONE,
        breaks_before: false,
        breaks_after: false,
        has_form: false,
        is_link: false,
        text: &[],
        first_child: NONE,
        last_child: NONE,
        next: NONE,
    };

    #[must_use]
    pub fn is_leaf(&self) -> bool {
        self.first_child == NONE
    }
}

/// Fold the words of a class attribute in, the last one first: the order of a chain is kept.
fn with_words(key: u64, class: &[u8]) -> u64 {
    class
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
        .rev()
        .fold(key, |key, word| mix(key, word_hash(word)))
}

/// White space of ASCII and the separators of Unicode, nothing else.
#[must_use]
pub fn is_blank(text: &[u8]) -> bool {
    let rest = text.trim_ascii_start();
    rest.is_empty()
        || rest
            .utf8_chunks()
            .all(|chunk| chunk.invalid().is_empty() && chunk.valid().chars().all(is_separator))
}

fn is_separator(letter: char) -> bool {
    matches!(letter, '\t'..='\r' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}')
        || matches!(
            letter,
            '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
        )
}

fn in_document_order<'tree>(made: &[CdomNode<'tree>], root: u32) -> Cdom<'tree> {
    let mut cdom = Cdom::default();
    let mut open = vec![(root, NONE)];
    while let Some((index, parent)) = open.pop() {
        let Some(node) = made.get(index as usize) else {
            continue;
        };
        open.push((node.next, parent));
        let row = cdom.nodes.len() as u32;
        if node.is_leaf() {
            cdom.blocks.push(row);
        } else {
            open.push((node.first_child, row));
        }
        let above = cdom.nodes.get(parent as usize);
        cdom.nodes.push(CdomNode {
            parent,
            depth: above.map_or(0, |above| above.depth + 1),
            first_block: (cdom.blocks.len() - usize::from(node.is_leaf())) as u32,
            end_block: cdom.blocks.len() as u32,
            ..*node
        });
    }
    for row in (1..cdom.nodes.len()).rev() {
        let CdomNode {
            parent, end_block, ..
        } = cdom.nodes[row];
        let above = &mut cdom.nodes[parent as usize];
        above.end_block = above.end_block.max(end_block);
    }
    cdom
}
