//! What the second stage sees beside the features: the first stage's probabilities around a block.
//!
//! They are gathered along the tree, not only along the text: under each ancestor, among blocks
//! with the same labels, among the twins of an ancestor, and under the node that alone would make
//! the best cut through the page.

use super::context::Context;
use super::decode::best_threshold;
use super::map::HashedMap;
use super::outline::{Outline, Span};
use super::sink::{Names, Sink, share};

/// A block is a sure one above this probability, from so many words on.
const SURE: f32 = 0.5;
const SURE_WORDS: f32 = 8.0;
const FAR: f32 = 999.0;

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
        let mut second = Self {
            context,
            probabilities,
            nodes: vec![Sum::default(); context.nodes.len()],
            by_label: HashedMap::default(),
            twins: vec![Sum::default(); context.nodes.len()],
            before: vec![Sum::default()],
            best_node: 0,
            best_f: -1.0,
            threshold: best_threshold(probabilities, &weights),
            mean: share(probabilities.iter().sum(), count as f32),
            last_sure: Vec::with_capacity(count),
            next_sure: vec![None; count],
        };
        second.sum(&weights);
        second.find_best_cut();
        second.find_sure(&weights);
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

    /// Writes what the second stage sees of one block.
    pub fn write(&self, block: usize, out: &mut impl Sink) {
        self.neighbours(block, out);
        self.page(block, out);
        self.ancestors(block, out);
        self.cuts(block, out);
        self.sure(block, out);
    }

    fn neighbours(&self, block: usize, out: &mut impl Sink) {
        const NAMES: [&str; 5] = ["p_back_2", "p_back_1", "p", "p_next_1", "p_next_2"];
        for (name, delta) in NAMES.iter().zip([-2, -1, 0, 1, 2]) {
            let at = block.checked_add_signed(delta);
            let p = at.and_then(|at| self.probabilities.get(at));
            out.put(name, p.copied().unwrap_or(0.0));
        }
        for (width, name) in [(3, "p_3"), (8, "p_8"), (20, "p_20")] {
            let low = self.before[block.saturating_sub(width)];
            let high = self.before[(block + width + 1).min(self.probabilities.len())];
            out.put(
                name,
                share(high.expected - low.expected, high.weight - low.weight),
            );
        }
    }

    fn page(&self, block: usize, out: &mut impl Sink) {
        let all = self.all();
        let after = all.expected - self.before[block + 1].expected;
        out.put("p_page", all.mean());
        out.put("p_page_mean", self.mean);
        out.put("p_before", share(self.before[block].expected, all.expected));
        out.put("p_after", share(after, all.expected));
        out.put("p_words", all.expected);
        out.put("p_threshold", self.threshold);
    }

    /// What is known of the page as a whole.
    pub fn whole(&self, out: &mut impl Sink) {
        let all = self.all();
        out.put("p_page", all.mean());
        out.put("p_page_mean", self.mean);
        out.put("p_words", all.expected);
        out.put("p_threshold", self.threshold);
        out.put("best_cut", self.best_f);
        out.put(
            "best_cut_purity",
            self.nodes[self.best_node as usize].mean(),
        );
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
        let expected = self.all().expected;
        let mut path = self.context.path(self.context.page.spans[block].node);
        let mut sum = Sum::default();
        for names in NAMES {
            // above the first node its own figures are repeated
            if let Some((index, _)) = path.next() {
                sum = self.nodes[index as usize];
            }
            out.put(names[0], sum.mean());
            out.put(names[1], share(sum.expected, expected));
        }
        let label = self.context.own(block).label_path_hash;
        let group = self.by_label.get(&label).copied().unwrap_or_default();
        out.put("p_label", group.mean());
    }

    fn cuts(&self, block: usize, out: &mut impl Sink) {
        let (mut near, mut most) = (None, Sum::default());
        let mut to_best = -1.0;
        let mut own = (0.0, Sum::default());
        let path = self.context.path(self.context.page.spans[block].node);
        for (level, (index, facts)) in path.enumerate() {
            if facts.twins >= super::tree::SERIES {
                let twins = self.twins[facts.twin_group as usize];
                near = near.or(Some(twins));
                if twins.weight > most.weight {
                    most = twins;
                }
            }
            if index == self.best_node {
                to_best = level as f32;
            }
            let sum = self.nodes[index as usize];
            let f = self.cut_f(sum);
            if f > own.0 {
                own = (f, sum);
            }
        }
        out.put("p_near_twins", near.map_or(-1.0, Sum::mean));
        out.put(
            "p_most_twins",
            if near.is_some() { most.mean() } else { -1.0 },
        );
        out.put("to_best_cut", to_best);
        out.put("best_cut", self.best_f);
        out.put(
            "best_cut_purity",
            self.nodes[self.best_node as usize].mean(),
        );
        out.put("own_cut", share(own.0, self.best_f));
        out.put("own_cut_purity", own.1.mean());
    }

    fn sure(&self, block: usize, out: &mut impl Sink) {
        let (last, next) = (self.last_sure[block], self.next_sure[block]);
        let up = |other: Option<usize>| other.map_or(FAR, |other| self.levels_up(block, other));
        out.put("last_sure", last.map_or(FAR, |last| (block - last) as f32));
        out.put("next_sure", next.map_or(FAR, |next| (next - block) as f32));
        out.put("last_sure_up", up(last));
        out.put("next_sure_up", up(next));
    }

    fn levels_up(&self, from: usize, to: usize) -> f32 {
        let spans = &self.context.page.spans;
        let common = self.context.common(spans[from].node, spans[to].node);
        let depths = (
            self.context.own(from).depth,
            self.context.nodes[common as usize].depth,
        );
        f32::from(depths.0 - depths.1)
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
