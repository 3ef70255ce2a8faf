//! 13.2.6.2 Parsing elements that contain only text. There is no insertion mode "text" here
//! (13.2.6.4.8): the tokenizer gives the whole text at once.

use super::TreeBuilder;
use super::characters::line_feed;
use crate::tag;
use crate::tokenizer::{Span, TagToken};
use crate::tree::{self, Kind, Node};

impl TreeBuilder<'_> {
    /// Insert an element with its text, which goes to its end tag.
    pub(super) fn insert_raw_text_element(&mut self, token: &TagToken) {
        let id = self.insert_void(token);
        if self.is_empty_element {
            return;
        }
        let mut text = self.raw_text(token);
        let is_decoded = matches!(token.tag, tag::TITLE | tag::TEXTAREA);
        if token.tag == tag::TEXTAREA {
            text.start += line_feed(text.of(self.tree.input));
        }
        if !text.is_empty() {
            let flags = tree::REPLACES_NUL | if is_decoded { 0 } else { tree::RAW };
            let inside = self.add(Node::new(Kind::Text, tag::UNKNOWN, text, flags));
            self.link(inside, super::insertion::Place::last_in(id));
        }
    }

    fn raw_text(&mut self, token: &TagToken) -> Span {
        if self.in_noscript && token.tag != tag::SCRIPT {
            return self.tokens.raw_text_in(token.tag, tag::NOSCRIPT);
        }
        let text = self.tokens.raw_text(token.tag);
        let may_close = token.tag == tag::TITLE && self.options.closes_title;
        if may_close && !self.has_closed_title {
            if let Some(line) = self.tokens.first_line(text) {
                self.has_closed_title = true;
                return line;
            }
        }
        text
    }
}
