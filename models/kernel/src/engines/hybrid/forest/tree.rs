//! A tree as in the file, and as the sets of leaves that its splits remove.

use crate::engines::hybrid::reader::{Damage, Reader};
use crate::engines::hybrid::rows::{LANES, Lanes};

/// Most leaves of a tree: their values fit in one register of sixteen lanes.
pub const LEAVES: usize = 16;
/// Splits that are read without a check for the end; padding after the last split removes no leaf.
pub const AT_ONCE: usize = 4;
/// Greatest depth of a tree in a file.
const MAX_DEPTH: u8 = 16;

/// A row with `row[column] <= threshold` goes left; for any other row the left leaves are removed.
#[derive(Clone, Copy)]
pub struct Split {
    pub threshold: f32,
    /// The leaves that remain if the row goes right.
    pub right: u32,
    pub column: u8,
}

/// Padding after the last split of a tree: a real split always removes a leaf.
const END: Split = Split {
    threshold: f32::INFINITY,
    right: u32::MAX,
    column: 0,
};

pub struct Tree {
    pub splits: [Split; LEAVES],
    /// Values of the leaves from left to right.
    pub values: [f32; LEAVES],
}

/// An inner node as in the file: numbers of nodes; leaves come after all inner nodes.
pub struct Node {
    pub threshold: f32,
    pub column: u8,
    pub children: [u8; 2],
}

/// The inner nodes of a tree in a file, and the leaves below every node, as bits from left to
/// right. The values of the leaves follow in the file.
pub struct Shape {
    pub nodes: Vec<Node>,
    below: [u32; 2 * LEAVES],
}

impl Node {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Damage> {
        Ok(Self {
            threshold: reader.f32()?,
            column: reader.u8()?,
            children: [reader.u8()?, reader.u8()?],
        })
    }
}

impl Shape {
    pub fn read(reader: &mut Reader<'_>, columns: usize) -> Result<Self, Damage> {
        let depth = reader.u8()?;
        let inner = usize::from(reader.u8()?);
        if depth > MAX_DEPTH || inner >= LEAVES {
            return Err(Damage::Range("tree size"));
        }
        let nodes: Vec<Node> = (0..inner)
            .map(|_| Node::read(reader))
            .collect::<Result<_, _>>()?;
        let is_known = |node: &Node| usize::from(node.column) < columns && !node.threshold.is_nan();
        if !nodes.iter().all(is_known) {
            return Err(Damage::Range("tree node"));
        }
        let below = leaves_in_order(&nodes).ok_or(Damage::Range("tree shape"))?;
        Ok(Self { nodes, below })
    }
}

impl Tree {
    pub fn read(reader: &mut Reader<'_>, columns: usize) -> Result<Self, Damage> {
        let Shape { nodes, below } = Shape::read(reader, columns)?;
        let mut tree = Self {
            splits: [END; LEAVES],
            values: [0.0; LEAVES],
        };
        for leaf in &below[nodes.len()..=2 * nodes.len()] {
            tree.values[leaf.trailing_zeros() as usize] = reader.f32()?;
        }
        for (split, node) in tree.splits.iter_mut().zip(&nodes) {
            *split = Split {
                threshold: node.threshold,
                right: !below[usize::from(node.children[0])],
                column: node.column,
            };
        }
        Ok(tree)
    }

    /// Adds the value of each lane to its sum.
    pub fn add(&self, lanes: &Lanes, sums: &mut [f32; LANES]) {
        let mut leaves = [u32::MAX; LANES];
        for split in &self.splits {
            if split.right == u32::MAX {
                break;
            }
            let column = &lanes.0[usize::from(split.column)];
            for lane in 0..LANES {
                // all bits or none: a comparison of four or more lanes at once
                let goes_left = u32::from(column[lane] <= split.threshold).wrapping_neg();
                leaves[lane] &= goes_left | split.right;
            }
        }
        for (sum, leaves) in sums.iter_mut().zip(leaves) {
            *sum += self.values[leaves.trailing_zeros() as usize & (LEAVES - 1)];
        }
    }
}

/// The leaves below every node, as bits from left to right; `None` if the nodes form no tree.
fn leaves_in_order(nodes: &[Node]) -> Option<[u32; 2 * LEAVES]> {
    let (inner, all) = (nodes.len(), nodes.len() * 2 + 1);
    let mut seen = [false; 2 * LEAVES];
    let mut below = [0_u32; 2 * LEAVES];
    let mut to_do = vec![0_usize];
    let mut leaves = 0;
    while let Some(at) = to_do.pop() {
        // a repeated or missing node means that this is not a tree
        if at >= all || std::mem::replace(&mut seen[at], true) {
            return None;
        }
        if let Some(node) = nodes.get(at) {
            let [left, right] = node.children.map(usize::from);
            if left <= at || right <= at {
                return None;
            }
            to_do.extend([right, left]);
        } else {
            below[at] = 1 << leaves;
            leaves += 1;
        }
    }
    if leaves != inner + 1 {
        return None;
    }
    // all nodes were visited, and children come after their parents
    for at in (0..inner).rev() {
        let [left, right] = nodes[at].children.map(usize::from);
        below[at] = below[left] | below[right];
    }
    Some(below)
}
