//! Lines that send a reader to other pages: an opening such as "Read more:".

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, Anchored, Input, MatchKind, StartKind};

use super::phrases::OPENINGS;
use super::{Decider, Page};
use crate::page::blocks::{Block, Kind};

/// Words and bytes of such a line at most.
const MOST_WORDS: f32 = 40.0;
const MOST_BYTES: usize = 600;
/// Characters of the longest opening, with what marks its end.
const MOST_OPENING: usize = 48;
/// Share of the characters after an opening without a colon that stand in links.
const LINKED: f32 = 0.8;

#[expect(clippy::expect_used, reason = "constants, and the tests compile them")]
static PHRASES: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostLongest)
        .start_kind(StartKind::Anchored)
        .build(OPENINGS)
        .expect("a few phrases")
});

pub fn settle(page: &mut Page<'_>) {
    for block in 0..page.verdicts.len() {
        let is_open = page.is_kept(block) && page.weights[block] <= MOST_WORDS;
        if is_open && is_promotion(&page.table.blocks[block], page.text(block)) {
            page.drop(block, Decider::Promotion);
        }
    }
}

/// Whether a block is an opening with what it points to.
fn is_promotion(block: &Block, text: &str) -> bool {
    let is_other = matches!(block.kind, Kind::Code | Kind::TableCell | Kind::Heading);
    if is_other || block.link_chars == 0 || text.len() > MOST_BYTES {
        return false;
    }
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let head = text.chars().take(MOST_OPENING);
    let lowered: String = head.flat_map(char::to_lowercase).collect();
    let Some(found) = PHRASES.find(Input::new(&lowered).anchored(Anchored::Yes)) else {
        return false;
    };
    let rest = lowered[found.end()..].trim_start();
    if rest.is_empty() {
        return true;
    }
    let chars = text.chars().count() as f32;
    let is_linked = block.link_chars as f32 >= LINKED * chars;
    let mark = rest.chars().next().unwrap_or(' ');
    let is_marked = matches!(
        mark,
        ':' | '：' | '|' | '>' | '»' | '→' | '–' | '—' | '-' | '+'
    );
    // prose may begin with the same words: "Related: the debt of the town, which ..."
    is_linked || is_marked
}
