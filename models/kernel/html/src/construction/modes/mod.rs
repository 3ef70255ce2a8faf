//! 13.2.6.4 The rules for parsing tokens in HTML content: one module per insertion mode.
//!
//! Section numbers are the standard's without "in select" modes; the names do not change.
//!
//! | module | section |
//! |---|---|
//! | `initial` | 13.2.6.4.1 "initial" |
//! | `before_html` | 13.2.6.4.2 "before html" |
//! | `before_head` | 13.2.6.4.3 "before head" |
//! | `in_head` | 13.2.6.4.4 "in head" |
//! | `in_head_noscript` | 13.2.6.4.5 "in head noscript" |
//! | `after_head` | 13.2.6.4.6 "after head" |
//! | `in_body` | 13.2.6.4.7 "in body" |
//! | (`raw_text`) | 13.2.6.4.8 "text" |
//! | `in_table` | 13.2.6.4.9 "in table", 13.2.6.4.10 "in table text" |
//! | `in_caption` | 13.2.6.4.11 "in caption" |
//! | `in_column_group` | 13.2.6.4.12 "in column group" |
//! | `in_table_body` | 13.2.6.4.13 "in table body" |
//! | `in_row` | 13.2.6.4.14 "in row" |
//! | `in_cell` | 13.2.6.4.15 "in cell" |
//! | `in_template` | 13.2.6.4.16 "in template" |
//! | `after_body` | 13.2.6.4.17 "after body", 13.2.6.4.20 "after after body" |
//! | `in_frameset` | 13.2.6.4.18 "in frameset" |
//! | `after_frameset` | 13.2.6.4.19 "after frameset", 13.2.6.4.21 "after after frameset" |

mod after_body;
mod after_frameset;
mod after_head;
mod before_head;
mod before_html;
mod in_body;
mod in_caption;
mod in_cell;
mod in_column_group;
mod in_frameset;
mod in_head;
mod in_head_noscript;
mod in_row;
mod in_table;
mod in_table_body;
mod in_template;
mod initial;
mod reset;
mod stop;

use super::TreeBuilder;
use super::characters::Text;
use super::insertion::Place;
use crate::tag::{self, Tag};
use crate::tokenizer::{Span, TagToken};

/// 13.2.4.1 The insertion mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
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

impl Mode {
    /// Whether texts are read by the rules of "in table text".
    pub fn is_of_table_text(self) -> bool {
        matches!(self, Self::InTable | Self::InTableBody | Self::InRow)
    }
}

/// How a rule treated a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(super) enum Step {
    /// The token is used or ignored.
    Done,
    /// *Reprocess the token* by the rules of the mode that is set now.
    Reprocess,
}

impl Step {
    pub fn reprocess_if(condition: bool) -> Self {
        if condition {
            Self::Reprocess
        } else {
            Self::Done
        }
    }
}

/// End tags that are not ignored before there is a body.
fn is_end_for_body(tag: Tag) -> bool {
    matches!(tag, tag::BODY | tag::HTML | tag::BR)
}

