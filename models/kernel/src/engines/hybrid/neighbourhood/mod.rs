//! Neighbourhood features of a block: the network's output for the blocks around it.
//!
//! They are gathered along the tree, not only along the text: under each ancestor, among blocks
//! with the same labels, among siblings like an ancestor, and under the single node that gives the
//! best expected F1.

mod paths;
mod whole;

use crate::engines::hybrid::context::Context;
use crate::engines::hybrid::outline::{Outline, Span};
use crate::engines::hybrid::sink::{Names, Sink, share};
use crate::text::map::{HashedMap, with_room};
use paths::PathSums;
pub use whole::Whole;

/// A block counts as certain above this probability, from this number of words on.
const SURE: f32 = 0.5;
const SURE_WORDS: f32 = 8.0;
/// Distance to a missing block.
const FAR: f32 = 999.0;

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

/// A page with the network's probabilities.
pub struct Neighbourhood<'context, 'page, 'text> {
    context: &'context Context<'page, 'text>,
    whole: Whole<'context>,
    by_label: HashedMap<u32, Sum>,
    /// Sums of like siblings, at the index of the first of them.
    siblings: Vec<Sum>,
    /// For the nodes that contain blocks.
    paths: Vec<PathSums>,
    before: Vec<Sum>,
    last_sure: Vec<Option<usize>>,
    next_sure: Vec<Option<usize>>,
    /// The two highest probabilities of equal texts, at the index of the first of them.
    copies: Vec<[f32; 2]>,
    /// Share of the words in likelier blocks and in the block itself.
    ranks: Vec<f32>,
    /// The first and the last block above the threshold.
    kept: (usize, usize),
    /// Words of all blocks above the threshold, as a share.
    kept_share: f32,
}

impl<'context, 'page, 'text> Neighbourhood<'context, 'page, 'text> {
    /// Gathers one probability per block.
    #[must_use]
    pub fn of(context: &'context Context<'page, 'text>, probabilities: &'context [f32]) -> Self {
        let whole = Whole::of(context, probabilities);
        let count = context.blocks();
        let siblings = sum_siblings(context, &whole);
        let mut found = Self {
            context,
            paths: paths::fold(context, &whole, &siblings),
            whole,
            by_label: with_room(context.by_label.len()),
            siblings,
            before: Vec::with_capacity(count + 1),
            last_sure: Vec::with_capacity(count),
            next_sure: vec![None; count],
            copies: vec![[-1.0; 2]; count],
            ranks: vec![0.0; count],
            kept: (0, 0),
            kept_share: 0.0,
        };
        found.sum();
        found.find_sure();
        found.compare_copies();
        found.rank();
        found
    }

