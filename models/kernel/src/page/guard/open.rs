//! An open element, and what the standard asks of one.

use super::traits::{FORMATTING, MARKER, SCOPE, SPECIAL, traits_of};
use crate::page::html_tokens::is_raw_text;
use crate::page::tags::{self, Tag};

/// The namespace of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    Html,
    Math,
    Svg,
}

/// An open element.
#[derive(Clone, Copy, Debug)]
pub struct Open<'text> {
    pub tag: Tag,
    pub space: Space,
    /// Tells elements apart whose names lexbor does not know.
    pub name: &'text [u8],
    /// The attributes as they stand in the markup; formatting elements are compared by them.
    pub attributes: &'text [u8],
    /// Number of the element, unique on the page.
    pub serial: u32,
    /// Bytes of the text node with which the element ends, at least; 0 if another node is there.
    pub text: u32,
    /// Of a table: the same of the text node that stands before it.
    pub text_before: u32,
    /// Lexbor may have ignored it: the text around it goes on inside and behind it.
    pub is_doubtful: bool,
    /// Only parts of tables may stand in it.
    pub is_table_frame: bool,
}

pub fn is_html(open: &Open<'_>, tag: Tag) -> bool {
    open.space == Space::Html && open.tag == tag
}

pub fn is_heading(open: &Open<'_>) -> bool {
    open.space == Space::Html && (tags::H1..=tags::H6).contains(&open.tag)
}

/// Whether an element bars the view upwards of most end tags.
pub fn bars_scope(open: &Open<'_>) -> bool {
    match open.space {
        Space::Html => traits_of(open.tag) & SCOPE != 0,
        _ => is_special(open),
    }
}

/// Groups of rows.
#[must_use]
pub fn is_section(tag: Tag) -> bool {
    matches!(tag, tags::TBODY | tags::THEAD | tags::TFOOT)
}

/// Whether lexbor surely moves an element before the table when it stands between its parts.
pub fn is_fostered(tag: Tag) -> bool {
    !is_raw_text(tag)
        && !matches!(
            tag,
            tags::TABLE
                | tags::INPUT
                | tags::IMAGE
                | tags::FORM
                | tags::TEMPLATE
                | tags::SELECT
                | tags::FRAMESET
        )
}

/// Whether an element is special in the sense of the standard.
pub fn is_special(open: &Open<'_>) -> bool {
    match open.space {
        Space::Html => traits_of(open.tag) & SPECIAL != 0,
        Space::Svg => matches!(open.tag, tags::FOREIGNOBJECT | tags::DESC | tags::TITLE),
        Space::Math => matches!(
            open.tag,
            tags::MI | tags::MN | tags::MO | tags::MS | tags::MTEXT | tags::ANNOTATION_XML
        ),
    }
}

/// Whether an element is remembered by the list of active formatting elements.
#[must_use]
pub fn is_formatting(tag: Tag) -> bool {
    traits_of(tag) & FORMATTING != 0
}

/// Whether an element puts a marker into that list.
#[must_use]
pub fn is_marker(tag: Tag) -> bool {
    traits_of(tag) & MARKER != 0
}
