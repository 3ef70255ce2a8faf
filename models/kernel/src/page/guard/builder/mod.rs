//! What is open on a page and how its texts grow, told by its tokens one after the other.

mod end;
mod foreign;
mod start;
mod tables;

use super::growth::{Growth, Place};
use super::open::{Open, Space, bars_scope, is_html, is_marker};
use super::stack::Stack;
use super::traits::{IMPLIED, traits_of};
use crate::page::html_tokens::TagToken;
use crate::page::tags::{self, Tag};

/// Follows lexbor's tree construction, keeping only what is open.
pub struct Builder<'text> {
    pub stack: Stack<'text>,
    /// A `form` was opened and its end tag has not come.
    has_form: bool,
    /// `body` or `html` was closed: comments go behind them.
    is_after_body: bool,
    /// There was text or a `body`, after which no frameset takes its place.
    has_text: bool,
    /// Bytes of blanks between frames; none when the page has a body.
    frames: Option<u32>,
    pub growth: Growth,
}

impl<'text> Builder<'text> {
    #[must_use]
    pub fn new() -> Self {
        Self {
            stack: Stack::new(),
            has_form: false,
            is_after_body: false,
            has_text: false,
            frames: None,
            growth: Growth::default(),
        }
    }

    pub fn text(&mut self, text: &[u8]) {
        self.stack.nodes += 1;
        if !self.has_text && !self.stack.has(tags::TEMPLATE) {
            // a reference may be to a blank, and null characters vanish
            let mut sure = text.iter().take_while(|byte| **byte != b'&');
            self.has_text = sure.any(|byte| !byte.is_ascii_whitespace() && *byte != 0);
        }
        if self.is_foreign() {
            return self.grow(text.len());
        }
        let in_table = self.stack.is_in_table_frame();
        let is_blank = (in_table || self.is_after_body) && text.trim_ascii().is_empty();
        self.is_after_body &= is_blank;
        if in_table && is_blank {
            return self.grow(text.len());
        }
        self.stack.reopen();
        if self.frames.is_none() && self.stack.is_in_table_frame() {
            self.foster(text);
        } else {
            self.grow(text.len());
        }
    }

    /// Text that stays where it stands.
    fn grow(&mut self, bytes: usize) {
        if let Some(frames) = &mut self.frames {
            // of a text the blanks are kept, the rest is stored and forgotten
            self.growth.stored();
            *frames = self.growth.grow(Place::Frames, *frames, bytes);
        } else if let Some(top) = self.stack.top_mut() {
            top.text = self.growth.grow(Place::Inside(top.serial), top.text, bytes);
        }
    }

    /// Text between the parts of a table, which goes before the table.
    fn foster(&mut self, text: &[u8]) {
        if text.first().is_some_and(u8::is_ascii_whitespace) {
            // a group of columns keeps the blanks
            self.growth.stored();
        }
        if let Some(table) = self.stack.table() {
            let place = Place::Before(table.serial);
            table.text_before = self.growth.grow(place, table.text_before, text.len());
        }
    }

    /// Raw text, which lexbor reads as markup where it ignores the element around it: between frames.
    /// Each of its tags may part two blanks there.
    pub fn raw_text(&mut self, text: &[u8]) {
        if let Some(frames) = &mut self.frames {
            let count = |wanted: fn(&u8) -> bool| text.iter().filter(|byte| wanted(byte)).count();
            *frames = frames.saturating_add(count(u8::is_ascii_whitespace) as u32);
            self.growth.moved += *frames as usize * count(|byte| *byte == b'<');
        }
    }

    pub fn comment(&mut self) {
        self.growth.stored();
        self.stack.nodes += 1;
        if !self.is_after_body {
            if let Some(top) = self.stack.top_mut() {
                top.text = 0;
            }
        }
    }

    fn push(&mut self, tag: &TagToken<'text>) {
        let space = match tag.id {
            tags::SVG => Space::Svg,
            tags::MATH => Space::Math,
            _ => Space::Html,
        };
        if space != Space::Html && tag.is_self_closing {
            self.stack.leaves(tag.id, 1);
            return;
        }
        self.stack.push(tag.id, space, tag.name, tag.attributes);
        if is_marker(tag.id) {
            self.stack.mark();
        }
        self.has_form |= tag.id == tags::FORM && !self.stack.has(tags::TEMPLATE);
    }

    fn close_paragraph(&mut self) -> bool {
        if !self.stack.has(tags::P) {
            return false;
        }
        let bars = |open: &Open<'_>| bars_scope(open) || is_html(open, tags::BUTTON);
        let found = self.stack.find(|open| open.tag == tags::P, bars);
        if let Some(index) = found {
            self.stack.truncate(index);
        }
        found.is_some()
    }

    /// Close innermost elements whose end tags may be left out, but for `kept`.
    fn close_implied(&mut self, kept: Tag) {
        while let Some(top) = self.stack.top() {
            let is_implied = top.space == Space::Html && traits_of(top.tag) & IMPLIED != 0;
            if !is_implied || top.tag == kept {
                return;
            }
            self.stack.pop();
        }
    }
}
