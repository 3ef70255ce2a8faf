//! Boosted trees, evaluated for sixteen rows at a time without a branch that depends on them.
//!
//! After QuickScorer (Lucchese et al. 2015) and its vectorised form: a row starts with all leaves of
//! a tree as candidates, every split whose test fails strikes out the leaves on its left, and the
//! first leaf that is left is the one that a walk from the root would find. Splits are taken in any
//! order, so sixteen rows share each of them.

#[cfg(target_arch = "x86_64")]
mod wide;

use super::reader::{Damage, Reader};
use super::rows::{LANES, Lanes, Rows};

/// Most leaves of a tree: bits of a set of leaves.
const LEAVES: usize = 32;
/// Deepest tree that a file may hold.
const MAX_DEPTH: u8 = 16;
/// Most trees that a file may hold.
const MAX_TREES: u32 = 4096;

/// A row with `row[column] <= threshold` goes left; any other loses the leaves on the left.
#[derive(Clone, Copy)]
struct Split {
    threshold: f32,
    /// The leaves that stay when the row goes right.
    right: u32,
    column: u8,
}

/// Stands behind the last split of a tree: a true split always strikes out a leaf.
const END: Split = Split {
    threshold: f32::INFINITY,
    right: u32::MAX,
    column: 0,
};

struct Tree {
    splits: [Split; LEAVES],
    /// Values of the leaves from left to right.
    values: [f32; LEAVES],
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

    /// The log-odds of every row.
    #[must_use]
    pub fn log_odds(&self, rows: &Rows) -> Vec<f32> {
        self.log_odds_where(rows, |_| true)
    }

    /// The log-odds of the rows that are asked for; what stands for the others says nothing.
    fn log_odds_where(&self, rows: &Rows, is_asked: impl Fn(usize) -> bool) -> Vec<f32> {
        let mut sums = vec![self.bias; rows.len()];
        if self.trees.is_empty() {
            return sums;
        }
        if let ([lanes], [sum]) = (rows.lanes(), sums.as_mut_slice()) {
            *sum += self.trees.iter().map(|tree| tree.value(lanes)).sum::<f32>();
            return sums;
        }
        let asked: Vec<usize> = (0..rows.lanes().len())
            .filter(|sixteen| {
                let first = sixteen * LANES;
                (first..sums.len().min(first + LANES)).any(&is_asked)
            })
            .collect();
        for sixteens in asked.chunks(2) {
            match *sixteens {
                [one, other] => self.sum_of([one, other], rows, &mut sums),
                [one] => self.sum_of([one], rows, &mut sums),
                _ => {}
            }
        }
        sums
    }

    /// The log-odds of the rows of some sixteens, in their places.
    fn sum_of<const N: usize>(&self, sixteens: [usize; N], rows: &Rows, sums: &mut [f32]) {
        let mut found = [[self.bias; LANES]; N];
        let lanes = sixteens.map(|sixteen| &rows.lanes()[sixteen]);
        add_all(&self.trees, lanes, &mut found);
        for (sixteen, found) in sixteens.into_iter().zip(found) {
            let places = sums.iter_mut().skip(sixteen * LANES);
            places.zip(found).for_each(|(sum, found)| *sum = found);
        }
    }

    /// The probability of every row.
    #[must_use]
    pub fn probabilities(&self, rows: &Rows) -> Vec<f32> {
        self.probabilities_where(rows, |_| true)
    }

