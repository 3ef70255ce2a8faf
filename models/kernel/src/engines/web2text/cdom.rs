//! The collapsed DOM (Vogels et al. 2018, 3.1): nodes without text are removed, and an only child
//! merges with its parent. The leaves, in document order, are the blocks that the engine labels.

mod builder;

use super::dom::{NONE, Row, TEXT};
use crate::engines::hints::Hints;
use crate::page::tagset::TagSet;
use builder::Builder;

/// A node of the collapsed DOM. Parents come before their children.
#[derive(Clone, Copy)]
pub struct CdomNode<'tree> {
    pub parent: u32,
    pub depth: u32,
    /// Half-open range of the blocks below.
    pub first_block: u32,
    pub end_block: u32,
    /// Own name and the names of merged nodes, without `#text`.
    pub tags: TagSet,
    /// The number of these names.
    pub chain: u32,
    /// Hash of the chain of names; of the words in their classes.
    pub tag_key: u64,
    pub class_key: u64,
    pub hints: Hints,
    /// A block element begins or ends there.
    pub breaks_before: bool,
    pub breaks_after: bool,
    /// An `input` is below (inner nodes only).
    pub has_form: bool,
    /// Everything below is inside an `a` that is merged into this node.
    pub is_link: bool,
    /// The number of a leaf's text node in the tree of the page, and its bytes, with the white
    /// space of the source.
    pub text_node: u32,
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
    let mut builder = Builder::of(rows.len());
    let mut root = NONE;
    // backwards, so that children exist before their parents
    for (index, row) in rows.iter().enumerate().rev() {
        let made = if row.tag == TEXT {
            builder.leaf(row)
        } else {
            builder.element(row, index)
        };
        let Some(node) = made else { continue };
        if !builder.attach(node, row.parent) {
            root = node;
        }
    }
    in_document_order(&builder.nodes, root)
}

impl CdomNode<'_> {
    const EMPTY: Self = Self {
        parent: NONE,
        depth: 0,
        first_block: 0,
        end_block: 0,
        tags: TagSet::NONE,
        chain: 0,
        tag_key: 0,
        class_key: 0,
        hints: Hints::NONE,
        breaks_before: false,
        breaks_after: false,
        has_form: false,
        is_link: false,
        text_node: 0,
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

/// ASCII white space and the separators of Unicode, nothing else.
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
