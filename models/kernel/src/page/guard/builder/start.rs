//! What start tags open, and what they close before.

use super::Builder;
use super::tables::is_table_border;
use crate::page::guard::open::{Open, Space, is_formatting, is_heading, is_html, is_special};
use crate::page::guard::traits::{CLOSES_P, REOPENS, TABLE_PART, VOID, traits_of};
use crate::page::html_tokens::{TagToken, is_raw_text};
use crate::page::tags::{self, Tag};

impl<'text> Builder<'text> {
    /// Open an element; true if raw text follows.
    pub fn start(&mut self, tag: &TagToken<'text>) -> bool {
        self.is_after_body &= tag.id == tags::HTML;
        if tag.id == tags::FRAMESET && !self.has_text {
            self.frames.get_or_insert(0);
        }
        self.has_text |= tag.id == tags::BODY && !self.stack.has(tags::TEMPLATE);
        if self.is_foreign() && !self.leaves_foreign(tag) {
            if !tag.is_self_closing {
                let space = self.stack.top().map_or(Space::Svg, |open| open.space);
                self.stack.push(tag.id, space, tag.name, tag.attributes);
            } else {
                self.stack.leaves(tag.id, 1);
            }
            return false;
        }
        self.start_html(tag);
        is_raw_text(tag.id)
    }

    fn start_html(&mut self, tag: &TagToken<'text>) {
        let traits = traits_of(tag.id);
        if matches!(tag.id, tags::HTML | tags::HEAD | tags::BODY | tags::FRAME) {
            return;
        }
        if traits & TABLE_PART != 0 {
            return self.start_table_part(tag);
        }
        if self.start_is_swallowed(tag.id) {
            return;
        }
        self.close_before(tag.id, traits);
        if traits & REOPENS != 0 {
            self.stack.reopen();
        }
        if traits & VOID != 0 || is_raw_text(tag.id) {
            // the element, and its text if any
            self.stack.leaves(tag.id, 2);
            self.growth.stored();
        } else if is_formatting(tag.id) {
            self.stack.push_formatting(tag.id, tag.name, tag.attributes);
        } else {
            self.push(tag);
        }
    }

    /// Start tags that open nothing because of what is open already.
    fn start_is_swallowed(&mut self, tag: Tag) -> bool {
        match tag {
            tags::FRAMESET => self.frames.is_none(),
            tags::FORM if self.stack.has(tags::TEMPLATE) => false,
            tags::FORM if self.stack.is_in_table_frame() => {
                // it stands in the table and is closed at once
                self.stack.nodes += 1;
                self.has_form = true;
                true
            }
            tags::FORM => self.has_form,
            tags::SELECT => {
                let open = self.stack.in_scope(tags::SELECT);
                if let Some(index) = open {
                    self.stack.truncate(index);
                }
                open.is_some()
            }
            _ => false,
        }
    }

    /// Close what a start tag ends without saying so.
    fn close_before(&mut self, tag: Tag, traits: u16) {
        match tag {
            tags::LI => self.close_item(&[tags::LI]),
            tags::DD | tags::DT => self.close_item(&[tags::DD, tags::DT]),
            tags::OPTION | tags::OPTGROUP | tags::HR => self.close_option(tag),
            tags::RB | tags::RP | tags::RT | tags::RTC => self.close_ruby(tag),
            tags::BUTTON | tags::INPUT => {
                let closed = if tag == tags::INPUT {
                    tags::SELECT
                } else {
                    tag
                };
                if let Some(index) = self.stack.in_scope(closed) {
                    self.stack.truncate(index);
                }
            }
            tags::A => self.close_link(),
            tags::NOBR if self.stack.in_scope(tag).is_some() => {
                self.stack.adopt(tag);
            }
            tags::TABLE => self.close_table_in_table(),
            _ => {}
        }
        if traits & CLOSES_P != 0 {
            self.close_paragraph();
        }
        let in_heading = self.stack.top().is_some_and(|open| is_heading(open));
        if in_heading && (tags::H1..=tags::H6).contains(&tag) {
            self.stack.pop();
        }
    }

    fn close_item(&mut self, items: &[Tag]) {
        if !items.iter().any(|&tag| self.stack.has(tag)) {
            return;
        }
        let bars = |open: &Open<'_>| {
            let is_loose = matches!(open.tag, tags::ADDRESS | tags::DIV | tags::P);
            is_special(open) && !(open.space == Space::Html && is_loose)
        };
        if let Some(index) = self.stack.find(|open| items.contains(&open.tag), bars) {
            self.stack.truncate(index);
        }
    }

    fn close_option(&mut self, tag: Tag) {
        if self.stack.in_scope(tags::SELECT).is_some() {
            let kept = if tag == tags::OPTION {
                tags::OPTGROUP
            } else {
                tags::UNKNOWN
            };
            self.close_implied(kept);
        } else if tag != tags::HR
            && self
                .stack
                .top()
                .is_some_and(|open| is_html(open, tags::OPTION))
        {
            self.stack.pop();
        }
    }

    fn close_ruby(&mut self, tag: Tag) {
        if self.stack.in_scope(tags::RUBY).is_some() {
            let keeps = matches!(tag, tags::RP | tags::RT);
            self.close_implied(if keeps { tags::RTC } else { tags::UNKNOWN });
        }
    }

    /// A link never stands in a link.
    fn close_link(&mut self) {
        if let Some(index) = self.stack.active(tags::A) {
            self.stack.adopt(tags::A);
            // what the adoption left of it goes as well
            if self.stack.active(tags::A) == Some(index) {
                self.stack.drop_active(index);
            }
        }
    }

    fn close_table_in_table(&mut self) {
        let frame = self.stack.find(|open| is_table_border(open.tag), |_| false);
        let is_table = |&index: &usize| self.stack.at(index).is_some_and(|o| o.tag == tags::TABLE);
        if let Some(index) = frame.filter(is_table) {
            self.stack.truncate(index);
        }
    }
}
