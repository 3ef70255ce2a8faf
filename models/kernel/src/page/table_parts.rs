//! Tables of elements that only their `role` or style makes parts of one.

use super::attributes::Name;
use super::controls::Looks;
use super::near::{following, is_silent};
use super::tags;
use super::tree::Node;

/// Most nodes of an element that are visited to find out whether it is a table.
const MAX_NODES: usize = 512;

/// The part of a table that an element is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    #[default]
    None,
    Table,
    Caption,
    Row,
    Cell,
    Header,
}

const ROLES: [(&[u8], Part); 9] = [
    (b"table", Part::Table),
    (b"grid", Part::Table),
    (b"treegrid", Part::Table),
    (b"caption", Part::Caption),
    (b"row", Part::Row),
    (b"cell", Part::Cell),
    (b"gridcell", Part::Cell),
    (b"columnheader", Part::Header),
    (b"rowheader", Part::Header),
];
const DISPLAYS: [(&[u8], Part); 5] = [
    (b"table", Part::Table),
    (b"inline-table", Part::Table),
    (b"table-caption", Part::Caption),
    (b"table-row", Part::Row),
    (b"table-cell", Part::Cell),
];

impl Part {
    /// The part that a `role` names.
    #[must_use]
    pub fn of_role(value: &[u8]) -> Self {
        Self::found(&ROLES, value.trim_ascii())
    }

    /// The part that a value of `display` in a style makes.
    #[must_use]
    pub fn of_display(value: &[u8]) -> Self {
        Self::found(&DISPLAYS, value)
    }

    fn found(known: &[(&[u8], Self)], value: &[u8]) -> Self {
        // `row` is the shortest of the names
        if value.len() < 3 || !b"tgcrTGCRiI".contains(&value[0]) {
            return Self::None;
        }
        let mut known = known.iter();
        let found = known.find(|(name, _)| name.eq_ignore_ascii_case(value));
        found.map_or(Self::None, |(_, part)| *part)
    }

    /// This one, else the other one.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        if self == Self::None { other } else { self }
    }

    fn of(node: Node<'_>) -> Self {
        let mut parts = [Self::None; 2];
        for attribute in node.attributes() {
            match attribute.name() {
                Name::Role => parts[0] = Self::of_role(attribute.value()),
                Name::Style => parts[1] = super::attributes::display(attribute.value()).1,
                _ => {}
            }
        }
        parts[0].or(parts[1])
    }
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
        match Part::of(node) {
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
