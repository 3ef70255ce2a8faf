//! The charset that markup declares: `<meta charset>`, `<meta http-equiv content>` and
//! `<?xml encoding?>` in the first 4 KB, as browsers read them, or later in the head.

use winnow_html::attributes::attributes;
use winnow_html::tag;
use winnow_html::tokenizer::{Token, Tokenizer};

/// Farthest position of a declaration. Browsers read 1 KB; crawled pages often have comments and
/// scripts first.
const PRESCAN: usize = 4096;

/// Elements whose content is always text.
pub const RAW_TEXT: [tag::Tag; 9] = [
    tag::SCRIPT,
    tag::STYLE,
    tag::TITLE,
    tag::TEXTAREA,
    tag::XMP,
    tag::IFRAME,
    tag::NOEMBED,
    tag::NOFRAMES,
    tag::PLAINTEXT,
];

/// The label in the first declaration, if there is one.
#[must_use]
pub fn declared_label(body: &[u8]) -> Option<&[u8]> {
    let head = &body[..body.len().min(PRESCAN)];
    xml_label(head)
        .or_else(|| label_before(|_| false, head))
        .or_else(|| late_label(body))
}

/// Length of the head that is read. It may contain long styles and scripts.
const HEAD: usize = 1 << 20;

/// The label in the first declaration anywhere in the head. Browsers restart when they find it.
fn late_label(body: &[u8]) -> Option<&[u8]> {
    let is_end = |token: &Token| match token {
        Token::Start(found) => found.tag == tag::BODY,
        Token::End(found) => found.tag == tag::HEAD,
        _ => false,
    };
    label_before(is_end, &body[..body.len().min(HEAD)])
}

fn xml_label(head: &[u8]) -> Option<&[u8]> {
    let head = head.trim_ascii_start();
    if !head.starts_with(b"<?xml") {
        return None;
    }
    let end = memchr::memchr(b'>', head)?;
    label_after(&head[..end], b"encoding")
}

/// The label in the first `meta` that has one, before a token that ends the search.
fn label_before(is_end: impl Fn(&Token) -> bool, head: &[u8]) -> Option<&[u8]> {
    let mut tokens = Tokenizer::new(head, None);
    loop {
        match tokens.next(false) {
            Token::Eof => return None,
            token if is_end(&token) => return None,
            Token::Start(found) if found.tag == tag::META => {
                if let Some(label) = label_of_meta(found.attributes.of(head)) {
                    return Some(label);
                }
            }
            Token::Start(found) if RAW_TEXT.contains(&found.tag) => {
                tokens.raw_text(found.tag);
            }
            _ => {}
        }
    }
}

fn label_of_meta(markup: &[u8]) -> Option<&[u8]> {
    let mut content: Option<&[u8]> = None;
    for (name, value) in attributes(markup) {
        if name.eq_ignore_ascii_case(b"charset") {
            return Some(value.trim_ascii());
        }
        if name.eq_ignore_ascii_case(b"content") {
            content = Some(value);
        }
    }
    label_after(content?, b"charset")
}

/// The value after `name =`, with or without quotes.
fn label_after<'text>(text: &'text [u8], name: &[u8]) -> Option<&'text [u8]> {
    let at = text
        .windows(name.len())
        .position(|window| window.eq_ignore_ascii_case(name))?;
    let rest = text[at + name.len()..].trim_ascii_start();
    let rest = rest.strip_prefix(b"=")?.trim_ascii_start();
    let (quote, rest) = match rest.first()? {
        quote @ (b'"' | b'\'') => (Some(*quote), &rest[1..]),
        _ => (None, rest),
    };
    let ends = |byte: &u8| match quote {
        Some(quote) => *byte == quote,
        None => byte.is_ascii_whitespace() || matches!(byte, b';' | b'"' | b'\'' | b'?'),
    };
    let end = rest.iter().position(ends).unwrap_or(rest.len());
    Some(rest[..end].trim_ascii())
}
