//! Copies: hidden text, an echo, a signature, a note or the subject of a thread whose words other
//! blocks keep is written once.

use std::collections::HashSet;

use super::{Decider, Page, TEXT_WORDS};
use crate::engines::hybrid::text::shape;
use crate::page::blocks::Kind;
use crate::text::hash::append;
use crate::text::known::Known;
use crate::text::map::Secret;

/// Adjacent words that are equal in both.
const RUN: usize = 5;
/// Share of a block's runs that other blocks contain.
const COPIED: f32 = 0.8;
/// Blocks before an echo among which its words are: a first paragraph that repeats the standfirst.
const NEAR: usize = 2;
/// Log-odds below which a block may be a copy.
pub const UNSURE: f32 = 1.5;
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
/// What mail programs and forums write before the subject of an answer, and most bytes of both.
const ANSWERS: [&str; 8] = ["re", "aw", "antw", "sv", "vs", "odp", "rif", "ynt"];
const MOST_SUBJECT: usize = 200;
/// Bytes of the longest of them with its colon.
const MOST_MARK: usize = 5;

type Runs = HashSet<u64, Secret>;

pub fn settle(page: &mut Page<'_>) {
    drop_hidden(page);
    drop_echoes(page);
    drop_signatures(page);
    drop_subjects(page);
}

/// Drop the subject above an answer, which repeats the one of the thread.
fn drop_subjects(page: &mut Page<'_>) {
    let is_line = |block: &usize| page.text(*block).len() <= MOST_SUBJECT && page.is_kept(*block);
    let mut lines = (0..page.verdicts.len()).filter(is_line);
    if !lines.any(|block| subject(page.text(block)).1) {
        return;
    }
    let lines: Vec<usize> = (0..page.verdicts.len()).filter(is_line).collect();
    let mut known = HashSet::new();
    for block in lines {
        let (subject, is_answer) = subject(page.text(block));
        if !known.insert(subject) && is_answer {
            page.drop(block, Decider::Copy);
        }
    }
}

/// The subject of a message, and whether it answers another: "Re: Boats".
fn subject(text: &str) -> (&str, bool) {
    let mut subject = text;
    let is_mark = |byte: &u8| *byte == b':' || !byte.is_ascii();
    let begins = |byte: &u8| b"rasvoy".contains(&byte.to_ascii_lowercase());
    let bytes = text.as_bytes();
    if !bytes.first().is_some_and(begins) || !bytes.iter().take(MOST_MARK).any(is_mark) {
        return (text, false);
    }
    while let Some(rest) = ANSWERS.iter().find_map(|mark| {
        let start = subject.get(..mark.len())?;
        let rest = subject[mark.len()..].strip_prefix([':', '：'])?;
        start
            .eq_ignore_ascii_case(mark)
            .then_some(rest.trim_start())
    }) {
        subject = rest;
    }
    (subject, subject.len() < text.len())
}

/// Drop blocks in other elements that repeat a likelier block right before them.
fn drop_echoes(page: &mut Page<'_>) {
    for block in 1..page.verdicts.len() {
        if !is_passage(page, block) || page.odds[block] >= UNSURE {
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
pub fn is_passage(page: &Page<'_>, block: usize) -> bool {
    let is_written_once = matches!(page.table.blocks[block].kind, Kind::Paragraph | Kind::Other);
    is_written_once && page.weights[block] >= TEXT_WORDS && page.is_kept(block)
}

/// Drop the signatures of posts, except the first with the same words, and notes that an earlier note
/// holds, such as one with a label for screen readers.
fn drop_signatures(page: &mut Page<'_>) {
    let Some(elements) = page.table.elements.as_ref() else {
        return;
    };
    let ends = |word: &str| {
        let end = word.len().checked_sub(SIGNATURE.len());
        let end = end.and_then(|at| word.get(at..));
        end.is_some_and(|end| end.eq_ignore_ascii_case(SIGNATURE))
    };
    let signed = match elements.names.contains(&SIGNATURE[1..]) {
        true => elements.within(elements.by_label(|label| label.split(' ').any(ends))),
        false => Vec::new(),
    };
    let share = |block: usize| {
        let is_signed = signed.get(elements.of_block[block] as usize) == Some(&true);
        let is_note = page.deciders[block] == Decider::Notes && page.odds[block] < 0.0;
        let share = if is_signed { COPIED } else { 1.0 };
        (is_signed || is_note).then_some((block, share))
    };
    let blocks = (0..page.verdicts.len()).filter_map(share);
    let blocks =
        blocks.filter(|(block, _)| page.weights[*block] >= TEXT_WORDS && page.is_kept(*block));
    let blocks: Vec<(usize, f32)> = blocks.collect();
    let mut known = Runs::default();
    for (block, share) in blocks {
        if page.odds[block] < UNSURE && copied(page, block, &known) >= share {
            page.drop(block, Decider::Copy);
        }
        known.extend(runs(page.text(block)));
    }
}

/// The share of the words of a block that are among known ones.
fn copied(page: &Page<'_>, block: usize, known: &Runs) -> f32 {
    let runs = runs(page.text(block));
    let copied = runs.iter().filter(|run| known.contains(*run)).count();
    if runs.is_empty() {
        1.0
    } else {
        copied as f32 / runs.len() as f32
    }
}

fn is_copy(page: &Page<'_>, block: usize, known: &Runs) -> bool {
    copied(page, block, known) >= COPIED
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
    let is_long = |block: &usize| page.weights[*block] >= TEXT_WORDS;
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
