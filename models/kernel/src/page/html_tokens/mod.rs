//! Markup to tokens, as the HTML standard cuts it, without copying and in linear time.
//!
//! Only borders matter here: where tags, comments and raw text begin and end, and how many
//! attributes a tag has. Entities are not decoded.

mod attributes;
mod raw;

use std::ops::Range;

use memchr::{memchr, memmem};

use super::names::Names;
use super::tags::{self, Tag, tag_by};
use crate::ngram::hash::load;
use attributes::{ENDS_NAME, NO_FILLER, attribute, position};

pub use attributes::attributes;
pub use raw::is_raw_text;

/// A start or end tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagToken<'text> {
    pub id: Tag,
    pub name: &'text [u8],
    /// What stands between the name and the closing `>`.
    pub attributes: &'text [u8],
    pub attribute_count: usize,
    pub is_self_closing: bool,
}

/// A piece of markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'text> {
    Text(&'text [u8]),
    Start(TagToken<'text>),
    End(TagToken<'text>),
    /// A comment, processing instruction or what the standard takes for a comment.
    Comment,
    Doctype,
}

/// The tokens of a text. As an iterator it skips the raw text of scripts, styles and the like.
#[derive(Clone, Debug)]
pub struct Tokens<'text> {
    text: &'text [u8],
    at: usize,
    /// `<![CDATA[` opens text, as it does inside `svg` and `math`.
    pub in_foreign: bool,
    /// Attributes of the tag in which the text ended, which is no token.
    pub unfinished_attributes: usize,
    /// Names of attributes, and of elements that lexbor does not know.
    pub names: Names<'text>,
    /// Where the last tag has attributes that nobody reads; such that follow each other are one.
    pub unread: Vec<Range<usize>>,
}

impl<'text> Tokens<'text> {
    #[must_use]
    pub fn new(text: &'text [u8]) -> Self {
        Self {
            text,
            at: 0,
            in_foreign: false,
            unfinished_attributes: 0,
            names: Names::default(),
            unread: Vec::new(),
        }
    }

    /// The next token; the caller decides about raw text with [`Tokens::skip_raw_text`].
    #[inline(always)]
    pub fn token(&mut self) -> Option<Token<'text>> {
        let start = self.at;
        loop {
            let Some(opening) = self.opening()? else {
                self.at = self.text.len();
                return (start < self.at).then(|| Token::Text(&self.text[start..]));
            };
            if !self.is_markup(opening) {
                self.at = opening + 1;
                continue;
            }
            if opening > start {
                self.at = opening;
                return Some(Token::Text(&self.text[start..opening]));
            }
            return self.markup(opening);
        }
    }

    /// Where the next `<` stands, if one does; nothing behind the text.
    #[inline]
    fn opening(&self) -> Option<Option<usize>> {
        let rest = self.text.get(self.at..)?;
        // most tags stand right behind another one
        if rest.first() == Some(&b'<') {
            return Some(Some(self.at));
        }
        Some(memchr(b'<', rest).map(|found| self.at + found))
    }

    /// Whether a `<` opens markup; else it is text.
    #[inline]
    fn is_markup(&self, opening: usize) -> bool {
        match self.text.get(opening + 1) {
            Some(b'/') => self.text.len() > opening + 2,
            Some(next) => next.is_ascii_alphabetic() || matches!(next, b'!' | b'?'),
            None => false,
        }
    }

    #[inline(always)]
    fn markup(&mut self, opening: usize) -> Option<Token<'text>> {
        let is_end = match self.text.get(opening + 1)? {
            b'!' => return self.declaration(opening),
            b'?' => return self.up_to_closing(opening),
            b'/' if self.text.get(opening + 2)?.is_ascii_alphabetic() => true,
            b'/' => return self.up_to_closing(opening),
            _ => false,
        };
        let tag = self.tag(opening + 1 + usize::from(is_end))?;
        Some(if is_end {
            Token::End(tag)
        } else {
            Token::Start(tag)
        })
    }

    /// What ends at the next `>`, whatever stands before.
    fn up_to_closing(&mut self, opening: usize) -> Option<Token<'text>> {
        let rest = &self.text[opening..];
        self.at = opening + memchr(b'>', rest).map_or(rest.len(), |found| found + 1);
        Some(Token::Comment)
    }

    fn declaration(&mut self, opening: usize) -> Option<Token<'text>> {
        let rest = &self.text[opening + 2..];
        if rest.starts_with(b"--") {
            self.at = opening + 4 + raw::comment_length(&rest[2..]);
            return Some(Token::Comment);
        }
        if self.in_foreign && rest.starts_with(b"[CDATA[") {
            let text = &rest[7..];
            let length = memmem::find(text, b"]]>").unwrap_or(text.len());
            self.at = (opening + 9 + length + 3).min(self.text.len());
            return Some(Token::Text(&text[..length]));
        }
        let is_doctype = rest.len() >= 7 && rest[..7].eq_ignore_ascii_case(b"doctype");
        let token = self.up_to_closing(opening);
        if is_doctype {
            Some(Token::Doctype)
        } else {
            token
        }
    }

    /// A tag whose name starts at `start`; none if the text ends inside it.
    #[inline(always)]
    fn tag(&mut self, start: usize) -> Option<TagToken<'text>> {
        let rest = &self.text[start..];
        let name = &rest[..position(rest, 0, ENDS_NAME)];
        let mut tag = TagToken {
            id: tag_by(load(rest, 0, name.len()), name),
            name,
            attributes: &[],
            attribute_count: 0,
            is_self_closing: false,
        };
        if tag.id == tags::UNKNOWN {
            self.names.add(rest, 0, name.len());
        }
        self.unread.clear();
        let mut was_unread = false;
        // where the value of the last attribute ends, if it has any bytes
        let mut value_end = 0;
        let mut at = name.len();
        loop {
            at = position(rest, at, NO_FILLER);
            match rest.get(at) {
                None => {
                    self.at = self.text.len();
                    self.unfinished_attributes = tag.attribute_count;
                    return None;
                }
                Some(b'>') => break,
                Some(_) => {
                    let attribute = attribute(rest, at);
                    let is_read = self.names.add(rest, at, attribute.name_end);
                    match self.unread.last_mut() {
                        _ if is_read => {}
                        Some(last) if was_unread => last.end = start + attribute.end,
                        _ => self.unread.push(start + at..start + attribute.end),
                    }
                    was_unread = !is_read;
                    let (first, end) = attribute.value;
                    value_end = if first < end { end } else { 0 };
                    at = attribute.end;
                }
            }
            tag.attribute_count += 1;
        }
        tag.attributes = &rest[name.len()..at];
        // a slash that ends an unquoted value closes nothing
        tag.is_self_closing = tag.attributes.last() == Some(&b'/') && value_end != at;
        self.at = start + at + 1;
        Some(tag)
    }

    /// Whether all of the text has been read.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    /// Read the last bytes again.
    pub fn go_back(&mut self, bytes: usize) {
        self.at = self.at.saturating_sub(bytes);
    }

    /// How many bytes have been read.
    #[must_use]
    pub fn position(&self) -> usize {
        self.at
    }
}

impl<'text> Iterator for Tokens<'text> {
    type Item = Token<'text>;

    fn next(&mut self) -> Option<Token<'text>> {
        let token = self.token()?;
        match token {
            Token::Start(tag) if is_raw_text(tag.id) => {
                self.skip_raw_text(&tag);
            }
            _ => {}
        }
        Some(token)
    }
}
