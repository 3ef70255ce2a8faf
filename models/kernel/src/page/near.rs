//! Content in and around an element, with a limited number of visits.

use std::borrow::Cow;

use super::tags;
use super::tree::{Node, NodeKind};

/// Most nodes visited below an element.
pub const MAX_NODES: usize = 64;
/// Most bytes that are read of a class, which is read again for other elements.
const MAX_CLASS: usize = 256;

/// The node after another one inside `root`, children first unless they are skipped.
#[must_use]
pub fn following<'tree>(
    node: Node<'tree>,
    root: Node<'tree>,
    with_children: bool,
) -> Option<Node<'tree>> {
    if let Some(child) = node.first_child().filter(|_| with_children) {
        return Some(child);
    }
    let mut at = node;
    while at != root {
        if let Some(next) = at.next() {
            return Some(next);
        }
        at = at.parent()?;
    }
    None
}

/// Whether an element has raw text that readers never see.
#[must_use]
pub fn is_silent(node: Node<'_>) -> bool {
    node.is_html() && matches!(node.tag(), tags::SCRIPT | tags::STYLE | tags::TEMPLATE)
}

/// The text of a node, trimmed; `None` if it has more than `most` bytes or too many nodes.
#[must_use]
pub fn short_text(root: Node<'_>, most: usize) -> Option<Cow<'_, [u8]>> {
    let mut text = Cow::default();
    let mut next = Some(root);
    for _ in 0..MAX_NODES {
        let Some(node) = next else {
            return Some(match text {
                Cow::Borrowed(text) => trimmed(text).into(),
                Cow::Owned(text) => trimmed(&text).to_vec().into(),
            });
        };
        if node.kind() == NodeKind::Text {
            let own = node.text().get(..=most).unwrap_or(node.text());
            if text.is_empty() {
                text = own.into();
            } else {
                text.to_mut().extend_from_slice(own);
            }
        }
        if text.len() > most {
            return None;
        }
        next = following(node, root, !is_silent(node));
    }
    None
}

/// Text without white space and invisible characters at its ends.
#[must_use]
pub fn trimmed(text: &[u8]) -> &[u8] {
    const BLANK: [&[u8]; 4] = [
        b"\xC2\xA0",
        b"\xE2\x80\x8B",
        b"\xE2\x81\xA0",
        b"\xEF\xBB\xBF",
    ];
    let mut rest = text.trim_ascii();
    loop {
        let ends = BLANK.iter().find_map(|blank| {
            let start = rest.strip_prefix(*blank);
            start.or_else(|| rest.strip_suffix(*blank))
        });
        match ends {
            Some(shorter) => rest = shorter.trim_ascii(),
            None => return rest,
        }
    }
}

/// Whether a text has a letter or a digit of any script.
#[must_use]
pub fn has_words(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    text.chars().any(char::is_alphanumeric)
}

/// The heading, term or similar element around an inline element.
#[must_use]
pub fn around<'tree>(
    node: Node<'tree>,
    is_wanted: impl Fn(Node<'tree>) -> bool,
) -> Option<Node<'tree>> {
    const MAX_LEVELS: usize = 5;
    std::iter::successors(node.parent(), |node| node.parent())
        .take(MAX_LEVELS)
        .find(|node| is_wanted(*node))
}

/// The node next to an element, skipping white space.
#[must_use]
pub fn neighbour<'tree>(
    node: Node<'tree>,
    step: impl Fn(Node<'tree>) -> Option<Node<'tree>>,
) -> Option<Node<'tree>> {
    let next = step(node)?;
    let is_blank = next.kind() != NodeKind::Element && next.text().trim_ascii().is_empty();
    if is_blank { step(next) } else { Some(next) }
}

/// The part of a class that is read.
#[must_use]
pub fn start_of_class(class: &[u8]) -> &[u8] {
    class.get(..MAX_CLASS).unwrap_or(class)
}

/// The first child of an element, white space passed over.
#[must_use]
pub fn first_of(node: Node<'_>) -> Option<Node<'_>> {
    let first = node.first_child()?;
    let is_blank = first.kind() == NodeKind::Text && first.text().trim_ascii().is_empty();
    if is_blank { first.next() } else { Some(first) }
}

/// The last characters of a text, of at most this many bytes.
#[must_use]
pub fn end_of(text: &[u8], most: usize) -> &str {
    let end = &text[text.len().saturating_sub(most)..];
    let inside = end.iter().take_while(|&byte| byte & 0xC0 == 0x80).count();
    std::str::from_utf8(&end[inside..]).unwrap_or("")
}
