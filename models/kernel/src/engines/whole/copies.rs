//! Copies: text that is printed twice, of which one print is hidden or both are whole passages.

use std::collections::HashSet;

use super::{Decider, Page};
use crate::engines::hybrid::text::shape;
use crate::page::blocks::Kind;
use crate::text::hash::append;
use crate::text::map::{HashedMap, Secret};

/// Words of a block that may be a copy.
const LEAST_WORDS: f32 = 12.0;
/// Words that follow each other in both.
const RUN: usize = 5;
/// Share of the runs of a block that other blocks hold.
const COPIED: f32 = 0.8;
/// Blocks and words that follow each other twice before the second print goes although it is shown:
/// shorter ones are quotes and refrains.
const LEAST_BLOCKS: usize = 2;
const LEAST_PASSAGE: f32 = 40.0;
/// Classes of what only some readers see: on small screens, on paper, by ear.
const VEILS: [&str; 18] = [
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
];
/// Each of them has one of these.
const VEIL_STEMS: [&str; 6] = ["hid", "-only", "d-none", "visible", "reader", "show-for"];

type Runs = HashSet<u64, Secret>;

pub fn settle(page: &mut Page<'_>) {
    hidden(page);
    shown(page);
}

/// Drop what is hidden and whose words are kept in blocks that are shown.
fn hidden(page: &mut Page<'_>) {
    let veiled = veiled(page);
    let is_hidden = |block: usize| {
        let elements = page.table.elements.as_ref();
        let element = elements.and_then(|all| all.of_block.get(block));
        let is_veiled = element.and_then(|at| veiled.get(*at as usize));
        page.is_hidden(block) || is_veiled.copied().unwrap_or(false)
    };
    let kept = (0..page.verdicts.len()).filter(|block| page.is_kept(*block));
    let (hidden, open): (Vec<usize>, Vec<usize>) = kept.partition(|block| is_hidden(*block));
    let hidden = hidden.into_iter();
    let hidden: Vec<usize> = hidden
        .filter(|block| page.weights[*block] >= LEAST_WORDS)
        .collect();
    if hidden.is_empty() {
        return;
    }
    let mut known = Runs::default();
    for block in open {
        known.extend(runs(page.text(block)));
    }
    for block in hidden {
        let runs = runs(page.text(block));
        let copied = runs.iter().filter(|run| known.contains(*run)).count();
        if copied as f32 >= COPIED * runs.len() as f32 {
            page.drop(block, Decider::Copy);
        }
    }
}

/// Which elements stand in one with a class of [`VEILS`]; empty when none does.
fn veiled(page: &Page<'_>) -> Vec<bool> {
    let Some(elements) = page.table.elements.as_ref() else {
        return Vec::new();
    };
    if !VEIL_STEMS.iter().any(|stem| elements.names.contains(stem)) {
        return Vec::new();
    }
    let is_veil = |label: &str| {
        label
            .split_ascii_whitespace()
            .any(|word| VEILS.contains(&word))
    };
    let mut veiled: Vec<bool> = Vec::with_capacity(elements.rows.len());
    for row in &elements.rows {
        let around = veiled.get(row.parent as usize).copied().unwrap_or(false);
        veiled.push(around || is_veil(elements.text(row.label)));
    }
    veiled
}

/// Drop passages that follow each other in the same words a second time: those of another screen.
fn shown(page: &mut Page<'_>) {
    let is_text = |block: &usize| {
        let of = &page.table.blocks[*block];
        page.is_kept(*block)
            && page.weights[*block] >= LEAST_WORDS
            && of.quotes == 0
            && !matches!(of.kind, Kind::Code | Kind::TableCell)
    };
    let texts: Vec<usize> = (0..page.verdicts.len()).filter(is_text).collect();
    let mut places: HashedMap<u64, usize> = HashedMap::default();
    // for each text the place of an equal one before it
    let mut earlier: Vec<Option<usize>> = Vec::with_capacity(texts.len());
    for (place, block) in texts.iter().enumerate() {
        let text = page.text(*block);
        let first = *places.entry(ends(text)).or_insert(place);
        let is_again = first < place && page.text(texts[first]) == text;
        earlier.push(is_again.then_some(first));
    }
    let mut place = 0;
    while place < texts.len() {
        let length = length(&earlier[place..]);
        let again = &texts[place..place + length];
        let words: f32 = again.iter().map(|block| page.weights[*block]).sum();
        if length >= LEAST_BLOCKS && words >= LEAST_PASSAGE {
            for block in again {
                page.drop(*block, Decider::Copy);
            }
        }
        place += length.max(1);
    }
}

/// A hash of the length of a text, its first bytes and its last: equal texts are compared after it.
fn ends(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let first = bytes
        .first_chunk()
        .map_or(0, |word| u64::from_le_bytes(*word));
    let last = bytes
        .last_chunk()
        .map_or(0, |word| u64::from_le_bytes(*word));
    append(append(bytes.len() as u64, first), last)
}

/// How many texts from the first on follow each other before it as well.
fn length(earlier: &[Option<usize>]) -> usize {
    let Some(first) = earlier.first().copied().flatten() else {
        return 0;
    };
    let follow = earlier.iter().enumerate();
    follow
        .take_while(|(at, place)| **place == Some(first + at))
        .count()
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
