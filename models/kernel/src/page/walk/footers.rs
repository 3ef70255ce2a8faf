//! Footers of tables: shown below all rows, though HTML 4 has them before the body.

use crate::page::tags;
use crate::page::tree::{Node, NodeKind};

/// Siblings of a footer that are searched for rows below it.
const MAX_SIBLINGS: usize = 16;

/// Footers whose walk is put off to the end of their tables, innermost last.
#[derive(Default)]
pub struct Footers<'tree> {
    waiting: Vec<Node<'tree>>,
    /// Those that are walked now.
    walked: Vec<Node<'tree>>,
}

impl<'tree> Footers<'tree> {
    /// Whether a `tfoot` has rows of its table after it; it is put off then.
    pub fn is_early(&mut self, node: Node<'tree>) -> bool {
        let table = node.parent();
        let is_table = |table: Node<'_>| table.tag() == tags::TABLE && table.is_html();
        let is_first = self
            .waiting
            .last()
            .is_none_or(|last| last.parent() != table);
        let has_rows = |after: Node<'_>| {
            after.kind() == NodeKind::Element && matches!(after.tag(), tags::TBODY | tags::TR)
        };
        let mut after = std::iter::successors(node.next(), |node| node.next()).take(MAX_SIBLINGS);
        let is_early = is_first
            && self.walked.last() != Some(&node)
            && table.is_some_and(is_table)
            && after.any(has_rows);
        if is_early {
            self.waiting.push(node);
        }
        is_early
    }

    /// The node after a node; none after a footer that was put off.
    pub fn after(&mut self, node: Node<'tree>) -> Option<Node<'tree>> {
        if self.walked.last() == Some(&node) {
            self.walked.pop();
            return None;
        }
        node.next()
    }

    /// The footer of a table whose other children were walked.
    pub fn of(&mut self, table: Node<'tree>) -> Option<Node<'tree>> {
        let footer = *self.waiting.last()?;
        if footer.parent() != Some(table) {
            return None;
        }
        self.waiting.pop();
        self.walked.push(footer);
        Some(footer)
    }
}
