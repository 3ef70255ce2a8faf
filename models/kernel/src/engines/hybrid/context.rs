//! Facts about a page that are computed before the rows of its blocks are written.

use super::distinct::Distinct;
use super::labels::Labels;
use super::landmarks::Landmarks;
use super::lexicon::Vocabulary;
use super::outline::Outline;
use super::paths::{self, PathFacts, Target};
use super::readability::{self, Containers};
use super::text::{Overlap, TextShape, shape};
use super::tree::{NodeFacts, REPEATED, facts};
use super::words::HashSet32;
use crate::text::hash::append;
use crate::text::map::{HashedMap, with_room};

/// Blocks with something in common.
#[derive(Clone, Copy, Debug, Default)]
pub struct Group {
    pub blocks: f32,
    pub chars: f32,
    pub link_chars: f32,
    pub prose: f32,
}

/// Blocks per group of a usual page.
const DISTINCT: usize = 3;
/// Words of a block that are stored individually.
const FIRST_WORDS: usize = 40;

/// Words per block of a usual page, of those stored.
const STORED: usize = 16;

/// The first words of every block, by their hashes.
struct FirstWords {
    words: Vec<u32>,
    /// The end of each block's words.
    ends: Vec<usize>,
}

/// Sums over the blocks before one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Before {
    pub chars: f32,
    pub link_chars: f32,
    pub prose_chars: f32,
    pub prose_blocks: f32,
}

/// A page with its sums; lists per block are in the order of the blocks.
pub struct Context<'page, 'text> {
    pub page: &'page Outline<'text>,
    pub shapes: Vec<TextShape>,
    /// Words of the blocks; a small number for blocks without words.
    pub weights: Vec<f32>,
    pub nodes: Vec<NodeFacts>,
    /// For the nodes that contain blocks.
    pub paths: Vec<PathFacts>,
    pub overlaps: Vec<Overlap>,
    /// One more entry than blocks: the last one has the sums of the page.
    pub before: Vec<Before>,
    /// Blocks by tags from the root, by tags and labels from the root, and by parent.
    pub by_path: HashedMap<u32, Group>,
    pub by_label: HashedMap<u32, Group>,
    pub by_parent: HashedMap<u32, Group>,
    pub title_words: u32,
    pub has_description: bool,
    pub containers: Containers,
    pub landmarks: Landmarks,
    pub words: Vocabulary,
    pub labels: Labels,
    first_words: FirstWords,
    /// Characters of the repeated siblings with the most text.
    pub repeated_chars: f32,
    /// Characters of the page, at least 1.
    pub total: f32,
}

impl<'page, 'text> Context<'page, 'text> {
    /// Reads a page of at least one block.
    #[must_use]
    pub fn of(page: &'page Outline<'text>) -> Self {
        let title = word_set(page.title);
        let description = word_set(page.description);
        let mut words = Vocabulary::default();
        let mut first_words = FirstWords {
            words: Vec::with_capacity(page.spans.len() * STORED),
            ends: Vec::with_capacity(page.spans.len()),
        };
        let (shapes, overlaps) = read_texts(
            page,
            [&title.1, &description.1],
            &mut words,
            &mut first_words,
        );
        let mut labels = Labels::default();
        let mut nodes = facts(page, &shapes, &mut labels);
        words.extend(labels.words());
        let containers = readability::score(page, &shapes, &mut nodes);
        let before = sums(page, &shapes);
        let landmarks = Landmarks::of(page, &shapes, &overlaps, title.0);
        let targets = paths::targets(page, containers.top, &landmarks);
        let prose_chars = before.last().map_or(0.0, |all| all.prose_chars);
        let mut context = Self {
            page,
            repeated_chars: longest_repeated(&nodes),
            paths: paths::fold(page, &nodes, targets, prose_chars),
            landmarks,
            total: before.last().map_or(1.0, |all| all.chars.max(1.0)),
            weights: shapes.iter().map(|shape| shape.tokens().max(0.1)).collect(),
            shapes,
            nodes,
            overlaps,
            before,
            by_path: with_room(page.spans.len() / DISTINCT),
            by_label: with_room(page.spans.len() / DISTINCT),
            by_parent: with_room(page.spans.len() / DISTINCT),
            title_words: title.0,
            has_description: description.0 >= 4,
            containers,
            words,
            labels,
            first_words,
        };
        context.group();
        context
    }

    fn group(&mut self) {
        for (span, shape) in self.page.spans.iter().zip(&self.shapes) {
            let node = &self.nodes[span.node as usize];
            let parent = self.page.nodes[span.node as usize].parent;
            let prose = f32::from(u8::from(shape.is_prose(span.link_chars)));
            for group in [
                self.by_path.entry(node.path_hash).or_default(),
                self.by_label.entry(node.label_path_hash).or_default(),
                self.by_parent.entry(parent).or_default(),
            ] {
                group.blocks += 1.0;
                group.chars += shape.chars as f32;
                group.link_chars += span.link_chars as f32;
                group.prose += prose;
            }
        }
    }

