//! Counts of the text of one block, in one pass over its characters.

use memchr::{memchr_iter, memchr2_iter};

use super::words::is_stopword;
use crate::engines::chars::{ends_sentence, is_comma, is_ideograph};
use crate::text::hash::{append, token};

/// Amounts that add up over adjacent blocks.
pub const AMOUNTS: usize = 13;
pub const CHARS: usize = 0;
/// Runs of letters, digits and `_`; an ideograph or kana is a word of its own.
pub const WORDS: usize = 1;
pub const STOPWORDS: usize = 2;
pub const PUNCTUATION: usize = 3;
pub const DIGITS: usize = 4;
/// Words that start with an upper-case letter.
pub const CAPITALS: usize = 5;
pub const UPPERCASE: usize = 6;
pub const COMMAS: usize = 7;
pub const SENTENCES: usize = 8;
pub const WORD_CHARS: usize = 9;
/// Characters and words inside links.
pub const LINK_CHARS: usize = 10;
pub const LINK_WORDS: usize = 11;
pub const BLOCKS: usize = 12;

/// The text of one block: white space at its ends is not counted, a run inside counts once.
#[derive(Clone, Copy, Default)]
pub struct TextCounts {
    pub amounts: [u32; AMOUNTS],
    pub has_copyright: bool,
    pub has_email: bool,
    pub has_url: bool,
    /// A word of four digits.
    pub has_year: bool,
    pub ends_punctuation: bool,
    pub ends_question: bool,
    /// The last character ends a sentence or closes a quotation.
    pub ends_sentence: bool,
    pub ends_colon: bool,
    pub starts_lowercase: bool,
    /// A character that separates the parts of menus and paths.
    pub has_separator: bool,
    /// Letters with case, all of them upper.
    pub is_all_capitals: bool,
    /// Equal for equal texts.
    pub key: u64,
}

/// Count the text of one block; it has at least one character other than white space.
#[must_use]
pub fn count(text: &[u8], is_link: bool) -> TextCounts {
    let mut counter = Counter::default();
    for chunk in text.utf8_chunks() {
        counter.read(chunk.valid());
        if !chunk.invalid().is_empty() {
            counter.take(char::REPLACEMENT_CHARACTER);
        }
    }
    let mut found = counter.finish(is_link);
    found.has_email = has_email(text);
    found.has_url = has_url(text);
    found
}

/// The text of a block as it is aligned with gold text: runs of white space are one space.
#[must_use]
pub fn uniform(text: &[u8]) -> String {
    let mut uniform = String::with_capacity(text.len());
    let mut was_white = false;
    for letter in String::from_utf8_lossy(text).chars() {
        let is_white = is_white(letter);
        if !is_white {
            uniform.push(letter);
        } else if !was_white {
            uniform.push(' ');
        }
        was_white = is_white;
    }
    uniform
}

/// The white space that HTML collapses; a no-break space is not part of it.
fn is_white(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\n' | '\x0c' | '\r')
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn has_email(text: &[u8]) -> bool {
    memchr_iter(b'@', text).any(|at| {
        let before = text[..at].last();
        let after = text.get(at + 1);
        before.is_some_and(|&byte| is_word_byte(byte))
            && after.is_some_and(|&byte| is_word_byte(byte) || byte == b'.')
    })
}

/// A host that starts with `www`, or a scheme followed by something.
fn has_url(text: &[u8]) -> bool {
    memchr2_iter(b'.', b':', text).any(|at| {
        let (before, after) = text.split_at(at);
        if after.starts_with(b".") {
            return before.ends_with(b"www");
        }
        let schemes = [b"http".as_slice(), b"https", b"ftp"];
        after.len() > 3
            && after.starts_with(b"://")
            && schemes.iter().any(|scheme| before.ends_with(scheme))
    })
}

/// The class of a byte of UTF-8 text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Upper,
    Lower,
    Digit,
    Underscore,
    /// The white space that HTML collapses.
    White,
    Sign,
    /// Part of a character beyond ASCII.
    Beyond,
}

static KINDS: [Kind; 256] = kinds();

const fn kinds() -> [Kind; 256] {
    let mut kinds = [Kind::Sign; 256];
    let mut byte = 0_usize;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'A'..=b'Z' => Kind::Upper,
            b'a'..=b'z' => Kind::Lower,
            b'0'..=b'9' => Kind::Digit,
            b'_' => Kind::Underscore,
            b' ' | b'\t' | b'\n' | 0x0c | b'\r' => Kind::White,
            0x80.. => Kind::Beyond,
            _ => Kind::Sign,
        };
        byte += 1;
    }
    kinds
}

/// The counts so far, and the state needed for the next character.
#[derive(Default)]
pub struct Counter {
    found: TextCounts,
    word: Word,
    last: char,
    /// White space was seen since the last character.
    is_apart: bool,
    has_lowercase: bool,
}

/// The current word.
#[derive(Default)]
struct Word {
    chars: u32,
    digits: u32,
    /// Still a prefix of a stop word: ASCII only, in the list.
    is_stopword: bool,
}

