//! Copies: hidden text, an echo, a signature or a second copy whose words other blocks keep is
//! written once.

use std::collections::HashSet;
use std::ops::Range;

use super::{Decider, Page, WIDE};
use crate::engines::hybrid::text::shape;
use crate::page::blocks::Kind;
use crate::page::elements::{Elements, NO_ELEMENT};
use crate::text::hash::{append, token};
use crate::text::known::Known;
use crate::text::map::{HashedMap, Secret};
use crate::units::{Span, is_post, spans};

/// Fewest words of a block that may be a copy.
const LEAST_WORDS: f32 = 12.0;
/// Adjacent words that are equal in both.
const RUN: usize = 5;
/// Share of a block's runs that other blocks contain.
const COPIED: f32 = 0.8;
/// Blocks before an echo among which its words are: a first paragraph that repeats the standfirst.
const NEAR: usize = 2;
/// Log-odds below which a block may be an echo or a signature.
const DOUBT: f32 = 1.5;
/// The end of the classes of what a poster writes below every post.
const SIGNATURE: &str = "signature";
/// Classes of text for some readers only: on small screens, in print, by screen reader.
const VEILS: Known<34> = Known::of([
    "sr-only",
    "visually-hidden",
    "visuallyhidden",
    "screen-reader-text",
    "screen-reader",
    "u-visually-hidden",
    "d-none",
    "hidden",
    "is-hidden",
    "hide",
    "mobile-only",
    "desktop-only",
    "print-only",
    "visible-print",
    "visible-xs",
    "show-for-print",
    "show-for-sr",
    "element-invisible",
    "a11y-hidden",
    "hidden-xs",
    "hidden-sm",
    "hidden-md",
    "hidden-lg",
    "visible-sm",
    "visible-md",
    "visible-lg",
    "d-sm-none",
    "d-md-none",
    "d-lg-none",
    "sm:hidden",
    "md:hidden",
    "lg:hidden",
    "show-for-small-only",
    "hide-for-small-only",
]);
/// Each of them contains one of these.
const VEIL_STEMS: [&str; 6] = ["hid", "-only", "-none", "visible", "reader", "show-for"];
/// Part of the classes of quotations.
const QUOTE: &str = "quot";
/// Words next to a second copy that are equal in both places; a heading has as many.
const LEAST_AROUND: f32 = 4.0;
/// Most elements around a copy that are read.
const MOST_AROUND: usize = 32;

type Runs = HashSet<u64, Secret>;

pub fn settle(page: &mut Page<'_>) {
    drop_hidden(page);
    drop_echoes(page);
    drop_signatures(page);
    drop_repeats(page);
}

/// Drop a passage that the page shows in two places, with what is around it in both, such as a card
/// of a carousel.
fn drop_repeats(page: &mut Page<'_>) {
    let Some(elements) = page.table.elements.as_ref() else {
        return;
    };
    let blocks = 0..page.verdicts.len();
    let kept: Vec<usize> = blocks.filter(|block| page.is_kept(*block)).collect();
    let pairs = repeats(page, &kept);
    if pairs.is_empty() {
        return;
    }
    let (posts, quotes) = said(elements);
    let spans = spans(elements);
    let element = |at: usize| elements.of_block[kept[at]] as usize;
    let mut end = 0;
    for (first, at) in pairs {
        let is_said = quotes[element(at)] || posts[element(first)] != posts[element(at)];
        if at < end || is_said {
            continue;
        }
        // the largest element with the copy and without the other; in its own it may be a refrain
        let parent = |of: &usize| Some(elements.rows.get(*of)?.parent as usize);
        let around = std::iter::successors(parent(&element(at)), parent).take(MOST_AROUND);
        let around = around.map_while(|of| spans.get(of).copied());
        let is_apart = |span: &Span| kept[first] < span.first as usize;
        let Some(container) = around.take_while(is_apart).last() else {
            continue;
        };
        let run = run(page, &kept, container, (first, end.max(first + 1)..at));
        end = run.end;
        let is_next = first + run.end - at == run.start;
        if is_next || words_around(page, &kept[run.clone()], kept[at]) >= LEAST_AROUND {
            for block in &kept[run] {
                if page.odds[*block] < WIDE {
                    page.drop(*block, Decider::Copy);
                }
            }
        }
    }
}