    /// The number of blocks of the page.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.page.spans.len()
    }

    /// The sums of the whole page.
    #[must_use]
    pub fn all(&self) -> Before {
        self.before.last().copied().unwrap_or_default()
    }

    /// The hashes of the first words of a block, including repeats.
    #[must_use]
    pub fn first_words(&self, block: usize) -> &[u32] {
        let FirstWords { words, ends } = &self.first_words;
        let start = block.checked_sub(1).map_or(0, |before| ends[before]);
        &words[start..ends[block]]
    }

    /// The facts of a block's node.
    #[must_use]
    pub fn own(&self, block: usize) -> &NodeFacts {
        &self.nodes[self.page.spans[block].node as usize]
    }

    /// The facts of the path to a block's node.
    #[must_use]
    pub fn own_path(&self, block: usize) -> &PathFacts {
        &self.paths[self.own(block).place as usize]
    }

    /// Levels from the node of a block up to an ancestor (0 for the node itself).
    #[must_use]
    pub fn levels_to(&self, block: usize, above: &NodeFacts) -> f32 {
        f32::from(self.own(block).depth - above.depth)
    }

    /// Levels from the node of a block up to the nearest one that contains another block too.
    #[must_use]
    pub fn levels_up(&self, from: usize, to: usize) -> f32 {
        let spans = &self.page.spans;
        let common = self.page.common(spans[from].node, spans[to].node);
        self.levels_to(from, &self.nodes[common as usize])
    }

    /// The nearest node that contains both a block and a target, which the page must have.
    #[must_use]
    pub fn shared(&self, block: usize, target: Target) -> &NodeFacts {
        &self.nodes[self.own_path(block).common(target) as usize]
    }

    /// The node this many levels above another, or the first node.
    #[must_use]
    pub fn above(&self, node: u32, levels: usize) -> &NodeFacts {
        &self.nodes[self.page.above(node, levels) as usize]
    }
}

fn longest_repeated(nodes: &[NodeFacts]) -> f32 {
    let repeated = nodes.iter().filter(|node| node.siblings >= REPEATED);
    repeated.map(|node| node.sibling_chars).max().unwrap_or(0) as f32
}

fn word_set(text: &str) -> (u32, HashSet32) {
    let mut words = Vec::new();
    shape(text, &mut |word| words.push(word));
    words.sort_unstable();
    words.dedup();
    (words.len() as u32, HashSet32::of(words.into_iter()))
}

fn read_texts(
    page: &Outline<'_>,
    [title, description]: [&HashSet32; 2],
    vocabulary: &mut Vocabulary,
    first_words: &mut FirstWords,
) -> (Vec<TextShape>, Vec<Overlap>) {
    let mut shapes = Vec::with_capacity(page.spans.len());
    let mut overlaps = Vec::with_capacity(page.spans.len());
    let mut copies: HashedMap<u64, (u32, u32)> = with_room(page.spans.len());
    let mut hashes = Vec::with_capacity(page.spans.len());
    let mut words = Vec::with_capacity(FIRST_WORDS);
    let mut distinct = Distinct::new();
    for span in &page.spans {
        words.clear();
        let read = shape(span.text, &mut |word| words.push(word));
        let hash = words.iter().fold(u64::from(read.chars), |hash, word| {
            append(hash, u64::from(*word))
        });
        let block = hashes.len() as u32;
        copies.entry(hash).or_insert((0, block)).0 += 1;
        hashes.push(hash);
        first_words.words.extend(words.iter().take(FIRST_WORDS));
        first_words.ends.push(first_words.words.len());
        distinct.keep_one_of_each(&mut words);
        vocabulary.extend(&words);
        overlaps.push(Overlap {
            distinct: words.len() as u32,
            in_title: title.count(&words) as u32,
            in_description: description.count(&words) as u32,
            copies: 0,
            first_copy: 0,
        });
        shapes.push(read);
    }
    for (overlap, hash) in overlaps.iter_mut().zip(hashes) {
        (overlap.copies, overlap.first_copy) = copies.get(&hash).copied().unwrap_or((1, 0));
    }
    (shapes, overlaps)
}

fn sums(page: &Outline<'_>, shapes: &[TextShape]) -> Vec<Before> {
    let mut all = Before::default();
    let mut before = Vec::with_capacity(page.spans.len() + 1);
    before.push(all);
    for (span, shape) in page.spans.iter().zip(shapes) {
        all.chars += shape.chars as f32;
        all.link_chars += span.link_chars as f32;
        if shape.is_prose(span.link_chars) {
            all.prose_chars += shape.chars as f32;
            all.prose_blocks += 1.0;
        }
        before.push(all);
    }
    before
}
