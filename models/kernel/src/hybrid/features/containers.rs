//! What the elements above the block say: names, roles, scores.

use crate::hybrid::context::Context;
use crate::hybrid::outline::NO_NODE;
use crate::hybrid::sink::{Sink, share};

/// Elements whose weights are added up, from the block's own.
const NEAR: usize = 4;
/// A weight below this comes from a doubtful name.
const BAD_WEIGHT: f32 = -10.0;

pub fn hints(context: &Context<'_, '_>, block: usize, out: &mut impl Sink) {
    let (mut doubtful, mut commenting) = (0.0_f32, 0.0_f32);
    let (mut hopes, mut doubts) = (0.0, 0.0);
    let (mut most, mut least) = (0_i8, 0_i8);
    let (mut weights, mut is_bad) = (0.0, false);
    let mut labels = 0.0;
    for (level, (_, facts)) in context.path(context.page.spans[block].node).enumerate() {
        let hints = facts.hints;
        labels += f32::from(u8::from(hints.is_labelled));
        if hints.is_doubtful() {
            doubtful = doubtful.max(1.0 / labels);
            doubts += 1.0;
        }
        if hints.is_commenting() {
            commenting = commenting.max(1.0 / labels);
        }
        hopes += f32::from(u8::from(hints.is_hopeful()));
        most = most.max(facts.semantic);
        least = least.min(facts.semantic);
        if level < NEAR {
            weights += facts.weight;
            is_bad |= facts.weight < BAD_WEIGHT;
        }
    }
    out.put("doubtful", doubtful);
    out.put("doubtful_count", doubts);
    out.put("hopeful_count", hopes);
    out.put("commenting", commenting);
    out.put("weights", weights);
    out.claim("weight_bad", is_bad);
    out.put("semantic_max", f32::from(most));
    out.put("semantic_min", f32::from(least));
}

pub fn scores(context: &Context<'_, '_>, block: usize, out: &mut impl Sink) {
    let node = context.page.spans[block].node;
    let found = context.containers;
    let norm = if found.top_score == 0.0 {
        1.0
    } else {
        found.top_score
    };
    let mut best = -9.0_f32;
    let mut to_top = -1.0;
    for (level, (index, facts)) in context.path(node).enumerate() {
        best = best.max(facts.score);
        if index == found.top {
            to_top = level as f32;
        }
    }
    let (own, parent) = (context.own(block), context.above(node, 1));
    out.claim("in_top", to_top >= 0.0);
    out.put("to_top", to_top);
    out.put("best_score", best / norm);
    out.put("parent_score", parent.score / norm);
    out.put("own_score", own.score / norm);
    out.put("second_score", found.second_score / norm);
    out.put("top_score", found.top_score);
    if found.top == NO_NODE {
        out.fill(&["top_share", "top_common", "top_common_text"], 0.0);
    } else {
        let top = &context.nodes[found.top as usize];
        let common = &context.nodes[context.common(node, found.top) as usize];
        out.put("top_share", top.chars as f32 / context.total);
        out.put("top_common", f32::from(top.depth - common.depth));
        out.put("top_common_text", common.chars as f32 / context.total);
    }
    out.put("own_paragraphs", own.paragraphs as f32);
    out.put("parent_paragraphs", parent.paragraphs as f32);
    out.put(
        "parent_commas",
        share(parent.commas as f32, parent.blocks as f32),
    );
}
