//! Character classes for the tokeniser and for Punkt, from Unicode properties.

use unicode_ident::{is_xid_continue, is_xid_start};

/// The effect of a character on tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// White space, controls, direction marks: ends a token and is not part of one.
    Skip,
    /// Soft hyphen, joiners, variation selectors: ignored, also inside a word.
    Soft,
    /// A letter of a script written without spaces: a separate token.
    Solo,
    /// A letter or digit: begins a word or continues it.
    Start,
    /// A combining mark or similar: continues a word.
    Continue,
    /// Punctuation or a symbol: a separate token.
    Mark,
}

/// Han, kana, bopomofo, Thai, Lao, Tibetan, Burmese, Khmer: scripts without spaces between words.
const SOLO: [(char, char); 15] = [
    ('\u{e01}', '\u{fff}'),
    ('\u{1000}', '\u{109f}'),
    ('\u{1780}', '\u{17ff}'),
    ('\u{2e80}', '\u{2fdf}'),
    ('\u{3005}', '\u{3007}'),
    ('\u{3021}', '\u{3029}'),
    ('\u{3031}', '\u{3035}'),
    ('\u{3038}', '\u{303c}'),
    ('\u{3041}', '\u{312f}'),
    ('\u{31a0}', '\u{31ff}'),
    ('\u{3400}', '\u{9fff}'),
    ('\u{f900}', '\u{faff}'),
    ('\u{ff66}', '\u{ff9f}'),
    ('\u{1aff0}', '\u{1b16f}'),
    ('\u{20000}', '\u{3ffff}'),
];

/// Classes of the characters that the Unicode properties of the rule do not cover.
fn listed(c: char) -> Option<Class> {
    Some(match c {
        '\u{ad}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}' => {
            Class::Soft
        }
        '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}' => Class::Skip,
        // connector punctuation, which is part of identifiers but not of words
        '_'
        | '\u{203f}'
        | '\u{2040}'
        | '\u{2054}'
        | '\u{fe33}'
        | '\u{fe34}'
        | '\u{fe4d}'..='\u{fe4f}'
        | '\u{ff3f}' => Class::Mark,
        _ if c.is_whitespace() || c.is_control() => Class::Skip,
        _ if SOLO.iter().any(|&(first, last)| first <= c && c <= last) => Class::Solo,
        _ => return None,
    })
}

/// The class of `c` for the tokeniser.
#[must_use]
pub fn class(c: char) -> Class {
    // most of Chinese text, which `listed` would return last
    if ('\u{3400}'..='\u{9fff}').contains(&c) {
        return Class::Solo;
    }
    if let Some(class) = listed(c) {
        return class;
    }
    if is_xid_start(c) || (is_xid_continue(c) && c.is_numeric()) {
        Class::Start
    } else if is_xid_continue(c) {
        Class::Continue
    } else {
        Class::Mark
    }
}

/// White space as in the pattern `\s` of Python's `regex`.
#[inline]
#[must_use]
pub fn is_space(c: char) -> bool {
    c.is_whitespace()
}

/// White space as in Python's `str.strip`: four more control characters.
#[inline]
#[must_use]
pub fn is_stripped(c: char) -> bool {
    c.is_whitespace() || ('\x1c'..='\x1f').contains(&c)
}

/// A decimal digit (general category Nd), the pattern `\d`.
#[must_use]
pub fn is_digit(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_digit();
    }
    c.is_numeric()
        && is_xid_continue(c)
        && !is_xid_start(c)
        && !matches!(c, '\u{1369}'..='\u{1371}' | '\u{19da}')
}

/// A letter, mark or connector, the pattern `[^\W\d]` of Python's `regex`.
#[must_use]
pub fn is_letter(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphabetic() || c == '_';
    }
    let enclosing = matches!(
        c,
        '\u{488}' | '\u{489}' | '\u{1abe}' | '\u{20dd}'..='\u{20e0}' | '\u{20e2}'..='\u{20e4}'
            | '\u{a670}'..='\u{a672}' | '\u{200c}' | '\u{200d}'
    );
    let no_word = matches!(
        c,
        '\u{b7}' | '\u{387}' | '\u{1369}'
            ..='\u{1371}' | '\u{19da}' | '\u{2118}' | '\u{212e}' | '\u{30fb}' | '\u{ff65}'
    );
    enclosing || c.is_alphabetic() || (is_xid_continue(c) && !no_word && !is_digit(c))
}
