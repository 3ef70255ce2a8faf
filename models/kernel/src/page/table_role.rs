//! The part of a table that the `role` or the style of an element makes of it.

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
}