impl TreeBuilder<'_> {
    /// *The tree construction dispatcher* for a start tag.
    #[inline(always)]
    pub(super) fn start(&mut self, token: &TagToken) {
        if self.is_in_foreign() && self.start_in_foreign(token) == Step::Done {
            return;
        }
        if self.mode == Mode::InBody && self.start_in_body(token) == Step::Done {
            return;
        }
        self.start_by_mode(token);
    }

    fn start_by_mode(&mut self, token: &TagToken) {
        while self.start_in_mode(token) == Step::Reprocess {}
    }

    #[inline(always)]
    fn start_in_mode(&mut self, token: &TagToken) -> Step {
        match self.mode {
            Mode::Initial => self.leave_initial(),
            Mode::BeforeHtml => self.start_before_html(token),
            Mode::BeforeHead => self.start_before_head(token),
            Mode::InHead => self.start_in_head(token),
            Mode::InHeadNoscript => self.start_in_head_noscript(token),
            Mode::AfterHead => self.start_after_head(token),
            Mode::InBody => self.start_in_body(token),
            Mode::InTable => self.start_in_table(token),
            Mode::InCaption => self.start_in_caption(token),
            Mode::InColumnGroup => self.start_in_column_group(token),
            Mode::InTableBody => self.start_in_table_body(token),
            Mode::InRow => self.start_in_row(token),
            Mode::InCell => self.start_in_cell(token),
            Mode::InTemplate => self.start_in_template(token),
            Mode::AfterBody | Mode::AfterAfterBody => self.start_after_body(token),
            Mode::InFrameset => self.start_in_frameset(token),
            Mode::AfterFrameset | Mode::AfterAfterFrameset => self.start_after_frameset(token),
        }
    }

    /// *The tree construction dispatcher* for an end tag.
    #[inline(always)]
    pub(super) fn end(&mut self, token: &TagToken) {
        if self.is_in_foreign() && self.end_in_foreign(token) == Step::Done {
            return;
        }
        if self.mode == Mode::InBody && self.end_in_body(token) == Step::Done {
            return;
        }
        self.end_by_mode(token);
    }

    fn end_by_mode(&mut self, token: &TagToken) {
        while self.end_in_mode(token) == Step::Reprocess {}
    }

    #[inline(always)]
    fn end_in_mode(&mut self, token: &TagToken) -> Step {
        match self.mode {
            Mode::Initial => self.leave_initial(),
            Mode::BeforeHtml => self.end_before_html(token),
            Mode::BeforeHead => self.end_before_head(token),
            Mode::InHead => self.end_in_head(token),
            Mode::InHeadNoscript => self.end_in_head_noscript(token),
            Mode::AfterHead => self.end_after_head(token),
            Mode::InBody => self.end_in_body(token),
            Mode::InTable => self.end_in_table(token),
            Mode::InCaption => self.end_in_caption(token),
            Mode::InColumnGroup => self.end_in_column_group(token),
            Mode::InTableBody => self.end_in_table_body(token),
            Mode::InRow => self.end_in_row(token),
            Mode::InCell => self.end_in_cell(token),
            Mode::InTemplate => self.end_in_template(token),
            Mode::AfterBody | Mode::AfterAfterBody => self.end_after_body(token),
            Mode::InFrameset => self.end_in_frameset(token),
            Mode::AfterFrameset | Mode::AfterAfterFrameset => self.end_after_frameset(token),
        }
    }

    pub(super) fn text_by_mode(&mut self, text: Text) {
        let mut next = Some(text);
        while let Some(text) = next {
            next = self.text_in_mode(text);
        }
    }

    /// Use a text, or the white space at its start; returns the part to reprocess.
    fn text_in_mode(&mut self, text: Text) -> Option<Text> {
        match self.mode {
            Mode::Initial => self.text_initial(text),
            Mode::BeforeHtml => self.text_before_html(text),
            Mode::BeforeHead => self.text_before_head(text),
            Mode::InHead => self.text_in_head(text),
            Mode::InHeadNoscript => self.text_in_head_noscript(text),
            Mode::AfterHead => self.text_after_head(text),
            Mode::InBody | Mode::InCaption | Mode::InCell | Mode::InTemplate => {
                self.text_in_body(text);
                None
            }
            Mode::InTable | Mode::InTableBody | Mode::InRow => {
                self.text_in_table(text);
                None
            }
            Mode::InColumnGroup => self.text_in_column_group(text),
            Mode::AfterBody | Mode::AfterAfterBody => self.text_after_body(text),
            Mode::InFrameset | Mode::AfterFrameset => {
                self.text_in_frameset(text);
                None
            }
            Mode::AfterAfterFrameset => {
                self.text_after_after_frameset(text);
                None
            }
        }
    }

    /// A comment goes to the current node, except around the root.
    #[inline]
    pub(super) fn comment(&mut self, span: Span) {
        self.skips_line_feed = false;
        let place = match self.mode {
            Mode::Initial | Mode::BeforeHtml | Mode::AfterAfterBody | Mode::AfterAfterFrameset => {
                self.note_declaration(span);
                Place::last_in(0)
            }
            Mode::AfterBody => Place::last_in(self.open.first().map_or(0, |open| open.id)),
            _ => self.place(),
        };
        self.insert_comment(span, place);
    }
}
