//! Attributes, and texts of scripts and styles, that no reader of the tree looks at.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::open::is_formatting;
use crate::page::html_tokens::TagToken;
use crate::page::tags::{self, Tag};

/// What a reader finds a script by in its attributes: `application/json`, `application/ld+json` and
/// `math/tex`. A reference may spell any of them.
const READ_BY: [&[u8]; 2] = [b"json", b"math"];
/// What a reader finds a script without a type by in its text.
static NUXT: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("window.__NUXT__"));

/// Whether the tree is the same without the attributes of a tag that nobody reads.
///
/// Formatting elements are compared by all they have, but for links, of which one is open at most.
/// Scripts of formulas are told by any attribute.
pub fn is_free(tag: Tag) -> bool {
    match tag {
        tags::A => true,
        tags::SCRIPT => false,
        _ => !is_formatting(tag),
    }
}

/// Whether nobody reads the raw text behind a tag. Data of scripts, linked data and TeX are read.
pub fn is_unread(tag: &TagToken<'_>, text: &[u8]) -> bool {
    !text.is_empty()
        && match tag.id {
            tags::STYLE => true,
            tags::SCRIPT => !may_be_data(tag.attributes) && NUXT.find(text).is_none(),
            _ => false,
        }
}

fn may_be_data(attributes: &[u8]) -> bool {
    let is_named = |name: &&[u8]| {
        let mut windows = attributes.windows(name.len());
        windows.any(|window| window.eq_ignore_ascii_case(name))
    };
    attributes.contains(&b'&') || READ_BY.iter().any(is_named)
}
