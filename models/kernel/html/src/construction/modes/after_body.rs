//! 13.2.6.4.17 The "after body" insertion mode, and 13.2.6.4.20 "after after body".

use super::super::TreeBuilder;
use super::super::characters::Text;
use super::{Mode, Step};
use crate::tag;
use crate::tokenizer::TagToken;

impl TreeBuilder<'_> {
    pub(super) fn start_after_body(&mut self, token: &TagToken) -> Step {
        if token.tag == tag::HTML {
            return self.start_in_body(token);
        }
        self.mode = Mode::InBody;
        Step::Reprocess
    }

    pub(super) fn end_after_body(&mut self, token: &TagToken) -> Step {
        if token.tag == tag::HTML && self.mode == Mode::AfterBody {
            self.mode = Mode::AfterAfterBody;
            return Step::Done;
        }
        self.mode = Mode::InBody;
        Step::Reprocess
    }

    pub(super) fn text_after_body(&mut self, text: Text) -> Option<Text> {
        let (white, rest) = self.split_white(text);
        self.text_in_body(white);
        if rest.is_some() {
            self.mode = Mode::InBody;
        }
        rest
    }
}
