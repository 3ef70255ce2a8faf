//! Text in which markup is not parsed: RCDATA, RAWTEXT, script data and PLAINTEXT (13.2.5.2 to
//! 13.2.5.5, and 13.2.5.9 to 13.2.5.31).

use memchr::{memchr2_iter, memchr3, memmem};

use super::scan::starts_with_name;
use super::{Span, Tokenizer};
use crate::tag::{self, Tag};

impl Tokenizer<'_> {
    /// The text after the start tag `tag`. The next token follows its end tag.
    pub fn raw_text(&mut self, tag: Tag) -> Span {
        let start = self.at;
        let rest = &self.input[start..];
        let length = match tag {
            tag::PLAINTEXT => None,
            tag::SCRIPT => script_length(rest),
            _ => end_tag(rest, tag::NAMES[tag as usize].as_bytes()),
        };
        let Some(length) = length else {
            self.at = self.input.len();
            return Span::new(start, self.at);
        };
        self.skip_end_tag(start + length);
        Span::new(start, start + length)
    }

    /// The same, but the end tag of the element `around` ends the text too, and is the next token.
    pub(crate) fn raw_text_in(&mut self, tag: Tag, around: Tag) -> Span {
        let start = self.at;
        let rest = &self.input[start..];
        let name = tag::NAMES[tag as usize].as_bytes();
        let around = tag::NAMES[around as usize].as_bytes();
        // one search for both: a page may leave many such elements open
        let found = memmem::find_iter(rest, b"</").find_map(|at| {
            let is_around = starts_with_name(&rest[at + 2..], around);
            let is_end = is_around || starts_with_name(&rest[at + 2..], name);
            is_end.then_some((at, is_around))
        });
        let (length, stays) = found.unwrap_or((rest.len(), true));
        self.at = start + length;
        if !stays {
            self.skip_end_tag(start + length);
        }
        Span::new(start, start + length)
    }

    /// A truncated end tag is dropped, and the rest with it.
    fn skip_end_tag(&mut self, at: usize) {
        if self.tag(at + 2).is_none() {
            self.at = self.input.len();
        }
    }

    /// Shorten a text without an end tag to its first line, or up to the first `<`. The next token
    /// starts there. None if the text has an end tag, or no such place.
    pub(crate) fn first_line(&mut self, text: Span) -> Option<Span> {
        if self.at < self.input.len() || text.end as usize != self.input.len() {
            return None;
        }
        let length = memchr3(b'<', b'\r', b'\n', text.of(self.input))?;
        let start = text.start as usize;
        self.at = start + length;
        Some(Span::new(start, self.at))
    }
}

/// The place of the end tag with this name.
fn end_tag(text: &[u8], name: &[u8]) -> Option<usize> {
    memmem::find_iter(text, b"</").find(|&at| starts_with_name(&text[at + 2..], name))
}

/// The place of the end tag of a script. After `<!--` a nested `<script>` hides one end tag.
fn script_length(text: &[u8]) -> Option<usize> {
    let end = end_tag(text, b"script")?;
    if memmem::find(&text[..end], b"<!--").is_none() {
        return Some(end);
    }
    let (mut is_escaped, mut is_nested) = (false, false);
    for at in memchr2_iter(b'<', b'>', text) {
        let rest = &text[at..];
        if rest[0] == b'>' {
            if text[..at].ends_with(b"--") {
                (is_escaped, is_nested) = (false, false);
            }
        } else if !is_escaped && rest.starts_with(b"<!--") {
            // `<!-->` and `<!--->` end themselves: their `>` comes next
            is_escaped = true;
        } else if rest.starts_with(b"</") && starts_with_name(&rest[2..], b"script") {
            if !is_nested {
                return Some(at);
            }
            is_nested = false;
        } else if is_escaped && starts_with_name(&rest[1..], b"script") {
            is_nested = true;
        }
    }
    None
}
