//! Large first letters of paragraphs: elements or pictures of one letter in front of the rest of its word.

use memchr::memmem;

use crate::page::attributes::Name;
use crate::page::element_attributes::ElementAttributes;
use crate::page::near::{is_silent, neighbour, short_text, start_of_class};
use crate::page::roles::{Role, role};
use crate::page::tags::{self, Tag};
use crate::page::tree::{Node, NodeKind};

/// Longest first letter in bytes, with a quotation mark before it.
const MAX_INITIAL: usize = 8;
/// Fewest bytes of the text after the letter.
const LEAST_TEXT: usize = 20;
/// Levels of elements around the letter alone, and in front of the text after it.
const MAX_LEVELS: usize = 3;
/// Parts of class names, without the signs between their words.
const NAMES: [&[u8]; 9] = [
    b"dropcap",
    b"firstletter",
    b"firstcharacter",
    b"bigletter",
    b"lettrine",
    b"letrina",
    b"initial",
    b"initcap",
    b"capitular",
];
/// Letters that are words, before which a space may be meant.
const WORDS: &str = "AEIOUYÀÁÈÉÒÓÔЄІАВИКОСУЯΗΟ";
const QUOTES: [char; 10] = ['"', '\'', '“', '„', '«', '‘', '‚', '¿', '¡', '('];

/// The first letter of a paragraph in an element, if it is separate from the rest of its word: in a
/// block or picture, or before white space. With it, the text that goes on.
///
/// It is followed by a space if it is a word.
pub(super) fn initial_of<'tree>(
    node: Node<'tree>,
    tag: Tag,
    attributes: &ElementAttributes<'_>,
) -> Option<(String, Node<'tree>)> {
    let is_picture = tag == tags::IMG;
    if node.first_child().is_some_and(holds_more) || !may_be_letter(node, is_picture) {
        return None;
    }
    if matches!(role(tag), Role::Heading | Role::Item | Role::Link) {
        return None;
    }
    let text = if is_picture {
        node.value(&[Name::Alt])?.into()
    } else {
        short_text(node, MAX_INITIAL)?
    };
    let text = std::str::from_utf8(&text).ok()?;
    let mut letters = text.strip_prefix(QUOTES).unwrap_or(text).chars();
    let letter = letters.next().filter(|letter| letter.is_uppercase())?;
    let is_named = || attributes.is_floating() || is_named(attributes.class);
    if letters.next().is_some() || !is_picture && !is_named() {
        return None;
    }
    let (after, is_touched) = text_after(node)?;
    let rest = after.text().trim_ascii();
    let is_separate = is_picture || role(tag).is_block() || !is_touched;
    if !is_separate || is_picture && !is_touched && !is_named() || !continues(letter, rest) {
        return None;
    }
    let is_word = !is_touched && WORDS.contains(letter);
    let space = if is_word { " " } else { "" };
    Some((format!("{text}{space}"), after))
}

/// Whether the text of an element, or what a picture says, may be one letter: most are known by their
/// first text, before their class is read.
fn may_be_letter(node: Node<'_>, is_picture: bool) -> bool {
    // a quotation mark may be before it
    let is_short = |text: &[u8]| {
        let starts = |byte: &&u8| **byte & 0xC0 != 0x80;
        text.len() <= MAX_INITIAL && text.trim_ascii().iter().filter(starts).count() <= 2
    };
    if is_picture {
        let said = node.value(&[Name::Alt]);
        return said.is_some_and(|said| !said.is_empty() && is_short(said));
    }
    let mut first = node.first_child();
    for _ in 0..MAX_LEVELS {
        first = match first {
            Some(text) if text.kind() == NodeKind::Text => return is_short(text.text()),
            Some(inner) if inner.kind() == NodeKind::Element && !is_silent(inner) => {
                inner.first_child()
            }
            inner => return inner.is_some(),
        };
    }
    true
}

/// Whether the first child of an element is more text than a letter, or not all of it.
fn holds_more(first: Node<'_>) -> bool {
    first.kind() == NodeKind::Text && (first.next().is_some() || first.text().len() > MAX_INITIAL)
}

fn is_named(class: &[u8]) -> bool {
    if class.is_empty() {
        return false;
    }
    let class = start_of_class(class).iter();
    let bare = class.filter(|byte| !matches!(byte, b'-' | b'_'));
    let bare: Vec<u8> = bare.map(u8::to_ascii_lowercase).collect();
    NAMES.iter().any(|name| memmem::find(&bare, name).is_some())
}

/// The text right after an element, and whether no white space or border of a block is between.
fn text_after(node: Node<'_>) -> Option<(Node<'_>, bool)> {
    let mut at = node;
    for _ in 0..MAX_LEVELS {
        if at.next().is_some() {
            break;
        }
        let around = at.parent()?;
        if around.first_child() != Some(at) || role(around.tag()) == Role::Item {
            return None;
        }
        at = around;
    }
    let mut next = neighbour(at, Node::next)?;
    let mut is_touched = at.next() == Some(next);
    for _ in 0..MAX_LEVELS {
        if next.kind() == NodeKind::Text {
            let first = next.text().first();
            is_touched &= first.is_some_and(|byte| !byte.is_ascii_whitespace());
            return Some((next, is_touched));
        }
        match role(next.tag()) {
            Role::Inline => {}
            Role::Paragraph => is_touched = false,
            _ => return None,
        }
        next = next.first_child()?;
    }
    None
}

/// Whether a text is the rest of a word, or of a paragraph after a word of one letter.
fn continues(letter: char, rest: &[u8]) -> bool {
    let Some(start) = rest.utf8_chunks().next().map(|chunk| chunk.valid()) else {
        return false;
    };
    let mut signs = start.chars();
    let (first, second) = (signs.next(), signs.next());
    let is_small = |sign: Option<char>| sign.is_some_and(char::is_lowercase);
    let is_capital = |sign: Option<char>| sign.is_some_and(char::is_uppercase);
    let begins = is_small(first) || is_capital(first) && !is_small(second);
    rest.len() >= LEAST_TEXT
        && (begins || matches!(first, Some('’' | '\'')))
        && !first.is_some_and(|first| first.to_uppercase().eq(letter.to_uppercase()))
}
