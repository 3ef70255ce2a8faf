//! 13.2.6.4.19 The "after frameset" insertion mode, and 13.2.6.4.21 "after after frameset".

use super::super::TreeBuilder;
use super::super::characters::Text;
use super::{Mode, Step};
use crate::tag;
use crate::tokenizer::TagToken;

impl TreeBuilder<'_> {
    pub(super) fn start_after_frameset(&mut self, token: &TagToken) -> Step {
        match token.tag {
            tag::HTML => self.start_in_body(token),
            tag::NOFRAMES => {
                self.start_noframes(token);
                Step::Done
            }
            _ => Step::Done,
        }
    }

    pub(super) fn end_after_frameset(&mut self, token: &TagToken) -> Step {
        if token.tag == tag::HTML && self.mode == Mode::AfterFrameset {
            self.mode = Mode::AfterAfterFrameset;
        }
        Step::Done
    }

    /// White space, by the rules of "in body".
    pub(super) fn text_after_after_frameset(&mut self, text: Text) {
        self.each_white_piece(text, |builder, piece| {
            builder.reconstruct();
            builder.insert_text(piece);
        });
    }
}
