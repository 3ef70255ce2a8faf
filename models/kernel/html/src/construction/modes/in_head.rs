//! 13.2.6.4.4 The "in head" insertion mode.

use super::super::TreeBuilder;
use super::super::characters::Text;
use super::super::insertion::Place;
use super::{Mode, Step, is_end_for_body};
use crate::tag;
use crate::tokenizer::{Span, TagToken};
use crate::tree::{Kind, Node};

impl TreeBuilder<'_> {
    pub(super) fn start_in_head(&mut self, token: &TagToken) -> Step {
        match token.tag {
            tag::HTML => return self.start_in_body(token),
            tag::HEAD => {}
            tag::NOSCRIPT => {
                self.insert(token);
                self.mode = Mode::InHeadNoscript;
            }
            _ if self.start_of_head(token) => {}
            _ => return self.leave_head(),
        }
        Step::Done
    }

    /// Start tags of metadata, which other modes read by the rules of "in head". False for others.
    #[inline]
    pub(super) fn start_of_head(&mut self, token: &TagToken) -> bool {
        match token.tag {
            tag::BASE | tag::BASEFONT | tag::BGSOUND | tag::LINK | tag::META => {
                self.insert_void(token);
            }
            tag::TITLE | tag::NOFRAMES | tag::STYLE | tag::SCRIPT => {
                self.insert_raw_text_element(token);
            }
            tag::TEMPLATE => self.start_template(token),
            _ => return false,
        }
        true
    }

    fn start_template(&mut self, token: &TagToken) {
        let host = self.current();
        let template = self.insert(token);
        let content = self.add(Node::new(Kind::Content, tag::UNKNOWN, Span::default(), 0));
        self.link(content, Place::last_in(template));
        self.note_shadow_root(token, host, template);
        self.note_placeholder(token, template);
        self.mark_formatting();
        self.frameset_ok = false;
        self.mode = Mode::InTemplate;
        self.template_modes.push(Mode::InTemplate);
    }

    pub(super) fn end_template(&mut self) {
        if self.has_template() {
            self.generate_all_implied_end_tags_thoroughly();
            self.close_template();
        }
    }

    /// Pop the last `template`, with the state that the standard keeps for it.
    pub(super) fn close_template(&mut self) {
        while let Some(open) = self.open.last().copied() {
            self.pop();
            if open.is(tag::TEMPLATE) {
                self.place_shadow_root(open.id);
                break;
            }
        }
        self.clear_formatting_to_marker();
        self.template_modes.pop();
        self.reset_insertion_mode();
    }

    pub(super) fn end_in_head(&mut self, token: &TagToken) -> Step {
        match token.tag {
            tag::TEMPLATE => self.end_template(),
            tag::HEAD => {
                let _ = self.leave_head();
            }
            other if is_end_for_body(other) => return self.leave_head(),
            _ => {}
        }
        Step::Done
    }

    pub(super) fn text_in_head(&mut self, text: Text) -> Option<Text> {
        let (white, rest) = self.split_white(text);
        if !white.span.is_empty() {
            self.insert_text(white);
        }
        if rest.is_some() {
            let _ = self.leave_head();
        }
        rest
    }

    pub(super) fn leave_head(&mut self) -> Step {
        self.pop();
        self.mode = Mode::AfterHead;
        Step::Reprocess
    }
}
