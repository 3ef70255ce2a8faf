//! 13.2.6.4.16 The "in template" insertion mode.

use super::super::TreeBuilder;
use super::{Mode, Step};
use crate::tag;
use crate::tokenizer::TagToken;

impl TreeBuilder<'_> {
    /// The first tag that is not metadata decides how the rest of the template is read.
    pub(super) fn start_in_template(&mut self, token: &TagToken) -> Step {
        if token.tag == tag::HTML {
            return self.start_in_body(token);
        }
        if self.start_of_head(token) {
            return Step::Done;
        }
        self.mode = match token.tag {
            tag::CAPTION | tag::COLGROUP | tag::TBODY | tag::TFOOT | tag::THEAD => Mode::InTable,
            tag::COL => Mode::InColumnGroup,
            tag::TR => Mode::InTableBody,
            tag::TD | tag::TH => Mode::InRow,
            _ => Mode::InBody,
        };
        if let Some(last) = self.template_modes.last_mut() {
            *last = self.mode;
        }
        Step::Reprocess
    }

    pub(super) fn end_in_template(&mut self, token: &TagToken) -> Step {
        if token.tag == tag::TEMPLATE {
            self.end_template();
        }
        Step::Done
    }
}
