//! The rules by which start and end tags open and close elements.

use super::growth::{Growth, Place};
use super::stack::{
    Open, Space, Stack, bars_scope, is_formatting, is_marker, is_section, is_special,
};
use super::traits::*;
use crate::page::tags::{self, Tag};
use crate::page::tokens::{TagToken, is_raw_text};

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

    /// Whether the next token stands in `svg` or `math`.
    #[must_use]
    pub fn is_foreign(&self) -> bool {
        self.stack
            .top()
            .is_some_and(|open| open.space != Space::Html)
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

    /// Whether a start tag inside `svg` or `math` is treated as one of HTML.
    fn leaves_foreign(&mut self, tag: &TagToken<'_>) -> bool {
        let Some(top) = self.stack.top() else {
            return true;
        };
        if holds_html(top, tag.id) {
            return true;
        }
        let breaks_out = traits_of(tag.id) & BREAKS_OUT != 0
            || tag.id == tags::FONT && has_font_attribute(tag.attributes);
        if breaks_out {
            self.leave_foreign();
        }
        breaks_out
    }

    fn leave_foreign(&mut self) {
        while let Some(top) = self.stack.top() {
            if top.space == Space::Html || is_special(top) {
                return;
            }
            self.stack.pop();
        }
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

    /// Rows, cells and the like: what they stand in is made, what they end is closed.
    fn start_table_part(&mut self, tag: &TagToken<'text>) {
        let is_root = |open: &Open<'_>| matches!(open.tag, tags::TABLE | tags::TEMPLATE);
        let Some(root) = self.stack.find(is_root, |_| false) else {
            return;
        };
        self.close_cell(root);
        let is = |stack: &Stack<'_>, index: usize, test: fn(Tag) -> bool| {
            stack
                .at(index)
                .is_some_and(|open| open.space == Space::Html && test(open.tag))
        };
        let mut kept = root + 1;
        let in_row = matches!(tag.id, tags::TD | tags::TH);
        if (tag.id == tags::TR || in_row) && is(&self.stack, kept, is_section) {
            kept += 1;
        }
        if in_row && is(&self.stack, kept, |tag| tag == tags::TR) {
            kept += 1;
        }
        self.stack.truncate(kept);
        if (tag.id == tags::TR || in_row) && is(&self.stack, root, |tag| tag == tags::TABLE) {
            self.make_row(root, in_row);
        }
        if tag.id == tags::COL {
            self.stack.leaves(tag.id, 2);
            return;
        }
        self.push(tag);
    }

    /// The section and, for a cell, the row that a table has but the markup leaves out.
    fn make_row(&mut self, table: usize, with_row: bool) {
        let is_open = |stack: &Stack<'_>, index: usize, test: fn(Tag) -> bool| {
            stack.at(index).is_some_and(|open| test(open.tag))
        };
        if !is_open(&self.stack, table + 1, is_section) {
            self.stack.push(tags::TBODY, Space::Html, b"tbody", b"");
        }
        if with_row && !is_open(&self.stack, table + 2, |tag| tag == tags::TR) {
            self.stack.push(tags::TR, Space::Html, b"tr", b"");
        }
    }

    /// Close the cell or caption that is open inside the table at `root`.
    fn close_cell(&mut self, root: usize) {
        let is_cell = |open: &Open<'_>| matches!(open.tag, tags::TD | tags::TH | tags::CAPTION);
        let cell = self.stack.find(is_cell, |_| false);
        if let Some(index) = cell.filter(|&index| index > root) {
            self.stack.truncate(index);
            self.stack.clear_to_marker();
        }
    }

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

    /// An end tag inside `svg` or `math`; true if it closed one of their elements.
    fn end_foreign(&mut self, tag: &TagToken<'_>) -> bool {
        if matches!(tag.id, tags::P | tags::BR) {
            self.leave_foreign();
            return false;
        }
        for index in (0..self.stack.depth()).rev() {
            let Some(open) = self.stack.at(index) else {
                return false;
            };
            if open.space == Space::Html {
                return false;
            }
            if open.name.eq_ignore_ascii_case(tag.name) {
                self.stack.truncate(index);
                return true;
            }
        }
        false
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

    fn end_table(&mut self) {
        let bars = |open: &Open<'_>| is_html(open, tags::TEMPLATE);
        if let Some(root) = self.stack.find(|open| open.tag == tags::TABLE, bars) {
            self.close_cell(root);
            self.stack.truncate(root);
        }
    }

    fn end_table_part(&mut self, tag: Tag) {
        let bars = |open: &Open<'_>| matches!(open.tag, tags::TABLE | tags::TEMPLATE);
        let Some(index) = self.stack.find(|open| open.tag == tag, bars) else {
            return;
        };
        self.close_cell(index);
        if self.stack.depth() > index {
            self.stack.truncate(index);
            if is_marker(tag) {
                self.stack.clear_to_marker();
            }
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

fn is_html(open: &Open<'_>, tag: Tag) -> bool {
    open.space == Space::Html && open.tag == tag
}

fn is_heading(open: &Open<'_>) -> bool {
    open.space == Space::Html && (tags::H1..=tags::H6).contains(&open.tag)
}

/// Elements that decide whether the rules for tables or for bodies hold.
fn is_table_border(tag: Tag) -> bool {
    matches!(
        tag,
        tags::TABLE | tags::TD | tags::TH | tags::CAPTION | tags::TEMPLATE | tags::HTML
    )
}

/// Whether HTML may stand in an element of `svg` or `math`, for a start tag.
fn holds_html(top: &Open<'_>, tag: Tag) -> bool {
    match (top.space, top.tag) {
        (Space::Html, _) => true,
        (Space::Math, tags::ANNOTATION_XML) => {
            tag == tags::SVG || is_html_annotation(top.attributes)
        }
        (Space::Math, _) => is_special(top) && !matches!(tag, tags::MGLYPH | tags::MALIGNMARK),
        (Space::Svg, _) => is_special(top),
    }
}

fn is_html_annotation(attributes: &[u8]) -> bool {
    crate::page::tokens::attributes(attributes)
        .find(|(name, _)| name.eq_ignore_ascii_case(b"encoding"))
        .is_some_and(|(_, value)| {
            value.eq_ignore_ascii_case(b"text/html")
                || value.eq_ignore_ascii_case(b"application/xhtml+xml")
        })
}

fn has_font_attribute(attributes: &[u8]) -> bool {
    crate::page::tokens::attributes(attributes).any(|(name, _)| {
        [&b"color"[..], b"face", b"size"]
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known))
    })
}
