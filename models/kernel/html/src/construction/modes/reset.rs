//! 13.2.4.1 *Reset the insertion mode appropriately.*

use super::super::TreeBuilder;
use super::super::open_elements::Open;
use super::Mode;
use crate::tag;
use crate::tree::Kind;

impl TreeBuilder<'_> {
    pub(super) fn reset_insertion_mode(&mut self) {
        let (mut steps, mut found) = (0, None);
        for (at, open) in self.open.iter().enumerate().rev() {
            steps += 1;
            found = self.mode_of(open, at);
            if found.is_some() {
                break;
            }
        }
        self.count(steps);
        self.mode = found.unwrap_or(Mode::InBody);
    }

    /// The mode for an element on the stack.
    fn mode_of(&self, open: &Open, at: usize) -> Option<Mode> {
        if open.kind != Kind::Html {
            return None;
        }
        Some(match open.tag {
            tag::TD | tag::TH if at > 0 => Mode::InCell,
            tag::TR => Mode::InRow,
            tag::TBODY | tag::THEAD | tag::TFOOT => Mode::InTableBody,
            tag::CAPTION => Mode::InCaption,
            tag::COLGROUP => Mode::InColumnGroup,
            tag::TABLE => Mode::InTable,
            tag::TEMPLATE => self.template_modes.last().copied()?,
            tag::HEAD if at > 0 => Mode::InHead,
            // `noframes` is only on the stack if its content is read as a body
            tag::BODY | tag::NOFRAMES => Mode::InBody,
            tag::FRAMESET => Mode::InFrameset,
            tag::HTML if self.head == 0 => Mode::BeforeHead,
            tag::HTML => Mode::AfterHead,
            _ => return None,
        })
    }
}
