//! Notices of rights after the text: "© 2025 Harbour News. All rights reserved."

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::phrases::{RIGHTS, RIGHTS_AT_END};
use super::{Decider, Page};
use crate::page::blocks::Kind;

/// Fewest words and characters of a block of text, before which such lines end.
const TEXT_WORDS: f32 = 12.0;
const TEXT_CHARS: usize = 40;
/// Most kept blocks at the end of a page that are read.
const MOST_BLOCKS: usize = 12;
/// Most characters of a notice, and of one that only begins with a sign.
const MOST_CHARS: usize = 240;
const MOST_SIGNED: usize = 80;
const MOST_SIGNED_WORDS: usize = 12;
/// Most words of a line that begins with a phrase and goes on.
const MOST_WORDS: usize = 8;
/// Most characters of one that is known by its end.
const MOST_AT_END: usize = 100;
/// Signs of copyright, in lower case.
const SIGNS: [&str; 4] = ["©", "ⓒ", "(c)", "copyright"];

/// What every notice has: most lines have none of it.
#[expect(clippy::expect_used, reason = "constants, and the tests compile them")]
static ANY: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let topics = RIGHTS_AT_END
        .iter()
        .flat_map(|(topics, _)| topics.split('|'));
    let all = RIGHTS.iter().chain(&SIGNS).copied().chain(topics);
    AhoCorasick::new(all).expect("a few phrases")
});

pub fn settle(page: &mut Page<'_>) {
    let mut notices = Vec::new();
    let kept = (0..page.verdicts.len()).rev();
    let kept = kept.filter(|block| page.is_kept(*block)).take(MOST_BLOCKS);
    let mut is_after_text = false;
    for block in kept {
        let of = &page.table.blocks[block];
        let is_line = matches!(of.kind, Kind::Paragraph | Kind::Other) && of.table == 0;
        let text = page.text(block);
        if is_line && is_notice(text) {
            notices.push(block);
        } else if page.weights[block] >= TEXT_WORDS || text.chars().nth(TEXT_CHARS).is_some() {
            is_after_text = true;
            break;
        }
    }
    for block in notices.into_iter().filter(|_| is_after_text) {
        page.drop(block, Decider::Promotion);
    }
}

/// Whether a line says whose the text is, or who may repeat it.
fn is_notice(text: &str) -> bool {
    if text.chars().nth(MOST_CHARS).is_some() {
        return false;
    }
    let lowered = text.to_lowercase();
    if !ANY.is_match(&lowered) {
        return false;
    }
    let is_mark = |c: char| !c.is_alphanumeric() && !"©ⓒ(".contains(c);
    let line = lowered.trim_start_matches(is_mark);
    let line = line.trim_end_matches(|c: char| !c.is_alphanumeric());
    begins_with_sign(line) || has_phrase(line) || ends_with_ban(line)
}

/// Whether a short line begins with a sign of copyright, and a year where the sign is a word too.
fn begins_with_sign(line: &str) -> bool {
    let Some(rest) = SIGNS.iter().find_map(|sign| line.strip_prefix(sign)) else {
        return false;
    };
    let rest = rest.trim_start_matches([' ', ':']);
    let is_sign = line.starts_with(['©', 'ⓒ']) || SIGNS.iter().any(|sign| rest.starts_with(sign));
    let is_dated = rest.starts_with(|c: char| c.is_ascii_digit());
    (is_sign || is_dated)
        && line.chars().count() <= MOST_SIGNED
        && line.split_whitespace().count() <= MOST_SIGNED_WORDS
}

/// Whether a line has a phrase as a sentence of its own, or is short and begins a sentence with it.
fn has_phrase(line: &str) -> bool {
    let is_short = line.split_whitespace().count() <= MOST_WORDS;
    let is_signed = SIGNS.iter().any(|sign| line.contains(sign));
    RIGHTS.iter().any(|phrase| {
        line.split_once(phrase).is_some_and(|(before, after)| {
            let begins = |c: char| !c.is_alphanumeric() && !c.is_whitespace();
            let is_first = before.trim_end().chars().next_back().is_none_or(begins);
            let is_last = after.trim_start().chars().next().is_none_or(begins);
            is_signed || is_first && (is_last || is_short && after.starts_with(' '))
        })
    })
}

/// Whether a short line is about copies and ends with their ban.
fn ends_with_ban(line: &str) -> bool {
    line.chars().nth(MOST_AT_END).is_none()
        && RIGHTS_AT_END.iter().any(|(topics, ends)| {
            topics.split('|').any(|topic| line.contains(topic))
                && ends.split('|').any(|end| line.ends_with(end))
        })
}
