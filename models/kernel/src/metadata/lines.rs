//! Any text of a page -> one clean line.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use super::patterns::pattern;
use crate::page::text::classes::{Act, CLASSES, Class, lead_act};
use crate::page::text::is_invisible;
use crate::unicode::is_alphanumeric;

/// Longest line without an explicit limit, in characters.
pub const MAX_CHARS: usize = 512;
/// Most lines of a page that are searched for one thing. Long threads have a few hundred.
pub const MAX_LINES: usize = 1000;

/// Hidden parts of markup, with their content.
static HIDDEN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?is)<script\b[^>]*>.*?</script\s*>|<style\b[^>]*>.*?</style\s*>",
        r"|<!--.*?-->"
    ))
});
static TAG: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)</?[a-z][a-z0-9-]*(?:\s[^<>]*)?/?>"));
/// A tag of real markup, not of a text about markup: it ends an element, or has attributes.
static MARKUP: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)</[a-z][a-z0-9-]*\s*>|<[a-z][a-z0-9-]*\s[^<>]*=[^<>]*>"));

/// A text without line breaks and invisible characters; empty if it is too long.
#[must_use]
pub fn line(text: &str, max_chars: usize) -> String {
    if is_line(text) {
        let is_kept = !is_longer(text, max_chars);
        return if is_kept {
            text.to_owned()
        } else {
            String::new()
        };
    }
    if is_longer(text, 8 * max_chars) {
        return String::new();
    }
    // text that was escaped twice
    let text = if text.contains('&') {
        htmlize::unescape(without_invisible(text))
    } else {
        Cow::Borrowed(text)
    };
    let text = if text.contains('<') {
        Cow::Owned(without_markup(&text))
    } else {
        text
    };
    let mut made = String::with_capacity(text.len());
    for character in text.chars() {
        if is_invisible(character) {
            continue;
        }
        if !character.is_whitespace() {
            made.push(character);
        } else if !made.is_empty() && !made.ends_with(' ') {
            made.push(' ');
        }
    }
    made.truncate(made.trim_end_matches(' ').len());
    if is_longer(&made, max_chars) {
        made.clear();
    }
    made
}

/// Whether a text is a clean line already, without entities and markup.
fn is_line(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (mut at, mut last) = (0, b' ');
    while let Some(&byte) = bytes.get(at) {
        let (act, length) = match CLASSES[usize::from(byte)] {
            Class::Plain => (Act::Keep, 1),
            Class::Lead => lead_act(&bytes[at..]),
            Class::Space | Class::Drop => (Act::Space, 1),
        };
        let is_plain = match act {
            Act::Keep => !matches!(byte, b'&' | b'<'),
            Act::Space => byte == b' ' && last != b' ',
            Act::Drop => false,
        };
        if !is_plain {
            return false;
        }
        (at, last) = (at + length, byte);
    }
    last != b' '
}

/// A value without tags, scripts and comments, if it is markup and not about markup.
fn without_markup(text: &str) -> String {
    let shown = HIDDEN.replace_all(text, " ");
    if MARKUP.is_match(&shown) {
        TAG.replace_all(&shown, " ").into_owned()
    } else {
        shown.into_owned()
    }
}

fn without_invisible(text: &str) -> Cow<'_, str> {
    if text.contains(is_invisible) {
        Cow::Owned(text.chars().filter(|&c| !is_invisible(c)).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// Whether a text has more than this many characters.
#[must_use]
pub fn is_longer(text: &str, max_chars: usize) -> bool {
    text.len() > max_chars && text.chars().nth(max_chars).is_some()
}

/// The first characters of a text.
#[must_use]
pub fn first_chars(text: &str, chars: usize) -> &str {
    if text.len() <= chars {
        return text;
    }
    let end = text
        .char_indices()
        .nth(chars)
        .map_or(text.len(), |each| each.0);
    &text[..end]
}

/// A text in lower case, for comparison.
pub fn folded(text: &str) -> impl Iterator<Item = char> {
    text.chars()
        .flat_map(char::to_lowercase)
        .flat_map(|character| {
            let (first, second) = match character {
                'ß' => ('s', Some('s')),
                'ς' => ('σ', None),
                other => (other, None),
            };
            std::iter::once(first).chain(second)
        })
}

/// The letters and digits of a text, for comparing titles.
pub fn key(text: &str) -> String {
    let mut key = String::with_capacity(text.len());
    for sign in text.chars() {
        if !sign.is_ascii() {
            let mut bytes = [0; 4];
            let small = folded(sign.encode_utf8(&mut bytes));
            key.extend(small.filter(|&sign| is_of_key(sign)));
        } else if is_of_key(sign) {
            key.push(sign.to_ascii_lowercase());
        }
    }
    key
}

/// Whether a sign is a letter or a digit of a [`key`].
pub fn is_of_key(sign: char) -> bool {
    is_alphanumeric(sign) || sign == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_no_breaks_and_nothing_invisible() {
        for (text, expected) in [
            ("", ""),
            (" a\n\t b\u{a0}", "a b"),
            ("蜂蜜 “a” – b", "蜂蜜 “a” – b"),
            ("a  b", "a b"),
            ("a b ", "a b"),
            ("a\u{3000}b\u{2060}", "a b"),
            ("a\0\u{200b}b\x0b \u{ad} c", "ab c"),
            ("A&amp;amp; B &#x200b;&nbsp; C", "A&amp; B C"),
            ("<script>alert(1)</script>", ""),
            ("A<SCRIPT src=x>b</script >C <!-- d -->", "A C"),
            ("&lt;script&gt;alert(1)&lt;/script&gt;A", "A"),
            (
                "<p class=a>A <b>b</b></p><img src=x onerror=alert(1)>",
                "A b",
            ),
            (
                "The <b> element, and 1 < 2 > 0",
                "The <b> element, and 1 < 2 > 0",
            ),
        ] {
            assert_eq!(line(text, MAX_CHARS), expected);
        }
        assert_eq!(line("abc", 3), "abc");
        assert_eq!(line("abcd", 3), "");
        assert_eq!(line(&" ".repeat(25), 3), "");
        assert_eq!(folded("ΣΑΣ Straße").collect::<String>(), "σασ strasse");
        assert_eq!(first_chars("äbc", 2), "äb");
    }
}
