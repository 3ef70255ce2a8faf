//! The form of a body: an HTML page, plain text, or something that cannot be cleaned.

pub mod magic;

use std::borrow::Cow;

use memchr::memmem;

use super::counts::count;
use super::refusal::{Reason, Refusal};
use super::tags;

/// How a body is turned into blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Html,
    Text,
}

impl Form {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Text => "text",
        }
    }
}

/// The type declared by the `Content-Type` header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Promise {
    Html,
    Text,
    Xml,
    /// Neither of them: accepted only if the body proves to be HTML.
    Other,
    Nothing,
}

/// Bytes of a body that are checked for control characters.
const SAMPLE: usize = 1 << 16;
/// Share of control characters above which a body is not text: 1 in 50. Random bytes have 1 in 10,
/// text has none.
const BINARY_SHARE: usize = 50;
/// This many control characters are accepted if their share is below the share in random bytes.
const FEW_CONTROLS: usize = 8;
const RANDOM_SHARE: usize = 10;

/// Refuse text that is only white space and escapes.
///
/// # Errors
/// `Empty`.
pub fn check_empty(text: &str) -> Result<(), Refusal> {
    if text
        .bytes()
        .all(|byte| byte.is_ascii_whitespace() || byte == ESCAPE)
    {
        return Err(Refusal::new(Reason::Empty, "no bytes but white space"));
    }
    Ok(())
}

/// Refuse text with too many control characters.
///
/// # Errors
/// `Binary`.
pub fn check_controls(text: &[u8]) -> Result<(), Refusal> {
    let sample = &text[..text.len().min(SAMPLE)];
    let controls = count(sample, is_control);
    let share = if controls > FEW_CONTROLS {
        BINARY_SHARE
    } else {
        RANDOM_SHARE
    };
    if controls * share > sample.len() {
        let detail = format!("{controls} control characters in {} bytes", sample.len());
        return Err(Refusal::new(Reason::Binary, detail));
    }
    Ok(())
}

const ESCAPE: u8 = 0x1B;

/// Branch-free: white space (tab to carriage return) and escape do not count as controls.
fn is_control(byte: u8) -> bool {
    let is_space = byte.wrapping_sub(b'\t') <= b'\r' - b'\t';
    (byte < 0x20) & !is_space & (byte != ESCAPE) | (byte == 0x7F)
}

/// The form of a decoded body, from the header's type and the text.
///
/// # Errors
/// `NotHtml` for JSON, scripts, style sheets, feeds and the like.
pub fn form_of(text: &str, content_type: &str) -> Result<Form, Refusal> {
    let promise = promise(content_type);
    let opening = Opening::of(text.as_bytes(), promise);
    if opening == Opening::Html {
        return Ok(Form::Html);
    }
    match promise {
        Promise::Html => Ok(html_or_text(text)),
        Promise::Text => Ok(Form::Text),
        Promise::Other => Err(Refusal::new(Reason::NotHtml, essence(content_type))),
        Promise::Xml | Promise::Nothing if opening == Opening::Xml => {
            Err(Refusal::new(Reason::NotHtml, "XML, but not XHTML"))
        }
        Promise::Xml => Ok(html_or_text(text)),
        Promise::Nothing if is_json(text) => Err(Refusal::new(Reason::NotHtml, "JSON")),
        Promise::Nothing => Ok(html_or_text(text)),
    }
}

/// Whether a page is declared as XML: then any tag may close itself.
#[must_use]
pub fn is_xml(content_type: &str) -> bool {
    let essence = essence(content_type);
    essence.ends_with("xhtml+xml") || promise(content_type) == Promise::Xml
}

/// Text without a single tag or entity is plain text, for every label.
fn html_or_text(text: &str) -> Form {
    let bytes = text.as_bytes();
    let has_markup = memchr::memchr2_iter(b'<', b'&', bytes).any(|at| {
        bytes.get(at + 1).is_some_and(|&next| {
            next.is_ascii_alphabetic() || matches!(next, b'/' | b'!' | b'?' | b'#')
        })
    });
    if has_markup { Form::Html } else { Form::Text }
}

fn is_json(text: &str) -> bool {
    let text = text.trim();
    let is_object = text.starts_with('{') && text.ends_with('}');
    let is_array = text.starts_with('[') && text.ends_with(']');
    is_object && text.contains("\":") || is_array && html_or_text(text) == Form::Text
}

/// The beginning of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opening {
    Html,
    Xml,
    Else,
}

impl Opening {
    fn of(text: &[u8], promise: Promise) -> Self {
        let mut rest = text.trim_ascii_start();
        let mut is_xml = false;
        loop {
            let end: &[u8] = if rest.starts_with(b"<!--") {
                b"-->"
            } else if rest.starts_with(b"<?") {
                is_xml |= starts_with_ignoring_case(rest, b"<?xml");
                b">"
            } else {
                break;
            };
            let Some(at) = memmem::find(rest, end) else {
                break;
            };
            rest = rest[at + end.len()..].trim_ascii_start();
        }
        let opens = |tag: &[u8]| starts_with_ignoring_case(rest, tag);
        if opens(b"<!doctype html") || opens(b"<html") || opens(b"<head") || opens(b"<body") {
            Self::Html
        } else if is_foreign_element(rest) && (is_xml || promise == Promise::Xml) {
            Self::Xml
        } else {
            Self::Else
        }
    }
}

/// Whether a text starts with a tag that is not HTML.
fn is_foreign_element(text: &[u8]) -> bool {
    let name = match text {
        [b'<', name @ ..] if name.first().is_some_and(u8::is_ascii_alphabetic) => name,
        _ => return false,
    };
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
    let Some(length) = name.iter().position(ends) else {
        return false;
    };
    let tag = tags::tag_of(&name[..length]);
    matches!(tag, tags::UNKNOWN | tags::SVG | tags::MATH)
}

fn starts_with_ignoring_case(text: &[u8], start: &[u8]) -> bool {
    text.get(..start.len())
        .is_some_and(|text| text.eq_ignore_ascii_case(start))
}

fn promise(content_type: &str) -> Promise {
    let essence = essence(content_type);
    match essence.as_ref() {
        "text/html" | "application/xhtml+xml" | "application/vnd.wap.xhtml+xml" => Promise::Html,
        "text/plain" | "text/markdown" => Promise::Text,
        "text/xml" | "application/xml" => Promise::Xml,
        "" | "application/octet-stream" | "binary/octet-stream" | "application/unknown" => {
            Promise::Nothing
        }
        other if other.ends_with("+xml") => Promise::Xml,
        // not a media type at all
        other if !other.contains('/') => Promise::Nothing,
        _ => Promise::Other,
    }
}

/// Characters of a media type that are read.
const MAX_ESSENCE: usize = 100;

/// The media type of a header without its parameters, in lower case.
fn essence(content_type: &str) -> Cow<'_, str> {
    let essence = content_type.split(';').next().unwrap_or("").trim();
    // a header can be very long, and this one becomes part of the refusal
    let end = essence.char_indices().nth(MAX_ESSENCE);
    let essence = end.map_or(essence, |(end, _)| &essence[..end]);
    if essence.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(essence.to_ascii_lowercase())
    } else {
        Cow::Borrowed(essence)
    }
}
