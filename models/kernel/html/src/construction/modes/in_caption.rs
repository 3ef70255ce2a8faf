//! 13.2.6.4.11 The "in caption" insertion mode.

use super::super::TreeBuilder;
use super::super::open_elements::Scope;
use super::in_table::is_of_table;
use super::{Mode, Step};
use crate::tag;
use crate::tokenizer::TagToken;

impl TreeBuilder<'_> {
    pub(super) fn start_in_caption(&mut self, token: &TagToken) -> Step {
        if is_of_table(token.tag) {
            return Step::reprocess_if(self.close_caption());
        }
        self.start_in_body(token)
    }

    pub(super) fn end_in_caption(&mut self, token: &TagToken) -> Step {
        match token.tag {
            tag::CAPTION => {
                self.close_caption();
                Step::Done
            }
            tag::TABLE => Step::reprocess_if(self.close_caption()),
            tag::BODY | tag::HTML => Step::Done,
            other if is_of_table(other) => Step::Done,
            _ => self.end_in_body(token),
        }
    }

    /// Close the caption; false if there is none in scope.
    fn close_caption(&mut self) -> bool {
        let is_open = self.has(Scope::Table, tag::CAPTION);
        if is_open {
            self.generate_implied_end_tags();
            self.pop_until(tag::CAPTION);
            self.clear_formatting_to_marker();
            self.mode = Mode::InTable;
        }
        is_open
    }
}
