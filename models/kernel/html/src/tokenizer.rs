//! Bytes to tokens, as the tokenizer of the standard cuts them, without copies and in linear time.

use memchr::{memchr, memmem};

use crate::tag::{self, Tag, tag_of};

/// A range of the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(start: usize, end: usize) -> Self {
        // inputs are shorter than 4 GiB: see `parse`
        Self {
            start: start as u32,
            end: end as u32,
        }
    }

    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }

    pub fn of(self, input: &[u8]) -> &[u8] {
        input
            .get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }
}

/// A start or end tag.
#[derive(Clone, Copy, Debug)]
pub struct TagToken {
    pub tag: Tag,
    pub is_self_closing: bool,
    pub name: Span,
    /// What stands between the name and the closing `>`.
    pub attributes: Span,
    /// Where those that are read start.
    pub read: u32,
}

#[derive(Clone, Copy, Debug)]
pub enum Token {
    Text(Span),
    Start(TagToken),
    End(TagToken),
    Comment(Span),
    Doctype(Span),
    /// Text of `<![CDATA[`, which only elements of SVG and MathML hold.
    CData(Span),
    Eof,
}

/// Names of attributes that somebody reads, by number.
pub struct Names {
    slots: [(u64, u8, u8); NAME_SLOTS],
    spelled: &'static [&'static str],
}

const NAME_SLOTS: usize = 256;

impl Names {
    /// `spelled` are small; the number of a name is its place. At most 100 names.
    #[must_use]
    pub fn new(spelled: &'static [&'static str]) -> Self {
        let mut slots = [(0, 0, 0); NAME_SLOTS];
        for (number, name) in spelled.iter().enumerate() {
            let name = name.as_bytes();
            let first = first_bytes(name, 0, name.len());
            let mut slot = name_slot(first, name.len());
            while slots[slot].1 != 0 {
                slot = (slot + 1) % NAME_SLOTS;
            }
            slots[slot] = (first, name.len() as u8, number as u8);
        }
        Self { slots, spelled }
    }

    /// The number of the name that starts at `start`, in any case.
    #[inline(always)]
    fn number(&self, input: &[u8], start: usize, end: usize) -> Option<u8> {
        let length = end - start;
        let first = tag::lowered(first_bytes(input, start, length));
        let mut slot = name_slot(first, length);
        loop {
            let (known, of_length, number) = self.slots[slot];
            if of_length == 0 {
                return None;
            }
            if known == first && usize::from(of_length) == length {
                let name = self.spelled[usize::from(number)].as_bytes();
                if length <= 8 || name.eq_ignore_ascii_case(&input[start..end]) {
                    return Some(number);
                }
            }
            slot = (slot + 1) % NAME_SLOTS;
        }
    }
}

#[inline(always)]
fn name_slot(first: u64, length: usize) -> usize {
    let mixed = (first ^ (length as u64) << 56).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 56) as usize
}

/// The value of an attribute that somebody reads.
#[derive(Clone, Copy, Debug)]
pub struct Read {
    pub name: u8,
    pub value: Span,
}

/// Stands behind the last attribute of a tag.
pub const END: u8 = u8::MAX;

pub struct Tokenizer<'i> {
    input: &'i [u8],
    at: usize,
    names: Option<&'i Names>,
    /// Attributes of all tags that are read, those of a tag in one piece with [`END`] behind them.
    pub read: Vec<Read>,
}

impl<'i> Tokenizer<'i> {
    pub fn new(input: &'i [u8], names: Option<&'i Names>) -> Self {
        let end = Read {
            name: END,
            value: Span::default(),
        };
        Self {
            input,
            at: 0,
            names,
            read: vec![end],
        }
    }

