//! A consistency check of a tree.

use super::{Id, Kind, Node, Tree};

/// A fault in a tree, and its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// The first or last child has a sibling on its outer side, or another parent.
    Children(Id),
    /// The next sibling has another previous one or another parent, or makes a ring.
    Siblings(Id),
    /// A text, comment or doctype has children.
    Leaf(Id),
    /// A span is not a range of characters of the input.
    Span(Id),
    /// It has more ancestors than [`Tree::depth`].
    Depth(Id),
}

impl Tree<'_> {
    /// Check that links agree, that spans are ranges of the input, and that the depth is right.
    ///
    /// For tests: no tree of the parser fails it.
    ///
    /// # Errors
    /// The first damage that is found.
    pub fn verify(&self) -> Result<(), Damage> {
        let (mut id, mut depth, mut seen) = (0, 0, 0);
        loop {
            seen += 1;
            self.verify_node(id, depth, seen)?;
            let mut node = self.node(id);
            if node.first_child != 0 {
                depth += usize::from(node.kind.is_element());
                id = node.first_child;
                continue;
            }
            while node.next == 0 {
                id = node.parent;
                node = self.node(id);
                if id == 0 {
                    return Ok(());
                }
                depth -= usize::from(node.kind.is_element());
            }
            id = node.next;
        }
    }

    fn verify_node(&self, id: Id, depth: usize, seen: usize) -> Result<(), Damage> {
        let node = self.node(id);
        if seen > self.nodes.len() {
            return Err(Damage::Siblings(id));
        }
        if !self.are_children_linked(id, node) {
            return Err(Damage::Children(id));
        }
        if node.next != 0 {
            let next = self.node(node.next);
            if next.previous != id || next.parent != node.parent {
                return Err(Damage::Siblings(id));
            }
        }
        let is_leaf = matches!(node.kind, Kind::Text | Kind::Comment | Kind::Doctype);
        if is_leaf && node.first_child != 0 {
            return Err(Damage::Leaf(id));
        }
        let range = node.span.start as usize..node.span.end as usize;
        if self.markup.get(range).is_none() {
            return Err(Damage::Span(id));
        }
        // elements around this one were open
        if node.kind.is_element() && depth > self.depth {
            return Err(Damage::Depth(id));
        }
        Ok(())
    }

    fn are_children_linked(&self, id: Id, node: &Node) -> bool {
        let (first, last) = (node.first_child, node.last_child);
        if first == 0 || last == 0 {
            return first == last;
        }
        let (first, last) = (self.node(first), self.node(last));
        first.previous == 0 && last.next == 0 && first.parent == id && last.parent == id
    }
}
