//! Elements that close themselves as in XML: [`Options::is_xml`] and [`Options::closes_as_xhtml`].
//!
//! Such an element is treated as a start tag and an end tag, so `<p/>` has the same effect as
//! `<p></p>`.
//!
//! [`Options::is_xml`]: crate::Options::is_xml
//! [`Options::closes_as_xhtml`]: crate::Options::closes_as_xhtml

use memchr::memchr;

use super::TreeBuilder;
use crate::attributes::{decoded, value};
use crate::tag::{self, NAMES, Tag, Trait, traits_of};
use crate::tokenizer::{Span, TagToken};

/// Elements whose content is always text.
pub(super) const RAW_TEXT: [Tag; 8] = [
    tag::IFRAME,
    tag::NOEMBED,
    tag::NOFRAMES,
    tag::SCRIPT,
    tag::STYLE,
    tag::TEXTAREA,
    tag::TITLE,
    tag::XMP,
];
const XHTML: &str = "http://www.w3.org/1999/xhtml";

impl TreeBuilder<'_> {
    /// Whether a tag with `/>` is a complete element. In SVG and MathML the standard says so.
    #[cold]
    pub(super) fn closes_itself(&mut self, token: &TagToken) -> bool {
        if self.is_in_foreign() {
            return false;
        }
        if self.options.is_xml {
            return true;
        }
        let raw_text = RAW_TEXT.iter().position(|tag| *tag == token.tag);
        if self.is_xhtml {
            let is_swallowing = traits_of(token.tag) & Trait::CLOSES_AS_XHTML != 0;
            return is_swallowing && !(raw_text.is_some() && self.own_end_follows(token));
        }
        // the end of a `noscript` is an end, too
        let is_repaired = self.options.closes_as_xhtml && !self.in_noscript;
        raw_text.is_some_and(|which| is_repaired && !self.has_end(token, which))
    }

    /// Whether the next tag of this name is an end tag, as in `<style />p { }</style>`: then the
    /// page is HTML despite its declaration. Each search ends where the next one begins, so all
    /// together are linear.
    fn own_end_follows(&self, token: &TagToken) -> bool {
        let mut tags = tags_named(self.tree.input, token);
        tags.next().is_some_and(|(_, is_end)| is_end)
    }

    /// Whether any end tag of the name of a raw text element follows. Each is found once.
    fn has_end(&mut self, token: &TagToken, which: usize) -> bool {
        if self.raw_text_ends[which] < token.attributes.end as usize {
            let mut tags = tags_named(self.tree.input, token);
            let end = tags.find(|(_, is_end)| *is_end);
            self.raw_text_ends[which] = end.map_or(usize::MAX, |(at, _)| at);
        }
        self.raw_text_ends[which] != usize::MAX
    }

    #[cold]
    pub(super) fn empty_element(&mut self, token: &TagToken) {
        let first_new = self.tree.nodes.len();
        self.is_empty_element = true;
        self.start(token);
        self.is_empty_element = false;
        self.skips_line_feed = false;
        let current = self.current();
        // ignored tags and empty elements open no new element
        if current.id as usize >= first_new && current.tag == token.tag {
            self.in_noscript &= token.tag != tag::NOSCRIPT;
            self.end(token);
        }
    }

    /// Look for the XHTML namespace in the root's tag.
    pub(super) fn note_root(&mut self, token: &TagToken) {
        if self.options.closes_as_xhtml {
            let space = value(token.attributes.of(self.tree.input), b"xmlns");
            self.is_xhtml |= space.is_some_and(|space| decoded(space).trim() == XHTML);
        }
    }

    /// Look for an XML declaration, a comment in HTML, before everything else.
    pub(super) fn note_declaration(&mut self, comment: Span) {
        let text = comment.of(self.tree.input);
        let is_first = self.tree.nodes.len() == 1;
        if self.options.closes_as_xhtml && is_first && text.starts_with(b"?xml") {
            self.is_xhtml |= text.get(4).is_some_and(u8::is_ascii_whitespace);
        }
    }
}

/// The tags of the same name after one: their places, and whether they are end tags.
fn tags_named<'i>(
    input: &'i [u8],
    token: &TagToken,
) -> impl Iterator<Item = (usize, bool)> + use<'i> {
    let name = NAMES[token.tag as usize].as_bytes();
    let mut at = token.attributes.end as usize;
    std::iter::from_fn(move || {
        loop {
            at += memchr(b'<', &input[at..])? + 1;
            let is_end = input.get(at) == Some(&b'/');
            let spelled = &input[at + usize::from(is_end)..];
            let is_own = spelled
                .get(..name.len())
                .is_some_and(|spelled| spelled.eq_ignore_ascii_case(name));
            let next = spelled.get(name.len());
            if is_own && !next.is_some_and(u8::is_ascii_alphanumeric) {
                return Some((at, is_end));
            }
        }
    })
}
