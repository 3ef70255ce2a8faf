//! A linear chain of labels 0 and 1: its best labelling and its marginals.
//!
//! `nodes` holds a score for each label of each block, `pairs` one for 00, 01, 10 and 11 of each
//! block and the next; scores are natural logarithms, up to a constant. There is one pair fewer
//! than nodes.

use crate::text::map::HashedMap;

pub type Node = [f64; 2];
pub type Pair = [f64; 4];

/// The labels with the largest sum of scores; ties go to label 0, the last block first.
#[must_use]
pub fn best_labels(nodes: &[Node], pairs: &[Pair]) -> Vec<u8> {
    let mut best = nodes.to_vec();
    let mut follows = vec![[0u8; 2]; nodes.len()];
    for i in (0..nodes.len().saturating_sub(1)).rev() {
        let next = best[i + 1];
        for label in 0..2 {
            let stay = pairs[i][2 * label] + next[0];
            let change = pairs[i][2 * label + 1] + next[1];
            follows[i][label] = u8::from(change > stay);
            best[i][label] += stay.max(change);
        }
    }
    let mut label = u8::from(best.first().is_some_and(|first| first[1] > first[0]));
    follows
        .iter()
        .map(|next| {
            let here = label;
            label = next[usize::from(here)];
            here
        })
        .collect()
}

/// Probabilities of labels and of pairs of labels, and the logarithm of the sum over all
/// labellings.
pub struct Marginals {
    pub log_partition: f64,
    pub nodes: Vec<Node>,
    pub pairs: Vec<Pair>,
}

/// Logarithms of the sums over all labellings of the blocks before and after each block; the first
/// includes the block's own score.
struct Sums {
    forward: Vec<Node>,
    backward: Vec<Node>,
    log_partition: f64,
}

impl Sums {
    fn of(nodes: &[Node], pairs: &[Pair]) -> Self {
        let mut forward = nodes.to_vec();
        let mut backward = vec![[0.0; 2]; nodes.len()];
        for i in 1..nodes.len() {
            for label in 0..2 {
                let from_0 = forward[i - 1][0] + pairs[i - 1][label];
                let from_1 = forward[i - 1][1] + pairs[i - 1][2 + label];
                forward[i][label] += log_sum(from_0, from_1);
            }
        }
        for i in (0..nodes.len().saturating_sub(1)).rev() {
            for label in 0..2 {
                let to_0 = pairs[i][2 * label] + nodes[i + 1][0] + backward[i + 1][0];
                let to_1 = pairs[i][2 * label + 1] + nodes[i + 1][1] + backward[i + 1][1];
                backward[i][label] = log_sum(to_0, to_1);
            }
        }
        let log_partition = forward.last().map_or(0.0, |last| log_sum(last[0], last[1]));
        Self {
            forward,
            backward,
            log_partition,
        }
    }

    /// The probability of a label.
    fn node(&self, i: usize, label: usize) -> f64 {
        (self.forward[i][label] + self.backward[i][label] - self.log_partition).exp()
    }
}

/// Forward and backward sums.
#[must_use]
pub fn marginals(nodes: &[Node], pairs: &[Pair]) -> Marginals {
    let sums = Sums::of(nodes, pairs);
    let pair = |i: usize, both: usize| {
        let (left, right) = (both / 2, both % 2);
        let outside = sums.forward[i][left] + nodes[i + 1][right] + sums.backward[i + 1][right];
        (outside + pairs[i][both] - sums.log_partition).exp()
    };
    Marginals {
        log_partition: sums.log_partition,
        nodes: (0..nodes.len())
            .map(|i| [sums.node(i, 0), sums.node(i, 1)])
            .collect(),
        pairs: (0..nodes.len().saturating_sub(1))
            .map(|i| std::array::from_fn(|both| pair(i, both)))
            .collect(),
    }
}

/// Make blocks of one group pull each other to one label.
///
/// The score of label 1 of each block grows by `weight * (2 * mean - 1)`; `mean` is the mean
/// probability of label 1 over the blocks with its key.
pub fn agree(nodes: &mut [Node], pairs: &[Pair], keys: &[u64], weight: f64) {
    let mut groups: HashedMap<u64, (f64, f64)> = HashedMap::default();
    let sums = Sums::of(nodes, pairs);
    for (i, key) in keys.iter().take(nodes.len()).enumerate() {
        let (sum, blocks) = groups.entry(*key).or_default();
        *sum += sums.node(i, 1);
        *blocks += 1.0;
    }
    for (key, node) in keys.iter().zip(nodes) {
        if let Some((sum, blocks)) = groups.get(key) {
            node[1] += weight * (2.0 * sum / blocks - 1.0);
        }
    }
}

fn log_sum(left: f64, right: f64) -> f64 {
    let (low, high) = if left < right {
        (left, right)
    } else {
        (right, left)
    };
    high + (low - high).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_outvote_a_lonely_block() {
        let nodes = [[0.0, 1.0], [0.2, 0.0], [0.0, 1.0]];
        let alike = [1.0, 0.0, 0.0, 1.0];
        assert_eq!(best_labels(&nodes, &[alike; 2]), [1, 1, 1]);
        assert_eq!(best_labels(&nodes, &[[0.0; 4]; 2]), [1, 0, 1]);
    }

    #[test]
    fn a_page_without_blocks_has_no_labels() {
        assert!(best_labels(&[], &[]).is_empty());
        assert_eq!(marginals(&[], &[]).log_partition, 0.0);
    }

    #[test]
    fn blocks_of_a_group_pull_each_other_to_one_label() {
        let sure = [[0.0, 9.0], [0.0, 9.0], [0.2, 0.0], [0.2, 0.0]];
        let mut nodes = sure;
        agree(&mut nodes, &[[0.0; 4]; 3], &[7, 7, 7, 8], 1.0);
        assert_eq!(best_labels(&nodes, &[[0.0; 4]; 3]), [1, 1, 1, 0]);

        let mut nodes = sure;
        agree(&mut nodes, &[[0.0; 4]; 3], &[7, 7, 7, 8], 0.0);
        assert_eq!(nodes, sure);
    }

    #[test]
    fn marginals_of_a_block_add_up_to_one() {
        let found = marginals(&[[0.3, -1.0], [2.0, 0.5]], &[[0.1, 0.2, -3.0, 1.0]]);
        assert!(
            found
                .nodes
                .iter()
                .all(|node| (node[0] + node[1] - 1.0).abs() < 1e-12)
        );
        assert!((found.pairs[0].iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
}
