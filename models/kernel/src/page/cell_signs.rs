//! Cells of a table that say yes or no with a picture: an image, a drawing or an icon of a class.

use super::attributes::{Name, display};
use super::tags;
use super::tree::{Node, NodeKind};

/// Most elements from a cell to its picture.
const LEVELS: usize = 5;
/// Longest name of a picture in bytes.
const MAX_NAME: usize = 32;

/// Names of pictures that mean yes or no, in lower case.
const NAMES: [&str; 72] = [
    "yes",
    "ja",
    "oui",
    "sí",
    "si",
    "sì",
    "sim",
    "da",
    "да",
    "так",
    "ano",
    "tak",
    "áno",
    "igen",
    "ναι",
    "evet",
    "כן",
    "نعم",
    "はい",
    "是",
    "예",
    "kyllä",
    "jah",
    "taip",
    "có",
    "check",
    "checked",
    "checkmark",
    "check mark",
    "tick",
    "included",
    "available",
    "supported",
    "enabled",
    "full",
    "full support",
    "no",
    "nein",
    "non",
    "não",
    "nao",
    "нет",
    "ні",
    "не",
    "ne",
    "nie",
    "nem",
    "nu",
    "όχι",
    "hayır",
    "לא",
    "لا",
    "いいえ",
    "否",
    "아니요",
    "ei",
    "tidak",
    "không",
    "nee",
    "nej",
    "nei",
    "cross",
    "not included",
    "not available",
    "not supported",
    "unsupported",
    "unavailable",
    "disabled",
    "unchecked",
    "no support",
    "partial",
    "partial support",
];
/// Parts of the classes of icons.
const TICKS: [&[u8]; 7] = [
    b"check",
    b"checkmark",
    b"checked",
    b"tick",
    b"ok",
    b"yes",
    b"true",
];
const CROSSES: [&[u8]; 7] = [
    b"times", b"cross", b"xmark", b"remove", b"no", b"x", b"false",
];
const TICK: &[u8] = "✓".as_bytes();
const CROSS: &[u8] = "✗".as_bytes();

/// The picture that is all of a cell, and what it says.
pub struct CellSign<'tree> {
    pub picture: Node<'tree>,
    pub said: Vec<u8>,
}

/// The picture that is all of a cell, if it says yes or no.
#[must_use]
pub fn sign_of(cell: Node<'_>) -> Option<CellSign<'_>> {
    let mut only = only_element(cell)?;
    let mut chain = [only; LEVELS];
    for level in 0..LEVELS {
        chain[level] = only;
        if matches!(only.tag(), tags::A | tags::BUTTON | tags::LABEL) {
            return None; // a control
        }
        if matches!(only.tag(), tags::IMG | tags::SVG) || only.first_child().is_none() {
            let said = said_by(&chain[..=level], only)?;
            return Some(CellSign {
                picture: only,
                said,
            });
        }
        only = only_element(only)?;
    }
    None
}

/// The only child of a node that is not blank.
fn only_element(node: Node<'_>) -> Option<Node<'_>> {
    let children = std::iter::successors(node.first_child(), |child| child.next());
    let mut only = None;
    for child in children {
        match child.kind() {
            NodeKind::Text if child.text().iter().all(u8::is_ascii_whitespace) => {}
            NodeKind::Element if only.is_none() => only = Some(child),
            NodeKind::Else => {}
            _ => return None,
        }
    }
    only
}

/// What the elements from a cell to its picture say.
fn said_by(chain: &[Node<'_>], picture: Node<'_>) -> Option<Vec<u8>> {
    let is_image = picture.tag() == tags::IMG;
    let alternative = picture.value(&[Name::Alt]).filter(|_| is_image);
    let alternative = alternative.unwrap_or_default().trim_ascii();
    let named = if alternative.is_empty() {
        None
    } else {
        Some(says(alternative)?)
    };
    let mut by_class = Vec::new();
    for node in chain {
        for attribute in node.attributes() {
            match attribute.name() {
                Name::Hidden => return None,
                Name::Style if display(attribute.value()).is_hidden => return None,
                Name::Class => by_class.extend(said_by_class(attribute.value())),
                _ => {}
            }
        }
    }
    let named = named.or_else(|| match is_image {
        true => says(picture.value(&[Name::Title])?),
        false => chain.iter().find_map(|node| name_of(*node)),
    });
    let is_same = by_class.windows(2).all(|pair| pair[0] == pair[1]);
    let by_class = by_class.first().filter(|_| is_same);
    named.or_else(|| by_class.map(|said| said.to_vec()))
}

/// The name of a picture, if it means yes or no.
fn name_of(node: Node<'_>) -> Option<Vec<u8>> {
    const NAMED: [&[u8]; 3] = [b"alt", b"aria-label", b"title"];
    let is_named = |name: &[u8]| NAMED.iter().any(|named| named.eq_ignore_ascii_case(name));
    let mut own = node.markup_attributes().filter(|(name, _)| is_named(name));
    let drawn = || {
        let children = std::iter::successors(node.first_child(), |child| child.next());
        let mut titles = children.filter(|child| child.tag() == tags::TITLE);
        says(titles.next()?.first_child()?.text())
    };
    let named = own.find_map(|(_, value)| says(&value));
    named.or_else(|| (node.tag() == tags::SVG).then(drawn).flatten())
}

/// A name, if it means yes or no.
fn says(name: &[u8]) -> Option<Vec<u8>> {
    let name = name.trim_ascii();
    let text = std::str::from_utf8(name).ok()?;
    let is_known = || NAMES.contains(&text.to_lowercase().as_str());
    (name.len() <= MAX_NAME && is_known()).then(|| name.to_vec())
}

fn said_by_class(class: &[u8]) -> Option<&'static [u8]> {
    let is_part = |byte: &u8| !byte.is_ascii_alphanumeric();
    let has = |names: &[&[u8]]| class.split(is_part).any(|part| names.contains(&part));
    match (has(&TICKS), has(&CROSSES)) {
        (true, false) => Some(TICK),
        (false, true) => Some(CROSS),
        _ => None,
    }
}
