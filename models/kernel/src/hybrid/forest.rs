//! Boosted trees, evaluated for sixteen rows at a time without a branch that depends on them.

use super::reader::{Damage, Reader};

/// Columns of a row: a power of two, so that a byte is always a column.
pub const COLUMNS: usize = 256;
/// Most nodes of a tree, leaves included.
const NODES: usize = 64;
/// Rows that walk down a tree side by side: their columns fill half of a first-level cache.
const LANES: usize = 16;
/// Deepest tree that a file may hold.
const MAX_DEPTH: u8 = 16;
/// Most trees that a file may hold.
const MAX_TREES: u32 = 4096;

/// The features of one block.
pub type Row = [f32; COLUMNS];

/// An inner node: `row[column] <= threshold` goes left. A leaf points to itself.
#[derive(Clone, Copy, Default)]
struct Node {
    threshold: f32,
    column: u8,
    left: u8,
    right: u8,
}

struct Tree {
    depth: u8,
    nodes: [Node; NODES],
    values: [f32; NODES],
}

/// A sum of trees.
pub struct Forest {
    bias: f32,
    trees: Vec<Tree>,
}

impl Forest {
    /// Reads a forest whose columns are below `columns`.
    ///
    /// # Errors
    /// [`Damage`] when a count, column or child is out of range.
    pub fn read(reader: &mut Reader<'_>, columns: usize) -> Result<Self, Damage> {
        let bias = reader.f32()?;
        let count = reader.u32()?;
        if count > MAX_TREES {
            return Err(Damage::Range("trees"));
        }
        let trees = (0..count)
            .map(|_| Tree::read(reader, columns))
            .collect::<Result<_, _>>()?;
        Ok(Self { bias, trees })
    }

    /// How many trees it adds up.
    #[must_use]
    pub fn len(&self) -> usize {
        self.trees.len()
    }

    /// Whether it has no tree.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.trees.is_empty()
    }

    /// The log-odds of every row.
    #[must_use]
    pub fn log_odds(&self, rows: &[Row]) -> Vec<f32> {
        let mut sums = vec![self.bias; rows.len()];
        for (rows, sums) in rows.chunks(LANES).zip(sums.chunks_mut(LANES)) {
            if let Ok(lanes) = <&[Row; LANES]>::try_from(rows) {
                for tree in &self.trees {
                    tree.add_lanes(lanes, sums);
                }
            } else {
                for tree in &self.trees {
                    for (row, sum) in rows.iter().zip(sums.iter_mut()) {
                        *sum += tree.value(row);
                    }
                }
            }
        }
        sums
    }

    /// The probability of every row.
    #[must_use]
    pub fn probabilities(&self, rows: &[Row]) -> Vec<f32> {
        let mut odds = self.log_odds(rows);
        for value in &mut odds {
            *value = sigmoid(*value);
        }
        odds
    }
}

/// Log-odds to probability.
#[must_use]
pub fn sigmoid(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

impl Tree {
    fn read(reader: &mut Reader<'_>, columns: usize) -> Result<Self, Damage> {
        let depth = reader.u8()?;
        let inner = usize::from(reader.u8()?);
        if depth > MAX_DEPTH || inner * 2 + 1 > NODES {
            return Err(Damage::Range("tree size"));
        }
        let mut tree = Self {
            depth,
            nodes: std::array::from_fn(|at| Node {
                threshold: f32::INFINITY,
                column: 0,
                left: at as u8,
                right: at as u8,
            }),
            values: [0.0; NODES],
        };
        for at in 0..inner {
            let node = Node {
                threshold: reader.f32()?,
                column: reader.u8()?,
                left: reader.u8()?,
                right: reader.u8()?,
            };
            let children = [usize::from(node.left), usize::from(node.right)];
            // children stand behind their parent, so no walk can run in a circle
            let forward = children
                .iter()
                .all(|child| *child > at && *child <= inner * 2);
            if usize::from(node.column) >= columns || !forward || node.threshold.is_nan() {
                return Err(Damage::Range("tree node"));
            }
            tree.nodes[at] = node;
        }
        for value in &mut tree.values[inner..=inner * 2] {
            *value = reader.f32()?;
        }
        Ok(tree)
    }

    fn value(&self, row: &Row) -> f32 {
        let mut at = 0_usize;
        for _ in 0..self.depth {
            at = self.step(at, row);
        }
        self.values[at]
    }

    #[inline]
    fn step(&self, at: usize, row: &Row) -> usize {
        let node = self.nodes[at & (NODES - 1)];
        let left = row[usize::from(node.column)] <= node.threshold;
        usize::from(if left { node.left } else { node.right }) & (NODES - 1)
    }

    fn add_lanes(&self, rows: &[Row; LANES], sums: &mut [f32]) {
        let mut at = [0_usize; LANES];
        for _ in 0..self.depth {
            for lane in 0..LANES {
                at[lane] = self.step(at[lane], &rows[lane]);
            }
        }
        for (sum, at) in sums.iter_mut().zip(at) {
            *sum += self.values[at & (NODES - 1)];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A forest of one tree: `row[1] <= 0.5` gives -1, else 2.
    fn stump() -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(0.25_f32.to_le_bytes());
        bytes.extend(1_u32.to_le_bytes());
        bytes.extend([1, 1]);
        bytes.extend(0.5_f32.to_le_bytes());
        bytes.extend([1, 1, 2]);
        bytes.extend((-1.0_f32).to_le_bytes());
        bytes.extend(2.0_f32.to_le_bytes());
        bytes
    }

    fn row(value: f32) -> Row {
        let mut row = [0.0; COLUMNS];
        row[1] = value;
        row
    }

    #[test]
    fn rows_fall_to_the_same_leaves_alone_and_side_by_side() {
        let forest = Forest::read(&mut Reader::new(&stump()), 2).ok();
        let rows: Vec<Row> = (0..37).map(|at| row(at as f32 / 36.0)).collect();

        let sums = forest.map(|forest| forest.log_odds(&rows));

        let expected = (0..37).map(|at| if at <= 18 { -0.75 } else { 2.25 });
        assert_eq!(sums, Some(expected.collect()));
    }

    #[test]
    fn a_tree_is_refused_when_it_is_cut_off_or_points_outside() {
        let whole = stump();
        for end in 0..whole.len() {
            assert!(Forest::read(&mut Reader::new(&whole[..end]), 2).is_err());
        }
        for (place, value) in [(8, 99), (9, 40), (14, 2), (15, 0), (16, 3)] {
            let mut broken = whole.clone();
            broken[place] = value;
            assert!(
                Forest::read(&mut Reader::new(&broken), 2).is_err(),
                "{place}"
            );
        }
    }
}