/// The places in `kept` of a copy at the end of `between` and of what is around it in its container
/// that is around `first` too.
fn run(
    page: &Page<'_>,
    kept: &[usize],
    container: Span,
    (first, between): (usize, Range<usize>),
) -> Range<usize> {
    let is_equal = |(one, two): &(&usize, &usize)| {
        container.blocks().contains(*two) && page.text(**one) == page.text(**two)
    };
    let at = between.end;
    let before = kept[..first].iter().rev().zip(kept[between].iter().rev());
    let start = at - before.take_while(is_equal).count();
    let after = kept[first..start].iter().zip(&kept[at..]);
    let mut end = at + after.take_while(is_equal).count();
    // a heading at the end is of what follows
    while is_heading(page, kept[end - 1]) {
        end -= 1;
    }
    start..end
}

/// The words of a run apart from one block; a heading has enough of them.
fn words_around(page: &Page<'_>, run: &[usize], copy: usize) -> f32 {
    let others = run.iter().filter(|block| **block != copy);
    let words = others.map(|block| match is_heading(page, *block) {
        true => LEAST_AROUND,
        false => page.weights[*block],
    });
    words.sum()
}

fn is_heading(page: &Page<'_>, block: usize) -> bool {
    page.table.blocks[block].kind == Kind::Heading
}

/// The places in `kept` of passages, and of less likely ones with the same text.
fn repeats(page: &Page<'_>, kept: &[usize]) -> Vec<(usize, usize)> {
    let is_repeat = |first: usize, later: usize| {
        page.odds[later] < DOUBT.min(page.odds[first]) && page.text(first) == page.text(later)
    };
    let mut known: HashedMap<u64, usize> = HashedMap::default();
    let mut pairs = Vec::new();
    for (at, block) in kept.iter().enumerate() {
        if is_passage(page, *block) {
            let key = token(page.text(*block).as_bytes());
            let first = *known.entry(key).or_insert(at);
            if first != at && is_repeat(kept[first], *block) {
                pairs.push((first, at));
            }
        }
    }
    pairs
}

/// By element, the innermost post that it is in, and whether it is in a quotation by its class.
fn said(elements: &Elements) -> (Vec<u32>, Vec<bool>) {
    let named = elements.by_label(|label| is_post(label, ""));
    let mut posts: Vec<u32> = Vec::with_capacity(named.len());
    for (at, (is_named, row)) in named.into_iter().zip(&elements.rows).enumerate() {
        let around = posts
            .get(row.parent as usize)
            .copied()
            .unwrap_or(NO_ELEMENT);
        let is_own = is_named || row.has_role() && is_post("", elements.text(row.role));
        posts.push(if is_own { at as u32 } else { around });
    }
    let quotes = elements.by_label(|label| label.to_ascii_lowercase().contains(QUOTE));
    (posts, elements.within(quotes))
}

/// Drop blocks in other elements that repeat a likelier block right before them.
fn drop_echoes(page: &mut Page<'_>) {
    for block in 1..page.verdicts.len() {
        if !is_passage(page, block) || page.odds[block] >= DOUBT {
            continue;
        }
        let path = |block: usize| page.table.blocks[block].path;
        let is_source = |before: &usize| {
            page.is_kept(*before)
                && path(*before) != path(block)
                && page.odds[*before] > page.odds[block]
                && page.weights[*before] >= COPIED * page.weights[block]
        };
        let mut before = (block.saturating_sub(NEAR)..block).filter(is_source);
        if before.any(|before| is_copy(page, block, &runs(page.text(before)).into_iter().collect()))
        {
            page.drop(block, Decider::Copy);
        }
    }
}

/// Whether a block is kept text that pages have once, not a quote.
fn is_passage(page: &Page<'_>, block: usize) -> bool {
    let is_written_once = matches!(page.table.blocks[block].kind, Kind::Paragraph | Kind::Other);
    is_written_once && page.weights[block] >= LEAST_WORDS && page.is_kept(block)
}

/// Drop the signatures of posts, except the first with the same words.
fn drop_signatures(page: &mut Page<'_>) {
    let Some(elements) = page.table.elements.as_ref() else {
        return;
    };
    let ends = |word: &str| {
        let end = word.len().checked_sub(SIGNATURE.len());
        let end = end.and_then(|at| word.get(at..));
        end.is_some_and(|end| end.eq_ignore_ascii_case(SIGNATURE))
    };
    if !elements.names.contains(&SIGNATURE[1..]) {
        return;
    }
    let signed = elements.within(elements.by_label(|label| label.split(' ').any(ends)));
    let is_signature = |block: &usize| signed[elements.of_block[*block] as usize];
    let blocks = (0..page.verdicts.len()).filter(is_signature);
    let blocks = blocks.filter(|block| page.weights[*block] >= LEAST_WORDS && page.is_kept(*block));
    let blocks: Vec<usize> = blocks.collect();
    let mut known = Runs::default();
    for block in blocks {
        if page.odds[block] < DOUBT && is_copy(page, block, &known) {
            page.drop(block, Decider::Copy);
        }
        known.extend(runs(page.text(block)));
    }
}

