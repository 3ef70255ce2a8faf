//! 13.2.6.4.15 The "in cell" insertion mode.

use super::super::TreeBuilder;
use super::super::open_elements::Scope;
use super::in_table::is_of_table;
use super::{Mode, Step};
use crate::tag::{self, Tag};
use crate::tokenizer::TagToken;

const CELLS: [Tag; 2] = [tag::TD, tag::TH];

impl TreeBuilder<'_> {
    pub(super) fn start_in_cell(&mut self, token: &TagToken) -> Step {
        if is_of_table(token.tag) {
            let is_open = self.has_in_scope(Scope::Table, |open| open.is_any(&CELLS));
            return Step::reprocess_if(is_open && self.close_cell());
        }
        self.start_in_body(token)
    }

    pub(super) fn end_in_cell(&mut self, token: &TagToken) -> Step {
        match token.tag {
            tag::TD | tag::TH => {
                if self.has(Scope::Table, token.tag) {
                    self.generate_implied_end_tags();
                    self.pop_until(token.tag);
                    self.leave_cell();
                }
                Step::Done
            }
            tag::BODY | tag::CAPTION | tag::COL | tag::COLGROUP | tag::HTML => Step::Done,
            tag::TABLE | tag::TBODY | tag::TFOOT | tag::THEAD | tag::TR => {
                let is_open = self.has(Scope::Table, token.tag);
                Step::reprocess_if(is_open && self.close_cell())
            }
            _ => self.end_in_body(token),
        }
    }

    /// *Close the cell.* Always true.
    fn close_cell(&mut self) -> bool {
        self.generate_implied_end_tags();
        self.pop_until_any(&CELLS);
        self.leave_cell();
        true
    }

    fn leave_cell(&mut self) {
        self.clear_formatting_to_marker();
        self.mode = Mode::InRow;
    }
}
