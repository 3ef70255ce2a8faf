//! Start tags of "in body".

use super::super::super::TreeBuilder;
use super::super::super::adoption_agency::Adoption;
use super::{HEADINGS, Mode, Scope, Step, Text};
use crate::attributes::value;
use crate::tag::{self, Tag, Trait};
use crate::tokenizer::TagToken;
use crate::tree::{self, Kind};

impl TreeBuilder<'_> {
    /// The rules for start tags, which many other modes use too.
    pub(in crate::construction::modes) fn start_in_body(&mut self, token: &TagToken) -> Step {
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
            | tag::UL => self.start_block(token),
            tag::A => self.start_link(token),
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
            | tag::U => self.start_formatting(token),
            tag::NOBR => self.start_nobr(token),
            tag::LI => self.start_item(token, &[tag::LI]),
            tag::DD | tag::DT => self.start_item(token, &[tag::DD, tag::DT]),
            tag::AREA | tag::BR | tag::EMBED | tag::IMG | tag::KEYGEN | tag::WBR => {
                self.start_void(token);
            }
            tag::IMAGE => {
                let tag = tag::IMG;
                self.start_void(&TagToken { tag, ..*token });
            }
            tag::INPUT => self.start_input(token),
            tag::PARAM | tag::SOURCE | tag::TRACK => {
                self.insert_void(token);
            }
            tag::H1 | tag::H2 | tag::H3 | tag::H4 | tag::H5 | tag::H6 => self.start_heading(token),
            tag::TABLE => self.start_table(token),
            tag::HR => self.start_rule(token),
            tag::PRE | tag::LISTING => self.start_preformatted(token),
            tag::FORM => self.start_form(token),
            tag::BUTTON => self.start_button(token),
            tag::APPLET | tag::MARQUEE | tag::OBJECT => self.start_object(token),
            tag::SELECT => self.start_select(token),
            tag::OPTION | tag::OPTGROUP => self.start_option(token),
            tag::RB | tag::RTC => self.start_ruby_text(token, tag::UNKNOWN),
            tag::RP | tag::RT => self.start_ruby_text(token, tag::RTC),
            tag::TEXTAREA | tag::IFRAME => {
                self.frameset_ok = false;
                self.insert_raw_text_element(token);
            }
            tag::XMP => self.start_xmp(token),
            tag::NOEMBED => self.insert_raw_text_element(token),
            tag::PLAINTEXT => self.start_plaintext(token),
            tag::MATH => self.start_foreign(token, Kind::MathMl),
            tag::SVG => self.start_foreign(token, Kind::Svg),
            tag::HTML => self.start_html_again(token),
            tag::BODY => self.start_body_again(token),
            tag::FRAMESET => self.start_frameset_in_body(token),
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
        Step::Done
    }

    #[inline(always)]
    fn start_block(&mut self, token: &TagToken) {
        self.close_p_in_button_scope();
        self.insert(token);
    }

    #[inline(always)]
    fn start_formatting(&mut self, token: &TagToken) {
        self.reconstruct();
        let id = self.insert(token);
        self.push_formatting(id, token);
    }

    #[inline(always)]
    fn start_link(&mut self, token: &TagToken) {
        if let Some(at) = self.formatting_of(tag::A) {
            let id = self.formatting[at].id;
            self.adopt(tag::A);
            if let Some(at) = self.listed_position(id) {
                self.unlist_at(at);
            }
            self.remove_open(id);
        }
        self.start_formatting(token);
    }

    fn start_nobr(&mut self, token: &TagToken) {
        self.reconstruct();
        let is_open = self.has(Scope::Default, tag::NOBR);
        if is_open && self.adopt(tag::NOBR) == Adoption::AnyOtherEndTag {
            self.end_any_other(tag::NOBR);
        }
        self.start_formatting(token);
    }

    /// A list item ends the previous one.
    #[inline(always)]
    fn start_item(&mut self, token: &TagToken, items: &[Tag]) {
        self.frameset_ok = false;
        if let Some(item) = self.open_item(items) {
            self.generate_implied_end_tags_except(item);
            self.pop_until(item);
        }
        self.start_block(token);
    }

    /// The name of the item that is open in the innermost list.
    #[inline(always)]
    fn open_item(&mut self, items: &[Tag]) -> Option<Tag> {
        if !items.iter().any(|&item| self.may_be_open(item)) {
            return None;
        }
        let (mut steps, mut found) = (0, None);
        for open in self.open.iter().rev() {
            steps += 1;
            if open.is_any(items) {
                found = Some(open.tag);
                break;
            }
            if open.has(Trait::SPECIAL) && !open.is_any(&[tag::ADDRESS, tag::DIV, tag::P]) {
                break;
            }
        }
        self.count(steps);
        found
    }

    #[inline(always)]
    pub(super) fn start_void(&mut self, token: &TagToken) {
        self.reconstruct();
        self.insert_void(token);
        self.frameset_ok = false;
    }

    fn start_input(&mut self, token: &TagToken) {
        if self.has(Scope::Default, tag::SELECT) {
            self.pop_until(tag::SELECT);
        }
        self.reconstruct();
        self.insert_void(token);
        self.frameset_ok &= self.is_hidden_input(token);
    }

    pub(in crate::construction::modes) fn is_hidden_input(&self, token: &TagToken) -> bool {
        value(token.attributes.of(self.tree.input), b"type")
            .is_some_and(|kind| kind.eq_ignore_ascii_case(b"hidden"))
    }

    fn start_heading(&mut self, token: &TagToken) {
        self.close_p_in_button_scope();
        if self.current().is_any(&HEADINGS) {
            self.pop();
        }
        self.insert(token);
    }

    fn start_table(&mut self, token: &TagToken) {
        if !self.tree.is_quirky {
            self.close_p_in_button_scope();
        }
        self.insert(token);
        self.frameset_ok = false;
        self.mode = Mode::InTable;
    }

    fn start_rule(&mut self, token: &TagToken) {
        self.close_p_in_button_scope();
        if self.has(Scope::Default, tag::SELECT) {
            self.generate_implied_end_tags();
        }
        self.insert_void(token);
        self.frameset_ok = false;
    }

    fn start_preformatted(&mut self, token: &TagToken) {
        self.start_block(token);
        self.skips_line_feed = true;
        self.frameset_ok = false;
    }

    fn start_form(&mut self, token: &TagToken) {
        if self.has_template() {
            self.start_block(token);
        } else if self.form == 0 {
            self.close_p_in_button_scope();
            self.form = self.insert(token);
        }
    }

    fn start_button(&mut self, token: &TagToken) {
        if self.has(Scope::Default, tag::BUTTON) {
            self.generate_implied_end_tags();
            self.pop_until(tag::BUTTON);
        }
        self.reconstruct();
        self.insert(token);
        self.frameset_ok = false;
    }

    fn start_object(&mut self, token: &TagToken) {
        self.reconstruct();
        self.insert(token);
        self.mark_formatting();
        self.frameset_ok = false;
    }

    fn start_select(&mut self, token: &TagToken) {
        if self.has(Scope::Default, tag::SELECT) {
            self.pop_until(tag::SELECT);
        } else {
            self.reconstruct();
            self.insert(token);
            self.frameset_ok = false;
        }
    }

    fn start_option(&mut self, token: &TagToken) {
        if self.has(Scope::Default, tag::SELECT) {
            let is_option = token.tag == tag::OPTION;
            let except = if is_option {
                tag::OPTGROUP
            } else {
                tag::UNKNOWN
            };
            self.generate_implied_end_tags_except(except);
        } else if self.current().is(tag::OPTION) {
            self.pop();
        }
        self.reconstruct();
        self.insert(token);
    }

    fn start_ruby_text(&mut self, token: &TagToken, except: Tag) {
        if self.has(Scope::Default, tag::RUBY) {
            self.generate_implied_end_tags_except(except);
        }
        self.insert(token);
    }

    fn start_xmp(&mut self, token: &TagToken) {
        self.close_p_in_button_scope();
        self.reconstruct();
        self.frameset_ok = false;
        self.insert_raw_text_element(token);
    }

    /// The whole rest of the input is its text.
    fn start_plaintext(&mut self, token: &TagToken) {
        self.start_block(token);
        if self.is_empty_element {
            return;
        }
        let span = self.tokens.raw_text(tag::PLAINTEXT);
        if !span.is_empty() {
            self.reconstruct();
            let flags = tree::RAW | tree::REPLACES_NUL;
            self.insert_text(Text { span, flags });
        }
    }

    fn start_foreign(&mut self, token: &TagToken, kind: Kind) {
        self.reconstruct();
        self.insert_foreign(token, kind);
    }

    fn start_html_again(&mut self, token: &TagToken) {
        if !self.has_template() {
            self.merge_attributes(0, token.attributes);
        }
    }

    fn start_body_again(&mut self, token: &TagToken) {
        let has_body = self.open.get(1).is_some_and(|open| open.is(tag::BODY));
        if has_body && !self.has_template() {
            self.frameset_ok = false;
            self.merge_attributes(1, token.attributes);
        }
    }

    /// A frameset replaces a body that has no significant content yet.
    fn start_frameset_in_body(&mut self, token: &TagToken) {
        let body = self.open.get(1).filter(|open| open.is(tag::BODY)).copied();
        if let (Some(body), true) = (body, self.frameset_ok) {
            self.unlink(body.id);
            self.truncate(1);
            self.insert(token);
            self.mode = Mode::InFrameset;
        }
    }
}
