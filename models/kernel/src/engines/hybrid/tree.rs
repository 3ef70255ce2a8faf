//! Facts about every element that the features need: sums over its subtree, hints, siblings.

use super::labels::{Label, Labels, semantics};
use super::outline::{Node, Outline};
use super::tag::Tag;
use super::text::TextShape;
use super::words::mix;
use crate::text::map::{HashedMap, with_room};

/// From this number on, like siblings count as repeated: cards, posts, entries of a list.
pub const REPEATED: u32 = 3;

/// One element with the sums below it.
#[derive(Clone, Copy, Debug, Default)]
pub struct NodeFacts {
    pub chars: u32,
    pub link_chars: u32,
    pub blocks: u32,
    pub prose_chars: u32,
    pub images: u32,
    pub controls: u32,
    pub commas: u32,
    pub depth: u16,
    pub divs: u16,
    /// One bit per [`Tag`] on the path, including the node.
    pub path_tags: u32,
    /// Tags from the root, and tags with labels from the root.
    pub path_hash: u32,
    pub label_path_hash: u32,
    /// Tag and label of the node alone.
    pub own_hash: u32,
    pub label: Label,
    /// The hint of `role` and `itemprop`, 2 content to -2 boilerplate.
    pub semantic: i8,
    /// Readability's weight of tag and label, and its score; -9 without a score.
    pub weight: f32,
    pub score: f32,
    /// Long texts directly below.
    pub paragraphs: u32,
    /// Siblings with text and the same tag and label, the node included, and their text.
    pub siblings: u32,
    pub sibling_chars: u32,
    pub sibling_link_chars: u32,
    /// Index of the first of these siblings.
    pub sibling_group: u32,
    /// Index among the nodes that contain blocks, for facts of those alone; 0 without blocks.
    pub place: u32,
}

/// Facts of all nodes, in order. The scores are filled in later.
#[must_use]
pub fn facts(page: &Outline<'_>, shapes: &[TextShape], labels: &mut Labels) -> Vec<NodeFacts> {
    let mut facts: Vec<NodeFacts> = Vec::with_capacity(page.nodes.len());
    for node in &page.nodes {
        let label = labels.label(node.label);
        let parent = facts.get(node.parent as usize).copied();
        facts.push(path_facts(node, label, &parent.unwrap_or_default()));
    }
    sum_texts(page, shapes, &mut facts);
    count_siblings(page, &mut facts);
    let with_blocks = facts.iter_mut().filter(|node| node.blocks > 0);
    for (place, node) in with_blocks.enumerate() {
        node.place = place as u32;
    }
    facts
}

/// The nodes that contain blocks, with their indices: those on the path of any block.
pub fn with_blocks(nodes: &[NodeFacts]) -> impl Iterator<Item = (usize, &NodeFacts)> {
    let nodes = nodes.iter().enumerate();
    nodes.filter(|(_, facts)| facts.blocks > 0)
}

fn path_facts(node: &Node<'_>, label: Label, parent: &NodeFacts) -> NodeFacts {
    let tag = node.tag as u8;
    let semantic = match semantics(node.role) {
        0 => i8::from(node.tag == Tag::Main),
        known => known,
    };
    let mut weight = tag_weight(node.tag) + 10.0 * f32::from(semantic);
    weight += if label.hints.is_positive() { 25.0 } else { 0.0 };
    weight -= if label.hints.is_negative() { 25.0 } else { 0.0 };
    NodeFacts {
        depth: parent.depth.saturating_add(1),
        divs: parent.divs + u16::from(node.tag == Tag::Div),
        path_tags: parent.path_tags | 1 << tag,
        path_hash: mix(parent.path_hash, tag + 1),
        label_path_hash: mix(parent.label_path_hash, tag + 1) ^ label.hash.rotate_left(7),
        own_hash: mix(label.hash, tag + 1),
        label,
        semantic,
        weight,
        images: node.images,
        controls: node.controls,
        score: -9.0,
        ..NodeFacts::default()
    }
}

/// Readability's weights of tags.
fn tag_weight(tag: Tag) -> f32 {
    match tag {
        Tag::Article | Tag::Main => 8.0,
        Tag::Div => 5.0,
        Tag::Section => 4.0,
        Tag::Pre | Tag::Td | Tag::Blockquote => 3.0,
        Tag::Form | Tag::Ul | Tag::Dl => -3.0,
        Tag::Header => -5.0,
        Tag::Nav | Tag::Aside | Tag::Footer => -10.0,
        _ => 0.0,
    }
}

fn sum_texts(page: &Outline<'_>, shapes: &[TextShape], facts: &mut [NodeFacts]) {
    for (span, shape) in page.spans.iter().zip(shapes) {
        let node = &mut facts[span.node as usize];
        node.chars += shape.chars;
        node.link_chars += span.link_chars;
        node.blocks += 1;
        node.commas += shape.commas;
        if shape.is_prose(span.link_chars) {
            node.prose_chars += shape.chars;
        }
    }
    for index in (1..facts.len()).rev() {
        let node = facts[index];
        let parent = &mut facts[page.nodes[index].parent as usize];
        parent.chars += node.chars;
        parent.link_chars += node.link_chars;
        parent.blocks += node.blocks;
        parent.prose_chars += node.prose_chars;
        parent.images += node.images;
        parent.controls += node.controls;
        parent.commas += node.commas;
    }
}

fn count_siblings(page: &Outline<'_>, facts: &mut [NodeFacts]) {
    let mut groups: HashedMap<(u32, u32), u32> = with_room(facts.len());
    for (index, node) in page.nodes.iter().enumerate() {
        let key = (node.parent, facts[index].own_hash);
        let first = *groups.entry(key).or_insert(index as u32);
        facts[index].sibling_group = first;
        let (chars, links, has_text) = {
            let own = &facts[index];
            (own.chars, own.link_chars, own.blocks > 0)
        };
        let group = &mut facts[first as usize];
        group.siblings += u32::from(has_text);
        group.sibling_chars += chars;
        group.sibling_link_chars += links;
    }
    for index in 0..facts.len() {
        let first = facts[facts[index].sibling_group as usize];
        let own = &mut facts[index];
        own.siblings = first.siblings;
        own.sibling_chars = first.sibling_chars;
        own.sibling_link_chars = first.sibling_link_chars;
    }
}
