//! 13.2.6.4.3 The "before head" insertion mode.

use super::super::TreeBuilder;
use super::super::characters::Text;
use super::{Mode, Step, is_end_for_body};
use crate::tag;
use crate::tokenizer::TagToken;

impl TreeBuilder<'_> {
    pub(super) fn start_before_head(&mut self, token: &TagToken) -> Step {
        match token.tag {
            tag::HTML => self.start_in_body(token),
            tag::HEAD => {
                self.head = self.insert(token);
                self.mode = Mode::InHead;
                Step::Done
            }
            _ => self.imply_head(),
        }
    }

    pub(super) fn end_before_head(&mut self, token: &TagToken) -> Step {
        if token.tag == tag::HEAD || is_end_for_body(token.tag) {
            return self.imply_head();
        }
        Step::Done
    }

    pub(super) fn text_before_head(&mut self, text: Text) -> Option<Text> {
        let (_, rest) = self.split_white(text);
        if rest.is_some() {
            let _ = self.imply_head();
        }
        rest
    }

    pub(super) fn imply_head(&mut self) -> Step {
        self.head = self.insert_implied(tag::HEAD);
        self.mode = Mode::InHead;
        Step::Reprocess
    }
}
