//! What helps to use a page and is no part of its text: numbers of lines, links for editing, signs
//! of links, copy buttons, tooltips, second copies for readers who listen.

pub mod buttons;
pub mod links;
mod numbers;

use super::attributes::Name;
use super::class_signs::sign;
use super::element_attributes::ElementAttributes;
use super::near::short_text;
use super::roles::{Role, role};
use super::tags::{self, Tag};
use super::tree::{Node, NodeKind};
pub use numbers::is_beside_numbers;

/// Nodes of a page that are read to tell numbers of lines: each once, unless a page is made to cost time.
const MAX_LOOKS: u32 = 1 << 20;
/// Longest text that may be a copy of the one next to it, in bytes.
const MAX_COPY_BYTES: usize = 256;
const MAX_LABEL_BYTES: usize = 40;
/// Longest name of a language of code.
const MAX_LANGUAGE_BYTES: usize = 24;
/// What copy buttons say, in lower case.
const COPY_LABELS: [&str; 31] = [
    "copy",
    "copy!",
    "copied",
    "copied!",
    "copy code",
    "copy text",
    "copy link",
    "copy url",
    "copy snippet",
    "copy command",
    "copy page",
    "copy to clipboard",
    "click to copy",
    "copycopied",
    "copycopied!",
    "copy copied",
    "copy copied!",
    "kopieren",
    "kopiert",
    "kopiert!",
    "copier",
    "copié !",
    "copier le code",
    "copiar",
    "copiar código",
    "copia",
    "копировать",
    "скопировать",
    "复制",
    "复制代码",
    "コピー",
];

/// What of [`MAX_LOOKS`] is left.
pub struct Looks(u32);

impl Default for Looks {
    fn default() -> Self {
        Self(MAX_LOOKS)
    }
}

impl Looks {
    /// Look at one more node; `None` if there were too many.
    fn take(&mut self) -> Option<()> {
        self.0 = self.0.checked_sub(1)?;
        Some(())
    }
}

/// Whether an element of the HTML namespace is left out with all it holds.
pub fn is_left_out(
    node: Node<'_>,
    tag: Tag,
    attributes: &ElementAttributes<'_>,
    in_code: bool,
    looks: &mut Looks,
) -> bool {
    let has = |wanted: u16| attributes.signs & wanted != 0;
    has(sign::EDIT)
        || attributes.is_tooltip
        || has(sign::TOOLTIP)
        || has(sign::COPY) && is_copy_label(node)
        || has(sign::NUMBERS) && numbers::are_named(node, tag, in_code, looks)
        || in_code && attributes.may_number() && numbers::are_unnamed(node, attributes, looks)
        || has(sign::ANCHOR) && tag == tags::A && links::is_anchor(node, attributes.href)
        || has(sign::LANGUAGE) && !in_code && names_code(node, tag)
        || attributes.is_aria_hidden && is_said_beside(node, tag)
        || has(sign::UNSEEN) && repeats_neighbour(node)
}

/// Whether an element says no more than that it copies.
#[must_use]
pub fn is_copy_label(node: Node<'_>) -> bool {
    short_text(node, MAX_LABEL_BYTES).is_some_and(|text| {
        let text = String::from_utf8_lossy(&text).to_lowercase();
        let words: Vec<&str> = text.split_whitespace().collect();
        COPY_LABELS.contains(&words.join(" ").as_str())
    })
}

/// Whether an element has one word, and code stands after it or after the bar that it ends.
fn names_code(node: Node<'_>, tag: Tag) -> bool {
    let is_before = |node: Node<'_>| {
        let after = std::iter::successors(node.next(), |node| node.next());
        let mut near = after.take(3);
        let next = near.find(|node| node.kind() == NodeKind::Element);
        next.is_some_and(numbers::holds_pre)
    };
    let is_word = |text: Vec<u8>| !text.is_empty() && !text.iter().any(u8::is_ascii_whitespace);
    !matches!(tag, tags::PRE | tags::CODE)
        && (is_before(node) || node.parent().is_some_and(is_before))
        && short_text(node, MAX_LANGUAGE_BYTES).is_some_and(is_word)
}

/// Whether a short text that only eyes read stands next to one that only ears hear.
fn is_said_beside(node: Node<'_>, tag: Tag) -> bool {
    role(tag) == Role::Inline
        && [neighbour(node, Node::previous), neighbour(node, Node::next)]
            .into_iter()
            .flatten()
            .any(|said| is_unseen(said) && short_text(said, MAX_COPY_BYTES).is_some_and(is_filled))
        && short_text(node, MAX_COPY_BYTES).is_some_and(is_filled)
}

fn is_filled(text: Vec<u8>) -> bool {
    !text.is_empty()
}

/// Whether what is read aloud is what stands next to it.
fn repeats_neighbour(node: Node<'_>) -> bool {
    let Some(own) = short_text(node, MAX_COPY_BYTES).filter(|own| !own.is_empty()) else {
        return false;
    };
    let sides = [neighbour(node, Node::previous), neighbour(node, Node::next)];
    let mut texts = sides
        .into_iter()
        .flatten()
        .filter(|side| !is_hidden_from_ears(*side))
        .filter_map(|side| short_text(side, MAX_COPY_BYTES));
    texts.any(|text| text == own)
}

/// The node next to an element, white space passed over.
fn neighbour<'tree>(
    node: Node<'tree>,
    step: impl Fn(Node<'tree>) -> Option<Node<'tree>>,
) -> Option<Node<'tree>> {
    let next = step(node)?;
    let is_blank = next.kind() != NodeKind::Element && next.text().trim_ascii().is_empty();
    if is_blank { step(next) } else { Some(next) }
}

fn is_unseen(node: Node<'_>) -> bool {
    let mut classes = node.attributes();
    classes.any(|each| super::class_signs::signs_of(each.value()) & sign::UNSEEN != 0)
}

fn is_hidden_from_ears(node: Node<'_>) -> bool {
    node.attributes()
        .any(|each| each.name() == Name::AriaHidden && each.value() == b"true")
}
