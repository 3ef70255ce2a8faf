//! Values shared by the columns of all blocks of a page: counts, paragraphs, links, paths,
//! distances.

use super::cdom::{Cdom, CdomNode};
use super::counts::{CHARS, TextCounts, count};
use super::dom::NONE;
use super::spans::{Amounts, Spans};
use crate::text::hash::append;
use crate::text::map::HashedMap;

/// Blocks without a block break between them, half open.
#[derive(Clone, Copy)]
pub struct Paragraph {
    pub start: usize,
    pub end: usize,
    pub amounts: Amounts,
    pub has_copyright: bool,
}

/// How often something occurs on the page, and how many characters it has.
#[derive(Clone, Copy, Default)]
pub struct Repeats {
    pub times: f64,
    pub chars: f64,
}

/// A page as input for the columns. It has at least one block.
pub struct Context<'tree> {
    pub cdom: Cdom<'tree>,
    pub counts: Vec<TextCounts>,
    pub spans: Spans,
    pub paragraphs: Vec<Paragraph>,
    /// Paragraph of each block.
    paragraph_of: Vec<u32>,
    /// Per node: whether it or a node above is a link.
    links: Vec<bool>,
    /// Per block, hops from the previous block; the last value is for the end of the page.
    hops: Vec<u32>,
}

/// Hops at both ends of the page.
const BORDER_HOPS: u32 = 6;

impl<'tree> Context<'tree> {
    #[must_use]
    pub fn new(cdom: Cdom<'tree>) -> Self {
        let mut links: Vec<bool> = Vec::with_capacity(cdom.nodes.len());
        for node in &cdom.nodes {
            let above = links.get(node.parent as usize).copied().unwrap_or(false);
            links.push(above || node.is_link);
        }
        let counts: Vec<TextCounts> = cdom
            .blocks
            .iter()
            .map(|&row| count(cdom.nodes[row as usize].text, links[row as usize]))
            .collect();
        let spans = Spans::new(&counts);
        let (paragraphs, paragraph_of) = paragraphs_of(&cdom, &counts, &spans);
        Self {
            hops: hops_of(&cdom),
            cdom,
            counts,
            spans,
            paragraphs,
            paragraph_of,
            links,
        }
    }

    #[must_use]
    pub fn node(&self, block: usize) -> &CdomNode<'tree> {
        &self.cdom.nodes[self.cdom.blocks[block] as usize]
    }

    /// The parent of a node, [`NONE`] for the root and for [`NONE`].
    #[must_use]
    pub fn parent_of(&self, node: u32) -> u32 {
        self.cdom
            .nodes
            .get(node as usize)
            .map_or(NONE, |node| node.parent)
    }

    #[must_use]
    pub fn paragraph(&self, block: usize) -> &Paragraph {
        &self.paragraphs[self.paragraph_of(block)]
    }

    /// The number of the paragraph of a block.
    #[must_use]
    pub fn paragraph_of(&self, block: usize) -> usize {
        self.paragraph_of[block] as usize
    }

    #[must_use]
    pub fn is_link(&self, block: usize) -> bool {
        self.links[self.cdom.blocks[block] as usize]
    }

    /// Hops through the tree from the previous block.
    #[must_use]
    pub fn hops_before(&self, block: usize) -> f64 {
        f64::from(self.hops[block])
    }

    /// The lowest node that holds a whole paragraph.
    #[must_use]
    pub fn node_around(&self, paragraph: &Paragraph) -> u32 {
        let mut node = self.cdom.blocks[paragraph.start];
        while (self.cdom.nodes[node as usize].end_block as usize) < paragraph.end {
            node = self.cdom.nodes[node as usize].parent;
        }
        node
    }

    /// A key for each block: the sum of the keys of all nodes from the root.
    #[must_use]
    pub fn path_keys(&self, key: impl Fn(&CdomNode<'_>) -> u64) -> Vec<u64> {
        let mut paths: Vec<u64> = Vec::with_capacity(self.cdom.nodes.len());
        for node in &self.cdom.nodes {
            let above = paths.get(node.parent as usize).copied().unwrap_or(0);
            paths.push(append(above, key(node)));
        }
        let blocks = self.cdom.blocks.iter();
        blocks.map(|&row| paths[row as usize]).collect()
    }

    /// Repeats of each block by the key of each block.
    #[must_use]
    pub fn repeats(&self, keys: impl Iterator<Item = u64> + Clone) -> Vec<Repeats> {
        let mut found: HashedMap<u64, Repeats> = HashedMap::default();
        for (key, counts) in keys.clone().zip(&self.counts) {
            let repeats = found.entry(key).or_default();
            repeats.times += 1.0;
            repeats.chars += f64::from(counts.amounts[CHARS]);
        }
        keys.map(|key| found.get(&key).copied().unwrap_or_default())
            .collect()
    }
}

fn paragraphs_of(
    cdom: &Cdom<'_>,
    counts: &[TextCounts],
    spans: &Spans,
) -> (Vec<Paragraph>, Vec<u32>) {
    let mut starts = Vec::new();
    let mut paragraph_of = Vec::with_capacity(cdom.blocks.len());
    let mut was_broken = true;
    for (block, &row) in cdom.blocks.iter().enumerate() {
        let node = &cdom.nodes[row as usize];
        if was_broken || node.breaks_before {
            starts.push(block);
        }
        paragraph_of.push(starts.len() as u32 - 1);
        was_broken = node.breaks_after;
    }
    let ends = starts.iter().skip(1).copied().chain([cdom.blocks.len()]);
    let paragraphs = starts.iter().zip(ends).map(|(&start, end)| Paragraph {
        start,
        end,
        amounts: spans.between(start, end),
        has_copyright: counts[start..end].iter().any(|counts| counts.has_copyright),
    });
    (paragraphs.collect(), paragraph_of)
}

fn hops_of(cdom: &Cdom<'_>) -> Vec<u32> {
    let mut hops = vec![BORDER_HOPS];
    for pair in cdom.blocks.windows(2) {
        hops.push(hops_between(cdom, pair[0], pair[1]));
    }
    hops.push(BORDER_HOPS);
    hops
}

fn hops_between(cdom: &Cdom<'_>, mut left: u32, mut right: u32) -> u32 {
    let mut hops = 0;
    while left != right {
        let (a, b) = (&cdom.nodes[left as usize], &cdom.nodes[right as usize]);
        if a.depth >= b.depth {
            left = a.parent;
        } else {
            right = b.parent;
        }
        hops += 1;
    }
    hops
}
