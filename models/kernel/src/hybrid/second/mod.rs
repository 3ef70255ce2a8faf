//! What the second stage sees beside the features: the first stage's probabilities around a block.
//!
//! They are gathered along the tree, not only along the text: under each ancestor, among blocks
//! with the same labels, among the twins of an ancestor, and under the node that alone would make
//! the best cut through the page.

mod columns;

use crate::hybrid::context::Context;
use crate::hybrid::decode::{best_threshold, falling};
use crate::hybrid::map::HashedMap;
use crate::hybrid::outline::{Outline, Span};
use crate::hybrid::sink::{Names, share};

/// A block is a sure one above this probability, from so many words on.
const SURE: f32 = 0.5;
const SURE_WORDS: f32 = 8.0;

#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    /// Words, and words expected to be content.
    weight: f32,
    expected: f32,
    count: f32,
}

impl Sum {
    fn add(&mut self, other: Self) {
        self.weight += other.weight;
        self.expected += other.expected;
        self.count += other.count;
    }

    fn mean(self) -> f32 {
        share(self.expected, self.weight)
    }
}

/// The first stage's view of a page.
pub struct Second<'context, 'page, 'text> {
    context: &'context Context<'page, 'text>,
    probabilities: &'context [f32],
    nodes: Vec<Sum>,
    by_label: HashedMap<u32, Sum>,
    /// Sums of twins, at the index of the first of them.
    twins: Vec<Sum>,
    before: Vec<Sum>,
    best_node: u32,
    best_f: f32,
    threshold: f32,
    mean: f32,
    last_sure: Vec<Option<usize>>,
    next_sure: Vec<Option<usize>>,
    /// The two highest probabilities of equal texts, at the index of the first of them.
    copies: Vec<[f32; 2]>,
    /// Share of the words that stand in likelier blocks or in the block itself.
    ranks: Vec<f32>,
    /// The first and the last block above the threshold.
    kept: (usize, usize),
    /// Words of all blocks above the threshold, as a share.
    kept_share: f32,
}

/// Weight of every block of a page: its words, a little for those that have none.
#[must_use]
pub fn weights(context: &Context<'_, '_>) -> Vec<f32> {
    let words = context.shapes.iter().map(|shape| shape.tokens().max(0.1));
    words.collect()
}

impl<'context, 'page, 'text> Second<'context, 'page, 'text> {
    /// Gathers one probability a block.
    #[must_use]
    pub fn of(context: &'context Context<'page, 'text>, probabilities: &'context [f32]) -> Self {
        let weights = weights(context);
        let count = context.blocks();
        let order = falling(probabilities);
        let mut second = Self {
            context,
            probabilities,
            nodes: vec![Sum::default(); context.nodes.len()],
            by_label: HashedMap::default(),
            twins: vec![Sum::default(); context.nodes.len()],
            before: vec![Sum::default()],
            best_node: 0,
            best_f: -1.0,
            threshold: best_threshold(&order, probabilities, &weights),
            mean: share(probabilities.iter().sum(), count as f32),
            last_sure: Vec::with_capacity(count),
            next_sure: vec![None; count],
            copies: vec![[-1.0; 2]; count],
            ranks: vec![0.0; count],
            kept: (0, 0),
            kept_share: 0.0,
        };
        second.sum(&weights);
        second.find_best_cut();
        second.find_sure(&weights);
        second.compare_copies();
        second.rank(&order, &weights);
        second
    }

    fn sum(&mut self, weights: &[f32]) {
        let mut all = Sum::default();
        for (block, (weight, p)) in weights.iter().zip(self.probabilities).enumerate() {
            let one = Sum {
                weight: *weight,
                expected: weight * p,
                count: 1.0,
            };
            let node = self.context.page.spans[block].node as usize;
            self.nodes[node].add(one);
            let label = self.context.nodes[node].label_path_hash;
            self.by_label.entry(label).or_default().add(one);
            all.add(one);
            self.before.push(all);
        }
        for index in (1..self.nodes.len()).rev() {
            let sum = self.nodes[index];
            self.nodes[self.context.page.nodes[index].parent as usize].add(sum);
        }
        for (node, sum) in self.context.nodes.iter().zip(&self.nodes) {
            self.twins[node.twin_group as usize].add(*sum);
        }
    }

    fn all(&self) -> Sum {
        self.before.last().copied().unwrap_or_default()
    }

    /// The expected F1 of keeping all that is under a node, and nothing else.
    fn cut_f(&self, sum: Sum) -> f32 {
        share(2.0 * sum.expected, sum.weight + self.all().expected)
    }

    fn find_best_cut(&mut self) {
        for (index, sum) in self.nodes.iter().enumerate() {
            let f = self.cut_f(*sum);
            // of equally good nodes the last is the innermost
            if f >= self.best_f {
                self.best_f = f;
                self.best_node = index as u32;
            }
        }
    }

    fn compare_copies(&mut self) {
        for (overlap, p) in self.context.overlaps.iter().zip(self.probabilities) {
            let [most, next] = &mut self.copies[overlap.first_copy as usize];
            if p > most {
                (*most, *next) = (*p, *most);
            } else if p > next {
                *next = *p;
            }
        }
    }

    /// Walks the blocks in falling order of probability: `order`.
    fn rank(&mut self, order: &[u32], weights: &[f32]) {
        let all = self.all().weight;
        let mut words = 0.0;
        let (mut first, mut last) = (usize::MAX, 0);
        for block in order.iter().map(|block| *block as usize) {
            words += weights[block];
            self.ranks[block] = share(words, all);
            if self.probabilities[block] > self.threshold || first == usize::MAX {
                (first, last) = (first.min(block), last.max(block));
                self.kept_share = self.ranks[block];
            }
        }
        self.kept = (first, last);
    }

    fn find_sure(&mut self, weights: &[f32]) {
        let is_sure = |at: usize| self.probabilities[at] > SURE && weights[at] >= SURE_WORDS;
        let mut last = None;
        for at in 0..weights.len() {
            self.last_sure.push(last);
            if is_sure(at) {
                last = Some(at);
            }
        }
        let mut next = None;
        for at in (0..weights.len()).rev() {
            self.next_sure[at] = next;
            if is_sure(at) {
                next = Some(at);
            }
        }
    }
}

/// The names of what the second stage sees, in the order of its columns.
#[must_use]
pub fn names() -> Vec<&'static str> {
    let mut page = Outline::of_body();
    page.spans.push(Span::default());
    let context = Context::of(&page);
    let mut names = Names::default();
    Second::of(&context, &[0.5]).write(0, &mut names);
    names.0
}
