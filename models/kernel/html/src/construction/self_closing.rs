//! Elements that close themselves as in XML: [`Options::is_xml`] and [`Options::closes_as_xhtml`].
//!
//! Such an element is read as its start tag with its end tag, so `<p/>` has the effects of
//! `<p></p>`.
//!
//! [`Options::is_xml`]: crate::Options::is_xml
//! [`Options::closes_as_xhtml`]: crate::Options::closes_as_xhtml

use super::TreeBuilder;
use crate::attributes::{decoded, value};
use crate::tag::{Trait, traits_of};
use crate::tokenizer::{Span, TagToken};

const XHTML: &str = "http://www.w3.org/1999/xhtml";

impl TreeBuilder<'_> {
    /// Whether a tag with `/>` is a whole element. In SVG and MathML it is one by the standard.
    #[cold]
    pub(super) fn closes_itself(&self, token: &TagToken) -> bool {
        let is_swallowing = traits_of(token.tag) & Trait::CLOSES_AS_XHTML != 0;
        let is_empty = self.options.is_xml || self.is_xhtml && is_swallowing;
        is_empty && !self.is_in_foreign()
    }

    #[cold]
    pub(super) fn empty_element(&mut self, token: &TagToken) {
        let first_new = self.tree.nodes.len();
        self.is_empty_element = true;
        self.start(token);
        self.is_empty_element = false;
        self.skips_line_feed = false;
        let current = self.current();
        // tags that are ignored and elements that hold nothing open no new element
        if current.id as usize >= first_new && current.tag == token.tag {
            self.in_noscript &= token.tag != crate::tag::NOSCRIPT;
            self.end(token);
        }
    }

    /// Look for the name space of XHTML in the tag of the root.
    pub(super) fn note_root(&mut self, token: &TagToken) {
        if self.options.closes_as_xhtml {
            let space = value(token.attributes.of(self.tree.input), b"xmlns");
            self.is_xhtml |= space.is_some_and(|space| decoded(space).trim() == XHTML);
        }
    }

    /// Look for an XML declaration, which is a comment of HTML, before everything else.
    pub(super) fn note_declaration(&mut self, comment: Span) {
        let text = comment.of(self.tree.input);
        let is_first = self.tree.nodes.len() == 1;
        if self.options.closes_as_xhtml && is_first && text.starts_with(b"?xml") {
            self.is_xhtml |= text.get(4).is_some_and(u8::is_ascii_whitespace);
        }
    }
}
