//! 13.2.7 The end: the rules of each mode at the end of the input.

use super::super::TreeBuilder;
use super::Mode;

impl TreeBuilder<'_> {
    /// Close templates, and imply `html`, `head` and `body`.
    pub(in crate::construction) fn stop_parsing(&mut self) {
        while self.has_template() {
            self.close_template();
        }
        loop {
            let _ = match self.mode {
                Mode::Initial => self.leave_initial(),
                Mode::BeforeHtml => self.imply_html(),
                Mode::BeforeHead => self.imply_head(),
                Mode::InHead => self.leave_head(),
                Mode::InHeadNoscript => self.leave_head_noscript(),
                Mode::AfterHead => self.imply_body(),
                _ => return,
            };
        }
    }
}
