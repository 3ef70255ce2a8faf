//! 13.2.6.4.2 The "before html" insertion mode.

use super::super::TreeBuilder;
use super::super::characters::Text;
use super::{Mode, Step, is_end_for_body};
use crate::tag;
use crate::tokenizer::TagToken;

impl TreeBuilder<'_> {
    pub(super) fn start_before_html(&mut self, token: &TagToken) -> Step {
        if token.tag != tag::HTML {
            return self.imply_html();
        }
        self.note_root(token);
        self.insert(token);
        self.mode = Mode::BeforeHead;
        Step::Done
    }

    pub(super) fn end_before_html(&mut self, token: &TagToken) -> Step {
        if token.tag == tag::HEAD || is_end_for_body(token.tag) {
            return self.imply_html();
        }
        Step::Done
    }

    pub(super) fn text_before_html(&mut self, text: Text) -> Option<Text> {
        let (_, rest) = self.split_white(text);
        if rest.is_some() {
            let _ = self.imply_html();
        }
        rest
    }

    pub(super) fn imply_html(&mut self) -> Step {
        self.insert_implied(tag::HTML);
        self.mode = Mode::BeforeHead;
        Step::Reprocess
    }
}
