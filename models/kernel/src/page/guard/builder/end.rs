//! What end tags close.

use super::Builder;
use crate::page::guard::open::{Open, bars_scope, is_heading, is_html, is_marker, is_special};
use crate::page::guard::traits::{CLOSED_IN_SCOPE, FORMATTING, TABLE_PART, traits_of};
use crate::page::html_tokens::TagToken;
use crate::page::tags::{self, Tag};

impl<'text> Builder<'text> {
    /// Close what an end tag closes.
    pub fn end(&mut self, tag: &TagToken<'text>) {
        self.is_after_body = matches!(tag.id, tags::BODY | tags::HTML);
        if self.is_foreign() && self.end_foreign(tag) {
            return;
        }
        let traits = traits_of(tag.id);
        match tag.id {
            tags::HTML | tags::BODY | tags::HEAD => {}
            tags::P => {
                if !self.close_paragraph() {
                    self.open_at_end_tag(tag.id);
                }
            }
            tags::BR => {
                self.stack.reopen();
                self.open_at_end_tag(tag.id);
            }
            tags::LI => self.end_item(),
            tags::H1..=tags::H6 => self.end_heading(),
            tags::FORM => self.end_form(),
            tags::TEMPLATE => self.end_template(),
            tags::TABLE => self.end_table(),
            _ if traits & TABLE_PART != 0 => self.end_table_part(tag.id),
            _ if traits & FORMATTING != 0 => {
                if !self.stack.adopt(tag.id) {
                    self.end_other(tag);
                }
            }
            tags::DD | tags::DT => self.end_in_scope(tag.id),
            _ if traits & CLOSED_IN_SCOPE != 0 => self.end_in_scope(tag.id),
            _ => self.end_other(tag),
        }
    }

    /// An element of nothing but its end tag, which a template may ignore.
    fn open_at_end_tag(&mut self, tag: Tag) {
        let in_template = self
            .stack
            .top()
            .is_some_and(|open| is_html(open, tags::TEMPLATE));
        if in_template {
            self.stack.nodes += 1;
        } else {
            self.stack.leaves(tag, 1);
        }
    }

    fn end_in_scope(&mut self, tag: Tag) {
        if let Some(index) = self.stack.in_scope(tag) {
            self.stack.truncate(index);
            if is_marker(tag) {
                self.stack.clear_to_marker();
            }
        }
    }

    fn end_item(&mut self) {
        let bars = |open: &Open<'_>| {
            bars_scope(open) || is_html(open, tags::OL) || is_html(open, tags::UL)
        };
        if let Some(index) = self.stack.find(|open| open.tag == tags::LI, bars) {
            self.stack.truncate(index);
        }
    }

    fn end_heading(&mut self) {
        if let Some(index) = self.stack.find(is_heading, bars_scope) {
            self.stack.truncate(index);
        }
    }

    fn end_form(&mut self) {
        let index = self.stack.in_scope(tags::FORM);
        if self.stack.has(tags::TEMPLATE) {
            return self.end_in_scope(tags::FORM);
        }
        if let (true, Some(index)) = (self.has_form, index) {
            self.close_implied(tags::UNKNOWN);
            self.stack.remove(index);
        }
        self.has_form = false;
    }

    fn end_template(&mut self) {
        if let Some(index) = self
            .stack
            .find(|open| open.tag == tags::TEMPLATE, |_| false)
        {
            self.stack.truncate(index);
            self.stack.clear_to_marker();
        }
    }

    /// Any other end tag: the innermost element of that name, unless a special one is in the way.
    fn end_other(&mut self, tag: &TagToken<'_>) {
        let is_same = |open: &Open<'_>| {
            open.tag == tag.id
                && (tag.id != tags::UNKNOWN || open.name.eq_ignore_ascii_case(tag.name))
        };
        if let Some(index) = self.stack.find(is_same, is_special) {
            self.stack.truncate(index);
        }
    }
}
