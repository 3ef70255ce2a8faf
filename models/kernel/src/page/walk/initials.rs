//! Large first letters of paragraphs: elements or pictures of one letter in front of the rest of its word.

use memchr::memmem;

use crate::page::attributes::Name;
use crate::page::element_attributes::ElementAttributes;
use crate::page::near::{neighbour, short_text};
use crate::page::roles::{Role, role};
use crate::page::tags::{self, Tag};
use crate::page::tree::{Node, NodeKind};

/// Longest first letter in bytes, with a quotation mark before it.
const MAX_INITIAL: usize = 8;
/// Bytes of a class that are read, and the fewest of the text after the letter.
const MAX_CLASS: usize = 256;
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
/// block or picture, or before white space.
///
/// It is followed by a space if it is a word.
pub(super) fn initial_of(
    node: Node<'_>,
    tag: Tag,
    attributes: &ElementAttributes<'_>,
) -> Option<String> {
    if node.first_child().is_some_and(holds_more) {
        return None;
    }
    let is_named = attributes.is_floating() || is_named(attributes.class);
    let is_picture = tag == tags::IMG;
    if !(is_named || is_picture) || matches!(role(tag), Role::Heading | Role::Item | Role::Link) {
        return None;
    }
    let text = if is_picture {
        node.value(&[Name::Alt])?.to_vec()
    } else {
        short_text(node, MAX_INITIAL)?
    };
    let text = std::str::from_utf8(&text).ok()?;
    let mut letters = text.strip_prefix(QUOTES).unwrap_or(text).chars();
    let letter = letters.next().filter(|letter| letter.is_uppercase())?;
    if letters.next().is_some() {
        return None;
    }
    let (after, is_touched) = text_after(node)?;
    let rest = after.trim_ascii();
    let is_separate = is_picture || role(tag).is_block() || !is_touched;
    if !is_separate || is_picture && !is_named && !is_touched || !continues(letter, rest) {
        return None;
    }
    let is_word = !is_touched && WORDS.contains(letter);
    Some(if is_word {
        format!("{text} ")
    } else {
        text.to_owned()
    })
}

/// Whether the first child of an element is more text than a letter, or not all of it.
fn holds_more(first: Node<'_>) -> bool {
    first.kind() == NodeKind::Text && (first.next().is_some() || first.text().len() > MAX_INITIAL)
}

fn is_named(class: &[u8]) -> bool {
    if class.is_empty() {
        return false;
    }
    let class = class.get(..MAX_CLASS).unwrap_or(class).iter();
    let bare = class.filter(|byte| !matches!(byte, b'-' | b'_'));
    let bare: Vec<u8> = bare.map(u8::to_ascii_lowercase).collect();
    NAMES.iter().any(|name| memmem::find(&bare, name).is_some())
}

/// The text right after an element, and whether no white space or border of a block is between.
fn text_after(node: Node<'_>) -> Option<(&[u8], bool)> {
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
            let text = next.text();
            is_touched &= text.first().is_some_and(|byte| !byte.is_ascii_whitespace());
            return Some((text, is_touched));
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
