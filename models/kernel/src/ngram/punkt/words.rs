//! Punkt's own words: the port of `PunktLanguageVars.word_tokenize` and of `PunktToken`.

use crate::ngram::chars::{is_digit, is_letter, is_space, is_stripped};

/// A word of a context and the results of the passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Word {
    pub start: usize,
    pub end: usize,
    pub ends_sentence: bool,
    pub abbreviation: bool,
    pub ellipsis: bool,
}

/// Punctuation that is never part of a word (`_re_non_word_chars`).
#[must_use]
pub fn is_no_word(c: char) -> bool {
    matches!(
        c,
        ')' | '"'
            | ';'
            | '}'
            | ']'
            | '*'
            | ':'
            | '@'
            | '\''
            | '('
            | '{'
            | '['
            | '‘'
            | '’'
            | '“'
            | '”'
            | '«'
            | '»'
            | '?'
            | '!'
    )
}

/// Whether a word cannot begin with this character (`_re_word_start`).
fn is_no_start(c: char) -> bool {
    matches!(
        c,
        '(' | '"'
            | '`'
            | '{'
            | '['
            | ':'
            | ';'
            | '&'
            | '#'
            | '*'
            | '@'
            | ')'
            | '}'
            | ']'
            | '-'
            | ','
    )
}

/// Bytes of the dashes or full stops at the start of `text`, 0 if none (`_re_multi_char_punct`):
/// two or more `-`, two or more `.`, or `.` with white space between.
fn multiple(text: &str) -> usize {
    let run = |byte| text.bytes().take_while(|&b| b == byte).count();
    match text.as_bytes().first() {
        Some(b'-') if run(b'-') > 1 => run(b'-'),
        Some(b'.') if run(b'.') > 1 => run(b'.'),
        Some(b'.') => spaced_stops(text),
        _ => 0,
    }
}

/// The pattern `(?:\.\s){2,}\.`, greedy.
fn spaced_stops(text: &str) -> usize {
    let mut units = 0;
    let mut unit_start = 0;
    let mut at = 0;
    let mut chars = text.chars();
    while chars.next() == Some('.') {
        let Some(space) = chars.next().filter(|&c| is_space(c)) else {
            return if units >= 2 { at + 1 } else { 0 };
        };
        unit_start = at;
        at += 1 + space.len_utf8();
        units += 1;
    }
    // after the last full stop there is only white space: it ends the match itself
    if units >= 3 { unit_start + 1 } else { 0 }
}

/// Appends the words of `context`; line feeds separate them like white space.
pub fn words(context: &str, out: &mut Vec<Word>) {
    let mut start = 0;
    for line in context.split('\n') {
        if !line.chars().all(is_stripped) {
            words_of_line(line, start, out);
        }
        start += line.len() + 1;
    }
}

fn words_of_line(line: &str, offset: usize, out: &mut Vec<Word>) {
    let mut at = 0;
    while let Some(c) = line[at..].chars().next() {
        if is_space(c) {
            at += c.len_utf8();
            continue;
        }
        let rest = &line[at..];
        let length = match multiple(rest) {
            0 if is_no_start(c) => c.len_utf8(),
            0 => word_length(rest, c.len_utf8()),
            several => several,
        };
        out.push(Word {
            start: offset + at,
            end: offset + at + length,
            ..Word::default()
        });
        at += length;
    }
}

/// Bytes up to white space, the end, or punctuation that ends a word.
fn word_length(text: &str, first: usize) -> usize {
    let mut at = first;
    loop {
        // most of a word, without the other checks for its end
        let plain = text.as_bytes()[at..].iter();
        at += plain
            .take_while(|byte| byte.is_ascii_alphanumeric())
            .count();
        let Some(c) = text[at..].chars().next() else {
            break;
        };
        let rest = &text[at..];
        let ends = match c {
            '-' | '.' => multiple(rest) > 0,
            ',' => ends_before(&rest[1..]),
            _ => is_space(c) || is_no_word(c),
        };
        if ends {
            break;
        }
        at += c.len_utf8();
    }
    at
}

/// Whether a comma before `rest` ends its word.
fn ends_before(rest: &str) -> bool {
    rest.chars()
        .next()
        .is_none_or(|c| is_space(c) || is_no_word(c) || multiple(rest) > 0)
}

/// Whether a word is a single letter and a full stop.
#[must_use]
pub fn is_initial(word: &str) -> bool {
    word.strip_suffix('.').is_some_and(|letter| {
        let mut chars = letter.chars();
        chars.next().is_some_and(is_letter) && chars.next().is_none()
    })
}

/// Whether a word is two or more full stops.
#[must_use]
pub fn is_ellipsis(word: &str) -> bool {
    word.len() > 1 && word.bytes().all(|byte| byte == b'.')
}

/// Whether a word is a number: `-?[.,]?\d[\d,.-]*\.?`.
fn is_number(word: &str) -> bool {
    let unsigned = word.strip_prefix('-').unwrap_or(word);
    let digits = unsigned.strip_prefix(['.', ',']).unwrap_or(unsigned);
    digits.chars().next().is_some_and(is_digit)
        && digits
            .chars()
            .all(|c| is_digit(c) || matches!(c, ',' | '.' | '-'))
}

pub const NUMBER: &str = "##number##";

/// Writes the type of a word into `out`: lower case, all numbers equal.
pub fn type_of(word: &str, out: &mut String) {
    lower(word, out);
    if is_number(out) {
        out.clear();
        out.push_str(NUMBER);
    }
}

/// Writes `word` in lower case into `out`, as Python's `str.lower`.
pub fn lower(word: &str, out: &mut String) {
    out.clear();
    if word.is_ascii() {
        out.push_str(word);
        out.make_ascii_lowercase();
    } else {
        out.push_str(&word.to_lowercase());
    }
}

/// Drops the full stop that ends a type of more than one character.
pub fn drop_period(type_: &mut String) {
    if type_.len() > 1 && type_.ends_with('.') {
        type_.pop();
    }
}

#[cfg(test)]
mod tests;
