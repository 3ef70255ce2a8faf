//! Line numbers of code: in front of each line, in a column of a table, in a separate block.

use memchr::memmem;

use super::Looks;
use crate::page::class_signs::{sign, signs_of};
use crate::page::element_attributes::ElementAttributes;
use crate::page::near::{MAX_NODES, around, first_of, following, neighbour, short_text};
use crate::page::roles::{Role, role};
use crate::page::tags::{self, Tag};
use crate::page::tree::{Node, NodeKind};

/// Longest line number, and the characters allowed after or before it.
const MAX_DIGITS: usize = 7;
const MAX_NUMBER_BYTES: usize = 16;
const SIGNS: [&str; 6] = [".", ":", "|", "│", "»", "·"];

/// The count of numbers in an element, and whether they are consecutive.
#[derive(Clone, Copy, Default)]
struct Count {
    numbers: usize,
    last: u32,
    is_in_order: bool,
}

/// Whether an element with such a class holds only line numbers.
pub fn are_named(node: Node<'_>, tag: Tag, in_code: bool, looks: &mut Looks) -> bool {
    let Some(count) = count(node, looks) else {
        return false;
    };
    match count.numbers {
        // a style sheet draws them; or it is a box for something else
        0 => in_code || tag == tags::TD,
        // one line of code may be a number
        1 => {
            in_code
                || !matches!(tag, tags::PRE | tags::CODE)
                    && (stands_at_code(node) || counts_lines(node, count.last))
        }
        _ => count.is_in_order,
    }
}

/// Whether a part of code is a line number: not selectable, not read aloud, or a link to itself.
pub fn are_unnamed(node: Node<'_>, attributes: &ElementAttributes<'_>, looks: &mut Looks) -> bool {
    let Some(count) = count(node, looks).filter(|count| count.numbers > 0) else {
        return false;
    };
    if attributes.is_aria_hidden || attributes.is_nosnippet || attributes.is_unselectable() {
        return count.numbers == 1 || count.is_in_order;
    }
    if attributes.is_floating() {
        return count.numbers > 1 && count.is_in_order;
    }
    let number = short_text(node, MAX_NUMBER_BYTES).unwrap_or_default();
    let (_, fragment) = split_last(attributes.href, b'#');
    !number.is_empty() && fragment.is_some_and(|fragment| fragment.ends_with(&number))
}

/// Whether an element of code without attributes is the number of a line that is the next element, and the
/// adjacent line begins with the next or the previous number.
pub fn are_bare(node: Node<'_>) -> bool {
    let Some(number) = bare_number(node) else {
        return false;
    };
    let Some(line) = node
        .parent()
        .filter(|_| neighbour(node, Node::previous).is_none())
    else {
        return false;
    };
    let number_in = |beside: Option<Node<'_>>| {
        let beside = beside.filter(|beside| beside.tag() == line.tag())?;
        bare_number(first_of(beside).filter(|first| first.tag() == node.tag())?)
    };
    let next = number_in(neighbour(line, Node::next));
    let last = || number_in(neighbour(line, Node::previous));
    next.is_some_and(|next| Some(next) == number.checked_add(1))
        || last().is_some_and(|last| Some(last) == number.checked_sub(1))
}

/// The number that is all of an element without attributes right before another one.
fn bare_number(node: Node<'_>) -> Option<u32> {
    let is_bare = node.attributes().next().is_none();
    let has_line = node
        .next()
        .is_some_and(|line| line.kind() == NodeKind::Element);
    let only = node.first_child().filter(|only| only.next().is_none())?;
    let text = only.text().trim_ascii();
    let is_short = is_bare && has_line && text.len() <= MAX_NUMBER_BYTES;
    number_of(std::str::from_utf8(text).ok().filter(|_| is_short)?)
}

fn split_last(text: &[u8], at: u8) -> (&[u8], Option<&[u8]>) {
    match memchr::memrchr(at, text) {
        Some(found) => (&text[..found], text.get(found + 1..)),
        None => (text, None),
    }
}

/// The numbers in an element; `None` if it holds anything else.
fn count(root: Node<'_>, looks: &mut Looks) -> Option<Count> {
    let mut count = Count {
        is_in_order: true,
        ..Count::default()
    };
    let mut next = Some(root);
    while let Some(node) = next {
        looks.take()?;
        for word in String::from_utf8_lossy(node.text()).split_whitespace() {
            let number = number_of(word)?;
            let is_next = count.numbers == 0 || number == count.last.saturating_add(1);
            count = Count {
                numbers: count.numbers + 1,
                last: number,
                is_in_order: count.is_in_order && is_next,
            };
        }
        let is_other = node.kind() == NodeKind::Element
            && matches!(role(node.tag()), Role::Declaration | Role::Heading);
        if is_other {
            return None;
        }
        next = following(node, root, true);
    }
    Some(count)
}

