//! Labels in front of their texts in rows that are alike, as in transcripts, verses, interviews and lists
//! of properties: `0:12` and what is said, a name and a speech.

use crate::page::attributes::Name;
use crate::page::near::{end_of, first_of, neighbour, short_text};
use crate::page::tags;
use crate::page::text::seam::Seam;
use crate::page::tree::{Node, NodeKind};

/// Longest label in bytes, and its fewest characters.
pub(super) const MAX_LABEL: usize = 48;
pub(super) const LEAST_LABEL: usize = 3;
/// Digits of the largest number of a verse or note.
const MAX_DIGITS: usize = 3;
/// Longest time in bytes: `[01:02:03.456]`.
const MAX_TIME: usize = 14;

/// The seam after an element that was left, if it is a time or the label of a row.
///
/// `before` is the text of the block, which ends with the element.
pub(super) fn seam_after(left: Node<'_>, before: &[u8]) -> Option<Seam> {
    let last = end_of(before, MAX_TIME)
        .rsplit(char::is_whitespace)
        .next()?;
    let is_time = is_time(last);
    if !is_time && !begins_row(left) {
        return None;
    }
    let own = short_text(left, MAX_LABEL)?;
    let rest = before.strip_suffix(own.as_ref())?;
    if is_time {
        return (own == last.as_bytes()).then_some(Seam::Apart);
    }
    let is_number = own.len() <= MAX_DIGITS && own.iter().all(u8::is_ascii_digit);
    if is_number && !own.is_empty() && rest.last().is_none_or(u8::is_ascii_whitespace) {
        return Some(Seam::Apart);
    }
    let own = std::str::from_utf8(&own).ok()?;
    let is_label = own.chars().count() >= LEAST_LABEL
        && own.starts_with(char::is_uppercase)
        && !own.contains(':')
        && !own.ends_with(|last: char| last.is_ascii_digit())
        && rest.last().is_none_or(|last| *last == b'\n');
    // one word may be the found part of a longer one
    let is_name = own.contains(' ') && left.tag() == tags::SPAN && !class_of(left).is_empty();
    is_label.then_some(if is_name { Seam::Apart } else { Seam::Named })
}

/// Whether a word is a time such as `0:12` or `[01:02:03.4]`.
fn is_time(word: &str) -> bool {
    let bare = word.strip_prefix(['[', '(']).unwrap_or(word);
    let bare = bare.strip_suffix([']', ')']).unwrap_or(bare);
    let bare = bare.split_once(['.', ',']).map_or(bare, |(whole, _)| whole);
    let mut parts = bare.split(':');
    let is_number = |part: &str, least: usize| {
        (least..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    parts.next().is_some_and(|first| is_number(first, 1))
        && parts.clone().count() > 0
        && parts.all(|part| is_number(part, 2))
}

/// Whether an element is the first one of its parent, and one next to the parent begins alike.
fn begins_row(left: Node<'_>) -> bool {
    let Some(row) = left.parent() else {
        return false;
    };
    let may_be_row = matches!(row.tag(), tags::P | tags::DIV | tags::SPAN)
        || row.tag() == tags::LI && left.tag() != tags::SUP;
    let begins_alike = |row_beside: Node<'_>| {
        is_like(row_beside, row) && first_of(row_beside).is_some_and(|first| is_like(first, left))
    };
    may_be_row
        && left
            .previous()
            .is_none_or(|before| before.previous().is_none())
        && first_of(row) == Some(left)
        && (neighbour(row, Node::next).is_some_and(begins_alike)
            || neighbour(row, Node::previous).is_some_and(begins_alike))
}

fn is_like(left: Node<'_>, right: Node<'_>) -> bool {
    left.kind() == NodeKind::Element
        && left.tag() == right.tag()
        && class_of(left) == class_of(right)
}

fn class_of(node: Node<'_>) -> &[u8] {
    node.value(&[Name::Class]).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::is_time;

    #[test]
    fn a_time_has_minutes_and_seconds() {
        for word in [
            "0:12",
            "[01:02]",
            "1:02:03",
            "(0:12)",
            "00:00:01.250",
            "00:00:01,250",
        ] {
            assert!(is_time(word), "{word}");
        }
        for word in ["", "12", "1:2", "3:100", "0:", ":12", "a:12", "John3:16"] {
            assert!(!is_time(word), "{word}");
        }
    }
}
