//! The insertion modes in tables. A method returns true if the token is done with; else it is one
//! for the mode that is on now.

use crate::builder::{Builder, Scope};
use crate::modes::Mode;
use crate::tag::{self, Tag};
use crate::tokenizer::{Span, TagToken};

const GROUPS: [Tag; 3] = [tag::TBODY, tag::TFOOT, tag::THEAD];
const CELLS: [Tag; 2] = [tag::TD, tag::TH];

impl Builder<'_> {
    /// By the rules of the body, but what would stand right in the table stands before it.
    fn start_fostered(&mut self, token: &TagToken) -> bool {
        self.fosters = true;
        self.start_in_body(token);
        self.fosters = false;
        true
    }

    fn end_fostered(&mut self, token: &TagToken) -> bool {
        self.fosters = true;
        self.end_in_body(token);
        self.fosters = false;
        true
    }

    pub fn text_in_table(&mut self, span: Span, flags: u8) {
        let current = self.current();
        let is_white = span.of(self.tree.input).iter().all(u8::is_ascii_whitespace);
        if is_white && (current.has(tag::FOSTERING) || current.is(tag::TEMPLATE)) {
            if !span.is_empty() {
                self.insert_text(span, flags);
            }
            return;
        }
        self.fosters = true;
        self.text_in_body(span, flags);
        self.fosters = false;
    }

    pub fn start_in_table(&mut self, token: &TagToken) -> bool {
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
            tag::COL => {
                self.clear_back_to(&[tag::TABLE]);
                self.insert_of(tag::COLGROUP, Span::default());
                self.mode = Mode::InColumnGroup;
                return false;
            }
            tag::TBODY | tag::TFOOT | tag::THEAD => {
                self.clear_back_to(&[tag::TABLE]);
                self.insert(token);
                self.mode = Mode::InTableBody;
            }
            tag::TD | tag::TH | tag::TR => {
                self.clear_back_to(&[tag::TABLE]);
                self.insert_of(tag::TBODY, Span::default());
                self.mode = Mode::InTableBody;
                return false;
            }
            tag::TABLE => {
                if self.has(Scope::Table, tag::TABLE) {
                    self.pop_until(tag::TABLE);
                    self.reset_mode();
                    return false;
                }
            }
            tag::STYLE | tag::SCRIPT | tag::TEMPLATE => {
                self.start_of_head(token);
            }
            tag::INPUT if self.is_hidden_input(token) => {
                self.insert_void(token);
            }
            tag::FORM => {
                if self.form == 0 && !self.is_any_open(tag::TEMPLATE) {
                    self.form = self.insert_void(token);
                }
            }
            _ => return self.start_fostered(token),
        }
        true
    }

    pub fn end_in_table(&mut self, token: &TagToken) -> bool {
        match token.tag {
            tag::TABLE => {
                if self.has(Scope::Table, tag::TABLE) {
                    self.pop_until(tag::TABLE);
                    self.reset_mode();
                }
                true
            }
            tag::BODY
            | tag::CAPTION
            | tag::COL
            | tag::COLGROUP
            | tag::HTML
            | tag::TBODY
            | tag::TD
            | tag::TFOOT
            | tag::TH
            | tag::THEAD
            | tag::TR => true,
            tag::TEMPLATE => self.end_template(),
            _ => self.end_fostered(token),
        }
    }

    /// Close the caption; false if there is none.
    fn close_caption(&mut self) -> bool {
        if !self.has(Scope::Table, tag::CAPTION) {
            return false;
        }
        self.generate_implied_end_tags(tag::UNKNOWN);
        self.pop_until(tag::CAPTION);
        self.clear_formatting_to_marker();
        self.mode = Mode::InTable;
        true
    }

    pub fn start_in_caption(&mut self, token: &TagToken) -> bool {
        if is_of_table(token.tag) {
            return !self.close_caption();
        }
        self.start_in_body(token);
        true
    }

    pub fn end_in_caption(&mut self, token: &TagToken) -> bool {
        match token.tag {
            tag::CAPTION => {
                self.close_caption();
            }
            tag::TABLE => return !self.close_caption(),
            tag::BODY
            | tag::COL
            | tag::COLGROUP
            | tag::HTML
            | tag::TBODY
            | tag::TD
            | tag::TFOOT
            | tag::TH
            | tag::THEAD
            | tag::TR => {}
            _ => self.end_in_body(token),
        }
        true
    }

    /// Close the column group; false if another element is open.
    fn close_column_group(&mut self) -> bool {
        let is_open = self.current().is(tag::COLGROUP);
        if is_open {
            self.pop();
            self.mode = Mode::InTable;
        }
        is_open
    }

    pub fn start_in_column_group(&mut self, token: &TagToken) -> bool {
        match token.tag {
            tag::HTML => self.start_in_body(token),
            tag::COL => {
                self.insert_void(token);
            }
            tag::TEMPLATE => {
                self.start_of_head(token);
            }
            _ => return !self.close_column_group(),
        }
        true
    }

    pub fn end_in_column_group(&mut self, token: &TagToken) -> bool {
        match token.tag {
            tag::COLGROUP => {
                self.close_column_group();
                true
            }
            tag::COL => true,
            tag::TEMPLATE => self.end_template(),
            _ => !self.close_column_group(),
        }
    }

    pub fn start_in_table_body(&mut self, token: &TagToken) -> bool {
        match token.tag {
            tag::TR => {
                self.clear_back_to(&GROUPS);
                self.insert(token);
                self.mode = Mode::InRow;
                true
            }
            tag::TD | tag::TH => {
                self.clear_back_to(&GROUPS);
                self.insert_of(tag::TR, Span::default());
                self.mode = Mode::InRow;
                false
            }
            tag::CAPTION | tag::COL | tag::COLGROUP | tag::TBODY | tag::TFOOT | tag::THEAD => {
                !self.close_table_body()
            }
            _ => self.start_in_table(token),
        }
    }

    fn close_table_body(&mut self) -> bool {
        if !self.has_in_scope(Scope::Table, |open| open.is_any(&GROUPS)) {
            return false;
        }
        self.clear_back_to(&GROUPS);
        self.pop();
        self.mode = Mode::InTable;
        true
    }

    pub fn end_in_table_body(&mut self, token: &TagToken) -> bool {
        match token.tag {
            tag::TBODY | tag::TFOOT | tag::THEAD => {
                if self.has(Scope::Table, token.tag) {
                    self.clear_back_to(&GROUPS);
                    self.pop();
                    self.mode = Mode::InTable;
                }
                true
            }
            tag::TABLE => !self.close_table_body(),
            tag::BODY
            | tag::CAPTION
            | tag::COL
            | tag::COLGROUP
            | tag::HTML
            | tag::TD
            | tag::TH
            | tag::TR => true,
            _ => self.end_in_table(token),
        }
    }

    pub fn start_in_row(&mut self, token: &TagToken) -> bool {
        match token.tag {
            tag::TD | tag::TH => {
                self.clear_back_to(&[tag::TR]);
                self.insert(token);
                self.mode = Mode::InCell;
                self.mark_formatting();
                true
            }
            tag::CAPTION
            | tag::COL
            | tag::COLGROUP
            | tag::TBODY
            | tag::TFOOT
            | tag::THEAD
            | tag::TR => !self.close_row(),
            _ => self.start_in_table(token),
        }
    }

    fn close_row(&mut self) -> bool {
        if !self.has(Scope::Table, tag::TR) {
            return false;
        }
        self.clear_back_to(&[tag::TR]);
        self.pop();
        self.mode = Mode::InTableBody;
        true
    }

    pub fn end_in_row(&mut self, token: &TagToken) -> bool {
        match token.tag {
            tag::TR => {
                self.close_row();
                true
            }
            tag::TABLE => !self.close_row(),
            tag::TBODY | tag::TFOOT | tag::THEAD => {
                !(self.has(Scope::Table, token.tag) && self.close_row())
            }
            tag::BODY | tag::CAPTION | tag::COL | tag::COLGROUP | tag::HTML | tag::TD | tag::TH => {
                true
            }
            _ => self.end_in_table(token),
        }
    }

    pub fn start_in_cell(&mut self, token: &TagToken) -> bool {
        if is_of_table(token.tag) {
            return !self.close_cell();
        }
        self.start_in_body(token);
        true
    }

    fn close_cell(&mut self) -> bool {
        if !self.has_in_scope(Scope::Table, |open| open.is_any(&CELLS)) {
            return false;
        }
        self.generate_implied_end_tags(tag::UNKNOWN);
        self.pop_until_any(&CELLS);
        self.clear_formatting_to_marker();
        self.mode = Mode::InRow;
        true
    }

    pub fn end_in_cell(&mut self, token: &TagToken) -> bool {
        match token.tag {
            tag::TD | tag::TH => {
                if self.has(Scope::Table, token.tag) {
                    self.generate_implied_end_tags(tag::UNKNOWN);
                    self.pop_until(token.tag);
                    self.clear_formatting_to_marker();
                    self.mode = Mode::InRow;
                }
            }
            tag::BODY | tag::CAPTION | tag::COL | tag::COLGROUP | tag::HTML => {}
            tag::TABLE | tag::TBODY | tag::TFOOT | tag::THEAD | tag::TR => {
                return !(self.has(Scope::Table, token.tag) && self.close_cell());
            }
            _ => self.end_in_body(token),
        }
        true
    }
}

/// Start tags that close a caption or a cell.
fn is_of_table(tag: Tag) -> bool {
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
