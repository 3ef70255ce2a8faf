//! Markup to tokens, as the HTML standard cuts it, without copying and in linear time.
//!
//! Only borders matter here: where tags, comments and raw text begin and end, and how many
//! attributes a tag has. Entities are not decoded.

use memchr::{memchr, memmem};

use super::names::Names;
use super::tags::{self, Tag, tag_of};

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
        }
    }

    /// The next token; the caller decides about raw text with [`Tokens::skip_raw_text`].
    #[inline]
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

    #[inline]
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
            self.at = opening + 4 + comment_length(&rest[2..]);
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
    #[inline]
    fn tag(&mut self, start: usize) -> Option<TagToken<'text>> {
        let rest = &self.text[start..];
        let name = &rest[..position(rest, 0, ENDS_NAME)];
        let mut tag = TagToken {
            id: tag_of(name),
            name,
            attributes: &[],
            attribute_count: 0,
            is_self_closing: false,
        };
        if tag.id == tags::UNKNOWN {
            self.names.add(name);
        }
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
                    self.names.add(&rest[at..attribute.name_end]);
                    at = attribute.end;
                }
            }
            tag.attribute_count += 1;
        }
        tag.attributes = &rest[name.len()..at];
        tag.is_self_closing = tag.attributes.last() == Some(&b'/') && {
            // a slash that ends an unquoted value closes nothing
            let markup = tag.attributes;
            attributes(markup)
                .last()
                .is_none_or(|(_, value)| !ends_at(markup, value))
        };
        self.at = start + at + 1;
        Some(tag)
    }

    /// Whether all of the text has been read.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

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

    /// How many bytes have been read.
    #[must_use]
    pub fn position(&self) -> usize {
        self.at
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

const SPACE: u8 = 1;
const SLASH: u8 = 2;
const CLOSE: u8 = 4;
const EQUALS: u8 = 8;
const OTHER: u8 = 16;

const ENDS_NAME: u8 = SPACE | SLASH | CLOSE;
const ENDS_ATTRIBUTE: u8 = ENDS_NAME | EQUALS;
const ENDS_VALUE: u8 = SPACE | CLOSE;
const NO_FILLER: u8 = CLOSE | EQUALS | OTHER;
const NO_SPACE: u8 = SLASH | NO_FILLER;

static KINDS: [u8; 256] = kinds();

const fn kinds() -> [u8; 256] {
    let mut table = [OTHER; 256];
    table[b'\t' as usize] = SPACE;
    table[b'\n' as usize] = SPACE;
    table[0x0C] = SPACE;
    table[b'\r' as usize] = SPACE;
    table[b' ' as usize] = SPACE;
    table[b'/' as usize] = SLASH;
    table[b'>' as usize] = CLOSE;
    table[b'=' as usize] = EQUALS;
    table
}

/// The first place from `start` with a byte of one of `kinds`; the length if there is none.
#[inline]
fn position(text: &[u8], start: usize, kinds: u8) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    rest.iter()
        .position(|&byte| KINDS[byte as usize] & kinds != 0)
        .map_or(text.len(), |found| start + found)
}

/// Where name and value of an attribute stand, and where the search goes on.
struct Span {
    name_end: usize,
    value: (usize, usize),
    end: usize,
}

/// The attribute whose name starts at `start`, whatever its first byte is.
#[inline]
fn attribute(text: &[u8], start: usize) -> Span {
    let name_end = position(text, start + 1, ENDS_ATTRIBUTE);
    let equals = position(text, name_end, NO_SPACE);
    if text.get(equals) != Some(&b'=') {
        return Span {
            name_end,
            value: (name_end, name_end),
            end: equals,
        };
    }
    let first = position(text, equals + 1, NO_SPACE);
    match text.get(first) {
        Some(&quote @ (b'"' | b'\'')) => {
            let from = first + 1;
            let length = memchr(quote, &text[from..]);
            let until = length.map_or(text.len(), |length| from + length);
            Span {
                name_end,
                value: (from, until),
                end: (until + 1).min(text.len()),
            }
        }
        _ => {
            let until = position(text, first, ENDS_VALUE);
            Span {
                name_end,
                value: (first, until),
                end: until,
            }
        }
    }
}

/// Names and values of the attributes between a tag's name and its `>`.
pub fn attributes(markup: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = position(markup, at, NO_FILLER);
        if start >= markup.len() {
            return None;
        }
        let span = attribute(markup, start);
        at = span.end;
        Some((
            &markup[start..span.name_end],
            &markup[span.value.0..span.value.1],
        ))
    })
}

/// Whether `part`, a slice of `whole`, is not empty and ends where `whole` ends.
fn ends_at(whole: &[u8], part: &[u8]) -> bool {
    !part.is_empty() && std::ptr::eq(whole.as_ptr_range().end, part.as_ptr_range().end)
}

/// How long a comment is, counted from behind `<!--`.
fn comment_length(text: &[u8]) -> usize {
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
    KINDS[*next as usize] & ENDS_NAME != 0 && text[..name.len()].eq_ignore_ascii_case(name)
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
