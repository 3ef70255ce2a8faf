//! 13.2.6.4.6 The "after head" insertion mode.

use super::super::TreeBuilder;
use super::super::characters::Text;
use super::super::open_elements::Open;
use super::{Mode, Step, is_end_for_body};
use crate::tag::{self, traits_of};
use crate::tokenizer::TagToken;
use crate::tree::Kind;

impl TreeBuilder<'_> {
    pub(super) fn start_after_head(&mut self, token: &TagToken) -> Step {
        match token.tag {
            tag::HTML => return self.start_in_body(token),
            tag::BODY => {
                self.insert(token);
                self.frameset_ok = false;
                self.mode = Mode::InBody;
            }
            tag::FRAMESET => {
                self.insert(token);
                self.mode = Mode::InFrameset;
            }
            tag::HEAD => {}
            tag::BASE
            | tag::BASEFONT
            | tag::BGSOUND
            | tag::LINK
            | tag::META
            | tag::NOFRAMES
            | tag::SCRIPT
            | tag::STYLE
            | tag::TEMPLATE
            | tag::TITLE => self.start_in_closed_head(token),
            _ => return self.imply_body(),
        }
        Step::Done
    }

    /// Metadata after the head goes into the head.
    fn start_in_closed_head(&mut self, token: &TagToken) {
        let head = self.head;
        self.push(Open {
            id: head,
            depth: self.current().depth + 1,
            tag: tag::HEAD,
            kind: Kind::Html,
            traits: traits_of(tag::HEAD),
        });
        self.start_of_head(token);
        self.remove_open(head);
    }

    pub(super) fn end_after_head(&mut self, token: &TagToken) -> Step {
        match token.tag {
            tag::TEMPLATE => self.end_template(),
            other if is_end_for_body(other) => return self.imply_body(),
            _ => {}
        }
        Step::Done
    }

    pub(super) fn text_after_head(&mut self, text: Text) -> Option<Text> {
        let (white, rest) = self.split_white(text);
        if !white.span.is_empty() {
            self.insert_text(white);
        }
        if rest.is_some() {
            let _ = self.imply_body();
        }
        rest
    }

    pub(super) fn imply_body(&mut self) -> Step {
        self.insert_implied(tag::BODY);
        self.mode = Mode::InBody;
        Step::Reprocess
    }
}
