//! 13.2.6.4.7 The "in body" insertion mode.

mod end;
mod start;

use super::super::TreeBuilder;
use super::super::characters::Text;
use super::super::open_elements::Scope;
use super::{Mode, Step};
use crate::tag::{self, Tag};

const HEADINGS: [Tag; 6] = [tag::H1, tag::H2, tag::H3, tag::H4, tag::H5, tag::H6];

impl TreeBuilder<'_> {
    #[inline(always)]
    pub(in crate::construction) fn text_in_body(&mut self, text: Text) {
        if text.span.is_empty() {
            return;
        }
        self.reconstruct();
        self.insert_text(text);
        if self.frameset_ok && !self.is_white(text) {
            self.frameset_ok = false;
        }
    }
}
