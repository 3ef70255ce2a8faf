//! 13.2.5 Tokenization: bytes to tokens, without copies and in linear time.
//!
//! Tokens are ranges of the input; references are decoded and names lowered when they are read. The
//! tokenizer accepts any bytes, so it can also read an undecoded page. The states of the standard
//! are functions here, each of which reads to the end of its token:
//!
//! | states of the standard | here |
//! |---|---|
//! | data, tag open, end tag open | [`Tokenizer::next`] |
//! | tag name, attribute names and values, self-closing start tag | `tags` |
//! | markup declaration, comments, bogus comment, doctype, CDATA section | `declarations` |
//! | RCDATA, RAWTEXT, script data, PLAINTEXT | `raw_text` |
//! | character references | [`Tree::text`](crate::Tree::text), [`decoded`](crate::attributes::decoded) |

mod declarations;
mod names;
mod raw_text;
mod scan;
mod span;
mod tags;

pub use names::Names;
pub use span::Span;
pub(crate) use tags::attribute;

use crate::tag::Tag;
use scan::find;

/// A start or end tag.
#[derive(Clone, Copy, Debug)]
pub struct TagToken {
    /// The number of the name; [`UNKNOWN`](crate::tag::UNKNOWN) for names that are unknown to HTML.
    pub tag: Tag,
    /// Whether a `/` precedes the `>`.
    pub is_self_closing: bool,
    /// The name as the page spells it.
    pub name: Span,
    /// The bytes between the name and the closing `>`.
    pub attributes: Span,
    /// The place in [`Tokenizer::read`] of the attributes that are indexed, 0 if there are none.
    pub read: u32,
}

/// A token, or the end of the input.
#[derive(Clone, Copy, Debug)]
pub enum Token {
    /// Text with character references.
    Text(Span),
    /// A start tag.
    Start(TagToken),
    /// An end tag.
    End(TagToken),
    /// A comment.
    Comment(Span),
    /// A doctype: the bytes between `<!doctype` and `>`.
    Doctype(Span),
    /// The text of a CDATA section.
    CData(Span),
    /// The end of the input.
    Eof,
}

/// An indexed attribute.
#[derive(Clone, Copy, Debug)]
pub struct Read {
    /// The number of its name, or [`END`].
    pub name: u8,
    /// Its value as the page spells it.
    pub value: Span,
}

/// The `name` that follows the last indexed attribute of a tag.
pub const END: u8 = u8::MAX;

const LAST: Read = Read {
    name: END,
    value: Span { start: 0, end: 0 },
};

/// Cuts the input into tokens.
pub struct Tokenizer<'i> {
    input: &'i [u8],
    at: usize,
    names: Option<&'i Names>,
    /// The indexed attributes of all tags; [`END`] follows the last one of each tag.
    pub read: Vec<Read>,
}

impl<'i> Tokenizer<'i> {
    /// A tokenizer in the data state. Attributes are indexed if `names` are given.
    ///
    /// Inputs of more than `u32::MAX` bytes have wrong spans.
    #[must_use]
    pub fn new(input: &'i [u8], names: Option<&'i Names>) -> Self {
        Self {
            input,
            at: 0,
            names,
            read: vec![LAST],
        }
    }

    /// The next token. `allows_cdata` says whether `<![CDATA[` starts a CDATA section here; else
    /// it starts a comment.
    #[inline(always)]
    pub fn next(&mut self, allows_cdata: bool) -> Token {
        let mut start = self.at;
        let mut from = start;
        loop {
            let opening = find(b'<', self.input, from);
            if opening == self.input.len() {
                self.at = opening;
                let text = Span::new(start, opening);
                return if text.is_empty() {
                    Token::Eof
                } else {
                    Token::Text(text)
                };
            }
            let next = self.input.get(opening + 1).copied().unwrap_or(0);
            let is_markup = next.is_ascii_alphabetic()
                || next == b'/' && opening + 2 < self.input.len()
                || matches!(next, b'!' | b'?');
            if !is_markup {
                from = opening + 1;
                continue;
            }
            if opening > start {
                self.at = opening;
                return Token::Text(Span::new(start, opening));
            }
            match next {
                b'/' if self.input[opening + 2] == b'>' => {
                    // `</>` gives no token
                    start = opening + 3;
                    from = start;
                }
                b'/' => return self.end_tag_open(opening + 2),
                b'!' => return self.markup_declaration(opening + 2, allows_cdata),
                b'?' => return self.bogus_comment(opening + 1),
                _ => return self.tag(opening + 1).map_or(Token::Eof, Token::Start),
            }
        }
    }

    #[inline(always)]
    fn end_tag_open(&mut self, name: usize) -> Token {
        if self.input[name].is_ascii_alphabetic() {
            return self.tag(name).map_or(Token::Eof, Token::End);
        }
        self.bogus_comment(name)
    }
}
