//! Controls of a page that are not part of its text: line numbers, edit links, link symbols, copy
//! buttons, tooltips, second copies for screen readers.

pub mod buttons;
pub mod links;
mod numbers;

use std::borrow::Cow;

use super::attributes::Name;
use super::class_signs::sign;
use super::element_attributes::ElementAttributes;
use super::near::{
    MAX_NODES, around, following, has_words, is_silent, neighbour, short_text, start_of_class,
};
use super::roles::{Role, role};
use super::tags::{self, Tag};
use super::tree::{Node, NodeKind};
pub use numbers::is_beside_numbers;

/// Nodes of a page that are visited to recognise line numbers: once each, except on pages built to
/// cost time.
const MAX_LOOKS: u32 = 1 << 20;
/// Longest text that may be a copy of the adjacent one, in bytes.
const MAX_COPY_BYTES: usize = 256;
const MAX_LABEL_BYTES: usize = 40;
/// Children of an element of which the last one is looked at.
const MAX_CHILDREN: usize = 4;
/// Longest name of a programming language.
const MAX_LANGUAGE_BYTES: usize = 24;
/// Classes of fonts that draw icons for their names.
const ICON_FONTS: [&[u8]; 2] = [b"material-icons", b"material-symbols"];
/// Signs of what is open, closed or sorted.
const STATES: &str = "+-−–×✕✖▲▼△▽▴▾▵▿▸▹▶▷►◀◂◄‹›↑↓→←↕⇅⇵⌃⌄˄˅∧∨❯❮";
const MAX_STATE_BYTES: usize = 12;
/// Texts of copy buttons, in lower case.
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

/// The remainder of [`MAX_LOOKS`].
pub struct Looks(u32);

impl Default for Looks {
    fn default() -> Self {
        Self(MAX_LOOKS)
    }
}

impl Looks {
    /// Count a visit of a node; `None` if there were too many.
    pub fn take(&mut self) -> Option<()> {
        self.0 = self.0.checked_sub(1)?;
        Some(())
    }
}

/// Whether an element of the HTML namespace is left out with its content.
pub fn is_left_out(
    node: Node<'_>,
    tag: Tag,
    attributes: &ElementAttributes<'_>,
    in_code: bool,
    looks: &mut Looks,
) -> bool {
    let has = |wanted: u16| attributes.signs & wanted != 0;
    has(sign::EDIT)
        || links::is_edit(node, tag)
        || attributes.is_tooltip
        || has(sign::TOOLTIP) && !has_tooltip(node, tag, attributes)
        || has(sign::COPY) && is_copy_label(node)
        || has(sign::NUMBERS) && numbers::are_named(node, tag, in_code, looks)
        || in_code && attributes.may_number() && numbers::are_unnamed(node, attributes, looks)
        || in_code && matches!(tag, tags::DIV | tags::SPAN) && numbers::are_bare(node)
        || has(sign::ANCHOR) && tag == tags::A && links::is_anchor(node, attributes.href)
        || has(sign::LANGUAGE) && !in_code && names_code(node, tag)
        || matches!(tag, tags::I | tags::SPAN) && is_icon(node, attributes.class)
        || attributes.is_aria_hidden && (is_said_beside(node, tag) || shows_state(node))
        || has(sign::UNSEEN) && (repeats_neighbour(node) || describes(node, tag) || is_box(node))
        || in_code && tag != tags::CODE && labels_code(node, tag)
        || in_code && tag == tags::TD && numbers::count_rows(node, looks)
}

/// Whether an element named for a tooltip is what the tooltip is of: a link, or a word with a title.
fn has_tooltip(node: Node<'_>, tag: Tag, attributes: &ElementAttributes<'_>) -> bool {
    tag == tags::A && !attributes.href.is_empty() || node.value(&[Name::Title]).is_some()
}