    /// The next token; `in_foreign` says whether `<![CDATA[` opens text.
    #[inline(always)]
    pub fn next(&mut self, in_foreign: bool) -> Token {
        let start = self.at;
        let mut from = start;
        loop {
            // most tags stand right behind another one, and most texts are short
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
            if next == b'/' {
                let name = opening + 2;
                if self.input[name].is_ascii_alphabetic() {
                    return self.tag(name).map_or(Token::Eof, Token::End);
                }
                if self.input[name] == b'>' {
                    // `</>` is nothing
                    self.at = name + 1;
                    return self.next_again(in_foreign);
                }
                return self.bogus_comment(name);
            }
            if next == b'!' {
                return self.declaration(opening + 2, in_foreign);
            }
            if next == b'?' {
                return self.bogus_comment(opening + 1);
            }
            return self.tag(opening + 1).map_or(Token::Eof, Token::Start);
        }
    }

    #[cold]
    fn next_again(&mut self, in_foreign: bool) -> Token {
        while self.input[self.at..].starts_with(b"</>") {
            self.at += 3;
        }
        self.next(in_foreign)
    }

    #[inline(always)]
    fn tag(&mut self, start: usize) -> Option<TagToken> {
        let input = self.input;
        let end = skip(input, start + 1, IN_NAME);
        let name = &input[start..end];
        let tag = tag_of(first_bytes(input, start, name.len()), name);
        let mut at = end;
        let mut is_self_closing = false;
        let mut read = 0;
        if input.get(at) != Some(&b'>') {
            let first = self.read.len();
            (at, is_self_closing) = self.tag_end(at)?;
            if self.read.len() > first {
                read = first as u32;
                self.read.push(Read {
                    name: END,
                    value: Span::default(),
                });
            }
        }
        self.at = at + 1;
        Some(TagToken {
            tag,
            is_self_closing,
            name: Span::new(start, end),
            attributes: Span::new(end, at),
            read,
        })
    }

    /// Where the `>` of a tag stands whose attributes start at `at`, and whether a `/` stands before.
    #[inline(always)]
    fn tag_end(&mut self, mut at: usize) -> Option<(usize, bool)> {
        let input = self.input;
        loop {
            let start = skip(input, at, SPACE | SLASH);
            match input.get(start) {
                None => return None,
                Some(b'>') => return Some((start, start > at && input[start - 1] == b'/')),
                Some(_) => {
                    let found = attribute(input, start);
                    at = found.end;
                    let name = self
                        .names
                        .and_then(|names| names.number(input, found.name.0, found.name.1));
                    if let Some(name) = name {
                        self.read.push(Read {
                            name,
                            value: Span::new(found.value.0, found.value.1),
                        });
                    }
                }
            }
        }
    }

    fn bogus_comment(&mut self, start: usize) -> Token {
        let rest = &self.input[start..];
        let length = memchr(b'>', rest).unwrap_or(rest.len());
        self.at = (start + length + 1).min(self.input.len());
        Token::Comment(Span::new(start, start + length))
    }

    fn declaration(&mut self, start: usize, in_foreign: bool) -> Token {
        let rest = &self.input[start..];
        if rest.starts_with(b"--") {
            let (length, whole) = comment(&rest[2..]);
            self.at = start + 2 + whole;
            return Token::Comment(Span::new(start + 2, start + 2 + length));
        }
        if in_foreign && rest.starts_with(b"[CDATA[") {
            let text = start + 7;
            let length = memmem::find(&rest[7..], b"]]>").unwrap_or(rest.len() - 7);
            self.at = (text + length + 3).min(self.input.len());
            return Token::CData(Span::new(text, text + length));
        }
        let is_doctype = rest.len() >= 7 && rest[..7].eq_ignore_ascii_case(b"doctype");
        match self.bogus_comment(start) {
            Token::Comment(all) if is_doctype => Token::Doctype(Span {
                start: all.start + 7,
                end: all.end,
            }),
            token => token,
        }
    }