    /// The probability of the rows that are asked for; what stands for the others says nothing.
    #[must_use]
    pub fn probabilities_where(&self, rows: &Rows, is_asked: impl Fn(usize) -> bool) -> Vec<f32> {
        let mut odds = self.log_odds_where(rows, is_asked);
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

/// An inner node as the file has it: numbers of nodes, leaves behind all inner ones.
struct Node {
    threshold: f32,
    column: u8,
    children: [u8; 2],
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

impl Tree {
    fn read(reader: &mut Reader<'_>, columns: usize) -> Result<Self, Damage> {
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
        let order = leaves_in_order(&nodes).ok_or(Damage::Range("tree shape"))?;
        let mut tree = Self {
            splits: [END; LEAVES],
            values: [0.0; LEAVES],
        };
        for leaf in 0..=inner {
            tree.values[order[inner + leaf].trailing_zeros() as usize] = reader.f32()?;
        }
        for (split, node) in tree.splits.iter_mut().zip(&nodes) {
            *split = Split {
                threshold: node.threshold,
                right: !order[usize::from(node.children[0])],
                column: node.column,
            };
        }
        Ok(tree)
    }

    /// The value of the first row.
    fn value(&self, lanes: &Lanes) -> f32 {
        let mut leaves = u32::MAX;
        for split in self
            .splits
            .iter()
            .take_while(|split| split.right != u32::MAX)
        {
            let goes_left = lanes[usize::from(split.column)][0] <= split.threshold;
            leaves &= if goes_left { u32::MAX } else { split.right };
        }
        self.values[leaves.trailing_zeros() as usize & (LEAVES - 1)]
    }

    /// Adds the value of each lane to its sum.
    fn add(&self, lanes: &Lanes, sums: &mut [f32; LANES]) {
        let mut leaves = [u32::MAX; LANES];
        for split in &self.splits {
            if split.right == u32::MAX {
                break;
            }
            let column = &lanes[usize::from(split.column)];
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

/// Adds the values of all trees: the same sums in the same order on every processor.
fn add_all<const N: usize>(trees: &[Tree], lanes: [&Lanes; N], sums: &mut [[f32; LANES]; N]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has what the function was compiled for.
        return unsafe { wide::add_all(trees, lanes, sums) };
    }
    for (lanes, sums) in lanes.into_iter().zip(sums) {
        trees.iter().for_each(|tree| tree.add(lanes, sums));
    }
}

/// The leaves below every node, as bits from left to right; nothing when the nodes are no tree.
fn leaves_in_order(nodes: &[Node]) -> Option<[u32; 2 * LEAVES]> {
    let (inner, all) = (nodes.len(), nodes.len() * 2 + 1);
    let mut seen = [false; 2 * LEAVES];
    let mut below = [0_u32; 2 * LEAVES];
    let mut to_do = vec![0_usize];
    let mut leaves = 0;
    while let Some(at) = to_do.pop() {
        // a node that is met twice, or one outside, makes no tree
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
    // children stand behind their parents
    for at in (0..inner).rev() {
        let [left, right] = nodes[at].children.map(usize::from);
        below[at] = below[left] | below[right];
    }
    (leaves == inner + 1).then_some(below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hybrid::sink::Sink;

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

    #[test]
    fn rows_fall_to_the_same_leaves_alone_and_side_by_side() {
        let forest = Forest::read(&mut Reader::new(&stump()), 2).ok();
        let mut rows = Rows::zeros(37);
        for row in 0..37 {
            rows.columns(row, 1).put("", row as f32 / 36.0);
        }

        let sums = forest.map(|forest| forest.log_odds(&rows));

        let expected = (0..37).map(|at| if at <= 18 { -0.75 } else { 2.25 });
        assert_eq!(sums, Some(expected.collect()));
    }

    #[test]
    fn rows_that_are_asked_for_have_the_value_that_all_together_give_them() {
        let forest = Forest::read(&mut Reader::new(&stump()), 2).ok().unwrap();
        let mut rows = Rows::zeros(3 * LANES + 1);
        for row in 0..rows.len() {
            rows.columns(row, 1).put("", (row % 2) as f32);
        }
        let is_asked = |row: usize| row == LANES + 2 || row == 3 * LANES;

        let some = forest.probabilities_where(&rows, is_asked);

        let all = forest.probabilities(&rows);
        assert_eq!(some.len(), all.len());
        for row in (0..rows.len()).filter(|&row| is_asked(row)) {
            assert_eq!(some[row].to_bits(), all[row].to_bits());
        }
    }

    /// Trees of every size up to the largest, each a chain to the right.
    #[cfg(target_arch = "x86_64")]
    fn chains() -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(0.0_f32.to_le_bytes());
        bytes.extend((LEAVES as u32).to_le_bytes());
        for inner in 0..LEAVES as u8 {
            bytes.extend([16, inner]);
            for node in 0..inner {
                let right = if node + 1 < inner {
                    node + 1
                } else {
                    2 * inner
                };
                bytes.extend((f32::from(node) * 0.7).to_le_bytes());
                bytes.extend([node % 5, inner + node, right]);
            }
            for leaf in 0..=inner {
                bytes.extend((f32::from(leaf) * 0.37 - f32::from(inner)).to_le_bytes());
            }
        }
        bytes
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn wide_registers_give_the_sums_of_narrow_ones() {
        if !is_x86_feature_detected!("avx2") {
            return;
        }
        let forest = Forest::read(&mut Reader::new(&chains()), 5).ok().unwrap();
        let mut rows = Rows::zeros(2 * LANES);
        for row in 0..rows.len() {
            let mut columns = rows.columns(row, 0);
            (0..5).for_each(|column| columns.put("", (row * 7 + column * 5) as f32 * 0.3 - 4.0));
        }
        rows.columns(3, 2).put("", f32::NAN);
        let lanes = [&rows.lanes()[0], &rows.lanes()[1]];
        let (mut narrow, mut wide) = ([[0.1; LANES]; 2], [[0.1; LANES]; 2]);

        for (lanes, sums) in lanes.into_iter().zip(&mut narrow) {
            forest.trees.iter().for_each(|tree| tree.add(lanes, sums));
        }
        // SAFETY: the processor has what the function was compiled for.
        unsafe { wide::add_all(&forest.trees, lanes, &mut wide) };

        assert_eq!(forest.trees.len(), LEAVES);
        let bits = |sums: [[f32; LANES]; 2]| sums.map(|sums| sums.map(f32::to_bits));
        assert_eq!(bits(wide), bits(narrow));
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
