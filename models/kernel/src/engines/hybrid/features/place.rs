//! Features of the position of the block: in the text, in the tree, among blocks of its kind.

use crate::engines::hybrid::context::{Context, Group};
use crate::engines::hybrid::outline::{Concealed, NO_NODE};
use crate::engines::hybrid::sink::{Sink, share};
use crate::engines::hybrid::tag::Tag;

pub fn order(context: &Context<'_, '_>, block: usize, out: &mut impl Sink) {
    let all = context.all();
    let before = context.before[block];
    let after = all.prose_chars - context.before[block + 1].prose_chars;
    let chars = context.shapes[block].chars as f32;
    out.put("order_share", block as f32 / context.blocks() as f32);
    out.put("prose_before", share(before.prose_chars, all.prose_chars));
    out.put("prose_after", share(after, all.prose_chars));
    out.put("chars_of_prose", share(chars, all.prose_chars));
}

pub fn tags(context: &Context<'_, '_>, block: usize, out: &mut impl Sink) {
    let node = &context.page.nodes[context.page.spans[block].node as usize];
    let facts = context.own(block);
    let inside = |tag: Tag| facts.path_tags >> tag as u8 & 1 == 1;
    out.claim("is_heading", node.tag.is_heading());
    out.claim("is_h2", node.tag == Tag::H2);
    out.claim("is_item", node.tag == Tag::Li);
    out.claim("is_div", node.tag == Tag::Div);
    out.claim("in_article", inside(Tag::Article));
    out.claim("in_aside", inside(Tag::Aside));
    out.claim("in_footer", inside(Tag::Footer));
    out.claim("in_item", inside(Tag::Li));
    out.claim("hidden", node.concealed == Concealed::Hidden);
    out.claim("noscript", node.concealed == Concealed::NoScript);
    out.put("depth", f32::from(facts.depth));
    out.put("divs", f32::from(facts.divs));
}

fn group_of(group: Option<&Group>) -> Group {
    group.copied().unwrap_or_default()
}

pub fn groups(context: &Context<'_, '_>, block: usize, out: &mut impl Sink) {
    let node = context.page.spans[block].node;
    let facts = context.own(block);
    let path = group_of(context.by_path.get(&facts.path_hash));
    out.put("path_blocks", path.blocks);
    out.put("path_blocks_share", path.blocks / context.blocks() as f32);
    out.put("path_text_share", path.chars / context.total);
    out.put("path_links", share(path.link_chars, path.chars));
    out.put("path_mean_chars", share(path.chars, path.blocks));
    let label = group_of(context.by_label.get(&facts.label_path_hash));
    out.put("label_path_blocks", label.blocks);
    out.put("label_path_text_share", label.chars / context.total);
    out.put("label_path_links", share(label.link_chars, label.chars));
    out.put("label_path_mean_chars", share(label.chars, label.blocks));
    out.put("label_path_prose", share(label.prose, label.blocks));
    let parent = context.page.nodes[node as usize].parent;
    let siblings = group_of(context.by_parent.get(&parent));
    out.put("siblings", siblings.blocks);
    out.put("siblings_text_share", siblings.chars / context.total);
    out.put("siblings_links", share(siblings.link_chars, siblings.chars));
    out.put(
        "siblings_mean_chars",
        share(siblings.chars, siblings.blocks),
    );
}

/// Names by level above the block: share of the page, links, mean length, blocks, prose.
const LEVELS: [[&str; 5]; 5] = [
    [
        "a0_share",
        "a0_links",
        "a0_mean_chars",
        "a0_blocks",
        "a0_prose",
    ],
    [
        "a1_share",
        "a1_links",
        "a1_mean_chars",
        "a1_blocks",
        "a1_prose",
    ],
    [
        "a2_share",
        "a2_links",
        "a2_mean_chars",
        "a2_blocks",
        "a2_prose",
    ],
    [
        "a3_share",
        "a3_links",
        "a3_mean_chars",
        "a3_blocks",
        "a3_prose",
    ],
    [
        "a4_share",
        "a4_links",
        "a4_mean_chars",
        "a4_blocks",
        "a4_prose",
    ],
];

pub fn ancestors(context: &Context<'_, '_>, block: usize, out: &mut impl Sink) {
    let node = context.page.spans[block].node;
    for (level, names) in LEVELS.iter().enumerate() {
        let facts = context.above(node, level);
        let chars = facts.chars as f32;
        out.put(names[0], chars / context.total);
        out.put(names[1], share(facts.link_chars as f32, chars));
        out.put(names[2], share(chars, facts.blocks as f32));
        out.put(names[3], facts.blocks as f32);
        out.put(names[4], share(facts.prose_chars as f32, chars));
    }
    labelled(context, block, out);
    let path = context.own_path(block);
    out.put("levels_to_quarter", f32::from(path.levels_to_quarter));
    out.put("levels_to_half", f32::from(path.levels_to_half));
}

/// Shares of the page under the labelled elements above a block.
fn labelled(context: &Context<'_, '_>, block: usize, out: &mut impl Sink) {
    let path = context.own_path(block);
    let share_of = |node: u32| match node {
        NO_NODE => 1.0,
        node => context.nodes[node as usize].chars as f32 / context.total,
    };
    out.put("label_share_1", share_of(path.inner_labels[0]));
    out.put("label_share_2", share_of(path.inner_labels[1]));
    out.put("label_share_outer", share_of(path.outer_labels[0]));
    out.put("label_share_outer_2", share_of(path.outer_labels[1]));
    out.put("labels", f32::from(path.labels));
}
