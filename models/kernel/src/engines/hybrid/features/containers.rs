//! Features of the elements above the block: names, roles, scores.

use crate::engines::hybrid::context::Context;
use crate::engines::hybrid::outline::NO_NODE;
use crate::engines::hybrid::paths::Target;
use crate::engines::hybrid::sink::{Sink, share};

/// Elements whose weights are summed, starting from the block's own.
const NEAR: usize = 4;
/// A weight below this means a negative hint.
const BAD_WEIGHT: f32 = -10.0;

pub fn hints(context: &Context<'_, '_>, block: usize, out: &mut impl Sink) {
    let path = context.own_path(block);
    let nearness = |labels: Option<u16>| labels.map_or(0.0, |labels| 1.0 / f32::from(labels));
    let (mut weights, mut is_bad) = (0.0, false);
    for node in context.page.path(context.page.spans[block].node).take(NEAR) {
        let weight = context.nodes[node as usize].weight;
        weights += weight;
        is_bad |= weight < BAD_WEIGHT;
    }
    out.put("doubtful", nearness(path.labels_to_negative));
    out.put("doubtful_count", f32::from(path.negative_hints));
    out.put("hopeful_count", f32::from(path.positive_hints));
    out.put("commenting", nearness(path.labels_to_comments));
    out.put("weights", weights);
    out.claim("weight_bad", is_bad);
    out.put("semantic_max", f32::from(path.semantic_max));
    out.put("semantic_min", f32::from(path.semantic_min));
}

pub fn scores(context: &Context<'_, '_>, block: usize, out: &mut impl Sink) {
    let found = context.containers;
    let norm = match found.top_score {
        0.0 => 1.0,
        score => score,
    };
    let own = context.own(block);
    let parent = context.above(context.page.spans[block].node, 1);
    to_top(context, block, out);
    out.put("best_score", context.own_path(block).best_score / norm);
    out.put("parent_score", parent.score / norm);
    out.put("own_score", own.score / norm);
    out.put("second_score", found.second_score / norm);
    out.put("top_score", found.top_score);
    with_top(context, block, out);
    out.put("own_paragraphs", own.paragraphs as f32);
    out.put("parent_paragraphs", parent.paragraphs as f32);
    out.put(
        "parent_commas",
        share(parent.commas as f32, parent.blocks as f32),
    );
}

/// Levels up to the best container.
fn to_top(context: &Context<'_, '_>, block: usize, out: &mut impl Sink) {
    let top = context.containers.top;
    let in_top = top != NO_NODE && context.own_path(block).common(Target::Top) == top;
    out.claim("in_top", in_top);
    if in_top {
        let top = context.shared(block, Target::Top);
        out.put("to_top", context.levels_to(block, top));
    } else {
        out.put("to_top", -1.0);
    }
}

/// The nearest element around both the block and the best container.
fn with_top(context: &Context<'_, '_>, block: usize, out: &mut impl Sink) {
    let Some(top) = context.nodes.get(context.containers.top as usize) else {
        return out.fill(&["top_share", "top_common", "top_common_text"], 0.0);
    };
    let common = context.shared(block, Target::Top);
    out.put("top_share", top.chars as f32 / context.total);
    out.put("top_common", f32::from(top.depth - common.depth));
    out.put("top_common_text", common.chars as f32 / context.total);
}
