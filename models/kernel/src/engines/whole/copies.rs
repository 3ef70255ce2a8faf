//! Copies: hidden text whose words are kept in other blocks is printed once.

use std::collections::HashSet;

use super::{Decider, Page};
use crate::engines::hybrid::text::shape;
use crate::text::map::Secret;
use crate::text::hash::append;

/// Words of a block that may be a copy.
const LEAST_WORDS: f32 = 12.0;
/// Words that follow each other in both.
const RUN: usize = 5;
/// Share of the runs of a block that other blocks hold.
const COPIED: f32 = 0.8;

type Runs = HashSet<u64, Secret>;

pub fn settle(page: &mut Page<'_>) {
    let blocks = 0..page.verdicts.len();
    let is_open = |block: &usize| page.is_kept(*block) && page.weights[*block] >= LEAST_WORDS;
    let hidden: Vec<usize> = blocks
        .clone()
        .filter(|block| is_open(block) && page.is_hidden(*block))
        .collect();
    if hidden.is_empty() {
        return;
    }
    let mut shown = Runs::default();
    for block in blocks.filter(|block| page.is_kept(*block) && !page.is_hidden(*block)) {
        shown.extend(runs(page.text(block)));
    }
    for block in hidden {
        let runs = runs(page.text(block));
        let known = runs.iter().filter(|run| shown.contains(*run)).count();
        if known as f32 >= COPIED * runs.len() as f32 {
            page.drop(block, Decider::Copy);
        }
    }
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
