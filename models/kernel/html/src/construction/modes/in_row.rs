//! 13.2.6.4.14 The "in row" insertion mode.

use super::super::TreeBuilder;
use super::super::open_elements::Scope;
use super::{Mode, Step};
use crate::tag;
use crate::tokenizer::TagToken;

impl TreeBuilder<'_> {
    pub(super) fn start_in_row(&mut self, token: &TagToken) -> Step {
        match token.tag {
            tag::TD | tag::TH => {
                self.clear_back_to(&[tag::TR]);
                self.insert(token);
                self.mode = Mode::InCell;
                self.mark_formatting();
                Step::Done
            }
            tag::CAPTION
            | tag::COL
            | tag::COLGROUP
            | tag::TBODY
            | tag::TFOOT
            | tag::THEAD
            | tag::TR => Step::reprocess_if(self.close_row()),
            _ => self.start_in_table(token),
        }
    }

    pub(super) fn end_in_row(&mut self, token: &TagToken) -> Step {
        match token.tag {
            tag::TR => {
                self.close_row();
                Step::Done
            }
            tag::TABLE => Step::reprocess_if(self.close_row()),
            tag::TBODY | tag::TFOOT | tag::THEAD => {
                let is_open = self.has(Scope::Table, token.tag);
                Step::reprocess_if(is_open && self.close_row())
            }
            _ => self.end_in_table(token),
        }
    }

    /// Close the row; false if there is none in scope.
    fn close_row(&mut self) -> bool {
        let is_open = self.has(Scope::Table, tag::TR);
        if is_open {
            self.clear_back_to(&[tag::TR]);
            self.pop();
            self.mode = Mode::InTableBody;
        }
        is_open
    }
}