/// Whether an element is only a copy button.
#[must_use]
pub fn is_copy_label(node: Node<'_>) -> bool {
    short_text(node, MAX_LABEL_BYTES).is_some_and(|text| {
        let text = String::from_utf8_lossy(&text).to_lowercase();
        let words: Vec<&str> = text.split_whitespace().collect();
        COPY_LABELS.contains(&words.join(" ").as_str())
    })
}

/// Whether an element is only a sign that shows whether a part is open, or how a column is sorted, at
/// an end of a heading or a button: `Fares <span aria-hidden=true>+</span>`.
fn shows_state(node: Node<'_>) -> bool {
    let is_sign = |text: Cow<'_, [u8]>| {
        let text = String::from_utf8_lossy(&text);
        !text.is_empty() && text.chars().all(|sign| STATES.contains(sign))
    };
    let is_titled = |node: Node<'_>| buttons::is_headline(node) || node.tag() == tags::BUTTON;
    short_text(node, MAX_STATE_BYTES).is_some_and(is_sign)
        && around(node, is_titled).is_some_and(|whole| has_words_on_one_side(whole, node))
}

/// Whether an element has words before a part, or after it, and not both.
fn has_words_on_one_side(whole: Node<'_>, part: Node<'_>) -> bool {
    let (mut before, mut after, mut is_after) = (false, false, false);
    let mut next = following(whole, whole, true);
    for _ in 0..MAX_NODES {
        let Some(node) = next else { break };
        is_after |= node == part;
        let side = if is_after { &mut after } else { &mut before };
        *side |= node != part && has_words(node.text());
        next = following(node, whole, node != part && !is_silent(node));
    }
    before != after
}

/// Whether an element is an icon: a private character, or the name of one, which a font draws instead:
/// `arrow_forward`. In a cell of a table the name says what the cell means: `check`.
fn is_icon(node: Node<'_>, class: &[u8]) -> bool {
    let is_cell = |around: Node<'_>| matches!(around.tag(), tags::TD | tags::TH);
    let is_of_name = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_');
    let is_named = |text: Cow<'_, [u8]>| text.iter().all(is_of_name);
    let is_private = |text: Cow<'_, [u8]>| {
        let text = String::from_utf8_lossy(&text);
        let mut signs = text.chars();
        !text.is_empty() && signs.all(|sign| ('\u{e000}'..='\u{f8ff}').contains(&sign))
    };
    let first = node.first_child().map_or(&b""[..], |child| child.text());
    if matches!(first.trim_ascii_start(), [0xEE | 0xEF, ..]) {
        return short_text(node, MAX_STATE_BYTES).is_some_and(is_private);
    }
    ICON_FONTS
        .iter()
        .any(|font| memchr::memmem::find(class, font).is_some())
        && !node.parent().is_some_and(is_cell)
        && short_text(node, MAX_LABEL_BYTES).is_some_and(is_named)
}

/// Whether an element is one word, followed by code directly or after the bar that it ends.
fn names_code(node: Node<'_>, tag: Tag) -> bool {
    let is_before = |node: Node<'_>| {
        let after = std::iter::successors(node.next(), |node| node.next());
        let mut near = after.take(3);
        let next = near.find(|node| node.kind() == NodeKind::Element);
        next.is_some_and(numbers::holds_pre)
    };
    let is_word =
        |text: Cow<'_, [u8]>| !text.is_empty() && !text.iter().any(u8::is_ascii_whitespace);
    !matches!(tag, tags::PRE | tags::CODE)
        && (is_before(node) || node.parent().is_some_and(is_before))
        && short_text(node, MAX_LANGUAGE_BYTES).is_some_and(is_word)
}

