//! Members of a list or series of which no text is kept, if text of others is.
//!
//! Similar blocks were decided together. Here blocks of equal element names decide together also
//! under other classes, so that no step, offer or answer is missing.

use super::{DOUBT, Decider, INSIDE, LINKED, Page, SURE, WIDE, decider_of};
use crate::page::blocks::Kind;
use crate::units::{Span, UnitKind};

/// Fewest members; of two different things one may be boilerplate.
const LEAST_MEMBERS: usize = 3;
/// Words that may be lost below a heading.
const LOST_WORDS: std::ops::RangeInclusive<f32> = 3.0..=12.0;

pub fn settle(page: &mut Page<'_>) {
    for at in 0..page.units.all.len() {
        let unit = page.units.all[at];
        let decider = decider_of(unit.kind).filter(|of| *of != Decider::Thread);
        let Some(decider) = decider else {
            continue;
        };
        let members = page.units.members(&unit);
        if members.len() < LEAST_MEMBERS {
            continue;
        }
        for (block, is_content) in changes(page, members) {
            if is_content {
                page.keep(block, decider);
            } else {
                page.drop(block, decider);
            }
        }
    }
    for block in lost_below_headings(page) {
        page.keep(block, Decider::Series);
    }
}

/// The few words below the kept heading of a member, where headings of others are above likely text.
fn lost_below_headings(page: &Page<'_>) -> Vec<usize> {
    let is_heading = |block: usize| page.table.blocks[block].kind == Kind::Heading;
    let mut lost = Vec::new();
    for unit in page
        .units
        .all
        .iter()
        .filter(|unit| unit.kind == UnitKind::Series)
    {
        let members = page.units.members(unit);
        if members.len() < LEAST_MEMBERS {
            continue;
        }
        let headed = members.iter().filter(|member| {
            let first = member.first as usize;
            member.blocks().len() > 1
                && is_heading(first)
                && page.is_kept(first)
                && page.table.blocks[first].link_chars == 0
        });
        let below: Vec<Span> = headed
            .map(|member| Span::new(member.first + 1, member.end))
            .collect();
        let is_likely = |below: &&Span| page.mean_odds(**below) > DOUBT;
        if 2 * below.iter().filter(is_likely).count() <= members.len() {
            continue;
        }
        let empty = below.into_iter();
        let empty = empty.filter(|below| page.words(*below).1 <= 0.0);
        let may_be = |block: &usize| {
            let is_plain = page.table.blocks[*block].table == 0 && !is_heading(*block);
            is_plain && !page.is_hidden(*block) && page.odds[*block] > INSIDE
        };
        for below in empty {
            let words = page.words(below).0;
            let is_short = LOST_WORDS.contains(&words) && page.linked(below) < LINKED;
            if is_short && page.mean_odds(below) > INSIDE {
                lost.extend(below.blocks().filter(may_be));
            }
        }
    }
    lost
}

/// The blocks to keep or to drop, so that members alike are all kept or all dropped.
fn changes(page: &Page<'_>, members: &[Span]) -> Vec<(usize, bool)> {
    let blocks = &page.table.blocks;
    let has_text = |member: &Span| {
        let is_text = |block: usize| blocks[block].kind != Kind::Heading && page.is_kept(block);
        member.blocks().any(is_text)
    };
    // most are alike
    let count = members.iter().filter(|member| has_text(member)).count();
    if count == 0 || count == members.len() {
        return Vec::new();
    }
    let (kept, gone): (Vec<Span>, Vec<Span>) = members.iter().copied().partition(has_text);
    let is_open = |block: &usize| blocks[*block].table == 0 && !page.is_hidden(*block);
    let of = |members: Vec<Span>| members.into_iter().flat_map(Span::blocks).filter(is_open);
    let kept: Vec<usize> = of(kept).filter(|block| page.is_kept(*block)).collect();
    if kept.is_empty() {
        return Vec::new();
    }
    let mut paths: Vec<u32> = kept.iter().map(|block| blocks[*block].path).collect();
    paths.sort_unstable();
    let is_alike = |block: &usize| paths.binary_search(&blocks[*block].path).is_ok();
    let alike = |member: Span| member.blocks().filter(is_open).filter(is_alike);
    let gone: Vec<Vec<usize>> = gone
        .into_iter()
        .map(|member| alike(member).collect())
        .collect();
    let (words, odds) = page.sums(kept.iter().copied());
    let lost = page.sums(gone.iter().flatten().copied());
    if lost.0 <= 0.0 {
        return Vec::new();
    }
    if odds + lost.1 > 0.0 {
        let may_be = |member: &Vec<usize>| {
            let (words, odds) = page.sums(member.iter().copied());
            odds > INSIDE * words
        };
        let gone = gone.into_iter().filter(may_be).flatten();
        return gone.map(|block| (block, true)).collect();
    }
    // surely content although the others go
    if odds > SURE * words {
        return Vec::new();
    }
    let kept = kept.into_iter().filter(|block| page.odds[*block] < WIDE);
    kept.map(|block| (block, false)).collect()
}
