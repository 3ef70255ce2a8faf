//! 13.2.6.4.1 The "initial" insertion mode.

use super::super::TreeBuilder;
use super::super::characters::Text;
use super::super::insertion::Place;
use super::{Mode, Step};
use crate::doctype;
use crate::tag;
use crate::tokenizer::Span;
use crate::tree::{Kind, Node};

impl TreeBuilder<'_> {
    /// Any other token: the document is in quirks mode.
    pub(super) fn leave_initial(&mut self) -> Step {
        self.tree.is_quirky = true;
        self.mode = Mode::BeforeHtml;
        Step::Reprocess
    }

    pub(super) fn text_initial(&mut self, text: Text) -> Option<Text> {
        let (_, rest) = self.split_white(text);
        if rest.is_some() {
            self.tree.is_quirky = true;
            self.mode = Mode::BeforeHtml;
        }
        rest
    }

    /// A doctype; in other modes it is ignored.
    pub(in crate::construction) fn doctype(&mut self, span: Span) {
        self.skips_line_feed = false;
        if self.mode == Mode::Initial {
            self.tree.is_quirky = doctype::of_span(self.tree.input, span).is_quirky();
            let id = self.add(Node::new(Kind::Doctype, tag::UNKNOWN, span, 0));
            self.link(id, Place::last_in(0));
            self.mode = Mode::BeforeHtml;
        }
    }
}