    /// What is text whatever it looks like, behind the start tag `tag`; its end tag is passed too.
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
        let name = start + length + 2;
        // an end tag that never ends is dropped, and with it the rest
        if self.tag(name).is_none() {
            self.at = self.input.len();
        }
        Span::new(start, start + length)
    }
}

impl Tokenizer<'_> {
    /// As [`Tokenizer::raw_text`], but the end tag of the element `around` ends it too, and stays.
    pub fn raw_text_in(&mut self, tag: Tag, around: &[u8]) -> Span {
        let start = self.at;
        let rest = &self.input[start..];
        let name = tag::NAMES[tag as usize].as_bytes();
        // one pass for both: a page may leave many such elements open
        let found = memmem::find_iter(rest, b"</").find_map(|at| {
            let is_around = is_name(&rest[at + 2..], around);
            (is_around || is_name(&rest[at + 2..], name)).then_some((at, is_around))
        });
        let (length, is_around) = found.unwrap_or((rest.len(), true));
        self.at = start + length;
        if !is_around && self.tag(self.at + 2).is_none() {
            self.at = self.input.len();
        }
        Span::new(start, start + length)
    }

    /// Where the line ends, or the next tag starts, in the text of a title that is never closed: the
    /// input goes on there.
    pub fn open_end(&mut self, text: Span) -> Option<u32> {
        if self.at < self.input.len() || text.end as usize != self.input.len() {
            return None;
        }
        let length = memchr::memchr3(b'<', b'\r', b'\n', text.of(self.input))?;
        self.at = text.start as usize + length;
        Some(length as u32)
    }
}

const SPACE: u8 = 1;
const SLASH: u8 = 2;
const CLOSE: u8 = 4;
const EQUALS: u8 = 8;
const ELSE: u8 = 16;

/// Bytes of a tag name, of an attribute's name, and of a value without quotes.
const IN_NAME: u8 = EQUALS | ELSE;
const IN_ATTRIBUTE: u8 = ELSE;
const IN_VALUE: u8 = SLASH | EQUALS | ELSE;

static KINDS: [u8; 256] = {
    let mut table = [ELSE; 256];
    table[b'\t' as usize] = SPACE;
    table[b'\n' as usize] = SPACE;
    table[0x0C] = SPACE;
    table[b'\r' as usize] = SPACE;
    table[b' ' as usize] = SPACE;
    table[b'/' as usize] = SLASH;
    table[b'>' as usize] = CLOSE;
    table[b'=' as usize] = EQUALS;
    table
};

/// Where the bytes of `kinds` end that start at `at`.
#[inline(always)]
fn skip(input: &[u8], mut at: usize, kinds: u8) -> usize {
    while let Some(&byte) = input.get(at) {
        if KINDS[byte as usize] & kinds == 0 {
            break;
        }
        at += 1;
    }
    at
}

/// Up to 8 bytes of a name.
#[inline(always)]
fn first_bytes(input: &[u8], start: usize, length: usize) -> u64 {
    let word = match input.get(start..start + 8) {
        Some(bytes) => u64::from_le_bytes([
            bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
        ]),
        None => input[start..]
            .iter()
            .rev()
            .fold(0, |word, &byte| word << 8 | u64::from(byte)),
    };
    if length >= 8 {
        word
    } else {
        word & !(u64::MAX << (8 * length))
    }
}

/// An attribute in the input.
#[derive(Clone, Copy, Debug)]
pub struct AttributeSpan {
    pub name: (usize, usize),
    pub value: (usize, usize),
    /// Where the search goes on.
    pub end: usize,
}

