//! One pass over the characters of a block: runs of ASCII letters at a time, the rest one by one.

use super::counts::{
    BLOCKS, CAPITALS, CHARS, COMMAS, DIGITS, LINK_CHARS, LINK_WORDS, PUNCTUATION, SENTENCES,
    STOPWORDS, TextCounts, UPPERCASE, WORD_CHARS, WORDS,
};
use super::hash::{mix, word_hash};
use super::words::is_stopword;

/// What a byte of UTF-8 text is.
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

/// The counts so far, and what the next character is compared with.
#[derive(Default)]
pub struct Counter {
    found: TextCounts,
    word: Word,
    last: char,
    /// White space was seen since the last character.
    is_apart: bool,
    has_lowercase: bool,
}

/// The word that is being read.
#[derive(Default)]
struct Word {
    chars: u32,
    digits: u32,
    /// A stop word so far: ASCII alone, in the list.
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

    /// Take in a character beyond ASCII.
    pub fn take(&mut self, letter: char) {
        if letter.is_alphanumeric() {
            self.start(letter);
            self.spell(letter);
            self.proceed(letter, 1, u64::from(u32::from(letter)));
        } else {
            self.sign(letter);
        }
    }

    /// What depends on the characters before.
    fn start(&mut self, letter: char) {
        if self.found.amounts[CHARS] == 0 {
            self.found.starts_lowercase = letter.is_lowercase();
        } else if self.is_apart {
            self.found.amounts[CHARS] += 1;
            self.found.key = mix(self.found.key, u64::from(b' '));
            let is_border = matches!(self.last, '.' | '?' | '!' | ';') && letter.is_uppercase();
            self.found.amounts[SENTENCES] += u32::from(is_border);
        }
        self.is_apart = false;
    }

    fn proceed(&mut self, last: char, chars: u32, key: u64) {
        self.last = last;
        self.found.amounts[CHARS] += chars;
        self.found.key = mix(self.found.key, key);
    }

    /// Take in the ASCII letters, digits and `_` in front; returns how many.
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
        self.proceed(char::from(last), chars as u32, word_hash(run));
        chars
    }

    /// Take in a letter or digit beyond ASCII.
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
        amounts[COMMAS] += u32::from(matches!(letter, ',' | '\u{ff0c}' | '\u{3001}'));
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
        found.ends_sentence = matches!(
            self.last,
            '.' | '!' | '?' | '"' | '\u{3002}' | '\u{ff01}' | '\u{ff1f}' | '\u{201d}' | '\u{bb}'
        );
        found
    }
}

/// Scripts without spaces between words: kana and Han.
fn is_ideograph(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}
