//! Buttons that are part of the text: a heading that opens its section, a word of a sentence.

use std::borrow::Cow;

use super::is_copy_label;
use crate::page::near::{MAX_NODES, around, following, has_words, is_silent, short_text};
use crate::page::roles::{Role, role};
use crate::page::tags;
use crate::page::tree::{Node, NodeKind};

/// Longest button text that may be part of the text, in bytes.
const MAX_BYTES: usize = 512;
/// Nodes before and after a button that are checked for words.
const MAX_SIDE: usize = 16;
/// Words of a question in a button, at least; `Forgot password?` is not one.
const LEAST_WORDS: usize = 3;
/// Most elements around such a button that end with it.
const MAX_LEVELS: usize = 2;
/// Characters that end or continue a sentence right after a button.
const AFTER: [char; 14] = [
    '.', ',', ';', ':', '!', '?', ')', '…', '。', '，', '、', '；', '！', '？',
];

/// Whether a `button` is part of the text. A button on its own is a control.
#[must_use]
pub fn is_text(button: Node<'_>) -> bool {
    if holds_heading(button) {
        return true;
    }
    let has_label = short_text(button, MAX_BYTES).is_some_and(|own| has_words(&own));
    has_label
        && !is_copy_label(button)
        && (around(button, is_headline).is_some_and(|whole| is_only_text(whole, button))
            || is_in_sentence(button)
            || opens_answer(button))
}

/// Whether a button is a question, followed by a block with words: the answer that it opens.
fn opens_answer(button: Node<'_>) -> bool {
    let text = short_text(button, MAX_BYTES).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let is_long = text.split_whitespace().nth(LEAST_WORDS - 1).is_some()
        || !text.bytes().any(|byte| byte.is_ascii_alphabetic());
    let ending = text.rsplit(char::is_alphanumeric).next();
    let asks = ending.is_some_and(|signs| signs.contains(['?', '？', '؟']));
    let is_block = |node: Node<'_>| node.is_html() && role(node.tag()).is_block();
    asks && is_long && next_element(button).is_some_and(|next| is_block(next) && says(next))
}

/// The element after a node, or after one of the two around it that end with it.
fn next_element(node: Node<'_>) -> Option<Node<'_>> {
    let mut levels = std::iter::successors(Some(node), |node| node.parent()).take(1 + MAX_LEVELS);
    let is_element = |node: &Node<'_>| node.kind() == NodeKind::Element;
    let after = levels.find_map(|level| {
        let mut after = std::iter::successors(level.next(), |node| node.next()).take(MAX_SIDE);
        after.find(|next| is_element(next) || has_words(next.text()))
    });
    after.filter(is_element)
}

/// Whether an element starts with words.
fn says(root: Node<'_>) -> bool {
    let mut next = Some(root);
    for _ in 0..MAX_SIDE {
        let Some(node) = next else { return false };
        if has_words(node.text()) {
            return true;
        }
        next = following(node, root, !is_silent(node));
    }
    false
}

/// Whether an element is in a button that is part of the text.
#[must_use]
pub fn is_in_button(node: Node<'_>) -> bool {
    around(node, |node| node.tag() == tags::BUTTON && node.is_html()).is_some()
}

fn holds_heading(button: Node<'_>) -> bool {
    let mut next = Some(button);
    for _ in 0..MAX_SIDE {
        let Some(node) = next else { return false };
        if node.is_html() && role(node.tag()) == Role::Heading {
            return true;
        }
        next = following(node, button, true);
    }
    false
}

/// The names of elements that title the text after them.
pub(super) fn is_headline(node: Node<'_>) -> bool {
    let is_named = matches!(
        node.tag(),
        tags::SUMMARY | tags::DT | tags::LEGEND | tags::TH | tags::CAPTION
    );
    let says_heading = |node: Node<'_>| {
        let mut attributes = node.attributes();
        attributes.any(|each| each.value().eq_ignore_ascii_case(b"heading"))
    };
    node.is_html() && (role(node.tag()) == Role::Heading || is_named || says_heading(node))
}

/// Whether an element has no words before a button, and after it only other buttons.
fn is_only_text(whole: Node<'_>, button: Node<'_>) -> bool {
    let mut next = following(whole, whole, true);
    let mut is_before = true;
    for _ in 0..MAX_NODES {
        let Some(node) = next else { return true };
        let is_button = node.is_html() && node.tag() == tags::BUTTON;
        is_before &= node != button;
        let says_more = if is_button {
            is_before && short_text(node, MAX_BYTES).is_none_or(|text| has_words(&text))
        } else {
            has_words(node.text())
        };
        if says_more {
            return false;
        }
        next = following(node, whole, !is_button && !is_silent(node));
    }
    false
}

/// Whether a button has words before it, and words or a sentence end after it.
fn is_in_sentence(button: Node<'_>) -> bool {
    let before = side(button, Node::previous);
    let after = side(button, Node::next);
    before.is_some_and(|text| has_words(&text))
        && after.is_some_and(|text| {
            let text = String::from_utf8_lossy(&text);
            text.starts_with(AFTER) || text.chars().any(char::is_alphanumeric)
        })
}

/// The nearest text on one side of a node in its line; `None` if a control or a block is nearer.
fn side<'tree>(
    node: Node<'tree>,
    step: impl Fn(Node<'tree>) -> Option<Node<'tree>> + Copy,
) -> Option<Cow<'tree, [u8]>> {
    let mut at = node;
    for _ in 0..MAX_SIDE {
        let Some(next) = step(at) else {
            at = at.parent().filter(|parent| is_inline(*parent))?;
            continue;
        };
        at = next;
        // next to links it is in a list of controls
        if at.kind() == NodeKind::Element && (!is_inline(at) || at.tag() == tags::A) {
            return None;
        }
        let text = short_text(at, MAX_BYTES);
        if text.as_ref().is_none_or(|text| !text.is_empty()) {
            // a long text has words
            return text.or_else(|| Some(b"x".into()));
        }
    }
    None
}

fn is_inline(node: Node<'_>) -> bool {
    !node.is_html() || matches!(role(node.tag()), Role::Inline | Role::Link | Role::Time)
}