/// The attribute whose name starts at `start`, whatever its first byte is.
#[inline(always)]
pub fn attribute(input: &[u8], start: usize) -> AttributeSpan {
    let name_end = skip(input, start + 1, IN_ATTRIBUTE);
    let mut at = name_end;
    if input.get(at) != Some(&b'=') {
        at = skip(input, at, SPACE);
        if input.get(at) != Some(&b'=') {
            return AttributeSpan {
                name: (start, name_end),
                value: (at, at),
                end: at,
            };
        }
    }
    at += 1;
    let mut quote = input.get(at).copied().unwrap_or(b'>');
    if KINDS[quote as usize] == SPACE {
        at = skip(input, at, SPACE);
        quote = input.get(at).copied().unwrap_or(b'>');
    }
    let (value, end) = if matches!(quote, b'"' | b'\'') {
        let from = at + 1;
        let until = find(quote, input, from);
        ((from, until), (until + 1).min(input.len()))
    } else {
        let until = skip(input, at, IN_VALUE);
        ((at, until), until)
    };
    AttributeSpan {
        name: (start, name_end),
        value,
        end,
    }
}

/// Where a byte stands from `at` on, or the end of the input. Values are short, so the first bytes
/// are looked at here.
#[inline(always)]
fn find(byte: u8, input: &[u8], mut at: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let wanted = ONES * u64::from(byte);
    for _ in 0..8 {
        let Some(eight) = input.get(at..at + 8).and_then(|eight| eight.first_chunk()) else {
            break;
        };
        let differs = u64::from_le_bytes(*eight) ^ wanted;
        let zeros = differs.wrapping_sub(ONES) & !differs & (0x80 * ONES);
        if zeros != 0 {
            return at + zeros.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    memchr(byte, &input[at..]).map_or(input.len(), |length| at + length)
}

/// How long the data of a comment is, and how long all of it, from behind `<!--`.
fn comment(text: &[u8]) -> (usize, usize) {
    if text.starts_with(b">") {
        return (0, 1);
    }
    if text.starts_with(b"->") {
        return (0, 2);
    }
    let mut from = 0;
    while let Some(found) = memmem::find(&text[from..], b"--") {
        let first = from + found;
        let mut at = first + 2;
        while text.get(at) == Some(&b'-') {
            at += 1;
        }
        match text.get(at..) {
            Some([b'>', ..]) => return (at - 2, at + 1),
            Some([b'!', b'>', ..]) => return (at - 2, at + 2),
            // what ends right behind the hyphens is the end of the comment too
            Some([]) => return (at - 2, at),
            Some([b'!']) => return (at - 2, at + 1),
            _ => from = at,
        }
    }
    let data = text.strip_suffix(b"-").unwrap_or(text);
    (data.len(), text.len())
}

/// Where the end tag of `name` starts.
fn end_tag(text: &[u8], name: &[u8]) -> Option<usize> {
    memmem::find_iter(text, b"</").find(|&at| is_name(&text[at + 2..], name))
}

/// Whether a text starts with a whole tag name.
fn is_name(text: &[u8], name: &[u8]) -> bool {
    let Some(&next) = text.get(name.len()) else {
        return false;
    };
    KINDS[next as usize] & IN_NAME == 0 && text[..name.len()].eq_ignore_ascii_case(name)
}

/// Where the end tag of a script starts: inside of `<!--` a nested `<script>` hides one.
fn script_length(text: &[u8]) -> Option<usize> {
    let end = end_tag(text, b"script")?;
    if memmem::find(&text[..end], b"<!--").is_none() {
        return Some(end);
    }
    let (mut is_escaped, mut is_nested) = (false, false);
    for at in memchr::memchr2_iter(b'<', b'>', text) {
        let rest = &text[at..];
        if rest[0] == b'>' {
            if text[..at].ends_with(b"--") {
                (is_escaped, is_nested) = (false, false);
            }
        } else if !is_escaped && rest.starts_with(b"<!--") {
            // `<!-->` and `<!--->` end what they start: their `>` comes next
            is_escaped = true;
        } else if rest.starts_with(b"</") && is_name(&rest[2..], b"script") {
            if !is_nested {
                return Some(at);
            }
            is_nested = false;
        } else if is_escaped && is_name(&rest[1..], b"script") {
            is_nested = true;
        }
    }
    None
}
