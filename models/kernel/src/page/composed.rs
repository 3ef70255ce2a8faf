//! Letters written as a base and a combining mark -> one character each (NFC), in the shown text.

use memchr::{memchr, memchr2, memchr3, memmem};
use unicode_normalization::UnicodeNormalization;
use winnow_html::attributes::attributes;
use winnow_html::tag;
use winnow_html::tokenizer::{Token, Tokenizer};

use super::prescan::RAW_TEXT;

/// The marks of voiced kana, which are outside the block of other marks.
const VOICED: [&[u8]; 2] = ["\u{3099}".as_bytes(), "\u{309a}".as_bytes()];
/// The start of the vowels that join to syllables of Hangul.
const VOWELS: &[u8] = &[0xe1, 0x85];
/// Attributes with text, unless the text is an address.
const TEXTS: [&[u8]; 4] = [b"content", b"alt", b"title", b"aria-label"];

/// Markup with its text, titles and descriptions in NFC; `None` if it has no combining marks.
///
/// Tags are unchanged: a mark after `>` or in an address is not part of a letter. So are scripts.
#[must_use]
pub fn composed(markup: &str) -> Option<String> {
    let bytes = markup.as_bytes();
    if !has_marks(bytes) {
        return None;
    }
    let mut whole = String::with_capacity(markup.len());
    let mut from = 0;
    let mut tokens = Tokenizer::new(bytes, None);
    loop {
        match tokens.next(false) {
            Token::Eof => break,
            Token::Text(piece) => compose(markup, piece.of(bytes), &mut from, &mut whole),
            Token::Start(found) => {
                for (name, value) in attributes(found.attributes.of(bytes)) {
                    let is_text = TEXTS.iter().any(|text| name.eq_ignore_ascii_case(text));
                    if is_text && memmem::find(value, b"://").is_none() {
                        compose(markup, value, &mut from, &mut whole);
                    }
                }
                if RAW_TEXT.contains(&found.tag) {
                    let raw = tokens.raw_text(found.tag);
                    if matches!(found.tag, tag::TITLE | tag::TEXTAREA) {
                        compose(markup, raw.of(bytes), &mut from, &mut whole);
                    }
                }
            }
            _ => {}
        }
    }
    whole.push_str(&markup[from..]);
    Some(whole)
}

/// U+0300 to U+036F begin with 0xcc and 0xcd, which never occur inside a character.
fn has_marks(text: &[u8]) -> bool {
    // most pages have none of the bytes that marks begin with
    let first = memchr3(0xcc, 0xcd, VOICED[0][0], text);
    first.is_some_and(|first| {
        let text = &text[first..];
        memchr2(0xcc, 0xcd, text).is_some()
            || VOICED.iter().any(|mark| memmem::find(text, mark).is_some())
    }) || has_vowels(text)
}

fn has_vowels(text: &[u8]) -> bool {
    memchr(VOWELS[0], text).is_some_and(|first| memmem::find(&text[first..], VOWELS).is_some())
}

/// Append the markup up to the end of a piece, and compose the piece.
fn compose(markup: &str, piece: &[u8], from: &mut usize, whole: &mut String) {
    if !has_marks(piece) {
        return;
    }
    let start = piece.as_ptr() as usize - markup.as_ptr() as usize;
    let end = start + piece.len();
    let (Some(before), Some(text)) = (markup.get(*from..start), markup.get(start..end)) else {
        return;
    };
    whole.push_str(before);
    whole.extend(text.nfc());
    *from = end;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_found_at_every_place() {
        for length in 0..300 {
            for mark in ['\u{301}', '\u{36f}', '\u{3099}', '\u{309a}', '\u{1161}'] {
                let text = format!("{}{mark}", "か".repeat(length));
                assert!(has_marks(text.as_bytes()), "{length} {mark:?}");
                let text = format!("{}{mark} end", "e".repeat(length));
                assert!(has_marks(text.as_bytes()), "{length} {mark:?}");
            }
            assert!(!has_marks("か".repeat(length).as_bytes()), "{length}");
        }
    }

    #[test]
    fn text_and_titles_are_composed_and_addresses_are_not() {
        let markup = "<title>Cafe\u{301}</title><meta name=description content='e\u{301}'>\
            <meta content='https://a.invalid/e\u{301}'><script>'e\u{301}'</script>\
            <a href='/e\u{301}' title='o\u{308}'>u\u{308}ber</a>>\u{338} か\u{3099} и\u{306} \u{1112}\u{1161}\u{11ab}";
        let expected = "<title>Café</title><meta name=description content='é'>\
            <meta content='https://a.invalid/e\u{301}'><script>'e\u{301}'</script>\
            <a href='/e\u{301}' title='ö'>über</a>≯ が й 한";

        assert_eq!(composed(markup).as_deref(), Some(expected));
    }

    #[test]
    fn markup_without_marks_is_not_copied() {
        assert_eq!(composed("<p>Café, пчёлы, が"), None);
    }

    #[test]
    fn a_mark_behind_a_tag_stays_behind_it() {
        assert_eq!(
            composed("<p>\u{338}e\u{301}</p>").as_deref(),
            Some("<p>\u{338}é</p>")
        );
    }
}