impl Counter {
    pub fn read(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            match KINDS[usize::from(byte)] {
                Kind::White => {
                    self.end_word();
                    self.is_apart = true;
                    at += 1;
                }
                Kind::Sign => {
                    self.sign(char::from(byte));
                    at += 1;
                }
                Kind::Beyond => {
                    let Some(letter) = text.get(at..).and_then(|rest| rest.chars().next()) else {
                        return;
                    };
                    self.take(letter);
                    at += letter.len_utf8();
                }
                _ => at += self.spell_run(&bytes[at..]),
            }
        }
    }

    /// Count a character beyond ASCII.
    pub fn take(&mut self, letter: char) {
        if letter.is_alphanumeric() {
            self.start(letter);
            self.spell(letter);
            self.proceed(letter, 1, u64::from(u32::from(letter)));
        } else {
            self.sign(letter);
        }
    }

    /// Update the values that depend on the previous characters.
    fn start(&mut self, letter: char) {
        if self.found.amounts[CHARS] == 0 {
            self.found.starts_lowercase = letter.is_lowercase();
        } else if self.is_apart {
            self.found.amounts[CHARS] += 1;
            self.found.key = append(self.found.key, u64::from(b' '));
            let is_border = matches!(self.last, '.' | '?' | '!' | ';') && letter.is_uppercase();
            self.found.amounts[SENTENCES] += u32::from(is_border);
        }
        self.is_apart = false;
    }

    fn proceed(&mut self, last: char, chars: u32, key: u64) {
        self.last = last;
        self.found.amounts[CHARS] += chars;
        self.found.key = append(self.found.key, key);
    }

    /// Count the leading ASCII letters, digits and `_`; returns how many.
    fn spell_run(&mut self, text: &[u8]) -> usize {
        let (mut chars, mut upper, mut lower, mut digits) = (0, 0, 0, 0);
        for &byte in text {
            match KINDS[usize::from(byte)] {
                Kind::Upper => upper += 1,
                Kind::Lower => lower += 1,
                Kind::Digit => digits += 1,
                Kind::Underscore => {}
                _ => break,
            }
            chars += 1;
        }
        let run = &text[..chars];
        let (Some(&first), Some(&last)) = (run.first(), run.last()) else {
            return 0;
        };
        self.start(char::from(first));
        let amounts = &mut self.found.amounts;
        amounts[WORD_CHARS] += chars as u32;
        amounts[UPPERCASE] += upper;
        amounts[DIGITS] += digits;
        self.has_lowercase |= lower > 0;
        if self.word.chars == 0 {
            amounts[CAPITALS] += u32::from(first.is_ascii_uppercase());
            self.word.is_stopword = is_stopword(run);
        }
        self.word.chars += chars as u32;
        self.word.digits += digits;
        self.proceed(char::from(last), chars as u32, token(run));
        chars
    }

    /// Count a letter or digit beyond ASCII.
    fn spell(&mut self, letter: char) {
        let amounts = &mut self.found.amounts;
        amounts[WORD_CHARS] += 1;
        if is_ideograph(letter) {
            self.end_word();
            self.found.amounts[WORDS] += 1;
            return;
        }
        let is_upper = letter.is_uppercase();
        amounts[UPPERCASE] += u32::from(is_upper);
        amounts[CAPITALS] += u32::from(is_upper && self.word.chars == 0);
        self.has_lowercase |= letter.is_lowercase();
        self.word.is_stopword = false;
        self.word.chars += 1;
    }

    fn sign(&mut self, letter: char) {
        self.start(letter);
        self.end_word();
        let amounts = &mut self.found.amounts;
        let is_mark = matches!(letter, '.' | ',' | '?' | ';' | ':' | '!');
        amounts[PUNCTUATION] += u32::from(is_mark);
        amounts[COMMAS] += u32::from(is_comma(letter));
        self.found.has_copyright |= letter == '\u{a9}';
        self.found.has_separator |=
            matches!(letter, '|' | '\u{bb}' | '\u{203a}' | '\u{2022}' | '\u{b7}');
        self.proceed(letter, 1, u64::from(u32::from(letter)));
    }

    fn end_word(&mut self) {
        let word = std::mem::take(&mut self.word);
        self.found.amounts[WORDS] += u32::from(word.chars > 0);
        self.found.amounts[STOPWORDS] += u32::from(word.is_stopword);
        self.found.has_year |= word.chars == 4 && word.digits == 4;
    }

    pub fn finish(mut self, is_link: bool) -> TextCounts {
        self.end_word();
        let mut found = self.found;
        let amounts = &mut found.amounts;
        amounts[SENTENCES] += 1;
        amounts[BLOCKS] = 1;
        if is_link {
            amounts[LINK_CHARS] = amounts[CHARS];
            amounts[LINK_WORDS] = amounts[WORDS];
        }
        found.is_all_capitals = amounts[UPPERCASE] > 0 && !self.has_lowercase;
        found.ends_punctuation = matches!(self.last, '.' | ',' | '?' | ';' | ':' | '!');
        found.ends_question = self.last == '?';
        found.ends_colon = matches!(self.last, ':' | '\u{ff1a}');
        found.ends_sentence = ends_sentence(self.last);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_mail_has_something_on_both_sides() {
        for text in ["a@b", "to _@. now", "@ a_@_"] {
            assert!(has_email(text.as_bytes()), "{text}");
        }
        for text in ["a@", "@b", "a @b", "a@ b", "a.@b", "a@-"] {
            assert!(!has_email(text.as_bytes()), "{text}");
        }
    }
}