fn number_of(word: &str) -> Option<u32> {
    let mut digits = word;
    for sign in SIGNS {
        digits = digits.strip_prefix(sign).unwrap_or(digits);
        digits = digits.strip_suffix(sign).unwrap_or(digits);
    }
    let is_number = (1..=MAX_DIGITS).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

/// Whether the adjacent line begins with the next or the previous number.
fn counts_lines(node: Node<'_>, number: u32) -> bool {
    let Some(line) = node.parent() else {
        return false;
    };
    let is_element = |node: &Node<'_>| node.kind() == NodeKind::Element;
    let after = std::iter::successors(line.next(), |node| node.next());
    let before = std::iter::successors(line.previous(), |node| node.previous());
    let next = after.take(3).find(is_element).and_then(first_number);
    let last = before.take(3).find(is_element).and_then(first_number);
    next == number.checked_add(1) && next.is_some()
        || last == number.checked_sub(1) && last.is_some()
}

/// Whether a cell of code is the first one of its row, with a number that the cells below or above it
/// count on.
pub fn count_rows(cell: Node<'_>, looks: &mut Looks) -> bool {
    let is_first = neighbour(cell, Node::previous).is_none();
    let number = Some(cell)
        .filter(|_| is_first)
        .and_then(|cell| count(cell, looks));
    let (Some(number), Some(row)) = (number.filter(|count| count.numbers == 1), cell.parent())
    else {
        return false;
    };
    let number_in = |row: Option<Node<'_>>| {
        let text = short_text(first_cell(row?)?, MAX_NUMBER_BYTES)?;
        number_of(&String::from_utf8_lossy(&text))
    };
    let next = number_in(neighbour(row, Node::next));
    let last = number_in(neighbour(row, Node::previous));
    next.is_some_and(|next| Some(next) == number.last.checked_add(1))
        || last.is_some_and(|last| Some(last) == number.last.checked_sub(1))
}

/// The line number at the start of an element.
fn first_number(line: Node<'_>) -> Option<u32> {
    let first = following(line, line, true);
    let within = std::iter::successors(first, |node| following(*node, line, true));
    let named = within.take(4).find(|node| {
        let mut names = node.attributes();
        names.any(|each| signs_of(each.value()) & sign::NUMBERS != 0)
    });
    number_of(&String::from_utf8_lossy(&short_text(
        named?,
        MAX_NUMBER_BYTES,
    )?))
}

/// Whether code is next to an element, or next to its cell.
fn stands_at_code(node: Node<'_>) -> bool {
    let elements = |from: Node<'_>| {
        std::iter::successors(from.next(), |node| node.next())
            .take(3)
            .find(|node| node.kind() == NodeKind::Element)
            .is_some_and(|next| next.is_html() && is_code(next))
    };
    elements(node) || node.tag() == tags::TD || node.parent().is_some_and(elements)
}

fn is_code(node: Node<'_>) -> bool {
    let mut next = Some(node);
    for _ in 0..8 {
        let Some(found) = next else { return false };
        if matches!(found.tag(), tags::PRE | tags::CODE) {
            return true;
        }
        next = following(found, node, true);
    }
    false
}

/// Whether the rows of a table are lines of code: a number and the line in each, without `pre`.
pub fn is_beside_numbers(table: Node<'_>, looks: &mut Looks) -> bool {
    let Some(cell) = first_cell(table) else {
        return false;
    };
    let names = || cell.attributes().map(|each| each.value());
    if !names().any(|name| signs_of(name) & sign::NUMBERS != 0) {
        let is_in_pre = || around(table, |around| around.tag() == tags::PRE).is_some();
        return (is_before_code(cell) || is_in_pre()) && count_rows(cell, looks);
    }
    // an empty cell may also be the gap between two columns of a layout
    let is_of_numbers = |count: Count| {
        count.is_in_order
            && (count.numbers > 0 || names().any(|name| memmem::find(name, b"num").is_some()))
    };
    count(cell, looks).is_some_and(is_of_numbers)
        && std::iter::successors(cell.next(), |node| node.next())
            .any(|node| node.kind() == NodeKind::Element)
        && !has_pre_cells(table)
}

/// Whether all that is after a cell in its row is one cell that holds only `code`.
fn is_before_code(cell: Node<'_>) -> bool {
    let alone =
        |node: Option<Node<'_>>| node.is_some_and(|node| neighbour(node, Node::next).is_none());
    let next = neighbour(cell, Node::next);
    let code = next.and_then(first_of);
    alone(next) && alone(code) && code.is_some_and(|code| code.tag() == tags::CODE)
}

fn first_cell(table: Node<'_>) -> Option<Node<'_>> {
    let mut next = following(table, table, true);
    for _ in 0..12 {
        let node = next?;
        if matches!(node.tag(), tags::TD | tags::TH) {
            return Some(node);
        }
        next = following(node, table, true);
    }
    None
}

/// Whether `pre` is in the first cells of a table after the numbers.
fn has_pre_cells(table: Node<'_>) -> bool {
    let row = first_cell(table).and_then(|cell| cell.parent());
    let cells = row
        .into_iter()
        .flat_map(|row| std::iter::successors(row.first_child(), |node| node.next()).take(8));
    cells.into_iter().any(holds_pre)
}

/// Whether an element is `pre`, or has it near its start.
pub fn holds_pre(root: Node<'_>) -> bool {
    let within = std::iter::successors(Some(root), |node| following(*node, root, true));
    within.take(MAX_NODES).any(|node| node.tag() == tags::PRE)
}
