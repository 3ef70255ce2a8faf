//! Tables of elements that only their `role` or style makes parts of one.

use super::attributes::{Name, display};
use super::controls::Looks;
use super::near::{following, is_silent};
use super::table_role::Part;
use super::tags;
use super::tree::Node;

/// Most nodes of an element that are visited to find out whether it is a table.
const MAX_NODES: usize = 512;

fn part_of(node: Node<'_>) -> Part {
    let mut parts = [Part::None; 2];
    for attribute in node.attributes() {
        match attribute.name() {
            Name::Role => parts[0] = Part::of_role(attribute.value()),
            Name::Style => parts[1] = display(attribute.value()).part,
            _ => {}
        }
    }
    parts[0].or(parts[1])
}

/// Whether an element that is called a table begins with two rows, one of them with two cells, and
/// without a `table` element.
pub fn holds_rows(root: Node<'_>, looks: &mut Looks) -> bool {
    let (mut rows, mut cells, mut most) = (0, 0, 0);
    let mut next = following(root, root, true);
    for _ in 0..MAX_NODES {
        let (Some(node), Some(())) = (next, looks.take()) else {
            return false;
        };
        if node.is_html() && node.tag() == tags::TABLE {
            return false;
        }
        match part_of(node) {
            Part::Row => {
                rows += 1;
                cells = 0;
            }
            Part::Cell | Part::Header => {
                cells += 1;
                most = most.max(cells);
            }
            _ => {}
        }
        if rows > 1 && most > 1 {
            return true;
        }
        next = following(node, root, !is_silent(node));
    }
    false
}

/// The columns and rows that a cell covers, by its attributes for screen readers.
pub fn covered(cell: Node<'_>) -> (Option<u16>, Option<u32>) {
    let said = |wanted: &[u8]| {
        let mut attributes = cell.markup_attributes();
        let (_, value) = attributes.find(|(name, _)| name.eq_ignore_ascii_case(wanted))?;
        std::str::from_utf8(&value).ok()?.trim().parse::<u16>().ok()
    };
    (said(b"aria-colspan"), said(b"aria-rowspan").map(u32::from))
}
