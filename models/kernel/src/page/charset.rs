//! Bytes of unknown charset to text.
//!
//! In this order: byte order mark; UTF-16 without a mark; strict UTF-8; UTF-8 with a few damaged
//! places; the charset of the HTTP header, then the one of the markup, if the bytes decode in it
//! and do not contradict it; UTF-8 with many damaged places; detection, whose fallback is
//! windows-1252. ASCII in UTF-16 is valid UTF-8 too, with a NUL after or before every character.
//! UTF-8 comes before labels because text in another charset is hardly ever valid UTF-8, while
//! labels are often wrong.

use std::borrow::Cow;

use encoding_rs::{Encoding, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};

use super::composed::composed;
use super::detection::{Clues, detected};
use super::encodings::read_as;
use super::prescan::declared_label;

/// Text and the lower-case WHATWG name of its charset.
#[derive(Debug)]
pub struct Decoded<'body> {
    pub text: Cow<'body, str>,
    pub charset: &'static str,
}

/// Valid UTF-8 characters per damaged one, above which a text is UTF-8 against its label, and
/// without a usable label. In other charsets at most one in ten pairs of bytes is valid UTF-8 by
/// accident.
const FEW: usize = 8;
const MANY: usize = 1;
/// Characters beyond ASCII per damaged one, above which a label is accepted.
const DAMAGE: usize = 50;

/// Decode a body. Never fails: the fallback is windows-1252. The `url` may be empty; its top-level
/// domain helps to distinguish similar charsets.
///
/// Letters written as a base and a combining mark become one character (NFC).
#[must_use]
pub fn decode<'body>(body: &'body [u8], content_type: &str, url: &str) -> Decoded<'body> {
    let found = as_written(body, content_type, url);
    match composed(&found.text) {
        Some(text) => Decoded {
            text: Cow::Owned(text),
            ..found
        },
        None => found,
    }
}

fn as_written<'body>(body: &'body [u8], content_type: &str, url: &str) -> Decoded<'body> {
    if let Some((encoding, mark)) = Encoding::for_bom(body) {
        return decoded(encoding, &body[mark..]);
    }
    if let Some(encoding) = unmarked_utf16(body) {
        return decoded(encoding, body);
    }
    if let Ok(text) = simdutf8::basic::from_utf8(body) {
        return escaped_japanese(body).unwrap_or(Decoded {
            text: Cow::Borrowed(text),
            charset: "utf-8",
        });
    }
    let clues = Clues::of(body, url);
    if clues.evidence.is_damaged_utf8(FEW) {
        return decoded(UTF_8, body);
    }
    labelled(body, content_type, &clues).unwrap_or_else(|| {
        let is_utf8 = clues.evidence.is_damaged_utf8(MANY);
        decoded(if is_utf8 { UTF_8 } else { detected(&clues) }, body)
    })
}

/// ISO-2022-JP is ASCII with escape sequences that other text does not use.
fn escaped_japanese(body: &[u8]) -> Option<Decoded<'_>> {
    let first = memchr::memchr(0x1B, body)?;
    let is_escape = matches!(body.get(first + 1), Some(b'$' | b'('));
    let (text, is_damaged) = ISO_2022_JP.decode_without_bom_handling(body);
    (is_escape && !is_damaged).then_some(Decoded {
        text,
        charset: "iso-2022-jp",
    })
}

fn labelled<'body>(
    body: &'body [u8],
    content_type: &str,
    clues: &Clues<'_>,
) -> Option<Decoded<'body>> {
    let decode = |label: &[u8]| {
        let encoding = usable(label)?;
        if clues.speak_against(encoding) {
            None
        } else {
            try_charset(encoding, body)
        }
    };
    header_label(content_type)
        .and_then(decode)
        .or_else(|| declared_label(body).and_then(decode))
}

/// The encoding of a label, if a body that is not UTF-16 can be in it.
fn usable(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label)?;
    (encoding != REPLACEMENT && encoding.is_ascii_compatible()).then_some(encoding)
}

/// The value of `charset` in a `Content-Type` header.
fn header_label(content_type: &str) -> Option<&[u8]> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let value = value.trim().trim_matches(['"', '\'']);
        name.trim()
            .eq_ignore_ascii_case("charset")
            .then_some(value.as_bytes())
    })
}

/// Decode, unless more than a few characters are damaged.
fn try_charset<'body>(encoding: &'static Encoding, body: &'body [u8]) -> Option<Decoded<'body>> {
    let (text, is_damaged) = read_as(encoding, body);
    if is_damaged {
        let damaged = text.matches(char::REPLACEMENT_CHARACTER).count();
        let foreign = text
            .chars()
            .filter(|character| !character.is_ascii())
            .count();
        if damaged * DAMAGE > foreign {
            return None;
        }
    }
    Some(Decoded {
        text,
        charset: name(encoding),
    })
}

fn decoded<'body>(encoding: &'static Encoding, body: &'body [u8]) -> Decoded<'body> {
    let (text, _) = read_as(encoding, body);
    Decoded {
        text,
        charset: name(encoding),
    }
}

/// Bytes checked for UTF-16 without a mark.
const UTF16_SAMPLE: usize = 1 << 12;

/// Markup in UTF-16 has NULs on one side of its pairs of bytes: in most pairs, or the page begins with
/// the start of a tag, for letters beyond Latin have none.
fn unmarked_utf16(body: &[u8]) -> Option<&'static Encoding> {
    let sample = &body[..body.len().min(UTF16_SAMPLE)];
    memchr::memchr(0, sample)?;
    let pairs = sample.len() / 2;
    let nuls = |side: usize| {
        sample
            .chunks_exact(2)
            .filter(|pair| pair[side] == 0)
            .count()
    };
    let (left, right) = (nuls(0), nuls(1));
    let is_one_sided = |many: usize, few: usize, tag: [u8; 2]| {
        let least = if sample.starts_with(&tag) {
            many * 16
        } else {
            many * 2
        };
        least > pairs && few * 20 < many
    };
    if is_one_sided(right, left, *b"<\0") {
        Some(UTF_16LE)
    } else if is_one_sided(left, right, *b"\0<") {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// Lower-case names, computed once: `Encoding::name` has capitals.
fn name(encoding: &'static Encoding) -> &'static str {
    NAMES
        .iter()
        .find(|name| name.eq_ignore_ascii_case(encoding.name()))
        .copied()
        .unwrap_or("unknown")
}

/// All encodings of the WHATWG standard in lower case.
pub(super) const NAMES: [&str; 40] = [
    "utf-8",
    "windows-1252",
    "windows-1251",
    "iso-8859-2",
    "windows-1250",
    "gbk",
    "gb18030",
    "big5",
    "shift_jis",
    "euc-jp",
    "euc-kr",
    "iso-2022-jp",
    "iso-8859-7",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "windows-874",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-8",
    "iso-8859-8-i",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "macintosh",
    "x-mac-cyrillic",
    "ibm866",
    "utf-16le",
    "utf-16be",
    "x-user-defined",
    "replacement",
];
