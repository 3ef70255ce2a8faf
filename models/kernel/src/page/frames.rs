//! The place of a block: the open block-level elements of the walk, and what each passes on.

use super::blocks::{Block, Kind};
use super::paths::Paths;
use super::roles::Role;
use super::tables::Tables;
use super::tags::{self, Tag};

/// The effect of an open element on the blocks inside it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frame {
    /// The block for text at this place; its span is filled in when it ends.
    pub block: Block,
    /// White space is kept.
    pub preformatted: bool,
    /// Index into the open lists, for the items below.
    list: u32,
    /// Items are lines of code, numbered by an ordered list directly inside `<pre>`.
    numbers_lines: bool,
    /// Rows and cells are lines of code, in a table or list without `pre`.
    is_listing: bool,
    /// Inside a table that its role or style makes.
    pub is_by_role: bool,
}

impl Frame {
    /// Whether text here continues the code of another frame, on a separate line.
    #[must_use]
    pub fn continues(&self, around: &Self) -> bool {
        self.is_code() && around.is_code() && self.block.group == around.block.group
    }

    fn is_code(&self) -> bool {
        self.preformatted && self.block.kind == Kind::Code
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct List {
    is_ordered: bool,
    next: u32,
}

/// Attributes of an element that its frame needs.
#[derive(Clone, Copy, Debug)]
pub struct Spans {
    /// Columns that a cell covers, at least 1.
    pub columns: u16,
    /// Rows that a cell covers.
    pub rows: u32,
    /// First number of an ordered list.
    pub start: u32,
    /// Number of an item in it, if given.
    pub value: Option<u32>,
    /// Whether `role` marks a layout table.
    pub is_presentation: bool,
    /// Whether `role` marks a header cell.
    pub is_header: bool,
    /// Whether a style numbers the items of a list or an item, or gives them other marks.
    pub numbers: Option<bool>,
}

impl Default for Spans {
    fn default() -> Self {
        Self {
            columns: 1,
            rows: 1,
            start: 1,
            value: None,
            is_presentation: false,
            is_header: false,
            numbers: None,
        }
    }
}

/// The stack of frames, with the lists and tables of the page.
#[derive(Default)]
pub struct Frames {
    stack: Vec<Frame>,
    lists: Vec<List>,
    pub tables: Tables,
    groups: u32,
}

impl Frames {
    /// The innermost frame.
    #[inline]
    #[must_use]
    pub fn top(&self) -> Frame {
        self.stack.last().copied().unwrap_or_default()
    }

    #[inline]
    #[must_use]
    pub fn is_preformatted(&self) -> bool {
        self.stack.last().is_some_and(|frame| frame.preformatted)
    }

    pub fn pop(&mut self) {
        self.stack.pop();
    }

    /// Start a row of an element without a frame.
    pub fn row(&mut self) {
        if let Some(top) = self.stack.last_mut() {
            top.block.row = self.tables.row(top.block.table);
        }
    }

    /// Open the frame of an element inside the innermost one.
    pub fn push(&mut self, role: Role, tag: Tag, spans: Spans, paths: &mut Paths) {
        let mut frame = self.top();
        if tag != tags::HTML {
            frame.block.path = paths.child(frame.block.path, tag);
        }
        match role {
            Role::Heading => {
                let header = frame.block.header;
                self.decide(&mut frame, Kind::Heading, tag - tags::H1 + 1);
                frame.block.header = header;
            }
            Role::Paragraph => paragraph(&mut frame),
            Role::Quote => {
                self.decide(&mut frame, Kind::Quote, 0);
                frame.block.quotes = frame.block.quotes.saturating_add(1);
            }
            // a line of code that is around it
            Role::Preformatted if tag == tags::PRE && frame.is_code() => {}
            Role::Preformatted => {
                self.decide(&mut frame, Kind::Code, 0);
                frame.preformatted = true;
                frame.is_listing = matches!(tag, tags::TABLE | tags::OL);
                frame.numbers_lines = tag == tags::OL;
            }
            Role::Caption => self.decide(&mut frame, Kind::Caption, 0),
            Role::OrderedList if is_in_code(&frame, paths) => frame.numbers_lines = true,
            Role::Item if frame.numbers_lines => {}
            Role::OrderedList => {
                self.list(&mut frame, spans.numbers.unwrap_or(true), spans.start);
            }
            Role::UnorderedList => {
                self.list(&mut frame, spans.numbers.unwrap_or(false), spans.start);
            }
            Role::DefinitionList => self.list(&mut frame, false, 0),
            Role::Item => self.item(&mut frame, spans),
            Role::Term => self.term(&mut frame, 0),
            Role::Definition => self.term(&mut frame, 1),
            Role::Table | Role::Row | Role::Cell if frame.is_listing => {}
            Role::Table => {
                frame.block.table = self.tables.open(frame.block, spans.is_presentation);
                frame.is_by_role = tag != tags::TABLE;
            }
            Role::Row => frame.block.row = self.tables.row(frame.block.table),
            Role::Cell => {
                self.decide(&mut frame, Kind::TableCell, 0);
                frame.block.header = tag == tags::TH || spans.is_header;
                frame.block.cell = frame.block.group;
                frame.block.cell_lists = frame.block.lists;
                let place = self.tables.cell(
                    frame.block.table,
                    frame.block.header,
                    spans.columns,
                    spans.rows,
                );
                (frame.block.column, frame.block.place) = place;
            }
            _ => {}
        }
        self.stack.push(frame);
    }

    fn decide(&mut self, frame: &mut Frame, kind: Kind, level: u8) {
        self.groups += 1;
        frame.block.kind = kind;
        frame.block.level = level;
        frame.block.group = self.groups;
        frame.block.ordinal = None;
        frame.block.header = false;
    }

    fn list(&mut self, frame: &mut Frame, is_ordered: bool, start: u32) {
        self.lists.push(List {
            is_ordered,
            next: start,
        });
        frame.list = self.lists.len() as u32;
        frame.numbers_lines = false;
        frame.block.lists = frame.block.lists.saturating_add(1);
    }

    fn item(&mut self, frame: &mut Frame, spans: Spans) {
        // an item outside any list gets a list of its own
        frame.block.lists = frame.block.lists.max(1);
        self.decide(frame, Kind::ListItem, frame.block.lists);
        frame.block.list = frame.list;
        let at = (frame.list as usize).wrapping_sub(1);
        let is_ordered = |list: &&mut List| spans.numbers.unwrap_or(list.is_ordered);
        if let Some(list) = self.lists.get_mut(at).filter(is_ordered) {
            let ordinal = spans.value.unwrap_or(list.next);
            frame.block.ordinal = Some(ordinal);
            list.next = ordinal.saturating_add(1);
        }
    }

    /// A term of a definition list, or its definition, one level deeper.
    fn term(&mut self, frame: &mut Frame, deeper: u8) {
        frame.block.lists = frame.block.lists.max(1).saturating_add(deeper);
        self.decide(frame, Kind::ListItem, frame.block.lists);
        frame.block.list = frame.list;
    }
}

/// Whether an element is directly inside `<pre>`; its path is the frame's.
fn is_in_code(frame: &Frame, paths: &Paths) -> bool {
    let around = paths.parent(frame.block.path);
    around.is_some_and(|path| paths.tag(path) == tags::PRE)
}

/// A paragraph has the lowest priority: inside an item, cell, quote or caption it is a part of
/// that.
fn paragraph(frame: &mut Frame) {
    if frame.block.kind == Kind::Other {
        frame.block.kind = Kind::Paragraph;
    }
}
