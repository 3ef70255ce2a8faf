//! Boosted trees for pages, which have one row: a walk from the root reads a few nodes of a tree.

use super::head;
use super::tree::Shape;
use crate::engines::hybrid::reader::{Damage, Reader};
use crate::engines::hybrid::rows::Row;

/// A sum of trees, evaluated for one row.
pub struct Forest {
    bias: f32,
    /// The nodes of all trees, one tree after another, from the root.
    nodes: Vec<Node>,
    /// The numbers of the roots.
    roots: Vec<u32>,
}

/// A row with `row[column] <= value` goes left.
struct Node {
    /// The threshold, or the value of a leaf.
    value: f32,
    column: u8,
    /// Distances to the children; none for a leaf.
    children: [u8; 2],
}

impl Forest {
    /// Reads a forest, in the format of [`super::Forest`].
    ///
    /// # Errors
    /// [`Damage`] if a count, column or child is out of range.
    pub fn read(reader: &mut Reader<'_>, columns: usize) -> Result<Self, Damage> {
        let (bias, count) = head(reader)?;
        let (mut nodes, mut roots) = (Vec::new(), Vec::new());
        for _ in 0..count {
            roots.push(nodes.len() as u32);
            let inner = Shape::read(reader, columns)?.nodes;
            nodes.extend(inner.iter().zip(0..).map(|(node, at)| Node {
                value: node.threshold,
                column: node.column,
                children: node.children.map(|child| child - at),
            }));
            for _ in 0..=inner.len() {
                nodes.push(Node {
                    value: reader.f32()?,
                    column: 0,
                    children: [0; 2],
                });
            }
        }
        Ok(Self { bias, nodes, roots })
    }

    /// The log-odds of a row: the same sums in the same order as for many rows.
    #[must_use]
    pub fn log_odds(&self, row: &Row) -> f32 {
        let values = self
            .roots
            .iter()
            .map(|root| self.value(*root as usize, row));
        values.fold(self.bias, |sum, value| sum + value)
    }

    /// The value of the leaf that a row falls to.
    fn value(&self, root: usize, row: &Row) -> f32 {
        let mut node = &self.nodes[root];
        let mut at = root;
        while node.children != [0; 2] {
            let goes_left = row[usize::from(node.column)] <= node.value;
            at += usize::from(node.children[usize::from(!goes_left)]);
            node = &self.nodes[at];
        }
        node.value
    }
}
