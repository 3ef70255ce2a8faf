//! Excerpts: a text with which a longer one begins or ends, such as a pull quote, is written once.

use super::copies::UNSURE;
use super::repeats::{Posts, is_of_recipe, may_repeat, without_ellipsis};
use super::{Decider, LINKED, Page};
use crate::page::blocks::Kind;
use crate::text::hash::token;
use crate::text::map::HashedMap;

/// Bytes at each end of a text by which longer ones are found.
const ENDS: usize = 24;
/// Fewest words of an excerpt.
const LEAST_WORDS: f32 = 10.0;

pub fn settle(page: &mut Page<'_>) {
    let Some(elements) = page.table.elements.as_ref() else {
        return;
    };
    let blocks = 0..page.verdicts.len();
    let kept: Vec<usize> = blocks.filter(|block| page.is_kept(*block)).collect();
    let mut posts = Posts::of(elements);
    for (one, two) in pairs(page, &kept) {
        let Some(less) = excerpt(page, kept[one], kept[two]) else {
            continue;
        };
        let [(of_one, _), (of_two, is_quoted)] =
            [one, two].map(|at| posts.said(elements.of_block[kept[at]]));
        let at = if less == kept[one] { one } else { two };
        // a recipe is complete without its story
        if of_one == of_two && !is_quoted && !is_of_recipe(page, &kept[at + 1..]) {
            page.drop(less, Decider::Copy);
        }
    }
}

/// The shorter one of two texts, if it is an excerpt of the other.
fn excerpt(page: &Page<'_>, one: usize, two: usize) -> Option<usize> {
    let size = |block: usize| page.text(block).len();
    let (short, long) = if size(one) < size(two) {
        (one, two)
    } else {
        (two, one)
    };
    let (text, whole) = (page.text(short), page.text(long));
    let is_part = whole.starts_with(without_ellipsis(text)) || whole.ends_with(text);
    if !is_part || text.len() == whole.len() {
        return None;
    }
    let [short_block, long_block] = [short, long].map(|block| &page.table.blocks[block]);
    let is_next = two == one + 1;
    let is_doubted = page.odds[short] < UNSURE && page.odds[short] <= page.odds[long];
    let is_heading = |kind: Kind| kind == Kind::Heading;
    let members = page.members();
    let is_title = is_heading(short_block.kind)
        && is_heading(long_block.kind)
        && !members[one].is_empty()
        && members[one] == members[two];
    // points that say what the text says are read by themselves, as are entries of a list of contents
    let is_own = short_block.lists > 0 || is_heading(short_block.kind) && !is_next;
    // in bytes, since many texts may be compared with one
    let is_link = long_block.link_chars as f32 >= LINKED * whole.len() as f32;
    let is_excerpt = is_title || !is_own && !is_link && (is_next || is_doubted);
    let is_cut = is_next && (text.ends_with('…') || text.ends_with("..."));
    (is_excerpt && (is_cut || short_block.path != long_block.path)).then_some(short)
}

/// The places in `kept` of texts that begin or end alike, each with the first such one.
fn pairs(page: &Page<'_>, kept: &[usize]) -> Vec<(usize, usize)> {
    let mut known: HashedMap<(u64, bool), usize> = HashedMap::default();
    let mut pairs = Vec::new();
    for (at, block) in kept.iter().enumerate() {
        let bytes = page.text(*block).as_bytes();
        if bytes.len() < ENDS || !may_repeat(page, *block, LEAST_WORDS) {
            continue;
        }
        let ends = [&bytes[..ENDS], &bytes[bytes.len() - ENDS..]];
        for (end, is_end) in ends.into_iter().zip([false, true]) {
            let first = *known.entry((token(end), is_end)).or_insert(at);
            let is_last = pairs.last() == Some(&(first, at));
            if first != at && !is_last {
                pairs.push((first, at));
            }
        }
    }
    pairs
}
