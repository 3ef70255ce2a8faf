//! The probabilities of a page as a whole, and its best single node.

use super::Sum;
use crate::engines::hybrid::context::Context;
use crate::engines::hybrid::decode::{best_threshold, falling};
use crate::engines::hybrid::sink::{Sink, share};

/// A page with the probabilities of its blocks.
pub struct Whole<'a> {
    /// Lists per block are in the order of the blocks.
    pub(super) probabilities: &'a [f32],
    pub(super) weights: &'a [f32],
    /// The blocks in decreasing order of probability.
    pub(super) order: Vec<u32>,
    /// Sums of the blocks below each node, and of the page.
    pub(super) nodes: Vec<Sum>,
    pub(super) all: Sum,
    /// The single node with the best expected F1, and that F1.
    pub(super) best_node: u32,
    pub(super) best_f: f32,
    pub(super) threshold: f32,
    pub(super) mean: f32,
}

impl<'a> Whole<'a> {
    /// Sums up one probability per block.
    #[must_use]
    pub fn of(context: &'a Context<'_, '_>, probabilities: &'a [f32]) -> Self {
        let order = falling(probabilities);
        let mut whole = Self {
            nodes: vec![Sum::default(); context.nodes.len()],
            all: Sum::default(),
            best_node: 0,
            best_f: -1.0,
            threshold: best_threshold(&order, probabilities, &context.weights),
            mean: share(probabilities.iter().sum(), context.blocks() as f32),
            probabilities,
            weights: &context.weights,
            order,
        };
        whole.sum(context);
        whole.find_best_cut();
        whole
    }

    fn sum(&mut self, context: &Context<'_, '_>) {
        for (block, span) in context.page.spans.iter().enumerate() {
            let one = self.block(block);
            self.nodes[span.node as usize].add(one);
            self.all.add(one);
        }
        for index in (1..self.nodes.len()).rev() {
            let sum = self.nodes[index];
            self.nodes[context.page.nodes[index].parent as usize].add(sum);
        }
    }

    fn find_best_cut(&mut self) {
        for (index, sum) in self.nodes.iter().enumerate() {
            let f = self.cut_f(*sum);
            // the last of equally good nodes is the innermost
            if f >= self.best_f {
                self.best_f = f;
                self.best_node = index as u32;
            }
        }
    }

    /// The sum of one block.
    pub(super) fn block(&self, block: usize) -> Sum {
        let weight = self.weights[block];
        Sum {
            weight,
            expected: weight * self.probabilities[block],
        }
    }

    /// The expected F1 of keeping exactly the blocks under a node.
    pub(super) fn cut_f(&self, sum: Sum) -> f32 {
        share(2.0 * sum.expected, sum.weight + self.all.expected)
    }

    /// The single node with the best expected F1.
    #[must_use]
    pub fn best_node(&self) -> u32 {
        self.best_node
    }

    /// That expected F1.
    #[must_use]
    pub fn best_f(&self) -> f32 {
        self.best_f
    }

    /// Writes the features of the page.
    pub fn write(&self, out: &mut impl Sink) {
        out.put("p_page", self.all.mean());
        out.put("p_page_mean", self.mean);
        out.put("p_words", self.all.expected);
        out.put("p_threshold", self.threshold);
        self.write_best_cut(out);
    }

    pub(super) fn write_best_cut(&self, out: &mut impl Sink) {
        let best = self.nodes[self.best_node as usize];
        out.put("best_cut", self.best_f);
        out.put("best_cut_purity", best.mean());
    }
}
