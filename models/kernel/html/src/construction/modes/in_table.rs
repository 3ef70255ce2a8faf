//! 13.2.6.4.9 The "in table" insertion mode, and 13.2.6.4.10 "in table text".

use super::super::TreeBuilder;
use super::super::characters::Text;
use super::super::open_elements::Scope;
use super::{Mode, Step};
use crate::tag::{self, Tag, Trait};
use crate::tokenizer::TagToken;

/// Whether a start tag ends a caption or a cell.
pub(super) fn is_of_table(tag: Tag) -> bool {
    matches!(
        tag,
        tag::CAPTION
            | tag::COL
            | tag::COLGROUP
            | tag::TBODY
            | tag::TD
            | tag::TFOOT
            | tag::TH
            | tag::THEAD
            | tag::TR
    )
}

impl TreeBuilder<'_> {
    pub(super) fn start_in_table(&mut self, token: &TagToken) -> Step {
        match token.tag {
            tag::CAPTION => {
                self.clear_back_to(&[tag::TABLE]);
                self.mark_formatting();
                self.insert(token);
                self.mode = Mode::InCaption;
            }
            tag::COLGROUP => {
                self.clear_back_to(&[tag::TABLE]);
                self.insert(token);
                self.mode = Mode::InColumnGroup;
            }
            tag::COL => return self.imply_in_table(tag::COLGROUP, Mode::InColumnGroup),
            tag::TBODY | tag::TFOOT | tag::THEAD => {
                self.clear_back_to(&[tag::TABLE]);
                self.insert(token);
                self.mode = Mode::InTableBody;
            }
            tag::TD | tag::TH | tag::TR => {
                return self.imply_in_table(tag::TBODY, Mode::InTableBody);
            }
            tag::TABLE => return Step::reprocess_if(self.close_table()),
            tag::STYLE | tag::SCRIPT | tag::TEMPLATE => {
                self.start_of_head(token);
            }
            tag::INPUT if self.is_hidden_input(token) => {
                self.insert_void(token);
            }
            tag::FORM => {
                if self.form == 0 && !self.has_template() {
                    self.form = self.insert_void(token);
                }
            }
            _ => return self.start_fostered(token),
        }
        Step::Done
    }

    fn imply_in_table(&mut self, tag: Tag, mode: Mode) -> Step {
        self.clear_back_to(&[tag::TABLE]);
        self.insert_implied(tag);
        self.mode = mode;
        Step::Reprocess
    }

    pub(super) fn end_in_table(&mut self, token: &TagToken) -> Step {
        match token.tag {
            tag::TABLE => {
                self.close_table();
            }
            tag::BODY | tag::HTML => {}
            tag::TEMPLATE => self.end_template(),
            other if is_of_table(other) => {}
            _ => return self.end_fostered(token),
        }
        Step::Done
    }

    /// Close the table; false if there is none in scope.
    fn close_table(&mut self) -> bool {
        let is_open = self.has(Scope::Table, tag::TABLE);
        if is_open {
            self.pop_until(tag::TABLE);
            self.reset_insertion_mode();
        }
        is_open
    }

    /// *Anything else*: by the rules of "in body", with foster parenting.
    fn start_fostered(&mut self, token: &TagToken) -> Step {
        self.fosters = true;
        let step = self.start_in_body(token);
        self.fosters = false;
        step
    }

    fn end_fostered(&mut self, token: &TagToken) -> Step {
        self.fosters = true;
        let step = self.end_in_body(token);
        self.fosters = false;
        step
    }

    /// White space stays in the table.
    ///
    /// The standard collects all characters up to the next token of another kind. Here a text is
    /// one token of the tokenizer, so a `</>` in a text divides it.
    pub(super) fn text_in_table(&mut self, text: Text) {
        self.table_text(text, self.is_white(text));
    }

    /// A part of a text: either white space only, or without white space at its ends.
    pub(in crate::construction) fn table_text(&mut self, text: Text, is_white: bool) {
        let current = self.current();
        let is_of_table = current.has(Trait::FOSTERING) || current.is(tag::TEMPLATE);
        if is_of_table && is_white {
            if !text.span.is_empty() {
                self.insert_text(text);
            }
            return;
        }
        self.fosters = true;
        self.text_in_body(text);
        self.fosters = false;
    }
}
