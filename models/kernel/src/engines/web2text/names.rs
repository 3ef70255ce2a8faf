//! The columns of feature version 2 by their names, in their order.

use super::extractors::{CONTAINERS, STRETCH};
use super::spans::{BRIEF, FULL};
use crate::page::tags::{self, NAMES, Tag};

/// Names that may be in the chain of a block; names of elements that may be above it.
pub const CHAIN_TAGS: [Tag; 17] = [
    tags::A,
    tags::P,
    tags::TD,
    tags::TH,
    tags::B,
    tags::STRONG,
    tags::LI,
    tags::SPAN,
    tags::I,
    tags::EM,
    tags::DIV,
    tags::FONT,
    tags::H1,
    tags::H2,
    tags::H3,
    tags::H4,
    tags::TABLE,
];
pub const ABOVE_TAGS: [Tag; 17] = [
    tags::ARTICLE,
    tags::MAIN,
    tags::NAV,
    tags::ASIDE,
    tags::FOOTER,
    tags::HEADER,
    tags::FORM,
    tags::TABLE,
    tags::UL,
    tags::BLOCKQUOTE,
    tags::TD,
    tags::P,
    tags::LI,
    tags::A,
    tags::H1,
    tags::H2,
    tags::H3,
];

const SIGNS: [&str; 14] = [
    "is_link",
    "has_copyright",
    "has_email",
    "has_url",
    "has_year",
    "ends_punctuation",
    "ends_question",
    "starts_lowercase",
    "ends_sentence",
    "ends_colon",
    "has_separator",
    "several_sentences",
    "no_word",
    "all_capitals",
];
const PARAGRAPH_SIGNS: [&str; 5] = [
    "is_first",
    "is_last",
    "ends_sentence",
    "starts_lowercase",
    "has_copyright",
];
const NODE_PLACE: [&str; 4] = ["share", "start", "has_form", "index"];
const PLACE: [&str; 8] = [
    "middle",
    "middle_squared",
    "index",
    "from_start",
    "from_end",
    "chars_before",
    "chars_after",
    "depth",
];
const REPEATS: [&str; 9] = [
    "text_twice",
    "text_ten_times",
    "class_path_share",
    "class_path_times",
    "class_path_chars",
    "class_path_length",
    "tag_path_share",
    "tag_path_chars",
    "tag_path_length",
];
const HINTS: [&str; 7] = [
    "hopeful_above",
    "doubtful_above",
    "comment_above",
    "hopeful",
    "doubtful",
    "comment",
    "named",
];
const BORDERS: [&str; 5] = [
    "hops_before",
    "hops_after",
    "break_before",
    "break_after",
    "heading",
];

/// The names of all columns, in their order.
#[must_use]
pub fn names() -> Vec<String> {
    let mut names = Vec::new();
    let mut add = |group: &str, columns: &[&str]| {
        names.extend(columns.iter().map(|column| format!("{group}.{column}")));
    };
    add("block", &FULL);
    add("block", &SIGNS);
    add("paragraph", &FULL);
    add("paragraph", &PARAGRAPH_SIGNS);
    for group in [
        "previous",
        "next",
        "window_5",
        "window_20",
        "before_30",
        "after_30",
    ] {
        add(group, &BRIEF);
    }
    add("parent", &FULL);
    add("parent", &NODE_PLACE);
    add("grandparent", &BRIEF);
    add("grandparent", &NODE_PLACE);
    add("body", &BRIEF);
    add("body", &["blocks"]);
    add("place", &PLACE);
    add("repeats", &REPEATS);
    add("chain", &CHAIN_TAGS.map(|tag| NAMES[usize::from(tag)]));
    add("above", &ABOVE_TAGS.map(|tag| NAMES[usize::from(tag)]));
    add("hints", &HINTS);
    add("borders", &BORDERS);
    for group in ["word_stretch", "plain_stretch", "paragraph_stretch"] {
        add(group, &STRETCH);
    }
    add("containers", &CONTAINERS);
    names
}
