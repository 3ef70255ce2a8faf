//! Repeated elements around the block, and the page as a whole.

use crate::engines::hybrid::context::Context;
use crate::engines::hybrid::sink::{Sink, share};

pub fn repeated_siblings(context: &Context<'_, '_>, block: usize, out: &mut impl Sink) {
    const NAMES: [[&str; 5]; 2] = [
        [
            "near_twins",
            "near_twin_share",
            "near_twin_mean",
            "near_twin_links",
            "near_twin_level",
        ],
        [
            "most_twins",
            "most_twin_share",
            "most_twin_mean",
            "most_twin_links",
            "most_twin_level",
        ],
    ];
    let node = context.page.spans[block].node;
    let path = context.own_path(block);
    for (names, node) in NAMES.iter().zip([path.near_repeated, path.most_repeated]) {
        repeated(context, block, node, names, out);
    }
    let (parent, grand) = (context.above(node, 1), context.above(node, 2));
    out.put("parent_images", parent.images as f32);
    out.put("grand_images", grand.images as f32);
    out.put("parent_controls", parent.controls as f32);
    out.put("grand_controls", grand.controls as f32);
}

fn repeated(
    context: &Context<'_, '_>,
    block: usize,
    node: u32,
    names: &[&'static str; 5],
    out: &mut impl Sink,
) {
    let Some(facts) = context.nodes.get(node as usize) else {
        return out.fill(names, -1.0);
    };
    let chars = facts.sibling_chars as f32;
    out.put(names[0], facts.siblings as f32);
    out.put(names[1], chars / context.total);
    out.put(names[2], share(chars, facts.siblings as f32));
    out.put(names[3], share(facts.sibling_link_chars as f32, chars));
    out.put(names[4], context.levels_to(block, facts));
}

pub fn whole(context: &Context<'_, '_>, out: &mut impl Sink) {
    let all = context.all();
    let blocks = context.blocks() as f32;
    let landmarks = &context.landmarks;
    let before_headline = landmarks.headline.map_or(-1.0, |headline| {
        context.before[headline].chars / context.total
    });
    let big = context.shapes[landmarks.biggest].chars as f32;
    out.put("page_links", share(all.link_chars, all.chars));
    out.put("page_prose", all.prose_chars / context.total);
    out.put("page_mean_chars", context.total / blocks);
    out.put("page_big", big / context.total);
    out.put("page_series", context.repeated_chars / context.total);
    out.put("page_headline_text", before_headline);
    out.put("page_prose_blocks", all.prose_blocks);
    out.put("page_blocks", blocks);
    out.put("page_images", context.nodes[0].images as f32);
    out.put("page_controls", context.nodes[0].controls as f32);
    out.put("page_runs", landmarks.runs.len() as f32);
}
