//! Cells of a table that say yes or no with a picture: an image, a drawing or an icon of a class.

use super::attributes::{Name, display};
use super::near::trimmed;
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
    let mut class_says = Vec::new();
    let mut named = None;
    for _ in 0..LEVELS {
        if matches!(only.tag(), tags::A | tags::BUTTON | tags::LABEL) {
            return None; // a control
        }
        for attribute in only.attributes() {
            match attribute.name() {
                Name::Hidden => return None,
                Name::Style if display(attribute.value()).is_hidden => return None,
                Name::Class => class_says.extend(said_by_class(attribute.value())),
                _ => {}
            }
        }
        named = named.or_else(|| name_of(only));
        let is_picture =
            matches!(only.tag(), tags::IMG | tags::SVG) || only.first_child().is_none();
        if !is_picture {
            only = only_element(only)?;
            continue;
        }
        let is_other = only
            .value(&[Name::Alt])
            .is_some_and(|alt| !alt.trim_ascii().is_empty());
        if named.is_none() && is_other {
            return None;
        }
        let is_same = class_says.windows(2).all(|pair| pair[0] == pair[1]);
        let by_class = class_says.first().filter(|_| is_same);
        let said = named.or_else(|| by_class.map(|said| said.to_vec()))?;
        return Some(CellSign {
            picture: only,
            said,
        });
    }
    None
}

/// The only child of a node that is not blank.
fn only_element(node: Node<'_>) -> Option<Node<'_>> {
    let children = std::iter::successors(node.first_child(), |child| child.next());
    let mut only = None;
    for child in children {
        match child.kind() {
            NodeKind::Text if trimmed(child.text()).is_empty() => {}
            NodeKind::Element if only.is_none() => only = Some(child),
            NodeKind::Else => {}
            _ => return None,
        }
    }
    only
}

/// The name of a picture, if it means yes or no.
fn name_of(node: Node<'_>) -> Option<Vec<u8>> {
    let attributes = || node.markup_attributes();
    let own = |wanted: &[u8]| {
        attributes()
            .find(|(name, _)| name.eq_ignore_ascii_case(wanted))
            .map(|(_, value)| value.to_vec())
    };
    let title = || {
        let children = std::iter::successors(node.first_child(), |child| child.next());
        let mut titles = children.filter(|child| child.tag() == tags::TITLE);
        let text = titles.next()?.first_child()?;
        Some(text.text().to_vec())
    };
    let names = [own(b"alt"), own(b"aria-label"), own(b"title")];
    let drawn = if node.tag() == tags::SVG {
        title()
    } else {
        None
    };
    let mut names = names.into_iter().chain([drawn]).flatten();
    names.find_map(|name| {
        let name = name.trim_ascii();
        let text = std::str::from_utf8(name)
            .ok()
            .filter(|name| name.len() <= MAX_NAME)?;
        NAMES
            .contains(&text.to_lowercase().as_str())
            .then(|| name.to_vec())
    })
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
