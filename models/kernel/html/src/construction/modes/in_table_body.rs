//! 13.2.6.4.13 The "in table body" insertion mode.

use super::super::TreeBuilder;
use super::super::open_elements::Scope;
use super::{Mode, Step};
use crate::tag::{self, Tag};
use crate::tokenizer::TagToken;

const GROUPS: [Tag; 3] = [tag::TBODY, tag::TFOOT, tag::THEAD];

impl TreeBuilder<'_> {
    pub(super) fn start_in_table_body(&mut self, token: &TagToken) -> Step {
        match token.tag {
            tag::TR => {
                self.clear_back_to(&GROUPS);
                self.insert(token);
                self.mode = Mode::InRow;
                Step::Done
            }
            tag::TD | tag::TH => {
                self.clear_back_to(&GROUPS);
                self.insert_implied(tag::TR);
                self.mode = Mode::InRow;
                Step::Reprocess
            }
            tag::CAPTION | tag::COL | tag::COLGROUP | tag::TBODY | tag::TFOOT | tag::THEAD => {
                Step::reprocess_if(self.close_row_group())
            }
            _ => self.start_in_table(token),
        }
    }

    pub(super) fn end_in_table_body(&mut self, token: &TagToken) -> Step {
        match token.tag {
            tag::TBODY | tag::TFOOT | tag::THEAD => {
                if self.has(Scope::Table, token.tag) {
                    self.pop_row_group();
                }
                Step::Done
            }
            tag::TABLE => Step::reprocess_if(self.close_row_group()),
            _ => self.end_in_table(token),
        }
    }

    /// Close the row group; false if there is none in scope.
    fn close_row_group(&mut self) -> bool {
        let is_open = self.has_in_scope(Scope::Table, |open| open.is_any(&GROUPS));
        if is_open {
            self.pop_row_group();
        }
        is_open
    }

    fn pop_row_group(&mut self) {
        self.clear_back_to(&GROUPS);
        self.pop();
        self.mode = Mode::InTable;
    }
}
