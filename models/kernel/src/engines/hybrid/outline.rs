//! The input of the features: the elements and blocks of a page, in document order.

use super::tag::Tag;
use crate::metadata::authors::NAMES;
use crate::page::blocks::{Block, BlockTable};
use crate::page::elements::Element;
pub use crate::page::elements::{Concealed, NO_ELEMENT as NO_NODE};

/// One block-level element; parents come before their children.
#[derive(Clone, Copy, Debug, Default)]
pub struct Node<'a> {
    /// Index of the element around it, [`NO_NODE`] for the first node.
    pub parent: u32,
    pub tag: Tag,
    /// `class` and `id`, joined by a blank.
    pub label: &'a str,
    /// `role`, `itemprop` and `itemtype`, joined by blanks.
    pub role: &'a str,
    /// Images and form controls directly below the node.
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
    /// Characters of the text inside links, and the number of links.
    pub link_chars: u32,
    pub links: u32,
}

/// One page.
#[derive(Clone, Debug, Default)]
pub struct Outline<'a> {
    /// At least one if there are spans.
    pub nodes: Vec<Node<'a>>,
    pub spans: Vec<Span<'a>>,
    pub title: &'a str,
    /// `og:description` or the `description` of the head.
    pub description: &'a str,
    /// The first JSON-LD script, `og:type` and `generator`.
    pub linked_data: &'a str,
    pub og_type: &'a str,
    pub generator: &'a str,
    /// The author that the head declares.
    pub authors: Vec<&'a str>,
    /// The page declares a viewport: it was made for phones too.
    pub has_viewport: bool,
    /// The page as it was read, if each block is a span.
    pub table: Option<&'a BlockTable>,
}

impl<'a> Outline<'a> {
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

    /// The outline of a page that was read with its elements; without them, all blocks are in one.
    #[must_use]
    pub fn of(table: &'a BlockTable) -> Self {
        Self::in_runs(table, 1)
    }

    /// The same with this many adjacent blocks, at least 1, as one span.
    ///
    /// The span has the place of its longest block.
    #[must_use]
    pub fn in_runs(table: &'a BlockTable, run: usize) -> Self {
        let mut outline = Self::of_body();
        outline.table = (run == 1).then_some(table);
        if let Some(elements) = table.elements.as_ref().filter(|rows| !rows.rows.is_empty()) {
            let node = |row: &Element| Node {
                parent: row.parent,
                tag: Tag::numbered(row.tag),
                label: elements.text(row.label),
                role: elements.text(row.role),
                images: row.images,
                controls: row.controls,
                concealed: row.concealed,
            };
            outline.nodes = elements.rows.iter().map(node).collect();
            let places = elements
                .of_block
                .chunks(run)
                .zip(elements.links.chunks(run));
            let spans = table.blocks.chunks(run).zip(places);
            outline.spans = spans
                .map(|(blocks, (nodes, links))| span(table, blocks, nodes, links))
                .collect();
        } else {
            let spans = table.blocks.chunks(run);
            outline.spans = spans.map(|blocks| span(table, blocks, &[0], &[])).collect();
        }
        outline.declare(table);
        outline
    }

    /// A node and all its ancestors, from the inside out; empty for [`NO_NODE`].
    pub fn path(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let is_node = |node: &u32| *node != NO_NODE;
        let above = move |node: &u32| Some(self.nodes[*node as usize].parent).filter(is_node);
        std::iter::successors(Some(node).filter(is_node), above)
    }

    /// For every node whether it is `top` or below it.
    #[must_use]
    pub fn below(&self, top: u32) -> Vec<bool> {
        let mut is_below = vec![false; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            // parents come before their children
            let parent = is_below.get(node.parent as usize).copied();
            is_below[index] = index == top as usize || parent.unwrap_or(false);
        }
        is_below
    }

    /// The node this many levels above another, or the first node.
    #[must_use]
    pub fn above(&self, node: u32, levels: usize) -> u32 {
        let mut at = node;
        for _ in 0..levels {
            match self.nodes[at as usize].parent {
                NO_NODE => break,
                parent => at = parent,
            }
        }
        at
    }

    /// The nearest node that is above both or is one of them.
    #[must_use]
    pub fn common(&self, a: u32, b: u32) -> u32 {
        let (mut a, mut b) = (a, b);
        while a != b {
            // parents come before their children: the later of two is never above the earlier
            if a > b {
                a = self.nodes[a as usize].parent;
            } else {
                b = self.nodes[b as usize].parent;
            }
        }
        a
    }

    fn declare(&mut self, table: &'a BlockTable) {
        for (name, value) in table.declared.pairs() {
            match name {
                "title" => self.title = value,
                "json-ld" if self.linked_data.is_empty() => self.linked_data = value,
                "meta:og:type" => self.og_type = value,
                "meta:generator" => self.generator = value,
                "meta:og:description" => self.description = value,
                "meta:description" if self.description.is_empty() => self.description = value,
                "meta:viewport" => self.has_viewport = true,
                name if NAMES.contains(&name) => self.authors.push(value),
                _ => {}
            }
        }
    }
}

/// Adjacent blocks, their nodes and the numbers of their links as one span.
fn span<'a>(table: &'a BlockTable, blocks: &[Block], nodes: &[u32], links: &[u32]) -> Span<'a> {
    let bytes = |at: &usize| blocks[*at].end - blocks[*at].start;
    let longest = (0..nodes.len().min(blocks.len())).max_by_key(bytes);
    let whole = blocks.iter().copied().reduce(|first, last| Block {
        start: first.start,
        link_chars: first.link_chars + last.link_chars,
        ..last
    });
    let whole = whole.unwrap_or_default();
    Span {
        node: longest.map_or(0, |at| nodes[at]),
        text: table.text_of(&whole),
        link_chars: whole.link_chars,
        links: links.iter().sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_declared_authors_are_taken() {
        let mut table = BlockTable::default();
        for (name, value) in [
            ("meta:author", "Ann Grain"),
            ("meta:article:author", "https://example.org/ann"),
            ("meta:og:title", "Bees"),
        ] {
            table.declared.add(name, b"", value.as_bytes());
        }

        let outline = Outline::of(&table);

        assert_eq!(outline.authors, ["Ann Grain", "https://example.org/ann"]);
    }

    #[test]
    fn the_first_linked_data_and_the_description_for_cards_are_taken() {
        let mut table = BlockTable::default();
        for (name, value) in [
            ("json-ld", "first"),
            ("json-ld", "second"),
            ("meta:description", "plain"),
            ("meta:og:description", "card"),
            ("meta:description", "late"),
        ] {
            table.declared.add(name, b"", value.as_bytes());
        }

        let outline = Outline::of(&table);

        assert_eq!(outline.linked_data, "first");
        assert_eq!(outline.description, "card");
    }
}
