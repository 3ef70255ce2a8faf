//! Links to their own place, next to headings and terms.

use memchr::{memchr2, memmem};

use crate::page::attributes::Name;
use crate::page::near::{MAX_NODES, around, following, has_words, is_silent, short_text, trimmed};
use crate::page::roles::{Role, role};
use crate::page::tags::{self, Tag};
use crate::page::tree::{Node, NodeKind};

/// Texts of links that only show how to link to a place, or that lead back from a note; one
/// is a chain symbol.
const PERMALINKS: [&str; 16] = [
    "^",
    "◆",
    "⤴",
    "¶",
    "§",
    "#",
    "\u{1f517}",
    "\u{f0c1}",
    "↩",
    "↩\u{fe0e}",
    "\u{1f517}\u{fe0f}",
    "⚓",
    "⚓\u{fe0e}",
    "⚓\u{fe0f}",
    "☍",
    "∞",
];
const MAX_SIGN_BYTES: usize = 16;
/// Longest label of such a link: it may repeat the heading.
const MAX_LABEL_BYTES: usize = 256;

/// Whether a link has only a link symbol.
pub fn is_permalink(node: Node<'_>, href: &[u8]) -> bool {
    node.tag() == tags::A
        && node.is_html()
        && href.contains(&b'#')
        && short_text(node, MAX_SIGN_BYTES)
            .is_some_and(|text| PERMALINKS.iter().any(|sign| text == sign.as_bytes()))
}

/// Whether an anchor link only repeats the heading.
pub fn is_anchor(node: Node<'_>, href: &[u8]) -> bool {
    if !href.contains(&b'#')
        || !short_text(node, MAX_LABEL_BYTES).is_some_and(|own| has_words(&own))
    {
        return false;
    }
    match around(node, is_heading) {
        Some(heading) => has_words_outside(heading, node),
        None => {
            let before = std::iter::successors(node.previous(), |node| node.previous());
            before.take(2).any(is_heading)
        }
    }
}

/// Most bytes of the attributes of a link that opens in another tab.
const MAX_ATTRIBUTES: usize = 4096;

/// Whether a link opens in another tab of the browser.
pub fn opens_tab(link: Node<'_>) -> bool {
    // they are read again for each part of the link
    let mut attributes = link.markup_attributes();
    link.markup().len() <= MAX_ATTRIBUTES
        && attributes
            .any(|(name, value)| name.eq_ignore_ascii_case(b"target") && &*value == b"_blank")
}

/// Most bytes of the links of a wiki to edit a section.
const MAX_EDIT_BYTES: usize = 64;

/// Labels of links to edit a section, in lower case, which count only between brackets.
const EDITS: [&str; 36] = [
    "edit",
    "edit section",
    "edit source",
    "edit this section",
    "bearbeiten",
    "quelltext bearbeiten",
    "modifier",
    "modifier le code",
    "editar",
    "editar código",
    "edita",
    "modifica",
    "modifica wikitesto",
    "bewerken",
    "brontekst bewerken",
    "redigér",
    "rediger",
    "redigera",
    "redigera wikitext",
    "muokkaa",
    "edytuj",
    "edytuj kod",
    "editovat",
    "upraviť",
    "szerkesztés",
    "modificare",
    "değiştir",
    "править",
    "править код",
    "редагувати",
    "редактиране",
    "επεξεργασία",
    "sunting",
    "sửa đổi",
    "編集",
    "编辑",
];

/// Whether an inline element in a heading is only links that edit its section: `[edit]`.
#[inline]
pub fn is_edit(node: Node<'_>, tag: Tag) -> bool {
    if !matches!(tag, tags::A | tags::SMALL | tags::SPAN | tags::SUP) {
        return false;
    }
    let mut parents = std::iter::successors(node.parent(), |node| node.parent()).take(2);
    let heading = parents.find(|node| is_heading(*node));
    heading.is_some_and(|heading| edits(node, tag, heading))
}

/// Whether an inline element is only links that edit the section of the heading around it.
#[inline(never)]
fn edits(node: Node<'_>, tag: Tag, heading: Node<'_>) -> bool {
    let edits = |link: Node<'_>| {
        let href = link.value(&[Name::Href]).unwrap_or_default();
        let mut words = [b"action=edit".as_slice(), b"Special:EditPage"].into_iter();
        link.tag() == tags::A
            && (words.any(|word| memmem::find(href, word).is_some()) || is_called_edit(link))
    };
    let is_around_one = || {
        let mut children = std::iter::successors(node.first_child(), |child| child.next()).take(3);
        let first = children.find(|child| child.kind() == NodeKind::Element);
        first.is_some_and(edits)
            && short_text(node, MAX_EDIT_BYTES).is_some_and(|text| text.starts_with(b"["))
    };
    (if tag == tags::A {
        edits(node)
    } else {
        is_around_one()
    }) && has_words_outside(heading, node)
}

/// Whether a link after a bracket, or after another link to edit, is called one.
fn is_called_edit(link: Node<'_>) -> bool {
    let before = link.previous();
    let Some(before) = before.filter(|before| before.kind() == NodeKind::Text) else {
        return false;
    };
    let text = trimmed(before.text());
    let follows = text.ends_with(b"[") || text.ends_with(b"(") || matches!(text, b"|" | b"/");
    follows
        && short_text(link, MAX_EDIT_BYTES).is_some_and(|text| {
            let text = String::from_utf8_lossy(&text).to_lowercase();
            EDITS.contains(&text.as_str())
        })
}

/// Whether a heading has brackets among its parts, as around links to edit its section.
pub fn has_brackets(heading: Node<'_>) -> bool {
    let mut parts = std::iter::successors(heading.first_child(), |part| part.next());
    parts.any(|part| memchr2(b'[', b'(', part.text()).is_some())
}

/// A text in a heading without the brackets around links to edit, next to it.
pub fn without_edit_brackets(node: Node<'_>) -> &[u8] {
    let bytes = node.text();
    let is_sign = |byte: &u8| b"[]()|/".contains(byte);
    let may_have = bytes.iter().any(is_sign) && node.parent().is_some_and(is_heading);
    let Some(mut text) = std::str::from_utf8(bytes).ok().filter(|_| may_have) else {
        return bytes;
    };
    let is_left_out = |side: Option<Node<'_>>| side.is_some_and(|side| is_edit(side, side.tag()));
    let (is_after, is_before) = (is_left_out(node.previous()), is_left_out(node.next()));
    if is_after && is_before && !has_words(bytes) {
        return b"";
    }
    if is_after {
        text = text.trim_start().strip_prefix([']', ')']).unwrap_or(text);
    }
    if is_before {
        text = text.trim_end().strip_suffix(['[', '(']).unwrap_or(text);
    }
    text.as_bytes()
}

fn is_heading(node: Node<'_>) -> bool {
    node.is_html()
        && (role(node.tag()) == Role::Heading || matches!(node.tag(), tags::DT | tags::SUMMARY))
}

/// Whether an element has words outside of a given part.
pub(super) fn has_words_outside(whole: Node<'_>, part: Node<'_>) -> bool {
    let mut next = following(whole, whole, true);
    for _ in 0..MAX_NODES {
        let Some(node) = next else { return false };
        if node != part && has_words(node.text()) {
            return true;
        }
        next = following(node, whole, node != part && !is_silent(node));
    }
    false
}
