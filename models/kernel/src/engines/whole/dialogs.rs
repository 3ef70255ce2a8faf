//! Dialogs that are closed at first: search panels, forms, notices.

use super::{Decider, Page};
use crate::page::elements::{Concealed, Element, Elements};
use crate::page::tags::DIALOG;

/// Fewest other kept words of a page; with fewer its text may be in the dialog.
const LEAST_OTHERS: f32 = 20.0;

pub fn settle(page: &mut Page<'_>) {
    let Some(elements) = page.table.elements.as_ref() else {
        return;
    };
    let is_dialog = |row: &Element| is_closed_dialog(elements, row);
    if !elements.rows.iter().any(is_dialog) {
        return;
    }
    let closed = elements.within(elements.rows.iter().map(is_dialog).collect());
    let is_closed = |block: usize| closed[elements.of_block[block] as usize];
    let kept = (0..page.verdicts.len()).filter(|block| page.is_kept(*block));
    let (inside, others): (Vec<usize>, Vec<usize>) = kept.partition(|block| is_closed(*block));
    let words: f32 = others.iter().map(|block| page.weights[*block]).sum();
    if words >= LEAST_OTHERS {
        for block in inside {
            page.drop(block, Decider::Promotion);
        }
    }
}

fn is_closed_dialog(elements: &Elements, row: &Element) -> bool {
    let is_away = row.concealed == Concealed::Hidden || row.is_silent;
    let words = || elements.text(row.role).split_ascii_whitespace();
    is_away && (row.tag == DIALOG || words().any(|word| word.ends_with("dialog")))
}
