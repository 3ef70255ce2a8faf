//! 13.2.6.4.18 The "in frameset" insertion mode.

use super::super::TreeBuilder;
use super::super::characters::Text;
use super::{Mode, Step};
use crate::tag;
use crate::tokenizer::TagToken;

impl TreeBuilder<'_> {
    pub(super) fn start_in_frameset(&mut self, token: &TagToken) -> Step {
        match token.tag {
            tag::FRAMESET => {
                self.insert(token);
            }
            tag::FRAME => {
                self.insert_void(token);
            }
            _ => return self.start_after_frameset(token),
        }
        Step::Done
    }

    pub(super) fn end_in_frameset(&mut self, token: &TagToken) -> Step {
        if token.tag == tag::FRAMESET && self.open.len() > 1 {
            self.pop();
            if !self.current().is(tag::FRAMESET) {
                self.mode = Mode::AfterFrameset;
            }
        }
        Step::Done
    }

    /// Only white space counts.
    pub(super) fn text_in_frameset(&mut self, text: Text) {
        self.each_white_piece(text, |builder, piece| builder.insert_text(piece));
    }

    /// A `noframes` between frames, see [`Options::parses_noframes`](crate::Options).
    pub(super) fn start_noframes(&mut self, token: &TagToken) {
        if self.options.parses_noframes && !self.is_empty_element {
            self.insert(token);
            self.mark_formatting();
            self.mode_after_noframes = Some(self.mode);
            self.mode = Mode::InBody;
        } else {
            self.insert_raw_text_element(token);
        }
    }

    /// The end tag of such an element; any elements may be open in it.
    pub(super) fn end_noframes(&mut self) {
        if self.has_template() {
            return;
        }
        if let Some(mode) = self.mode_after_noframes.take() {
            self.pop_until(tag::NOFRAMES);
            self.clear_formatting_to_marker();
            self.mode = mode;
        }
    }
}
