//! Notices that ask for consent to cookies.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::phrases::{ABOUT_CONSENT, CONSENT, CONSENT_STEMS};
use super::{Decider, Page};
use crate::page::blocks::Kind;

/// Words of a paragraph of such a notice at most.
const MOST_WORDS: f32 = 160.0;
/// Other words that are kept of a page, or it is about consent.
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

/// Few enough to be looked for in all at once.
#[expect(clippy::expect_used, reason = "constants, and the tests compile them")]
static STEMS: LazyLock<AhoCorasick> =
    LazyLock::new(|| AhoCorasick::new(CONSENT_STEMS).expect("a few words"));

/// A phrase as it begins a sentence.
fn capital(phrase: &str) -> String {
    let mut chars = phrase.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars).collect()
}

pub fn settle(page: &mut Page<'_>) {
    if !STEMS.is_match(&page.table.text) {
        return;
    }
    let notices: Vec<usize> = (0..page.verdicts.len())
        .filter(|block| page.is_kept(*block) && page.weights[*block] <= MOST_WORDS)
        .filter(|block| is_notice(page.text(*block)))
        .collect();
    if notices.is_empty() || is_about_consent(page, &notices) {
        return;
    }
    for block in notices {
        page.drop(block, Decider::Consent);
    }
}

fn is_notice(text: &str) -> bool {
    PHRASES.is_match(text)
}

fn is_about_consent(page: &Page<'_>, notices: &[usize]) -> bool {
    let says = |text: &str| {
        let text = text.to_lowercase();
        ABOUT_CONSENT.iter().any(|word| text.contains(word))
    };
    let title = page
        .table
        .declared
        .pairs()
        .find(|(name, _)| *name == "title");
    let is_heading =
        |block: &usize| page.is_kept(*block) && page.table.blocks[*block].kind == Kind::Heading;
    let mut headings = (0..page.verdicts.len()).filter(is_heading);
    let kept: f32 = (0..page.verdicts.len())
        .filter(|block| page.is_kept(*block))
        .map(|block| page.weights[block])
        .sum();
    let words: f32 = notices.iter().map(|block| page.weights[*block]).sum();
    title.is_some_and(|(_, title)| says(title))
        || headings.any(|block| says(page.text(block)))
        || words > kept - LEAST_OTHERS
}
