//! Places on the page that rule-based extractors find: the densest range of words, the element with
//! most paragraphs.

use super::context::Context;
use super::counts::{CHARS, COMMAS, LINK_CHARS, WORDS};
use super::dom::NONE;
use super::logs::log_of;

/// A range of blocks, half open.
#[derive(Clone, Copy, Default)]
pub struct Stretch {
    pub start: usize,
    pub end: usize,
    /// Share of the page's characters.
    pub share: f64,
}

pub const STRETCH: [&str; 3] = ["inside", "distance", "share"];

impl Stretch {
    /// Inside or not; the logarithm of the distance to the border, negative inside; the share.
    #[must_use]
    pub fn columns(&self, block: usize) -> [f32; 3] {
        let is_inside = (self.start..self.end).contains(&block);
        let blocks = if is_inside {
            (block - self.start).min(self.end - 1 - block)
        } else if block < self.start {
            self.start - block
        } else {
            block - self.end + 1
        };
        let distance = log_of(blocks as f64) / 3.0;
        let signed = if is_inside { -distance } else { distance };
        [
            f32::from(u8::from(is_inside)),
            signed as f32,
            self.share as f32,
        ]
    }
}

/// Three ranges: words against tags (Finn et al. 2001), words outside links against tags,
/// paragraphs of a dozen words against all others.
#[must_use]
pub fn stretches(page: &Context<'_>) -> [Stretch; 3] {
    let mut values: [Vec<f64>; 3] = Default::default();
    for (block, counts) in page.counts.iter().enumerate() {
        let words = f64::from(counts.amounts[WORDS]);
        let chain = f64::from(page.node(block).chain);
        let hops = page.hops_before(block);
        let paragraph = page.paragraph(block).amounts;
        let is_dense =
            paragraph.get(WORDS) >= 12.0 && paragraph.get(LINK_CHARS) < 0.4 * paragraph.get(CHARS);
        values[0].push(words - hops - 2.0 * chain);
        values[1].push(if page.is_link(block) {
            -hops - chain - 5.0
        } else {
            words - hops - chain - 1.0
        });
        values[2].push(if is_dense { 3.0 } else { -1.0 });
    }
    values.map(|values| densest(page, &values))
}

/// The range with the largest sum, the first one among equals.
fn densest(page: &Context<'_>, values: &[f64]) -> Stretch {
    let (mut best, mut total, mut first) = (-1.0, 0.0, 0);
    let mut stretch = Stretch::default();
    for (block, value) in values.iter().enumerate() {
        if total <= 0.0 {
            total = 0.0;
            first = block;
        }
        total += value;
        if total > best {
            best = total;
            (stretch.start, stretch.end) = (first, block + 1);
        }
    }
    let inside = page.spans.between(stretch.start, stretch.end).get(CHARS);
    stretch.share = inside / page.spans.all().get(CHARS).max(1.0);
    stretch
}

fn stretch_of(page: &Context<'_>, node: usize) -> Stretch {
    let node = &page.cdom.nodes[node];
    let (start, end) = (node.first_block as usize, node.end_block as usize);
    let share = page.spans.between(start, end).get(CHARS) / page.spans.all().get(CHARS);
    Stretch { start, end, share }
}

/// The nodes scored by their paragraphs, as Readability scores its candidates.
pub struct Containers {
    /// Score of each node, divided by the best score of the page.
    scores: Vec<f64>,
    /// Largest score of a node and those above it.
    best_above: Vec<f64>,
    top: Stretch,
    second: f64,
    log_top: f64,
}

pub const CONTAINERS: [&str; 7] = [
    "inside",
    "best_above",
    "parent",
    "grandparent",
    "second",
    "top_score",
    "share",
];

/// Shorter paragraphs score nothing.
const PARAGRAPH_CHARS: f64 = 25.0;

impl Containers {
    #[must_use]
    pub fn of(page: &Context<'_>) -> Self {
        let mut scores = raw_scores(page);
        for (score, node) in scores.iter_mut().zip(&page.cdom.nodes) {
            let amounts = page
                .spans
                .between(node.first_block as usize, node.end_block as usize);
            *score *= 1.0 - amounts.get(LINK_CHARS) / amounts.get(CHARS).max(1.0);
        }
        let mut top = 0;
        let (mut best, mut second) = (0.0, 0.0);
        for (node, &score) in scores.iter().enumerate() {
            if score > best {
                (top, second, best) = (node, best, score);
            } else if score > second {
                second = score;
            }
        }
        let divisor = f64::max(best, 1e-9);
        scores.iter_mut().for_each(|score| *score /= divisor);
        let mut best_above: Vec<f64> = Vec::with_capacity(scores.len());
        for (node, &score) in page.cdom.nodes.iter().zip(&scores) {
            let above = best_above.get(node.parent as usize).copied().unwrap_or(0.0);
            best_above.push(score.max(above));
        }
        Self {
            top: stretch_of(page, top),
            second: second / divisor,
            log_top: best.ln_1p(),
            scores,
            best_above,
        }
    }

    #[must_use]
    pub fn columns(&self, page: &Context<'_>, block: usize) -> [f32; 7] {
        let [inside, _, share] = self.top.columns(block);
        let score = |node: u32| self.scores.get(node as usize).copied().unwrap_or(0.0) as f32;
        let parent = page.node(block).parent;
        let best = self.best_above.get(page.cdom.blocks[block] as usize);
        [
            inside,
            best.copied().unwrap_or(0.0) as f32,
            score(parent),
            score(page.parent_of(parent)),
            self.second as f32,
            self.log_top as f32,
            share,
        ]
    }
}

/// Every paragraph gives its score to its parent, half of it to the grandparent, less above.
fn raw_scores(page: &Context<'_>) -> Vec<f64> {
    let mut scores = vec![0.0; page.cdom.nodes.len()];
    for paragraph in &page.paragraphs {
        let amounts = &paragraph.amounts;
        let chars = amounts.get(CHARS);
        if chars < PARAGRAPH_CHARS {
            continue;
        }
        let value = (1.0 + amounts.get(COMMAS) + (chars / 100.0).min(3.0))
            * (1.0 - amounts.get(LINK_CHARS) / chars);
        let mut node = page.parent_of(page.node_around(paragraph));
        for divisor in [1.0, 2.0, 6.0, 9.0] {
            if node == NONE {
                break;
            }
            scores[node as usize] += value / divisor;
            node = page.parent_of(node);
        }
    }
    scores
}