/// Whether a short, purely visual text is next to one for screen readers only, or after an element
/// that ends in one with the same first letter: `<i>8<b class=sr-only> hours</b></i> <i>hrs</i>`.
fn is_said_beside(node: Node<'_>, tag: Tag) -> bool {
    fn text(node: Node<'_>) -> Option<Cow<'_, [u8]>> {
        short_text(node, MAX_COPY_BYTES).filter(|text| !text.is_empty())
    }
    let is_said = |side: &Node<'_>| is_unseen(*side) && text(*side).is_some();
    if role(tag) != Role::Inline {
        return false;
    }
    let before = neighbour(node, Node::previous);
    let sides = [before, neighbour(node, Node::next)];
    if sides.iter().flatten().any(is_said) {
        return text(node).is_some();
    }
    let inside = before.and_then(last_child).filter(|side| is_unseen(*side));
    let inside = inside.and_then(text);
    inside.is_some_and(|inside| text(node).is_some_and(|own| own[0] == inside[0]))
}

/// The last child of an element with few.
fn last_child(node: Node<'_>) -> Option<Node<'_>> {
    let mut children = std::iter::successors(node.first_child(), |child| child.next());
    children
        .by_ref()
        .take(MAX_CHILDREN)
        .last()
        .filter(|last| last.next().is_none())
}

/// Whether a text for screen readers is only the sign of a box to tick.
fn is_box(node: Node<'_>) -> bool {
    const BOXES: [&str; 4] = ["▢", "☐", "□", "◻"];
    short_text(node, 8).is_some_and(|text| BOXES.iter().any(|sign| text == sign.as_bytes()))
}

/// Whether a text for screen readers repeats the adjacent text.
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

/// Whether a text for screen readers is a note to a link, "(opens in a new tab)", or a label of the
/// headline. Without other words it is the name itself.
fn describes(node: Node<'_>, tag: Tag) -> bool {
    let is_drawn = |side: Option<Node<'_>>| side.is_some_and(is_hidden_from_ears);
    if role(tag) != Role::Inline
        || is_drawn(neighbour(node, Node::previous))
        || is_drawn(neighbour(node, Node::next))
    {
        return false;
    }
    let text = short_text(node, MAX_COPY_BYTES);
    let is_note = text.is_some_and(|text| text.starts_with(b"(") || text.starts_with(b","));
    let is_last = neighbour(node, Node::next).is_none();
    let is_described = |node: Node<'_>| match node.tag() {
        tags::H1 | tags::SUP => node.is_html(),
        tags::A => node.is_html() && (is_note || is_last && links::opens_tab(node)),
        _ => false,
    };
    around(node, is_described).is_some_and(|whole| links::has_words_outside(whole, node))
}

/// Whether an element in `pre` before its `code` names the language: as the class of `pre` does, or in a
/// bar.
fn labels_code(node: Node<'_>, tag: Tag) -> bool {
    let is_pre = |around: Node<'_>| around.tag() == tags::PRE && around.is_html();
    let is_code = |after: &Node<'_>| after.tag() == tags::CODE && after.is_html();
    let is_bar = role(tag).is_block();
    if !is_bar && !neighbour(node, Node::next).is_some_and(|next| is_code(&next)) {
        return false;
    }
    let Some(pre) = around(node, is_pre) else {
        return false;
    };
    let mut after = std::iter::successors(following(node, pre, false), |node| {
        following(*node, pre, true)
    });
    let is_name = |text: Cow<'_, [u8]>| {
        let class = start_of_class(pre.value(&[Name::Class]).unwrap_or_default());
        let mut classes = class.split(u8::is_ascii_whitespace);
        let is_word = !text.is_empty() && !text.iter().any(u8::is_ascii_whitespace);
        is_word && (is_bar || classes.any(|class| class.strip_prefix(b"language-") == Some(&text)))
    };
    around(node, |around| is_code(&around)).is_none()
        && short_text(node, MAX_LANGUAGE_BYTES).is_some_and(is_name)
        && after.by_ref().take(MAX_NODES).any(|node| is_code(&node))
}

fn is_unseen(node: Node<'_>) -> bool {
    let mut classes = node.attributes();
    classes.any(|each| super::class_signs::signs_of(each.value()) & sign::UNSEEN != 0)
}

fn is_hidden_from_ears(node: Node<'_>) -> bool {
    node.attributes()
        .any(|each| each.name() == Name::AriaHidden && each.value() == b"true")
}
