//! Comments, and the raw text of scripts, styles and the like: text whatever it looks like.

use memchr::memmem;

use super::attributes::ends_name;
use super::{TagToken, Tokens};
use crate::page::tags::{self, Tag};

impl<'text> Tokens<'text> {
    /// After a start tag: pass over what is text whatever it looks like, up to the end tag.
    pub fn skip_raw_text(&mut self, tag: &TagToken<'_>) -> &'text [u8] {
        let rest = &self.text[self.at..];
        let length = match tag.id {
            tags::PLAINTEXT => rest.len(),
            tags::SCRIPT => script_length(rest),
            _ => end_tag(rest, tag.name).unwrap_or(rest.len()),
        };
        self.at += length;
        &rest[..length]
    }

    /// The same inside a `noscript`, whose end tag ends it too. The flag tells whether it did.
    pub fn skip_raw_text_in_noscript(&mut self, tag: &TagToken<'_>) -> (&'text [u8], bool) {
        // their text may name the end tag of anything, and they are seldom left open
        if matches!(tag.id, tags::SCRIPT | tags::PLAINTEXT) {
            return (self.skip_raw_text(tag), false);
        }
        let rest = &self.text[self.at..];
        let (length, is_leaking) = memmem::find_iter(rest, b"</")
            .find_map(|at| {
                let name = &rest[at + 2..];
                let is_leaking = is_name(name, b"noscript");
                (is_leaking || is_name(name, tag.name)).then_some((at, is_leaking))
            })
            .unwrap_or((rest.len(), false));
        self.at += length;
        (&rest[..length], is_leaking)
    }
}

/// Whether the content of an element (in the HTML namespace) is raw text.
#[must_use]
pub fn is_raw_text(tag: Tag) -> bool {
    matches!(
        tag,
        tags::SCRIPT
            | tags::STYLE
            | tags::TITLE
            | tags::TEXTAREA
            | tags::XMP
            | tags::IFRAME
            | tags::NOEMBED
            | tags::NOFRAMES
            | tags::PLAINTEXT
    )
}

/// How long a comment is, counted from behind `<!--`.
pub fn comment_length(text: &[u8]) -> usize {
    if text.starts_with(b">") {
        return 1;
    }
    if text.starts_with(b"->") {
        return 2;
    }
    let mut from = 0;
    while let Some(found) = memmem::find(&text[from..], b"--") {
        let mut at = from + found + 2;
        while text.get(at) == Some(&b'-') {
            at += 1;
        }
        match text.get(at..) {
            Some([b'>', ..]) => return at + 1,
            Some([b'!', b'>', ..]) => return at + 2,
            _ => from = at,
        }
    }
    text.len()
}

/// Where the end tag `name` starts.
fn end_tag(text: &[u8], name: &[u8]) -> Option<usize> {
    memmem::find_iter(text, b"</").find(|&at| is_name(&text[at + 2..], name))
}

/// Whether a text starts with a whole tag name.
fn is_name(text: &[u8], name: &[u8]) -> bool {
    let Some(next) = text.get(name.len()) else {
        return false;
    };
    ends_name(*next) && text[..name.len()].eq_ignore_ascii_case(name)
}

/// How long the content of a script is. Inside `<!--` a nested `<script>` hides its end tag.
fn script_length(text: &[u8]) -> usize {
    let mut is_escaped = false;
    let mut is_nested = false;
    for at in memchr::memchr2_iter(b'<', b'>', text) {
        let rest = &text[at..];
        if rest[0] == b'>' {
            if text[..at].ends_with(b"--") {
                is_escaped = false;
                is_nested = false;
            }
        } else if rest.starts_with(b"<!--") && !is_escaped {
            is_escaped = true;
        } else if rest.starts_with(b"</") && is_name(&rest[2..], b"script") {
            if !is_nested {
                return at;
            }
            is_nested = false;
        } else if is_escaped && is_name(&rest[1..], b"script") {
            is_nested = true;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_ends_where_the_standard_ends_it() {
        for (text, length) in [
            (">x-->", 1),
            ("->x-->", 2),
            ("-->x", 3),
            ("x-->y", 4),
            ("x--->y", 5),
            ("x--!>y", 5),
            ("x-- >y--!-->z", 12),
            ("x->y", 4),
            ("x--", 3),
        ] {
            assert_eq!(comment_length(text.as_bytes()), length, "{text}");
        }
    }
}
