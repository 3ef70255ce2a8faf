//! What the second stage sees beside the features: the first stage's probabilities around a block.
//!
//! They are gathered along the tree, not only along the text: under each ancestor, among blocks
//! with the same labels, among the twins of an ancestor, and under the node that alone would make
//! the best cut through the page.

mod columns;
mod paths;
mod whole;

use crate::engines::hybrid::context::Context;
use crate::engines::hybrid::map::HashedMap;
use crate::engines::hybrid::outline::{Outline, Span};
use crate::engines::hybrid::sink::{Names, share};
use paths::PathSums;
pub use whole::Whole;

/// A block is a sure one above this probability, from so many words on.
const SURE: f32 = 0.5;
const SURE_WORDS: f32 = 8.0;

#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    /// Words, and words expected to be content.
    weight: f32,
    expected: f32,
}

impl Sum {
    fn add(&mut self, other: Self) {
        self.weight += other.weight;
        self.expected += other.expected;
    }

    fn mean(self) -> f32 {
        share(self.expected, self.weight)
    }
}

/// The first stage's view of a page.
pub struct Second<'context, 'page, 'text> {
    context: &'context Context<'page, 'text>,
    whole: Whole<'context>,
    by_label: HashedMap<u32, Sum>,
    /// Sums of twins, at the index of the first of them.
    twins: Vec<Sum>,
    /// Of the nodes that hold blocks.
    paths: Vec<PathSums>,
    before: Vec<Sum>,
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

impl<'context, 'page, 'text> Second<'context, 'page, 'text> {
    /// Gathers one probability a block.
    #[must_use]
    pub fn of(context: &'context Context<'page, 'text>, probabilities: &'context [f32]) -> Self {
        let whole = Whole::of(context, probabilities);
        let count = context.blocks();
        let twins = sum_twins(context, &whole);
        let mut second = Self {
            context,
            paths: paths::fold(context, &whole, &twins),
            whole,
            by_label: HashedMap::default(),
            twins,
            before: vec![Sum::default()],
            last_sure: Vec::with_capacity(count),
            next_sure: vec![None; count],
            copies: vec![[-1.0; 2]; count],
            ranks: vec![0.0; count],
            kept: (0, 0),
            kept_share: 0.0,
        };
        second.sum();
        second.find_sure();
        second.compare_copies();
        second.rank();
        second
    }

    fn sum(&mut self) {
        let mut all = Sum::default();
        for block in 0..self.context.blocks() {
            let one = self.whole.block(block);
            let label = self.context.own(block).label_path_hash;
            self.by_label.entry(label).or_default().add(one);
            all.add(one);
            self.before.push(all);
        }
    }

    fn compare_copies(&mut self) {
        for (overlap, p) in self.context.overlaps.iter().zip(self.whole.probabilities) {
            let [most, next] = &mut self.copies[overlap.first_copy as usize];
            if p > most {
                (*most, *next) = (*p, *most);
            } else if p > next {
                *next = *p;
            }
        }
    }

    /// Walks the blocks in falling order of probability.
    fn rank(&mut self) {
        let whole = &self.whole;
        let mut words = 0.0;
        let (mut first, mut last) = (usize::MAX, 0);
        for block in whole.order.iter().map(|block| *block as usize) {
            words += whole.weights[block];
            self.ranks[block] = share(words, whole.all.weight);
            if whole.probabilities[block] > whole.threshold || first == usize::MAX {
                (first, last) = (first.min(block), last.max(block));
                self.kept_share = self.ranks[block];
            }
        }
        self.kept = (first, last);
    }

    fn find_sure(&mut self) {
        let whole = &self.whole;
        let is_sure = |at: usize| whole.probabilities[at] > SURE && whole.weights[at] >= SURE_WORDS;
        let mut last = None;
        for at in 0..whole.weights.len() {
            self.last_sure.push(last);
            if is_sure(at) {
                last = Some(at);
            }
        }
        let mut next = None;
        for at in (0..whole.weights.len()).rev() {
            self.next_sure[at] = next;
            if is_sure(at) {
                next = Some(at);
            }
        }
    }
}

/// Sums of twins, at the index of the first of them.
fn sum_twins(context: &Context<'_, '_>, whole: &Whole<'_>) -> Vec<Sum> {
    let mut twins = vec![Sum::default(); context.nodes.len()];
    for (node, sum) in context.nodes.iter().zip(&whole.nodes) {
        twins[node.twin_group as usize].add(*sum);
    }
    twins
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
