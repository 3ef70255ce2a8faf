//! Features of the surroundings of a block: windows of text and the landmarks of the page.

use crate::engines::hybrid::context::{Before, Context};
use crate::engines::hybrid::paths::Target;
use crate::engines::hybrid::sink::{Sink, share};
use crate::engines::hybrid::tag::Tag;

const MISSING: f32 = -999.0;
const FAR: f32 = 999.0;

/// Blocks on each side, and the names for share of links, share of prose blocks, mean length.
const WINDOWS: [(usize, [&str; 3]); 4] = [
    (2, ["w2_links", "w2_prose", "w2_chars"]),
    (5, ["w5_links", "w5_prose", "w5_chars"]),
    (10, ["w10_links", "w10_prose", "w10_chars"]),
    (20, ["w20_links", "w20_prose", "w20_chars"]),
];

fn between(context: &Context<'_, '_>, low: usize, high: usize) -> Before {
    let (a, b) = (context.before[low], context.before[high]);
    Before {
        chars: b.chars - a.chars,
        link_chars: b.link_chars - a.link_chars,
        prose_chars: b.prose_chars - a.prose_chars,
        prose_blocks: b.prose_blocks - a.prose_blocks,
    }
}

pub fn windows(context: &Context<'_, '_>, block: usize, out: &mut impl Sink) {
    let count = context.blocks();
    for (width, names) in WINDOWS {
        let (low, high) = (block.saturating_sub(width), (block + width + 1).min(count));
        let sums = between(context, low, high);
        let blocks = (high - low) as f32;
        out.put(names[0], share(sums.link_chars, sums.chars));
        out.put(names[1], sums.prose_blocks / blocks);
        out.put(names[2], sums.chars / blocks);
    }
    let before = between(context, block.saturating_sub(10), block);
    let after = between(
        context,
        block + 1,
        (block + 11).clamp(block + 1, count.max(block + 1)),
    );
    out.put("before_chars", before.chars);
    out.put("before_links", share(before.link_chars, before.chars));
    out.put("after_chars", after.chars);
    out.put("after_links", share(after.link_chars, after.chars));
}

pub fn biggest(context: &Context<'_, '_>, block: usize, out: &mut impl Sink) {
    let big = context.landmarks.biggest;
    let shared = context.shared(block, Target::Biggest);
    let common = f32::from(shared.depth);
    let chars = context.shapes[block].chars as f32;
    out.put("big_delta", block as f32 - big as f32);
    out.put("big_common", common);
    out.put(
        "big_common_share",
        common / f32::from(context.own(big).depth),
    );
    out.put("big_up", context.levels_to(block, shared));
    out.put("big_down", context.levels_to(big, shared));
    out.put("big_ratio", share(chars, context.shapes[big].chars as f32));
}

pub fn headline(context: &Context<'_, '_>, block: usize, out: &mut impl Sink) {
    const NAMES: [&str; 6] = [
        "headline_delta",
        "headline_text",
        "headline_up",
        "headline_down",
        "headline_frame",
        "headline_frame_text",
    ];
    let landmarks = &context.landmarks;
    if let Some(headline) = landmarks.headline {
        let shared = context.shared(block, Target::Headline);
        let text = context.before[block].chars - context.before[headline].chars;
        // the frame: the nearest element around both the headline and the largest text
        let frame = context.shared(landmarks.biggest, Target::Headline);
        out.put(NAMES[0], block as f32 - headline as f32);
        out.put(NAMES[1], text / context.total);
        out.put(NAMES[2], context.levels_to(block, shared));
        out.put(NAMES[3], context.levels_to(headline, shared));
        // shared and frame are both above the headline, so the deeper one is inside the other
        out.claim(NAMES[4], shared.depth >= frame.depth);
        out.put(NAMES[5], frame.chars as f32 / context.total);
    } else {
        out.fill(&NAMES, MISSING);
    }
    out.claim("is_headline", landmarks.headline == Some(block));
    let h1 = landmarks.h1.map_or(MISSING, |h1| block as f32 - h1 as f32);
    out.put("h1_delta", h1);
}

pub fn heading(context: &Context<'_, '_>, block: usize, out: &mut impl Sink) {
    const NAMES: [&str; 6] = [
        "heading_distance",
        "heading_chars",
        "heading_level",
        "heading_up",
        "heading_title",
        "heading_text",
    ];
    let Some(heading) = context.landmarks.last_heading[block] else {
        return out.fill(&NAMES, -1.0);
    };
    let tag = context.page.nodes[context.page.spans[heading].node as usize].tag;
    let overlap = &context.overlaps[heading];
    out.put(NAMES[0], (block - heading) as f32);
    out.put(NAMES[1], context.shapes[heading].chars as f32);
    out.put(NAMES[2], f32::from(tag as u8 - Tag::H1 as u8));
    out.put(NAMES[3], context.levels_up(block, heading));
    out.put(
        NAMES[4],
        share(overlap.in_title as f32, overlap.distinct as f32),
    );
    out.put(
        NAMES[5],
        context.before[block].chars - context.before[heading].chars,
    );
}

pub fn prose(context: &Context<'_, '_>, block: usize, out: &mut impl Sink) {
    let landmarks = &context.landmarks;
    let all = context.all().prose_chars;
    let own = landmarks.run_of[block].map(|run| landmarks.runs[run]);
    out.put("run_share", own.map_or(0.0, |run| share(run.chars, all)));
    out.put(
        "run_to_end",
        own.map_or(-1.0, |run| (run.last - block) as f32),
    );
    let longest = landmarks.longest_run.map(|run| landmarks.runs[run]);
    let delta = longest.map_or(MISSING, |run| {
        block as f32 - (block as f32).clamp(run.first as f32, run.last as f32)
    });
    out.put("longest_run_delta", delta);
    out.put(
        "longest_run_share",
        longest.map_or(0.0, |run| share(run.chars, all)),
    );
    let (last, next) = (landmarks.last_prose[block], landmarks.next_prose[block]);
    let up = |other: Option<usize>| other.map_or(FAR, |other| context.levels_up(block, other));
    out.put("last_prose", last.map_or(FAR, |last| (block - last) as f32));
    out.put("next_prose", next.map_or(FAR, |next| (next - block) as f32));
    out.put("last_prose_up", up(last));
    out.put("next_prose_up", up(next));
}
