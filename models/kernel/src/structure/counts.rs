//! What the columns ask about the text of one block, counted in one pass over its characters.

use super::hash::mix;
use super::words::{LONGEST, is_stopword};

/// Amounts that add up over neighbouring blocks.
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

/// The text of one block: white space at its ends is not counted, inside a run counts once.
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
    /// A sign that separates the parts of menus and paths.
    pub has_separator: bool,
    /// Letters with case, all of them upper.
    pub is_all_capitals: bool,
    /// Equal for equal texts.
    pub key: u64,
}

/// Count the text of one block; it holds at least one character that is no white space.
#[must_use]
pub fn count(text: &[u8], is_link: bool) -> TextCounts {
    let mut counter = Counter::default();
    for chunk in text.utf8_chunks() {
        for letter in chunk.valid().chars() {
            counter.take(letter);
        }
        if !chunk.invalid().is_empty() {
            counter.take(char::REPLACEMENT_CHARACTER);
        }
    }
    let mut found = counter.finish(is_link);
    found.has_email = has_email(text);
    found.has_url = has_url(text);
    found
}

/// The text of a block as gold text is aligned with it: runs of white space are one space.
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

/// The white space that HTML collapses; a no-break space is none.
fn is_white(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\n' | '\x0c' | '\r')
}

#[derive(Default)]
struct Counter {
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
    /// Its first letters in lower case.
    head: [u8; LONGEST],
    is_ascii: bool,
}

impl Counter {
    fn take(&mut self, letter: char) {
        if is_white(letter) {
            self.end_word();
            self.is_apart = true;
            return;
        }
        let is_first = self.found.amounts[CHARS] == 0;
        if is_first {
            self.found.starts_lowercase = letter.is_lowercase();
        } else if self.is_apart {
            self.found.amounts[CHARS] += 1;
            self.found.key = mix(self.found.key, u64::from(b' '));
            let is_border = matches!(self.last, '.' | '?' | '!' | ';') && letter.is_uppercase();
            self.found.amounts[SENTENCES] += u32::from(is_border);
        }
        self.is_apart = false;
        self.last = letter;
        self.found.amounts[CHARS] += 1;
        self.found.key = mix(self.found.key, u64::from(u32::from(letter)));
        if letter.is_alphanumeric() || letter == '_' {
            self.spell(letter);
        } else {
            self.end_word();
            self.sign(letter);
        }
    }

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
        amounts[DIGITS] += u32::from(letter.is_ascii_digit());
        self.has_lowercase |= letter.is_lowercase();
        if self.word.chars == 0 {
            amounts[CAPITALS] += u32::from(is_upper);
            self.word.is_ascii = true;
        }
        if let Some(slot) = self.word.head.get_mut(self.word.chars as usize) {
            *slot = letter.to_ascii_lowercase() as u8;
        }
        self.word.is_ascii &= letter.is_ascii();
        self.word.digits += u32::from(letter.is_ascii_digit());
        self.word.chars += 1;
    }

    fn sign(&mut self, letter: char) {
        let amounts = &mut self.found.amounts;
        let is_mark = matches!(letter, '.' | ',' | '?' | ';' | ':' | '!');
        amounts[PUNCTUATION] += u32::from(is_mark);
        amounts[COMMAS] += u32::from(matches!(letter, ',' | '\u{ff0c}' | '\u{3001}'));
        self.found.has_copyright |= letter == '\u{a9}';
        self.found.has_separator |=
            matches!(letter, '|' | '\u{bb}' | '\u{203a}' | '\u{2022}' | '\u{b7}');
    }

    fn end_word(&mut self) {
        let word = std::mem::take(&mut self.word);
        if word.chars == 0 {
            return;
        }
        self.found.amounts[WORDS] += 1;
        self.found.has_year |= word.chars == 4 && word.digits == 4;
        let head = word.head.get(..word.chars as usize).unwrap_or(&[]);
        let is_stopword = word.is_ascii && is_stopword(head);
        self.found.amounts[STOPWORDS] += u32::from(is_stopword);
    }

    fn finish(mut self, is_link: bool) -> TextCounts {
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

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn has_email(text: &[u8]) -> bool {
    text.windows(3).any(|three| {
        three[1] == b'@' && is_word_byte(three[0]) && (is_word_byte(three[2]) || three[2] == b'.')
    })
}

fn has_url(text: &[u8]) -> bool {
    text.windows(4).enumerate().any(|(at, four)| {
        four == b"www."
            || four.starts_with(b"://")
                && [b"http".as_slice(), b"https", b"ftp"]
                    .iter()
                    .any(|name| text[..at].ends_with(name))
    })
}
