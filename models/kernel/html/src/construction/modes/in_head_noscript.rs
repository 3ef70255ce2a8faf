//! 13.2.6.4.5 The "in head noscript" insertion mode.

use super::super::TreeBuilder;
use super::super::characters::Text;
use super::{Mode, Step};
use crate::tag;
use crate::tokenizer::TagToken;

impl TreeBuilder<'_> {
    pub(super) fn start_in_head_noscript(&mut self, token: &TagToken) -> Step {
        match token.tag {
            tag::HTML => return self.start_in_body(token),
            tag::BASEFONT | tag::BGSOUND | tag::LINK | tag::META | tag::NOFRAMES | tag::STYLE => {
                self.start_of_head(token);
            }
            tag::HEAD | tag::NOSCRIPT => {}
            _ => return self.leave_head_noscript(),
        }
        Step::Done
    }

    pub(super) fn end_in_head_noscript(&mut self, token: &TagToken) -> Step {
        match token.tag {
            tag::NOSCRIPT => {
                let _ = self.leave_head_noscript();
                Step::Done
            }
            tag::BR => self.leave_head_noscript(),
            _ => Step::Done,
        }
    }

    pub(super) fn text_in_head_noscript(&mut self, text: Text) -> Option<Text> {
        let (white, rest) = self.split_white(text);
        if !white.span.is_empty() {
            self.insert_text(white);
        }
        if rest.is_some() {
            let _ = self.leave_head_noscript();
        }
        rest
    }

    pub(super) fn leave_head_noscript(&mut self) -> Step {
        self.pop();
        self.mode = Mode::InHead;
        Step::Reprocess
    }
}
