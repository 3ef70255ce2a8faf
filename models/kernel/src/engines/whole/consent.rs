//! Consent notices for cookies.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::phrases::{ABOUT_CONSENT, CONSENT};
use super::{Decider, Page, TEXT_WORDS};
use crate::page::blocks::Kind;
use crate::page::elements::NO_ELEMENT;
use crate::page::tags::{ARTICLE, MAIN, P};
use crate::units::Span;

/// Most words in a paragraph of such a notice.
const MOST_WORDS: f32 = 160.0;
/// Most words in a consent dialog.
const MOST_PART: f32 = 600.0;
/// Fewest other kept words of a page; with fewer the page is about consent itself.
const LEAST_OTHERS: f32 = 8.0;

#[expect(clippy::expect_used, reason = "constants, and the tests compile them")]
static PHRASES: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(
            CONSENT
                .iter()
                .flat_map(|phrase| [(*phrase).to_owned(), capital(phrase)]),
        )
        .expect("a few phrases")
});

/// A phrase at the beginning of a sentence.
fn capital(phrase: &str) -> String {
    let mut chars = phrase.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars).collect()
}

pub fn settle(page: &mut Page<'_>) {
    let stems = page.stems();
    let notices = stems
        .iter()
        .copied()
        .filter(|block| page.is_kept(*block) && page.weights[*block] <= MOST_WORDS)
        .filter(|block| PHRASES.is_match(page.text(*block)) && !is_inside_text(page, *block));
    let notices: Vec<usize> = notices.collect();
    if notices.is_empty() || is_about_consent(page, &notices) {
        return;
    }
    for part in parts(page, &notices) {
        for block in part.blocks() {
            page.drop(block, Decider::Consent);
        }
    }
}

/// The dialogs around notices: the outermost elements named for consent, else the blocks.
fn parts(page: &Page<'_>, notices: &[usize]) -> Vec<Span> {
    let of_block = |block: usize| Span::new(block as u32, block as u32 + 1);
    let Some(elements) = page.table.elements.as_ref() else {
        return notices.iter().map(|block| of_block(*block)).collect();
    };
    let spans = &page.units.spans;
    let around = |block: usize| {
        let mut found = of_block(block);
        let mut at = elements.of_block.get(block).copied().unwrap_or(NO_ELEMENT);
        while let Some(row) = elements.rows.get(at as usize) {
            if is_dialog(elements.text(row.label)) && page.words(spans[at as usize]).0 <= MOST_PART
            {
                found = spans[at as usize];
            }
            at = row.parent;
        }
        found
    };
    notices.iter().map(|block| around(*block)).collect()
}

/// Whether an element is named for consent.
fn is_dialog(label: &str) -> bool {
    const NAMES: [&str; 10] = [
        "cookie", "consent", "gdpr", "rgpd", "dsgvo", "onetrust", "cmp", "didomi", "truste", "ccpa",
    ];
    let label = label.to_ascii_lowercase();
    let mut words = label.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| {
        NAMES
            .iter()
            .any(|name| word.starts_with(name) || word.ends_with(name))
    })
}

/// Whether a paragraph is between kept paragraphs of the same element inside an article: a sentence
/// about consent.
fn is_inside_text(page: &Page<'_>, block: usize) -> bool {
    let Some(elements) = page.table.elements.as_ref() else {
        return false;
    };
    let around = |block: usize| {
        let row = elements.rows.get(*elements.of_block.get(block)? as usize)?;
        (row.tag == P).then_some(row.parent)
    };
    let is_beside = |other: usize| {
        other < page.verdicts.len()
            && page.is_kept(other)
            && page.weights[other] >= TEXT_WORDS
            && around(other) == around(block)
    };
    let row = |at: u32| elements.rows.get(at as usize);
    let mut above =
        std::iter::successors(around(block), |at| row(*at).map(|row| row.parent)).map_while(row);
    above.any(|row| matches!(row.tag, ARTICLE | MAIN))
        && block.checked_sub(1).is_some_and(is_beside)
        && is_beside(block + 1)
}

fn is_about_consent(page: &Page<'_>, notices: &[usize]) -> bool {
    let says = |text: &str| {
        let text = text.to_lowercase();
        ABOUT_CONSENT.iter().any(|word| text.contains(word))
    };
    let is_heading =
        |block: &usize| page.is_kept(*block) && page.table.blocks[*block].kind == Kind::Heading;
    let mut headings = (0..page.verdicts.len()).filter(is_heading);
    let kept: f32 = (0..page.verdicts.len())
        .filter(|block| page.is_kept(*block))
        .map(|block| page.weights[block])
        .sum();
    let words: f32 = notices.iter().map(|block| page.weights[*block]).sum();
    says(page.title())
        || headings.any(|block| says(page.text(block)))
        || words > kept - LEAST_OTHERS
}
