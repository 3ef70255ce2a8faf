//! Rows, cells and the like: what they stand in is made, what they end is closed.

use super::Builder;
use crate::page::guard::open::{Open, Space, is_html, is_marker, is_section};
use crate::page::guard::stack::Stack;
use crate::page::html_tokens::TagToken;
use crate::page::tags::{self, Tag};

impl<'text> Builder<'text> {
    /// Rows, cells and the like: what they stand in is made, what they end is closed.
    pub(super) fn start_table_part(&mut self, tag: &TagToken<'text>) {
        let is_root = |open: &Open<'_>| matches!(open.tag, tags::TABLE | tags::TEMPLATE);
        let Some(root) = self.stack.find(is_root, |_| false) else {
            return;
        };
        self.close_cell(root);
        let is = |stack: &Stack<'_>, index: usize, test: fn(Tag) -> bool| {
            stack
                .at(index)
                .is_some_and(|open| open.space == Space::Html && test(open.tag))
        };
        let mut kept = root + 1;
        let in_row = matches!(tag.id, tags::TD | tags::TH);
        if (tag.id == tags::TR || in_row) && is(&self.stack, kept, is_section) {
            kept += 1;
        }
        if in_row && is(&self.stack, kept, |tag| tag == tags::TR) {
            kept += 1;
        }
        self.stack.truncate(kept);
        if (tag.id == tags::TR || in_row) && is(&self.stack, root, |tag| tag == tags::TABLE) {
            self.make_row(root, in_row);
        }
        if tag.id == tags::COL {
            self.stack.leaves(tag.id, 2);
            return;
        }
        self.push(tag);
    }

    /// The section and, for a cell, the row that a table has but the markup leaves out.
    fn make_row(&mut self, table: usize, with_row: bool) {
        let is_open = |stack: &Stack<'_>, index: usize, test: fn(Tag) -> bool| {
            stack.at(index).is_some_and(|open| test(open.tag))
        };
        if !is_open(&self.stack, table + 1, is_section) {
            self.stack.push(tags::TBODY, Space::Html, b"tbody", b"");
        }
        if with_row && !is_open(&self.stack, table + 2, |tag| tag == tags::TR) {
            self.stack.push(tags::TR, Space::Html, b"tr", b"");
        }
    }

    /// Close the cell or caption that is open inside the table at `root`.
    fn close_cell(&mut self, root: usize) {
        let is_cell = |open: &Open<'_>| matches!(open.tag, tags::TD | tags::TH | tags::CAPTION);
        let cell = self.stack.find(is_cell, |_| false);
        if let Some(index) = cell.filter(|&index| index > root) {
            self.stack.truncate(index);
            self.stack.clear_to_marker();
        }
    }

    pub(super) fn end_table(&mut self) {
        let bars = |open: &Open<'_>| is_html(open, tags::TEMPLATE);
        if let Some(root) = self.stack.find(|open| open.tag == tags::TABLE, bars) {
            self.close_cell(root);
            self.stack.truncate(root);
        }
    }

    pub(super) fn end_table_part(&mut self, tag: Tag) {
        let bars = |open: &Open<'_>| matches!(open.tag, tags::TABLE | tags::TEMPLATE);
        let Some(index) = self.stack.find(|open| open.tag == tag, bars) else {
            return;
        };
        self.close_cell(index);
        if self.stack.depth() > index {
            self.stack.truncate(index);
            if is_marker(tag) {
                self.stack.clear_to_marker();
            }
        }
    }
}

/// Elements that decide whether the rules for tables or for bodies hold.
pub fn is_table_border(tag: Tag) -> bool {
    matches!(
        tag,
        tags::TABLE | tags::TD | tags::TH | tags::CAPTION | tags::TEMPLATE | tags::HTML
    )
}
