//! The network's output along the path of elements from the root, folded once per element.
//!
//! If several elements of a path qualify, the innermost counts.

use super::Sum;
use super::whole::Whole;
use crate::engines::hybrid::context::Context;
use crate::engines::hybrid::tree::{REPEATED, with_blocks};

/// Facts of a path: an element and all above it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathSums {
    /// The best expected F1 of an element of the path, and the share of content below it.
    pub cut_f: f32,
    pub cut_purity: f32,
    /// The repeated siblings with the most words, and the share of content in them.
    pub repeated_words: f32,
    pub repeated_purity: f32,
    /// Levels up to the element with the best expected F1 in the page; -1 outside it.
    pub to_best_cut: f32,
}

/// The facts above the root.
const NOWHERE: PathSums = PathSums {
    cut_f: 0.0,
    cut_purity: 0.0,
    repeated_words: 0.0,
    repeated_purity: 0.0,
    to_best_cut: -1.0,
};

/// Facts of the paths to all nodes that contain blocks, in order, given the sums of like siblings.
#[must_use]
pub fn fold(context: &Context<'_, '_>, whole: &Whole<'_>, siblings: &[Sum]) -> Vec<PathSums> {
    let mut paths: Vec<PathSums> = Vec::with_capacity(context.paths.len());
    for (index, facts) in with_blocks(&context.nodes) {
        let parent = context.nodes.get(context.page.nodes[index].parent as usize);
        let mut path = parent.map_or(NOWHERE, |parent| paths[parent.place as usize]);
        path.add_cut(whole.cut_f(whole.nodes[index]), whole.nodes[index]);
        if facts.siblings >= REPEATED {
            path.add_repeated(siblings[facts.sibling_group as usize]);
        }
        if index as u32 == whole.best_node {
            path.to_best_cut = 0.0;
        } else if path.to_best_cut >= 0.0 {
            path.to_best_cut += 1.0;
        }
        paths.push(path);
    }
    paths
}

impl PathSums {
    fn add_cut(&mut self, f: f32, sum: Sum) {
        if f >= self.cut_f {
            self.cut_f = f;
            self.cut_purity = sum.mean();
        }
    }

    fn add_repeated(&mut self, sum: Sum) {
        if sum.weight >= self.repeated_words {
            self.repeated_words = sum.weight;
            self.repeated_purity = sum.mean();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sum_siblings;
    use super::*;
    use crate::engines::hybrid::synthetic;

    /// The facts of a path, computed directly from the inside out.
    fn walked(
        context: &Context<'_, '_>,
        whole: &Whole<'_>,
        siblings: &[Sum],
        node: u32,
    ) -> PathSums {
        let mut found = NOWHERE;
        for (level, index) in context.page.path(node).enumerate() {
            let facts = &context.nodes[index as usize];
            let sum = whole.nodes[index as usize];
            if whole.cut_f(sum) > found.cut_f {
                found.cut_f = whole.cut_f(sum);
                found.cut_purity = sum.mean();
            }
            let repeated = siblings[facts.sibling_group as usize];
            if facts.siblings >= REPEATED && repeated.weight > found.repeated_words {
                found.repeated_words = repeated.weight;
                found.repeated_purity = repeated.mean();
            }
            if index == whole.best_node {
                found.to_best_cut = level as f32;
            }
        }
        found
    }

    #[test]
    fn folded_facts_are_those_of_a_walk_to_the_root() {
        for seed in 0..300 {
            let page = synthetic::page(seed);
            let context = Context::of(&page);
            // halves, so that many elements are equally good
            let halves = (0..context.blocks()).map(|block| (block * block % 3) as f32 / 2.0);
            let probabilities: Vec<f32> = halves.collect();
            let whole = Whole::of(&context, &probabilities);
            let siblings = sum_siblings(&context, &whole);

            let folded = fold(&context, &whole, &siblings);

            for ((node, _), folded) in with_blocks(&context.nodes).zip(folded) {
                let walked = walked(&context, &whole, &siblings, node as u32);
                assert_eq!(folded, walked, "{seed} {node}");
            }
        }
    }
}
