//! End tags of "in body".

use super::super::super::TreeBuilder;
use super::super::super::adoption_agency::Adoption;
use super::{HEADINGS, Mode, Scope, Step};
use crate::tag::{self, Tag, Trait};
use crate::tokenizer::{Span, TagToken};

impl TreeBuilder<'_> {
    /// The rules for end tags, which many other modes use too.
    pub(in crate::construction::modes) fn end_in_body(&mut self, token: &TagToken) -> Step {
        match token.tag {
            tag::P => self.end_paragraph(),
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
                if self.adopt(token.tag) == Adoption::AnyOtherEndTag {
                    self.end_any_other(token.tag);
                }
            }
            tag::LI => self.end_item(Scope::ListItem, tag::LI),
            tag::DD | tag::DT => self.end_item(Scope::Default, token.tag),
            tag::H1 | tag::H2 | tag::H3 | tag::H4 | tag::H5 | tag::H6 => self.end_heading(),
            tag::BODY | tag::HTML => return self.end_body(token),
            tag::FORM => self.end_form(),
            tag::APPLET | tag::MARQUEE | tag::OBJECT => {
                if self.end_block(token.tag) {
                    self.clear_formatting_to_marker();
                }
            }
            tag::BR => self.end_break(token),
            tag::TEMPLATE => self.end_template(),
            tag::NOFRAMES if self.mode_after_noframes.is_some() => self.end_noframes(),
            _ => self.end_any_other(token.tag),
        }
        Step::Done
    }

    fn end_paragraph(&mut self) {
        if !self.has(Scope::Button, tag::P) {
            self.insert_implied(tag::P);
        }
        self.close_p();
    }

    /// False if there is no such element in scope.
    #[inline(always)]
    fn end_block(&mut self, tag: Tag) -> bool {
        // nearly always the element that was opened last
        if self.current().is(tag) {
            self.pop();
            return true;
        }
        let is_open = self.has(Scope::Default, tag);
        if is_open {
            self.generate_implied_end_tags();
            self.pop_until(tag);
        }
        is_open
    }

    fn end_item(&mut self, scope: Scope, tag: Tag) {
        if self.has(scope, tag) {
            self.generate_implied_end_tags_except(tag);
            self.pop_until(tag);
        }
    }

    /// The end tag of one heading ends another one too.
    fn end_heading(&mut self) {
        if self.has_in_scope(Scope::Default, |open| open.is_any(&HEADINGS)) {
            self.generate_implied_end_tags();
            self.pop_until_any(&HEADINGS);
        }
    }

    fn end_body(&mut self, token: &TagToken) -> Step {
        if !self.has(Scope::Default, tag::BODY) {
            return Step::Done;
        }
        self.mode = Mode::AfterBody;
        Step::reprocess_if(token.tag == tag::HTML)
    }

    fn end_form(&mut self) {
        if self.has_template() {
            self.end_block(tag::FORM);
            return;
        }
        let form = std::mem::take(&mut self.form);
        if form != 0 && self.has_in_scope(Scope::Default, |open| open.id == form) {
            self.generate_implied_end_tags();
            self.remove_open(form);
        }
    }

    /// `</br>` is `<br>`.
    fn end_break(&mut self, token: &TagToken) {
        let attributes = Span {
            end: token.attributes.start,
            ..token.attributes
        };
        self.start_void(&TagToken {
            attributes,
            read: 0,
            ..*token
        });
    }

    /// *Any other end tag*: ends an element that is open in the innermost special element.
    #[inline]
    pub(super) fn end_any_other(&mut self, tag: Tag) {
        if !self.may_be_open(tag) {
            return;
        }
        let (mut steps, mut is_open) = (0, false);
        for open in self.open.iter().rev() {
            steps += 1;
            is_open = open.is(tag);
            if is_open || open.has(Trait::SPECIAL) {
                break;
            }
        }
        self.count(steps);
        if is_open {
            self.truncate(self.open.len() - steps);
        }
    }
}