/// Whether the words of a block are among known ones.
fn is_copy(page: &Page<'_>, block: usize, known: &Runs) -> bool {
    let runs = runs(page.text(block));
    let copied = runs.iter().filter(|run| known.contains(*run)).count();
    copied as f32 >= COPIED * runs.len() as f32
}

fn drop_hidden(page: &mut Page<'_>) {
    let veiled = veiled(page);
    let is_hidden = |block: usize| {
        let elements = page.table.elements.as_ref();
        let element = elements.and_then(|all| all.of_block.get(block));
        let is_veiled = element.and_then(|at| veiled.get(*at as usize));
        page.is_hidden(block) || is_veiled.copied().unwrap_or(false)
    };
    let kept = (0..page.verdicts.len()).filter(|block| page.is_kept(*block));
    let (hidden, open): (Vec<usize>, Vec<usize>) = kept.partition(|block| is_hidden(*block));
    let is_long = |block: &usize| page.weights[*block] >= LEAST_WORDS;
    let (hidden, short): (Vec<usize>, Vec<usize>) = hidden.into_iter().partition(is_long);
    if hidden.is_empty() {
        return;
    }
    let mut known = Runs::default();
    for block in &open {
        known.extend(runs(page.text(*block)));
    }
    // of two copies for different screens the first stays; hidden posts quote each other, and a menu
    // that is not closed hides a whole page
    let stays = |block: usize| !page.is_hidden(block) && !is_silent(page, block);
    let mut is_known = |block: &usize| {
        let is_known = is_copy(page, *block, &known);
        if stays(*block) {
            known.extend(runs(page.text(*block)));
        }
        is_known
    };
    let words = |blocks: &[usize]| -> f32 { blocks.iter().map(|at| page.weights[*at]).sum() };
    let copies: Vec<usize> = hidden.iter().copied().filter(&mut is_known).collect();
    // another tab of a list, such as the tab of all reviews, has items of its own too
    let is_whole = words(&copies) >= COPIED * words(&hidden);
    let copies: Vec<usize> = copies
        .into_iter()
        .filter(|block| is_whole || page.table.blocks[*block].lists == 0)
        .collect();
    // headings and labels that are next to a copy and in the other place too go with it
    let is_next = |block: &usize| {
        let after = copies.partition_point(|copy| copy < block);
        let mut near = copies.iter().skip(after.saturating_sub(1)).take(2);
        near.any(|copy| copy.abs_diff(*block) <= NEAR)
    };
    let mut lines: HashSet<&str> = open.iter().map(|block| page.text(*block)).collect();
    let is_copied_line = |block: &usize| {
        let text = page.text(*block);
        let is_known = lines.contains(text) || stays(*block) && !lines.insert(text);
        is_known && page.table.blocks[*block].table == 0 && (is_whole || is_next(block))
    };
    let short: Vec<usize> = short.into_iter().filter(is_copied_line).collect();
    for block in short.into_iter().chain(copies) {
        page.drop(block, Decider::Copy);
    }
}

fn is_silent(page: &Page<'_>, block: usize) -> bool {
    let elements = page.table.elements.as_ref();
    let row = elements.and_then(|all| all.rows.get(*all.of_block.get(block)? as usize));
    row.is_some_and(|row| row.is_silent)
}

/// Which elements are in one with a class of [`VEILS`] or that screen readers leave out; empty if
/// none is.
fn veiled(page: &Page<'_>) -> Vec<bool> {
    let Some(elements) = page.table.elements.as_ref() else {
        return Vec::new();
    };
    let has_veils = VEIL_STEMS.iter().any(|stem| elements.names.contains(stem));
    if !has_veils && !elements.rows.iter().any(|row| row.is_silent) {
        return Vec::new();
    }
    let is_veil = |label: &str| {
        label
            .split_ascii_whitespace()
            .any(|word| VEILS.has_exactly(word))
    };
    let mut veiled = elements.by_label(is_veil);
    for (is, row) in veiled.iter_mut().zip(&elements.rows) {
        *is |= row.is_silent;
    }
    elements.within(veiled)
}

/// The runs of words of a text, in any case.
fn runs(text: &str) -> Vec<u64> {
    let mut words = Vec::new();
    shape(text, &mut |word| words.push(word));
    let run = |words: &[u32]| {
        words
            .iter()
            .fold(0, |hash, word| append(hash, u64::from(*word)))
    };
    words.windows(RUN).map(run).collect()
}
