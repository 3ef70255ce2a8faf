//! The insertion modes of the standard that lie outside of tables, and what leads from one to the
//! next.

use crate::attributes::value;
use crate::builder::{Builder, Scope, line_feed};
use crate::doctype;
use crate::tag::{self, Tag};
use crate::tokenizer::{Span, TagToken};
use crate::tree::{self, Kind, Node};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    InTable,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

const HEADINGS: [Tag; 6] = [tag::H1, tag::H2, tag::H3, tag::H4, tag::H5, tag::H6];

impl Builder<'_> {
    // --- start tags

    #[inline(always)]
    pub fn start(&mut self, token: &TagToken) {
        if self.open.last().is_some_and(|open| open.kind != Kind::Html)
            && self.start_in_foreign(token)
        {
            return;
        }
        self.start_in_html(token);
    }

    #[inline(always)]
    pub fn start_in_html(&mut self, token: &TagToken) {
        if self.mode == Mode::InBody {
            self.start_in_body(token);
        } else {
            self.start_by_mode(token);
        }
    }

    fn start_by_mode(&mut self, token: &TagToken) {
        loop {
            let is_done = match self.mode {
                Mode::Initial => {
                    self.tree.is_quirky = true;
                    self.mode = Mode::BeforeHtml;
                    false
                }
                Mode::BeforeHtml => self.start_before_html(token),
                Mode::BeforeHead => self.start_before_head(token),
                Mode::InHead => self.start_in_head(token),
                Mode::InHeadNoscript => self.start_in_head_noscript(token),
                Mode::AfterHead => self.start_after_head(token),
                Mode::InBody | Mode::InTemplate if token.tag == tag::HTML => {
                    self.start_in_body(token);
                    true
                }
                Mode::InBody => {
                    self.start_in_body(token);
                    true
                }
                Mode::InTable => self.start_in_table(token),
                Mode::InCaption => self.start_in_caption(token),
                Mode::InColumnGroup => self.start_in_column_group(token),
                Mode::InTableBody => self.start_in_table_body(token),
                Mode::InRow => self.start_in_row(token),
                Mode::InCell => self.start_in_cell(token),
                Mode::InTemplate => self.start_in_template(token),
                Mode::AfterBody | Mode::AfterAfterBody => {
                    if token.tag == tag::HTML {
                        self.start_in_body(token);
                        true
                    } else {
                        self.mode = Mode::InBody;
                        false
                    }
                }
                Mode::InFrameset | Mode::AfterFrameset | Mode::AfterAfterFrameset => {
                    self.start_in_frameset(token);
                    true
                }
            };
            if is_done {
                return;
            }
        }
    }

    fn start_before_html(&mut self, token: &TagToken) -> bool {
        let is_html = token.tag == tag::HTML;
        if is_html {
            self.insert(token);
        } else {
            self.insert_of(tag::HTML, Span::default());
        }
        self.mode = Mode::BeforeHead;
        is_html
    }

    fn start_before_head(&mut self, token: &TagToken) -> bool {
        if token.tag == tag::HTML {
            self.start_in_body(token);
            return true;
        }
        let is_head = token.tag == tag::HEAD;
        self.head = if is_head {
            self.insert(token)
        } else {
            self.insert_of(tag::HEAD, Span::default())
        };
        self.mode = Mode::InHead;
        is_head
    }

    /// True if the token is done with; else it is one for the next mode.
    pub fn start_in_head(&mut self, token: &TagToken) -> bool {
        match token.tag {
            tag::HTML => self.start_in_body(token),
            tag::HEAD => {}
            tag::NOSCRIPT => {
                self.insert(token);
                self.mode = Mode::InHeadNoscript;
            }
            _ if self.start_of_head(token) => {}
            _ => {
                self.pop();
                self.mode = Mode::AfterHead;
                return false;
            }
        }
        true
    }

    /// What stands in heads and is taken for it wherever it stands.
    #[inline]
    pub fn start_of_head(&mut self, token: &TagToken) -> bool {
        match token.tag {
            tag::BASE | tag::BASEFONT | tag::BGSOUND | tag::LINK | tag::META => {
                self.insert_void(token);
            }
            tag::TITLE | tag::NOFRAMES | tag::STYLE | tag::SCRIPT => self.insert_raw(token),
            tag::TEMPLATE => {
                self.insert_template(token);
                self.mark_formatting();
                self.frameset_ok = false;
                self.mode = Mode::InTemplate;
                self.modes_of_templates.push(Mode::InTemplate);
            }
            _ => return false,
        }
        true
    }

    fn start_in_head_noscript(&mut self, token: &TagToken) -> bool {
        match token.tag {
            tag::HTML => self.start_in_body(token),
            tag::BASEFONT | tag::BGSOUND | tag::LINK | tag::META | tag::NOFRAMES | tag::STYLE => {
                self.start_of_head(token);
            }
            tag::HEAD | tag::NOSCRIPT => {}
            _ => {
                self.pop();
                self.mode = Mode::InHead;
                return false;
            }
        }
        true
    }

    fn start_after_head(&mut self, token: &TagToken) -> bool {
        match token.tag {
            tag::HTML => self.start_in_body(token),
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
            | tag::TITLE => {
                let head = self.head;
                self.push(crate::builder::Open {
                    id: head,
                    tag: tag::HEAD,
                    kind: Kind::Html,
                    traits: tag::traits_of(tag::HEAD),
                });
                self.start_of_head(token);
                self.remove_open(head);
            }
            _ => {
                self.insert_of(tag::BODY, Span::default());
                self.mode = Mode::InBody;
                return false;
            }
        }
        true
    }

    pub fn start_in_body(&mut self, token: &TagToken) {
        match token.tag {
            tag::ADDRESS
            | tag::ARTICLE
            | tag::ASIDE
            | tag::BLOCKQUOTE
            | tag::CENTER
            | tag::DETAILS
            | tag::DIALOG
            | tag::DIR
            | tag::DIV
            | tag::DL
            | tag::FIELDSET
            | tag::FIGCAPTION
            | tag::FIGURE
            | tag::FOOTER
            | tag::HEADER
            | tag::HGROUP
            | tag::MAIN
            | tag::MENU
            | tag::NAV
            | tag::OL
            | tag::P
            | tag::SEARCH
            | tag::SECTION
            | tag::SUMMARY
            | tag::UL => {
                self.close_p_in_button_scope();
                self.insert(token);
            }
            tag::A => {
                if let Some(at) = self.formatting_of(tag::A) {
                    let id = self.formatting[at].id;
                    self.adopt(token);
                    self.remove_formatting(id);
                    if self.is_open(id) {
                        self.remove_open(id);
                    }
                }
                self.format(token);
            }
            tag::B
            | tag::BIG
            | tag::CODE
            | tag::EM
            | tag::FONT
            | tag::I
            | tag::S
            | tag::SMALL
            | tag::STRIKE
            | tag::STRONG
            | tag::TT
            | tag::U => self.format(token),
            tag::NOBR => {
                self.reconstruct();
                if self.has(Scope::Default, tag::NOBR) && !self.adopt(token) {
                    self.end_any(tag::NOBR);
                }
                self.format(token);
            }
            tag::LI => {
                self.close_item(|open| open.is(tag::LI));
                self.insert(token);
            }
            tag::DD | tag::DT => {
                self.close_item(|open| open.is(tag::DD) || open.is(tag::DT));
                self.insert(token);
            }
            tag::AREA | tag::BR | tag::EMBED | tag::IMG | tag::KEYGEN | tag::WBR => {
                self.reconstruct();
                self.insert_void(token);
                self.frameset_ok = false;
            }
            tag::IMAGE => self.start_in_body(&TagToken {
                tag: tag::IMG,
                ..*token
            }),
            tag::INPUT => {
                if self.has(Scope::Default, tag::SELECT) {
                    self.pop_until(tag::SELECT);
                }
                self.reconstruct();
                self.insert_void(token);
                self.frameset_ok &= self.is_hidden_input(token);
            }
            tag::PARAM | tag::SOURCE | tag::TRACK => {
                self.insert_void(token);
            }
            tag::H1 | tag::H2 | tag::H3 | tag::H4 | tag::H5 | tag::H6 => {
                self.close_p_in_button_scope();
                if self.current().is_any(&HEADINGS) {
                    self.pop();
                }
                self.insert(token);
            }
            tag::TABLE => {
                if !self.tree.is_quirky {
                    self.close_p_in_button_scope();
                }
                self.insert(token);
                self.frameset_ok = false;
                self.mode = Mode::InTable;
            }
            tag::HR => {
                self.close_p_in_button_scope();
                if self.has(Scope::Default, tag::SELECT) {
                    self.generate_implied_end_tags(tag::UNKNOWN);
                }
                self.insert_void(token);
                self.frameset_ok = false;
            }
            tag::PRE | tag::LISTING => {
                self.close_p_in_button_scope();
                self.insert(token);
                self.skips_line_feed = true;
                self.frameset_ok = false;
            }
            tag::FORM => {
                let in_template = self.is_any_open(tag::TEMPLATE);
                if self.form == 0 || in_template {
                    self.close_p_in_button_scope();
                    let id = self.insert(token);
                    if !in_template {
                        self.form = id;
                    }
                }
            }
            tag::BUTTON => {
                if self.has(Scope::Default, tag::BUTTON) {
                    self.generate_implied_end_tags(tag::UNKNOWN);
                    self.pop_until(tag::BUTTON);
                }
                self.reconstruct();
                self.insert(token);
                self.frameset_ok = false;
            }
            tag::APPLET | tag::MARQUEE | tag::OBJECT => {
                self.reconstruct();
                self.insert(token);
                self.mark_formatting();
                self.frameset_ok = false;
            }
            tag::SELECT => {
                if self.has(Scope::Default, tag::SELECT) {
                    self.pop_until(tag::SELECT);
                } else {
                    self.reconstruct();
                    self.insert(token);
                    self.frameset_ok = false;
                }
            }
            tag::OPTION | tag::OPTGROUP => {
                if self.has(Scope::Default, tag::SELECT) {
                    let except = if token.tag == tag::OPTION {
                        tag::OPTGROUP
                    } else {
                        tag::UNKNOWN
                    };
                    self.generate_implied_end_tags(except);
                } else if self.current().is(tag::OPTION) {
                    self.pop();
                }
                self.reconstruct();
                self.insert(token);
            }
            tag::RB | tag::RTC | tag::RP | tag::RT => {
                if self.has(Scope::Default, tag::RUBY) {
                    let is_inner = matches!(token.tag, tag::RP | tag::RT);
                    self.generate_implied_end_tags(if is_inner { tag::RTC } else { tag::UNKNOWN });
                }
                self.insert(token);
            }
            tag::TEXTAREA => {
                self.insert_raw(token);
                self.frameset_ok = false;
            }
            tag::XMP => {
                self.close_p_in_button_scope();
                self.reconstruct();
                self.frameset_ok = false;
                self.insert_raw(token);
            }
            tag::IFRAME => {
                self.frameset_ok = false;
                self.insert_raw(token);
            }
            tag::NOEMBED => self.insert_raw(token),
            tag::PLAINTEXT => {
                self.close_p_in_button_scope();
                self.insert(token);
                let text = self.tokens.raw_text(tag::PLAINTEXT);
                if !text.is_empty() {
                    self.reconstruct();
                    self.insert_text(text, tree::RAW | tree::REPLACES_NUL);
                }
            }
            tag::MATH | tag::SVG => {
                self.reconstruct();
                self.insert_foreign(
                    token,
                    if token.tag == tag::SVG {
                        Kind::Svg
                    } else {
                        Kind::MathMl
                    },
                );
            }
            tag::HTML => {
                if !self.is_any_open(tag::TEMPLATE) {
                    self.merge(0, token.attributes);
                }
            }
            tag::BODY => {
                let has_body = self.open.get(1).is_some_and(|open| open.is(tag::BODY));
                if has_body && !self.is_any_open(tag::TEMPLATE) {
                    self.frameset_ok = false;
                    self.merge(1, token.attributes);
                }
            }
            tag::FRAMESET => {
                let body = self.open.get(1).filter(|open| open.is(tag::BODY)).copied();
                if let (Some(body), true) = (body, self.frameset_ok) {
                    self.unlink(body.id);
                    while self.open.len() > 1 {
                        self.pop();
                    }
                    self.insert(token);
                    self.mode = Mode::InFrameset;
                }
            }
            tag::CAPTION
            | tag::COL
            | tag::COLGROUP
            | tag::FRAME
            | tag::HEAD
            | tag::TBODY
            | tag::TD
            | tag::TFOOT
            | tag::TH
            | tag::THEAD
            | tag::TR => {}
            _ if self.start_of_head(token) => {}
            _ => {
                self.reconstruct();
                self.insert(token);
            }
        }
    }

    /// Open a formatting element.
    #[inline(always)]
    fn format(&mut self, token: &TagToken) {
        self.reconstruct();
        let id = self.insert(token);
        self.push_formatting(id, token);
    }

    /// Close an open item of the list that another one starts in, and a paragraph.
    #[inline(always)]
    fn close_item(&mut self, is_item: impl Fn(&crate::builder::Open) -> bool) {
        self.frameset_ok = false;
        for at in (0..self.open.len()).rev() {
            let open = self.open[at];
            if is_item(&open) {
                self.generate_implied_end_tags(open.tag);
                self.pop_until(open.tag);
                break;
            }
            if open.has(tag::SPECIAL) && !open.is_any(&[tag::ADDRESS, tag::DIV, tag::P]) {
                self.count(self.open.len() - at);
                break;
            }
        }
        self.close_p_in_button_scope();
    }

    pub fn is_hidden_input(&self, token: &TagToken) -> bool {
        value(token.attributes.of(self.tree.input), b"type")
            .is_some_and(|kind| kind.eq_ignore_ascii_case(b"hidden"))
    }

    fn start_in_template(&mut self, token: &TagToken) -> bool {
        if self.start_of_head(token) {
            return true;
        }
        let mode = match token.tag {
            tag::CAPTION | tag::COLGROUP | tag::TBODY | tag::TFOOT | tag::THEAD => Mode::InTable,
            tag::COL => Mode::InColumnGroup,
            tag::TR => Mode::InTableBody,
            tag::TD | tag::TH => Mode::InRow,
            _ => Mode::InBody,
        };
        if let Some(last) = self.modes_of_templates.last_mut() {
            *last = mode;
        }
        self.mode = mode;
        false
    }

    fn start_in_frameset(&mut self, token: &TagToken) {
        match token.tag {
            tag::HTML => self.start_in_body(token),
            tag::NOFRAMES => {
                self.start_of_head(token);
            }
            tag::FRAMESET if self.mode == Mode::InFrameset => {
                self.insert(token);
            }
            tag::FRAME if self.mode == Mode::InFrameset => {
                self.insert_void(token);
            }
            _ => {}
        }
    }

    // --- end tags

    #[inline(always)]
    pub fn end(&mut self, token: &TagToken) {
        if self.open.last().is_some_and(|open| open.kind != Kind::Html)
            && self.end_in_foreign(token)
        {
            return;
        }
        self.end_in_html(token);
    }

    #[inline(always)]
    pub fn end_in_html(&mut self, token: &TagToken) {
        if self.mode == Mode::InBody {
            self.end_in_body(token);
        } else {
            self.end_by_mode(token);
        }
    }

    /// The end tag that mode by mode is not ignored before there is a body.
    fn is_end_for_body(token: &TagToken) -> bool {
        matches!(token.tag, tag::BODY | tag::HTML | tag::BR)
    }

    pub fn end_by_mode(&mut self, token: &TagToken) {
        loop {
            let is_done = match self.mode {
                Mode::Initial => {
                    self.tree.is_quirky = true;
                    self.mode = Mode::BeforeHtml;
                    false
                }
                Mode::BeforeHtml | Mode::BeforeHead
                    if token.tag != tag::HEAD && !Self::is_end_for_body(token) =>
                {
                    true
                }
                Mode::BeforeHtml => {
                    self.insert_of(tag::HTML, Span::default());
                    self.mode = Mode::BeforeHead;
                    false
                }
                Mode::BeforeHead => {
                    self.head = self.insert_of(tag::HEAD, Span::default());
                    self.mode = Mode::InHead;
                    false
                }
                Mode::InHead => match token.tag {
                    tag::TEMPLATE => self.end_template(),
                    _ if token.tag == tag::HEAD || Self::is_end_for_body(token) => {
                        self.pop();
                        self.mode = Mode::AfterHead;
                        token.tag == tag::HEAD
                    }
                    _ => true,
                },
                Mode::InHeadNoscript => match token.tag {
                    tag::NOSCRIPT | tag::BR => {
                        self.pop();
                        self.mode = Mode::InHead;
                        token.tag == tag::NOSCRIPT
                    }
                    _ => true,
                },
                Mode::AfterHead => match token.tag {
                    tag::TEMPLATE => self.end_template(),
                    _ if Self::is_end_for_body(token) => {
                        self.insert_of(tag::BODY, Span::default());
                        self.mode = Mode::InBody;
                        false
                    }
                    _ => true,
                },
                Mode::InBody => {
                    self.end_in_body(token);
                    true
                }
                Mode::InTable => self.end_in_table(token),
                Mode::InCaption => self.end_in_caption(token),
                Mode::InColumnGroup => self.end_in_column_group(token),
                Mode::InTableBody => self.end_in_table_body(token),
                Mode::InRow => self.end_in_row(token),
                Mode::InCell => self.end_in_cell(token),
                Mode::InTemplate => token.tag != tag::TEMPLATE || self.end_template(),
                Mode::AfterBody if token.tag == tag::HTML => {
                    self.mode = Mode::AfterAfterBody;
                    true
                }
                Mode::AfterBody | Mode::AfterAfterBody => {
                    self.mode = Mode::InBody;
                    false
                }
                Mode::InFrameset => {
                    if token.tag == tag::FRAMESET && self.open.len() > 1 {
                        self.pop();
                        if !self.current().is(tag::FRAMESET) {
                            self.mode = Mode::AfterFrameset;
                        }
                    }
                    true
                }
                Mode::AfterFrameset => {
                    if token.tag == tag::HTML {
                        self.mode = Mode::AfterAfterFrameset;
                    }
                    true
                }
                Mode::AfterAfterFrameset => true,
            };
            if is_done {
                return;
            }
        }
    }

    /// Always true: nothing is left to do.
    pub fn end_template(&mut self) -> bool {
        if self.is_any_open(tag::TEMPLATE) {
            self.generate_all_implied_end_tags();
            self.pop_until(tag::TEMPLATE);
            self.clear_formatting_to_marker();
            self.modes_of_templates.pop();
            self.reset_mode();
        }
        true
    }

    pub fn end_in_body(&mut self, token: &TagToken) {
        match token.tag {
            tag::P => {
                if !self.has(Scope::Button, tag::P) {
                    self.insert_of(tag::P, Span::default());
                }
                self.close_p();
            }
            tag::ADDRESS
            | tag::ARTICLE
            | tag::ASIDE
            | tag::BLOCKQUOTE
            | tag::BUTTON
            | tag::CENTER
            | tag::DETAILS
            | tag::DIALOG
            | tag::DIR
            | tag::DIV
            | tag::DL
            | tag::FIELDSET
            | tag::FIGCAPTION
            | tag::FIGURE
            | tag::FOOTER
            | tag::HEADER
            | tag::HGROUP
            | tag::LISTING
            | tag::MAIN
            | tag::MENU
            | tag::NAV
            | tag::OL
            | tag::PRE
            | tag::SEARCH
            | tag::SECTION
            | tag::SELECT
            | tag::SUMMARY
            | tag::UL => {
                self.end_block(token.tag);
            }
            tag::A
            | tag::B
            | tag::BIG
            | tag::CODE
            | tag::EM
            | tag::FONT
            | tag::I
            | tag::NOBR
            | tag::S
            | tag::SMALL
            | tag::STRIKE
            | tag::STRONG
            | tag::TT
            | tag::U => {
                if !self.adopt(token) {
                    self.end_any(token.tag);
                }
            }
            tag::LI => {
                if self.has(Scope::ListItem, tag::LI) {
                    self.generate_implied_end_tags(tag::LI);
                    self.pop_until(tag::LI);
                }
            }
            tag::DD | tag::DT => {
                if self.has(Scope::Default, token.tag) {
                    self.generate_implied_end_tags(token.tag);
                    self.pop_until(token.tag);
                }
            }
            tag::H1 | tag::H2 | tag::H3 | tag::H4 | tag::H5 | tag::H6 => {
                if self.has_in_scope(Scope::Default, |open| open.is_any(&HEADINGS)) {
                    self.generate_implied_end_tags(tag::UNKNOWN);
                    self.pop_until_any(&HEADINGS);
                }
            }
            tag::BODY | tag::HTML => {
                if self.has(Scope::Default, tag::BODY) {
                    self.mode = Mode::AfterBody;
                    if token.tag == tag::HTML {
                        self.end_by_mode(token);
                    }
                }
            }
            tag::FORM => self.end_form(),
            tag::APPLET | tag::MARQUEE | tag::OBJECT => {
                if self.end_block(token.tag) {
                    self.clear_formatting_to_marker();
                }
            }
            tag::BR => {
                let attributes = Span {
                    end: token.attributes.start,
                    ..token.attributes
                };
                self.start_in_body(&TagToken {
                    attributes,
                    ..*token
                });
            }
            tag::TEMPLATE => {
                self.end_template();
            }
            _ => self.end_any(token.tag),
        }
    }

    #[inline(always)]
    fn end_block(&mut self, tag: Tag) -> bool {
        // nearly always what closes is what was opened last
        if self.current().is(tag) {
            self.pop();
            return true;
        }
        let is_open = self.has(Scope::Default, tag);
        if is_open {
            self.generate_implied_end_tags(tag::UNKNOWN);
            self.pop_until(tag);
        }
        is_open
    }

    fn end_form(&mut self) {
        if self.is_any_open(tag::TEMPLATE) {
            self.end_block(tag::FORM);
            return;
        }
        let form = std::mem::take(&mut self.form);
        if form != 0 && self.has_in_scope(Scope::Default, |open| open.id == form) {
            self.generate_implied_end_tags(tag::UNKNOWN);
            self.remove_open(form);
        }
    }

    #[inline]
    fn end_any(&mut self, tag: Tag) {
        for at in (0..self.open.len()).rev() {
            let open = self.open[at];
            if open.is(tag) {
                self.generate_implied_end_tags(tag);
                while self.open.len() > at {
                    self.pop();
                }
                return;
            }
            if open.has(tag::SPECIAL) {
                self.count(self.open.len() - at);
                return;
            }
        }
    }

    pub fn reset_mode(&mut self) {
        self.mode = Mode::InBody;
        for (at, open) in self.open.iter().enumerate().rev() {
            if open.kind != Kind::Html {
                continue;
            }
            self.mode = match open.tag {
                tag::TD | tag::TH if at > 0 => Mode::InCell,
                tag::TR => Mode::InRow,
                tag::TBODY | tag::THEAD | tag::TFOOT => Mode::InTableBody,
                tag::CAPTION => Mode::InCaption,
                tag::COLGROUP => Mode::InColumnGroup,
                tag::TABLE => Mode::InTable,
                tag::TEMPLATE => self
                    .modes_of_templates
                    .last()
                    .copied()
                    .unwrap_or(Mode::InBody),
                tag::HEAD if at > 0 => Mode::InHead,
                tag::BODY => Mode::InBody,
                tag::FRAMESET => Mode::InFrameset,
                tag::HTML if self.head == 0 => Mode::BeforeHead,
                tag::HTML => Mode::AfterHead,
                _ => continue,
            };
            return;
        }
    }

    // --- text

    /// How many of the first bytes of a text are white space, references to it included.
    fn white(&self, span: Span, flags: u8) -> u32 {
        let text = span.of(self.tree.input);
        let mut at = 0;
        loop {
            match text.get(at) {
                Some(byte) if byte.is_ascii_whitespace() => at += 1,
                Some(b'&') if flags & tree::RAW == 0 => {
                    let rest = &text[at..text.len().min(at + 12)];
                    let length = rest
                        .iter()
                        .position(|&byte| byte == b';')
                        .map_or(0, |at| at + 1);
                    let is_white = std::str::from_utf8(&rest[..length]).is_ok_and(|reference| {
                        let decoded = htmlize::unescape(reference);
                        matches!(&*decoded, "\t" | "\n" | "\u{C}" | "\r" | " ")
                    });
                    if !is_white {
                        return at as u32;
                    }
                    at += length;
                }
                _ => return at as u32,
            }
        }
    }

    /// How long the line feed is that a text starts with, which may be a reference to one.
    #[cold]
    fn first_line_feed(&self, span: Span, flags: u8) -> u32 {
        let text = span.of(self.tree.input);
        let end = text.iter().take(12).position(|&byte| byte == b';');
        match end {
            Some(end) if text[0] == b'&' && flags & tree::RAW == 0 => {
                let reference = String::from_utf8_lossy(&text[..=end]);
                if htmlize::unescape(&*reference) == "\n" {
                    end as u32 + 1
                } else {
                    0
                }
            }
            _ => line_feed(text),
        }
    }

    #[inline(always)]
    pub fn text(&mut self, mut span: Span, flags: u8) {
        if std::mem::take(&mut self.skips_line_feed) {
            span.start += self.first_line_feed(span, flags);
            if span.is_empty() {
                return;
            }
        }
        if self.open.last().is_some_and(|open| open.kind != Kind::Html)
            && self.text_in_foreign(span, flags)
        {
            return;
        }
        if self.has_nul {
            self.text_with_nul(span, flags);
        } else if self.mode == Mode::InBody {
            self.text_in_body(span, flags);
        } else {
            self.text_by_mode(span, flags);
        }
    }

    #[cold]
    fn text_with_nul(&mut self, span: Span, flags: u8) {
        let mut from = span.start;
        for piece in span.of(self.tree.input).split(|&byte| byte == 0) {
            let end = from + piece.len() as u32;
            if !piece.is_empty() {
                self.text_by_mode(Span { start: from, end }, flags);
            }
            if end < span.end
                && !matches!(self.mode, Mode::InTable | Mode::InTableBody | Mode::InRow)
            {
                // ignored where there is a body, which it opens as any letter does
                self.text_by_mode(Span { start: end, end }, flags);
            }
            from = end + 1;
        }
    }

    #[inline(always)]
    pub fn text_in_body(&mut self, span: Span, flags: u8) {
        if span.is_empty() {
            return;
        }
        self.reconstruct();
        self.insert_text(span, flags);
        if self.frameset_ok && self.white(span, flags) < span.end - span.start {
            self.frameset_ok = false;
        }
    }

    pub fn text_by_mode(&mut self, mut span: Span, flags: u8) {
        loop {
            let white = match self.mode {
                Mode::InBody | Mode::InCaption | Mode::InCell | Mode::InTemplate => {
                    return self.text_in_body(span, flags);
                }
                Mode::InTable | Mode::InTableBody | Mode::InRow => {
                    return self.text_in_table(span, flags);
                }
                Mode::InFrameset | Mode::AfterFrameset | Mode::AfterAfterFrameset => {
                    return self.text_in_frameset(span, flags);
                }
                _ => self.white(span, flags),
            };
            let head = Span {
                end: span.start + white,
                ..span
            };
            let is_all = head.end == span.end && !span.is_empty();
            match self.mode {
                Mode::Initial | Mode::BeforeHtml | Mode::BeforeHead => {}
                Mode::AfterBody | Mode::AfterAfterBody => self.text_in_body(head, flags),
                _ if head.is_empty() => {}
                _ => self.insert_text(head, flags),
            }
            if is_all {
                return;
            }
            span.start = head.end;
            match self.mode {
                Mode::Initial => {
                    self.tree.is_quirky = true;
                    self.mode = Mode::BeforeHtml;
                }
                Mode::BeforeHtml => {
                    self.insert_of(tag::HTML, Span::default());
                    self.mode = Mode::BeforeHead;
                }
                Mode::BeforeHead => {
                    self.head = self.insert_of(tag::HEAD, Span::default());
                    self.mode = Mode::InHead;
                }
                Mode::InHead => {
                    self.pop();
                    self.mode = Mode::AfterHead;
                }
                Mode::InHeadNoscript => {
                    self.pop();
                    self.mode = Mode::InHead;
                }
                Mode::AfterHead => {
                    self.insert_of(tag::BODY, Span::default());
                    self.mode = Mode::InBody;
                }
                Mode::InColumnGroup => {
                    if !self.current().is(tag::COLGROUP) {
                        return self.skip_to_white(span, flags);
                    }
                    self.pop();
                    self.mode = Mode::InTable;
                }
                _ => self.mode = Mode::InBody,
            }
        }
    }

    /// In a column group of a template only white space counts.
    #[cold]
    fn skip_to_white(&mut self, span: Span, flags: u8) {
        self.white_pieces(span, |builder, piece| builder.insert_text(piece, flags));
    }

    fn text_in_frameset(&mut self, span: Span, flags: u8) {
        let is_last = self.mode == Mode::AfterAfterFrameset;
        self.white_pieces(span, |builder, piece| {
            if is_last {
                builder.reconstruct();
            }
            builder.insert_text(piece, flags);
        });
    }

    fn white_pieces(&mut self, span: Span, mut insert: impl FnMut(&mut Self, Span)) {
        let input = self.tree.input;
        let mut at = span.start;
        while at < span.end {
            let is_white = |at: u32| input[at as usize].is_ascii_whitespace();
            let start = at;
            while at < span.end && is_white(at) {
                at += 1;
            }
            if at > start {
                insert(self, Span { start, end: at });
            }
            while at < span.end && !is_white(at) {
                at += 1;
            }
        }
    }

    // --- the rest

    #[inline]
    pub fn comment(&mut self, span: Span) {
        let parent = match self.mode {
            Mode::Initial | Mode::BeforeHtml | Mode::AfterAfterBody | Mode::AfterAfterFrameset => {
                Some(0)
            }
            Mode::AfterBody => self.open.first().map(|open| open.id),
            _ => None,
        };
        self.insert_comment(span, parent);
    }

    pub fn doctype(&mut self, span: Span) {
        if self.mode == Mode::Initial {
            let is_closed = self.tree.input.get(span.end as usize) == Some(&b'>');
            let read = doctype::read(span.of(self.tree.input), is_closed);
            self.tree.is_quirky = read.is_quirky();
            let id = self.add(Node::new(Kind::Doctype, 0, span, 0));
            self.link(id, 0, 0);
            self.mode = Mode::BeforeHtml;
        }
    }

    pub fn eof(&mut self) {
        while self.is_any_open(tag::TEMPLATE) {
            self.pop_until(tag::TEMPLATE);
            self.clear_formatting_to_marker();
            self.modes_of_templates.pop();
            self.reset_mode();
        }
        if self.mode == Mode::Initial {
            self.tree.is_quirky = true;
        }
        if matches!(self.mode, Mode::Initial | Mode::BeforeHtml) {
            self.insert_of(tag::HTML, Span::default());
            self.mode = Mode::BeforeHead;
        }
        if self.mode == Mode::BeforeHead {
            self.insert_of(tag::HEAD, Span::default());
            self.mode = Mode::InHead;
        }
        while matches!(self.mode, Mode::InHead | Mode::InHeadNoscript) {
            self.pop();
            let in_noscript = self.mode == Mode::InHeadNoscript;
            self.mode = if in_noscript {
                Mode::InHead
            } else {
                Mode::AfterHead
            };
        }
        if self.mode == Mode::AfterHead {
            self.insert_of(tag::BODY, Span::default());
        }
    }
}
