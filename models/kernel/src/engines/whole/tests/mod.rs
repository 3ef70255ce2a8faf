//! Changes of verdicts for whole units.

mod code;
mod copies;
mod headings;
mod lists;
mod notes;
mod pages;
mod promotion;
mod tables;

use super::*;
use crate::engines::hybrid::forest::sigmoid;
use crate::engines::hybrid::roles::Convention;
use crate::engines::page_type::PageType;
use crate::units::read;

const TEXT: &str =
    "The council of the town decided to keep the old lighthouse on the northern pier.";

const LEAD: &str = "Nobody knew of the plan before the mayor met the masons on Monday evening.";

/// The kept part of a page, one line per block, if the engine gives each block the log-odds at the
/// end of its text: `Ash [-1]`; 2 without them.
fn settled(markup: &str) -> (Vec<String>, Vec<(String, Decider)>) {
    settled_with(markup, None)
}

/// The same with other log-odds of every block whose text an earlier one has.
fn settled_with(markup: &str, of_copies: Option<f32>) -> (Vec<String>, Vec<(String, Decider)>) {
    let given = |at: usize, texts: &[&str]| of_copies.filter(|_| texts[..at].contains(&texts[at]));
    let (table, judgement) = judged(markup, given);
    let texts = table.blocks.iter().map(|block| table.text_of(block));
    let bare = |text: &str| {
        text.rsplit_once(" [")
            .map_or(text, |(text, _)| text)
            .to_owned()
    };
    let rows = texts.zip(&judgement.verdicts).zip(&judgement.deciders);
    let kept = rows
        .clone()
        .filter(|((_, verdict), _)| **verdict == Verdict::Kept);
    let decided = rows.filter(|(_, decider)| **decider != Decider::Engine);
    (
        kept.map(|((text, _), _)| bare(text)).collect(),
        decided
            .map(|((text, _), decider)| (bare(text), *decider))
            .collect(),
    )
}

/// A page and its judgement with some log-odds, else those at the end of each text.
fn judged(markup: &str, given: impl Fn(usize, &[&str]) -> Option<f32>) -> (BlockTable, Judgement) {
    let table = read(markup);
    let odds = |text: &str| {
        let marked = text
            .trim_end_matches(['?', '？', '؟', ':', '：'])
            .rsplit_once('[')
            .and_then(|(_, end)| end.strip_suffix(']'));
        marked.and_then(|odds| odds.parse().ok()).unwrap_or(2.0_f32)
    };
    let texts: Vec<&str> = table
        .blocks
        .iter()
        .map(|block| table.text_of(block))
        .collect();
    let odds = (0..texts.len()).map(|at| given(at, &texts).unwrap_or_else(|| odds(texts[at])));
    let probabilities: Vec<f32> = odds.map(sigmoid).collect();
    let weights: Vec<f32> = texts
        .iter()
        .map(|text| text.split_whitespace().count() as f32)
        .collect();
    let mut judgement = Judgement {
        threshold: Some(0.5),
        page_types: Some([0.0; PageType::COUNT]),
        ..Judgement::of_content(probabilities.iter().map(|p| *p > 0.5))
    };
    judgement.probabilities = probabilities;
    settle(&table, &weights, Convention::Auto, &mut judgement);
    (table, judgement)
}

fn kept(markup: &str) -> Vec<String> {
    settled(markup).0
}

/// Whether a line of an article of two paragraphs is dropped.
fn goes(line: &str) -> bool {
    let markup = format!("<h1>Title</h1><p>{TEXT}</p>{line}<p>{TEXT}</p>");
    let (_, decided) = settled(&markup);
    !decided.is_empty()
}
