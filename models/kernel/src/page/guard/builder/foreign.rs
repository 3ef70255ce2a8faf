//! The elements of `svg` and `math`.

use super::Builder;
use crate::page::guard::open::{Open, Space, is_special};
use crate::page::guard::traits::{BREAKS_OUT, traits_of};
use crate::page::html_tokens::{self, TagToken};
use crate::page::tags::{self, Tag};

impl<'text> Builder<'text> {
    /// Whether the next token stands in `svg` or `math`.
    #[must_use]
    pub fn is_foreign(&self) -> bool {
        self.stack
            .top()
            .is_some_and(|open| open.space != Space::Html)
    }

    /// Whether the innermost element is one of `math`.
    #[must_use]
    pub fn is_in_math(&self) -> bool {
        let top = self.stack.top();
        top.is_some_and(|open| open.space == Space::Math)
    }

    /// Whether a start tag inside `svg` or `math` is treated as one of HTML.
    pub(super) fn leaves_foreign(&mut self, tag: &TagToken<'_>) -> bool {
        let Some(top) = self.stack.top() else {
            return true;
        };
        if holds_html(top, tag.id) {
            return true;
        }
        let breaks_out = traits_of(tag.id) & BREAKS_OUT != 0
            || tag.id == tags::FONT && has_font_attribute(tag.attributes);
        if breaks_out {
            self.leave_foreign();
        }
        breaks_out
    }

    fn leave_foreign(&mut self) {
        while let Some(top) = self.stack.top() {
            if top.space == Space::Html || is_special(top) {
                return;
            }
            self.stack.pop();
        }
    }

    /// An end tag inside `svg` or `math`; true if it closed one of their elements.
    pub(super) fn end_foreign(&mut self, tag: &TagToken<'_>) -> bool {
        if matches!(tag.id, tags::P | tags::BR) {
            self.leave_foreign();
            return false;
        }
        for index in (0..self.stack.depth()).rev() {
            let Some(open) = self.stack.at(index) else {
                return false;
            };
            if open.space == Space::Html {
                return false;
            }
            if open.name.eq_ignore_ascii_case(tag.name) {
                self.stack.truncate(index);
                return true;
            }
        }
        false
    }
}

/// Whether HTML may stand in an element of `svg` or `math`, for a start tag.
fn holds_html(top: &Open<'_>, tag: Tag) -> bool {
    match (top.space, top.tag) {
        (Space::Html, _) => true,
        (Space::Math, tags::ANNOTATION_XML) => {
            tag == tags::SVG || is_html_annotation(top.attributes)
        }
        (Space::Math, _) => is_special(top) && !matches!(tag, tags::MGLYPH | tags::MALIGNMARK),
        (Space::Svg, _) => is_special(top),
    }
}

fn is_html_annotation(attributes: &[u8]) -> bool {
    html_tokens::attributes(attributes)
        .find(|(name, _)| name.eq_ignore_ascii_case(b"encoding"))
        .is_some_and(|(_, value)| {
            value.eq_ignore_ascii_case(b"text/html")
                || value.eq_ignore_ascii_case(b"application/xhtml+xml")
        })
}

fn has_font_attribute(attributes: &[u8]) -> bool {
    html_tokens::attributes(attributes).any(|(name, _)| {
        [&b"color"[..], b"face", b"size"]
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known))
    })
}