    fn sum(&mut self) {
        let mut all = Sum::default();
        self.before.push(all);
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

    /// Visits the blocks in decreasing order of probability.
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

    /// Writes the features of one block.
    pub fn write(&self, block: usize, out: &mut impl Sink) {
        self.neighbours(block, out);
        self.page(block, out);
        self.ancestors(block, out);
        self.cuts(block, out);
        self.sure(block, out);
        self.copies(block, out);
        self.kept(block, out);
    }

    fn neighbours(&self, block: usize, out: &mut impl Sink) {
        const NAMES: [&str; 5] = ["p_back_2", "p_back_1", "p", "p_next_1", "p_next_2"];
        for (name, delta) in NAMES.iter().zip([-2, -1, 0, 1, 2]) {
            let at = block.checked_add_signed(delta);
            let p = at.and_then(|at| self.whole.probabilities.get(at));
            out.put(name, p.copied().unwrap_or(0.0));
        }
        for (width, name) in [(3, "p_3"), (8, "p_8"), (20, "p_20")] {
            let low = self.before[block.saturating_sub(width)];
            let high = self.before[(block + width + 1).min(self.whole.probabilities.len())];
            out.put(
                name,
                share(high.expected - low.expected, high.weight - low.weight),
            );
        }
    }

    fn page(&self, block: usize, out: &mut impl Sink) {
        let all = self.whole.all;
        let before = self.before[block].expected;
        let after = all.expected - self.before[block + 1].expected;
        out.put("p_page", all.mean());
        out.put("p_page_mean", self.whole.mean);
        out.put("p_before", share(before, all.expected));
        out.put("p_after", share(after, all.expected));
        out.put("p_words", all.expected);
        out.put("p_threshold", self.whole.threshold);
    }

    fn ancestors(&self, block: usize, out: &mut impl Sink) {
        const NAMES: [[&str; 2]; 6] = [
            ["p_a0", "e_a0"],
            ["p_a1", "e_a1"],
            ["p_a2", "e_a2"],
            ["p_a3", "e_a3"],
            ["p_a4", "e_a4"],
            ["p_a5", "e_a5"],
        ];
        let expected = self.whole.all.expected;
        let mut path = self.context.page.path(self.context.page.spans[block].node);
        let mut sum = Sum::default();
        for names in NAMES {
            // above the first node its own figures are repeated
            if let Some(index) = path.next() {
                sum = self.whole.nodes[index as usize];
            }
            out.put(names[0], sum.mean());
            out.put(names[1], share(sum.expected, expected));
        }
        let label = self.context.own(block).label_path_hash;
        let group = self.by_label.get(&label).copied().unwrap_or_default();
        out.put("p_label", group.mean());
    }

    fn cuts(&self, block: usize, out: &mut impl Sink) {
        let context = self.context;
        let path = &self.paths[context.own(block).place as usize];
        let near = context
            .nodes
            .get(context.own_path(block).near_repeated as usize);
        let near = near.map(|node| self.siblings[node.sibling_group as usize]);
        out.put("p_near_twins", near.map_or(-1.0, Sum::mean));
        out.put("p_most_twins", near.map_or(-1.0, |_| path.repeated_purity));
        out.put("to_best_cut", path.to_best_cut);
        self.whole.write_best_cut(out);
        out.put("own_cut", share(path.cut_f, self.whole.best_f));
        out.put("own_cut_purity", path.cut_purity);
    }

    fn sure(&self, block: usize, out: &mut impl Sink) {
        let (last, next) = (self.last_sure[block], self.next_sure[block]);
        let levels = |other: usize| self.context.levels_up(block, other);
        let up = |other: Option<usize>| other.map_or(FAR, levels);
        out.put("last_sure", last.map_or(FAR, |last| (block - last) as f32));
        out.put("next_sure", next.map_or(FAR, |next| (next - block) as f32));
        out.put("last_sure_up", up(last));
        out.put("next_sure_up", up(next));
    }

    /// The probabilities of equal texts.
    fn copies(&self, block: usize, out: &mut impl Sink) {
        let overlap = &self.context.overlaps[block];
        let first = overlap.first_copy as usize;
        let [most, next] = self.copies[first];
        let other = if self.whole.probabilities[block] < most {
            most
        } else {
            next
        };
        let before = if first < block {
            self.whole.probabilities[first]
        } else {
            -1.0
        };
        out.put("p_copies", other);
        out.put("p_first_copy", before);
        out.put("copy_distance", (block - first) as f32);
    }

    /// The position of the block among the likely kept blocks of its page.
    fn kept(&self, block: usize, out: &mut impl Sink) {
        let (first, last) = self.kept;
        let words = |from: usize, to: usize| self.before[to].weight - self.before[from].weight;
        out.put("p_rank", self.ranks[block]);
        out.put(
            "p_over",
            self.whole.probabilities[block] - self.whole.threshold,
        );
        out.put("from_first_kept", block as f32 - first as f32);
        out.put("to_last_kept", last as f32 - block as f32);
        out.put(
            "kept_place",
            share(words(first, block), words(first, last + 1)),
        );
        out.put("kept_share", self.kept_share);
    }
}

/// Sums of like siblings, at the index of the first of them.
fn sum_siblings(context: &Context<'_, '_>, whole: &Whole<'_>) -> Vec<Sum> {
    let mut siblings = vec![Sum::default(); context.nodes.len()];
    for (node, sum) in context.nodes.iter().zip(&whole.nodes) {
        siblings[node.sibling_group as usize].add(*sum);
    }
    siblings
}

/// The names of the features, in the order of their columns.
#[must_use]
pub fn names() -> Vec<&'static str> {
    let mut page = Outline::of_body();
    page.spans.push(Span::default());
    let context = Context::of(&page);
    let mut names = Names::default();
    Neighbourhood::of(&context, &[0.5]).write(0, &mut names);
    names.0
}
