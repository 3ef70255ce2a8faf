//! Lexbor's parser, called as selectolax calls it.

use std::ffi::c_void;
use std::ptr::NonNull;

use _kernel::page::lexbor::{Node, NodeKind};

/// `LXB_DOM_DOCUMENT_OPT_WO_EVENTS`, the option that `models/page/stages.py` parses with.
const WITHOUT_EVENTS: u32 = 1;

unsafe extern "C" {
    fn lxb_html_document_create() -> *mut c_void;
    fn lxb_html_document_destroy(document: *mut c_void) -> *mut c_void;
    fn lxb_html_document_parse(document: *mut c_void, html: *const u8, size: usize) -> u32;
    fn lxb_html_document_dom_opt_set_noi(document: *mut c_void, options: u32);
}

/// A parsed page.
pub struct Document(NonNull<c_void>);

impl Document {
    /// Parses markup; `None` when lexbor has no memory.
    #[must_use]
    pub fn parse(markup: &[u8]) -> Option<Self> {
        // SAFETY: the calls and their order are those of selectolax; the markup outlives the parse.
        unsafe {
            let document = Self(NonNull::new(lxb_html_document_create())?);
            lxb_html_document_dom_opt_set_noi(document.0.as_ptr(), WITHOUT_EVENTS);
            let raw = document.0.as_ptr();
            let status = lxb_html_document_parse(raw, markup.as_ptr(), markup.len());
            (status == 0).then_some(document)
        }
    }

    /// The root element of the page.
    #[must_use]
    pub fn root(&self) -> Option<Node<'_>> {
        // SAFETY: a document begins with its node; it is neither changed nor freed while borrowed.
        let document = unsafe { Node::at(self.0.as_ptr().addr()) }?;
        let mut child = document.first_child();
        while let Some(node) = child {
            if node.kind() == NodeKind::Element {
                return Some(node);
            }
            child = node.next();
        }
        None
    }
}

impl Drop for Document {
    fn drop(&mut self) {
        // SAFETY: lexbor made it, and nothing borrows from it any more.
        unsafe { lxb_html_document_destroy(self.0.as_ptr()) };
    }
}
