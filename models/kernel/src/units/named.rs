//! What the classes and ids of elements say about units.

use crate::page::elements::Elements;
use crate::text::hash::append;

/// Words of a label that differ between siblings which are alike otherwise.
const PLACES: [&str; 9] = [
    "first",
    "last",
    "odd",
    "even",
    "active",
    "alt",
    "alternate",
    "row",
    "clearfix",
];
/// Parts of the labels of posts.
const POSTS: [&str; 8] = [
    "post", "comment", "reply", "replies", "message", "answer", "review", "thread",
];
/// What follows such a part in names of the text of a post, the longest first.
const PARTS: [&str; 5] = ["content", "message", "body", "text", "row"];
/// Bytes of a name of both parts.
const LENGTHS: std::ops::RangeInclusive<usize> = 4..=14;
/// Labels of sections of footnotes or references, each a whole word of the label.
const NOTES: [&str; 25] = [
    "footnotes",
    "footnote-list",
    "footnotes-list",
    "footnote-definitions",
    "footnotes-sep",
    "endnotes",
    "easy-footnotes",
    "easy-footnotes-wrapper",
    "easy-footnote-container",
    "modern-footnotes-list",
    "wp-block-footnotes",
    "footnotes-end-of-document",
    "footnote_container_prepare",
    "footnote_references_container",
    "references",
    "reflist",
    "ref-list",
    "reference-list",
    "references-list",
    "citation-list",
    "mw-references-wrap",
    "ltx_bibliography",
    "bibliography",
    "csl-bib-body",
    "citations",
];
const NOTE_ROLES: [&str; 4] = [
    "doc-endnotes",
    "doc-footnotes",
    "doc-bibliography",
    "doc-footnote",
];

/// The words of a label, in any case.
fn words(label: &str) -> impl Iterator<Item = &str> {
    label.split_ascii_whitespace()
}

fn is_one_of(word: &str, known: &[&str]) -> bool {
    let first = |word: &str| word.as_bytes().first().map(u8::to_ascii_lowercase);
    let own = first(word);
    known
        .iter()
        .any(|each| first(each) == own && word.eq_ignore_ascii_case(each))
}

/// Whether an element is a section of footnotes or references.
pub fn is_notes(label: &str, role: &str) -> bool {
    words(role).any(|word| is_one_of(word, &NOTE_ROLES))
        || words(label).any(|word| is_one_of(word, &NOTES))
}

/// Whether an element is a post, a comment or an answer.
pub fn is_post(label: &str, role: &str) -> bool {
    const SAID: [&str; 3] = ["Comment", "Answer", "DiscussionForumPosting"];
    let parts = label.split(|c: char| !c.is_ascii_alphabetic());
    SAID.iter().any(|post| role.contains(post)) || parts.into_iter().any(is_post_word)
}

fn is_post_word(part: &str) -> bool {
    if !LENGTHS.contains(&part.len()) {
        return false;
    }
    let word = part.to_ascii_lowercase();
    let whole = PARTS.iter().find_map(|part| word.strip_suffix(part));
    let one = whole.filter(|whole| !whole.is_empty()).unwrap_or(&word);
    POSTS.contains(&one) || POSTS.contains(&one.trim_end_matches('s'))
}

/// The hashes of the labels of all elements.
pub fn hashes(elements: &Elements) -> Vec<u64> {
    let rows = elements.rows.iter();
    rows.map(|row| hash(elements.text(row.label))).collect()
}

/// The hash of a label without digits and without words for places in a row, the same for siblings
/// that are alike.
fn hash(label: &str) -> u64 {
    let words = words(label).filter(|word| !is_one_of(word, &PLACES));
    words.fold(0, |sum: u64, word| sum.wrapping_add(of_word(word)))
}

fn of_word(word: &str) -> u64 {
    let letters = word.bytes().filter(|byte| !byte.is_ascii_digit());
    letters.fold(1, |hash, byte| append(hash, u64::from(byte)))
}
