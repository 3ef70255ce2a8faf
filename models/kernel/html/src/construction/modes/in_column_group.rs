//! 13.2.6.4.12 The "in column group" insertion mode.

use super::super::TreeBuilder;
use super::super::characters::Text;
use super::{Mode, Step};
use crate::tag;
use crate::tokenizer::TagToken;

impl TreeBuilder<'_> {
    pub(super) fn start_in_column_group(&mut self, token: &TagToken) -> Step {
        match token.tag {
            tag::HTML => return self.start_in_body(token),
            tag::COL => {
                self.insert_void(token);
            }
            tag::TEMPLATE => {
                self.start_of_head(token);
            }
            _ => return Step::reprocess_if(self.close_column_group()),
        }
        Step::Done
    }

    pub(super) fn end_in_column_group(&mut self, token: &TagToken) -> Step {
        match token.tag {
            tag::COLGROUP => {
                self.close_column_group();
            }
            tag::COL => {}
            tag::TEMPLATE => self.end_template(),
            _ => return Step::reprocess_if(self.close_column_group()),
        }
        Step::Done
    }

    pub(super) fn text_in_column_group(&mut self, text: Text) -> Option<Text> {
        let (white, rest) = self.split_white(text);
        if !white.span.is_empty() {
            self.insert_text(white);
        }
        let rest = rest?;
        if self.close_column_group() {
            return Some(rest);
        }
        // in a template there is no column group to close: only white space counts
        self.each_white_piece(rest, |builder, piece| builder.insert_text(piece));
        None
    }

    /// Close the column group; false if another element is the current node.
    fn close_column_group(&mut self) -> bool {
        let is_open = self.current().is(tag::COLGROUP);
        if is_open {
            self.pop();
            self.mode = Mode::InTable;
        }
        is_open
    }
}
