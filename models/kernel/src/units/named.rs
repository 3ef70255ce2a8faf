//! Units recognised by the classes and ids of elements.

use std::cell::OnceCell;
use std::sync::LazyLock;

use aho_corasick::packed::Searcher;

use crate::page::elements::Elements;
use crate::text::hash::{class_end, token};
use crate::text::known::Known;

/// Words of a label that differ between siblings which are otherwise alike.
const PLACES: Known<21> = Known::of([
    "accepted",
    "accepted-answer",
    "js-accepted-answer",
    "best-answer",
    "solution",
    "online",
    "topic-owner",
    "bypostauthor",
    "is-first",
    "is-last",
    "unread",
    "highlighted",
    "first",
    "last",
    "odd",
    "even",
    "active",
    "alt",
    "alternate",
    "row",
    "clearfix",
]);
/// Parts of the labels of posts.
const POSTS: [&str; 8] = [
    "post", "comment", "reply", "replies", "message", "answer", "review", "thread",
];
/// Parts of the labels of single comments.
pub const COMMENTS: [&str; 3] = ["comment", "answer", "reply"];
/// What readers write below a text: whole labels, also with a number, or first parts of them.
const BY_READERS: [&str; 11] = [
    "comment",
    "answer",
    "reply",
    "review",
    "response",
    "kommentar",
    "commentaire",
    "comentario",
    "reactie",
    "avis",
    "yorum",
];
/// Second parts of such labels.
const OF_READERS: [&str; 10] = [
    "item",
    "body",
    "content",
    "text",
    "wrapper",
    "container",
    "list",
    "section",
    "area",
    "thread",
];
/// Second parts in names of the text of a post, the longest first.
const PARTS: [&str; 5] = ["content", "message", "body", "text", "row"];
/// Bytes of a name of both parts.
const LENGTHS: std::ops::RangeInclusive<usize> = 4..=14;
/// Labels of sections of footnotes or references, each a whole word of the label.
const NOTE_LABELS: [&str; 31] = [
    "footnote",
    "footnotes",
    "footnote-content",
    "footnote-section",
    "footnotes-section",
    "endnote",
    "sidenote",
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
const NOTES: Known<31> = Known::of(NOTE_LABELS);
/// Each of them contains one of these, in small or capital letters or with capitals at its parts; few
/// other labels do.
const STEMS: [&str; 17] = [
    "note", "eferen", "eflist", "ef-list", "ibliogr", "itation", "sl-bib", "Note", "efList",
    "ef-List", "NOTE", "EFEREN", "EFLIST", "EF-LIST", "IBLIOGR", "ITATION", "SL-BIB",
];
static NOTE_STEMS: LazyLock<Option<Searcher>> = LazyLock::new(|| Searcher::new(STEMS));
const NOTE_ROLES: Known<4> = Known::of([
    "doc-endnotes",
    "doc-footnotes",
    "doc-bibliography",
    "doc-footnote",
]);

/// The words of a label, in any case.
fn words(label: &str) -> impl Iterator<Item = &str> {
    label.split_ascii_whitespace()
}

/// The hashes of labels without digits and without position words, equal for siblings that are alike.
/// A label is read when it is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels(Vec<OnceCell<u64>>);

impl Labels {
    pub fn of(elements: &Elements) -> Self {
        Self(vec![OnceCell::new(); elements.count_names()])
    }

    /// The hash of the label of an element.
    #[must_use]
    pub fn hash(&self, elements: &Elements, element: usize) -> u64 {
        let label = elements.rows[element].label;
        *self.0[label as usize].get_or_init(|| hash(elements.text(label)))
    }
}

/// Which elements are sections of footnotes or references.
pub fn are_notes(elements: &Elements) -> Vec<bool> {
    let places = elements.places_of(NOTE_STEMS.as_ref());
    let named = elements.by_words_at(&places, |mut words| words.any(|word| NOTES.has(word)));
    let mut are_notes = named.unwrap_or_else(|| vec![false; elements.rows.len()]);
    for (is, row) in are_notes.iter_mut().zip(&elements.rows) {
        *is |= row.has_role() && words(elements.text(row.role)).any(|word| NOTE_ROLES.has(word));
    }
    are_notes
}

/// Whether an element is a post, a comment or an answer.
pub fn is_post(label: &str, role: &str) -> bool {
    const SAID: [&str; 3] = ["Comment", "Answer", "DiscussionForumPosting"];
    let mut parts = label.as_bytes().split(|byte| !byte.is_ascii_alphabetic());
    let is_said = || SAID.iter().any(|post| role.contains(post));
    !role.is_empty() && is_said() || parts.any(is_post_word)
}

/// Whether a label says that an element is one of a series of stripes.
pub fn is_striped(label: &str) -> bool {
    words(label).any(|word| matches!(word, "odd" | "even"))
}

/// Whether an element is a single comment or answer, in which its text is.
pub fn is_comment(label: &str) -> bool {
    let mut parts = label.as_bytes().split(|byte| !byte.is_ascii_alphanumeric());
    // most parts have other lengths
    parts.any(|part| {
        (5..=7).contains(&part.len()) && COMMENTS.iter().any(|name| name.as_bytes() == part)
    })
}

/// Whether an element holds what readers wrote: `comment`, `comment-12`, `user-comment`,
/// `comments-area`, but not `comment-count`.
pub fn is_by_readers(label: &str) -> bool {
    words(label).any(|word| {
        let mut parts = word.split(|sign: char| !sign.is_ascii_alphabetic());
        let mut parts = parts.by_ref().filter(|part| !part.is_empty());
        let (Some(first), second) = (parts.next(), parts.next()) else {
            return false;
        };
        match second {
            None => names_readers(first),
            Some(second) => {
                names_readers(first) && is_one_of(&OF_READERS, second)
                    || parts.next().is_none() && is_one_of(&BY_READERS, second)
            }
        }
    })
}

fn names_readers(part: &str) -> bool {
    let one = part.get(..part.len() - 1).unwrap_or_default(); // `comments`, `kommentare`
    is_one_of(&BY_READERS, part) || is_one_of(&BY_READERS, one) || is_one_of(&["replies"], part)
}

fn is_one_of(names: &[&str], part: &str) -> bool {
    names.iter().any(|name| name.eq_ignore_ascii_case(part))
}

fn is_post_word(part: &[u8]) -> bool {
    let begins = |post: &str| part[0].to_ascii_lowercase() == post.as_bytes()[0];
    if !LENGTHS.contains(&part.len()) || !POSTS.iter().any(|post| begins(post)) {
        return false;
    }
    let is_post = |word: &[u8]| {
        POSTS
            .iter()
            .any(|post| word.eq_ignore_ascii_case(post.as_bytes()))
    };
    let whole = PARTS.iter().find_map(|end| without(part, end.as_bytes()));
    let one = whole.filter(|whole| !whole.is_empty()).unwrap_or(part);
    let is_of_one = |byte: &u8| !byte.eq_ignore_ascii_case(&b's');
    let end = one.iter().rposition(is_of_one).map_or(0, |last| last + 1);
    is_post(one) || is_post(&one[..end])
}

/// The part before an ending in any case.
fn without<'p>(part: &'p [u8], end: &[u8]) -> Option<&'p [u8]> {
    let (one, rest) = part.split_at_checked(part.len().checked_sub(end.len())?)?;
    rest.eq_ignore_ascii_case(end).then_some(one)
}

fn hash(label: &str) -> u64 {
    let (mut sum, mut at) = (0_u64, 0);
    let mut letters = Vec::new();
    while at < label.len() {
        let (end, digit) = class_end(label.as_bytes(), at);
        let word = &label[at..end];
        if !word.is_empty() && !PLACES.has(word) {
            sum = sum.wrapping_add(of_word(word.as_bytes(), digit - at, &mut letters));
        }
        at = end + 1;
    }
    sum
}

/// The hash of a word without its digits, the first of which is at `digit`. `letters` is for any use.
fn of_word(word: &[u8], digit: usize, letters: &mut Vec<u8>) -> u64 {
    let (first, rest) = word.split_at(digit);
    if rest.is_empty() {
        return token(word);
    }
    letters.clear();
    letters.extend_from_slice(first);
    letters.extend(rest.iter().filter(|byte| !byte.is_ascii_digit()));
    token(letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_label_of_notes_is_found_however_it_is_spelled() {
        for label in NOTE_LABELS {
            let capital = label[..1].to_ascii_uppercase() + &label[1..];
            for label in [label.to_owned(), capital, label.to_ascii_uppercase()] {
                assert!(STEMS.iter().any(|stem| label.contains(stem)), "{label}");
            }
        }
    }
}
