//! Units of a page that a reader sees as one thing: tables, lists, posts, sections.
//!
//! One tree of units over the blocks. It is built once from the table of blocks and its elements,
//! in linear time, and is independent of engines and verdicts.

mod addressed;
mod elements;
mod lists;
mod named;
mod notes;
mod sections;
mod series;
mod tables;

use crate::page::blocks::BlockTable;
use elements::Extents;
pub use named::{COMMENTS, Labels, is_by_readers, is_comment, is_post};

/// The parent of an outermost unit.
pub const NO_UNIT: u32 = u32::MAX;

/// The kind of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum UnitKind {
    /// A heading and the blocks of its section, which are its only member.
    Section,
    /// Footnotes, endnotes or references.
    Notes,
    /// Posts, comments or answers that follow each other.
    Thread,
    /// Siblings of one element name and class with alike contents: cards, steps, numbered sections.
    Series,
    /// Terms with their definitions.
    Definitions,
    List,
    Figure,
    /// A data table with its caption; the rows are its members.
    Table,
}

impl UnitKind {
    /// The names in explanations, by code.
    pub const NAMES: [&str; 8] = [
        "section",
        "notes",
        "thread",
        "series",
        "definitions",
        "list",
        "figure",
        "table",
    ];

    #[must_use]
    pub fn as_str(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Whether the members are like items of a list.
    #[must_use]
    pub fn is_list(self) -> bool {
        matches!(
            self,
            Self::List | Self::Definitions | Self::Thread | Self::Series
        )
    }
}

/// Adjacent blocks, half open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    pub first: u32,
    pub end: u32,
}

impl Span {
    #[must_use]
    pub fn new(first: u32, end: u32) -> Self {
        Self { first, end }
    }

    #[must_use]
    pub fn blocks(self) -> std::ops::Range<usize> {
        self.first as usize..self.end as usize
    }

    #[must_use]
    pub fn is_empty(self) -> bool {
        self.first >= self.end
    }

    #[must_use]
    pub fn holds(self, other: Self) -> bool {
        self.first <= other.first && other.end <= self.end
    }
}

/// One unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    pub kind: UnitKind,
    pub span: Span,
    /// The smallest unit around it, [`NO_UNIT`] for none; parents come before their children.
    pub parent: u32,
    /// Its rows, items or posts: their range in [`Units::members`].
    members: (u32, u32),
}

/// One footnote, and the blocks with its marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note {
    pub span: Span,
    marks: (u32, u32),
}

/// The units of a page, in the order of their first blocks, outer ones first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Units {
    pub all: Vec<Unit>,
    pub labels: Labels,
    /// Per element its blocks.
    pub spans: Vec<Span>,
    /// The footnotes that marks link to, in document order.
    pub notes: Vec<Note>,
    marks: Vec<u32>,
    members: Vec<Span>,
}

impl Units {
    /// The units of a page. Without elements there are only tables.
    #[must_use]
    pub fn of(table: &BlockTable) -> Self {
        let mut units = Self::default();
        tables::find(table, &mut units);
        if let Some(elements) = table.elements.as_ref() {
            let mut extents = Extents::of(elements);
            units.labels = Labels::of(elements);
            lists::find(elements, &mut extents, &mut units);
            series::find(table, elements, &mut extents, &mut units);
            let after_notes = units.all.len();
            notes::find(&named::are_notes(elements), &extents, &mut units);
            sections::find(table, elements, &extents, &mut units);
            notes::under_headings(table, after_notes, &mut units);
            notes::under_labels(table, &mut units);
            addressed::find(table, elements, &extents, &mut units);
            units.spans = extents.spans;
        }
        units.nest();
        units
    }

    /// Its rows, items or posts, in document order.
    #[must_use]
    pub fn members(&self, unit: &Unit) -> &[Span] {
        let (start, end) = unit.members;
        self.members
            .get(start as usize..end as usize)
            .unwrap_or(&[])
    }

    /// The blocks with the marks of a footnote.
    #[must_use]
    pub fn marks(&self, note: &Note) -> &[u32] {
        let (start, end) = note.marks;
        self.marks.get(start as usize..end as usize).unwrap_or(&[])
    }

    fn add_note(&mut self, span: Span, blocks: impl IntoIterator<Item = u32>) {
        let start = self.marks.len() as u32;
        self.marks.extend(blocks);
        let marks = (start, self.marks.len() as u32);
        self.notes.push(Note { span, marks });
    }

    fn add(&mut self, kind: UnitKind, span: Span, members: impl IntoIterator<Item = Span>) {
        let start = self.members.len() as u32;
        self.members.extend(members);
        self.all.push(Unit {
            kind,
            span,
            parent: NO_UNIT,
            members: (start, self.members.len() as u32),
        });
    }

    /// Sort the units and find the parent of each.
    fn nest(&mut self) {
        let key = |unit: &Unit| (unit.span.first, u32::MAX - unit.span.end, unit.kind);
        self.all.sort_by_key(key);
        let mut open: Vec<u32> = Vec::new();
        for at in 0..self.all.len() {
            let span = self.all[at].span;
            while let Some(top) = open.last() {
                if self.all[*top as usize].span.end > span.first {
                    break;
                }
                open.pop();
            }
            let around = open.iter().rev();
            let holds = |unit: &&u32| self.all[**unit as usize].span.holds(span);
            self.all[at].parent = around.copied().find(|unit| holds(&unit)).unwrap_or(NO_UNIT);
            open.push(at as u32);
        }
    }
}

/// The blocks of a page with all its elements, as the structural engines read them.
#[cfg(test)]
#[must_use]
pub fn read(markup: &str) -> BlockTable {
    use crate::page::limits::Limits;
    use crate::page::tree::{Options, Tree};
    use crate::page::walk::{Recorded, walk};
    let options = Options {
        is_xml: false,
        is_repaired: true,
    };
    let limits = Limits {
        page_bytes: 1 << 24,
        depth: 512,
        nodes: 1 << 20,
        steps: 1 << 24,
    };
    let tree = Tree::of(markup.into(), options, &limits).unwrap();
    let recorded = Recorded {
        elements: true,
        ..Recorded::default()
    };
    walk(tree.root(), recorded).table
}

#[cfg(test)]
mod tests;
