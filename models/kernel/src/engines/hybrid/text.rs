//! One pass over the text of a block: lengths, shapes and hashed words.

use super::words::{EMPTY, HashSet32, function_words, mix, mix_prefix};
use crate::engines::chars::{ends_sentence, is_comma, is_ideograph};
use crate::text::hash::{load, word_prefix};
use crate::unicode::is_alphanumeric;

/// The shape of the text of one block.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextShape {
    pub chars: u32,
    /// Runs between blanks.
    pub words: u32,
    /// Chinese and Japanese characters, which are written without blanks.
    pub ideographs: u32,
    /// Letters of scripts with blanks only between sentences, such as Thai.
    pub unspaced: u32,
    pub upper_words: u32,
    pub uppercase: u32,
    pub letters: u32,
    pub function_words: u32,
    pub punctuation: u32,
    pub commas: u32,
    pub brackets: u32,
    /// `|`, `»`, `/` and other separators of links.
    pub bars: u32,
    pub ends_sentence: bool,
    /// A currency sign.
    pub has_price: bool,
}

/// How the words of a block agree with the metadata of the page.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overlap {
    pub distinct: u32,
    pub in_title: u32,
    pub in_description: u32,
    /// Blocks of the page with the same text, the block included.
    pub copies: u32,
    /// Index of the first of them.
    pub first_copy: u32,
}

/// One in each of eight bytes.
const ONES: u64 = 0x0101_0101_0101_0101;
/// Words counted per ideograph.
const WORDS_PER_IDEOGRAPH: f32 = 0.6;
/// Words counted per letter of scripts without blanks between words, which have four to five
/// letters.
const WORDS_PER_UNSPACED: f32 = 0.2;
/// Prose has at least this many words, and less than a third of it is in links.
const PROSE_WORDS: f32 = 12.0;

impl TextShape {
    /// Length in words, for any script.
    #[must_use]
    pub fn tokens(&self) -> f32 {
        self.words as f32
            + self.ideographs as f32 * WORDS_PER_IDEOGRAPH
            + self.unspaced as f32 * WORDS_PER_UNSPACED
    }

    /// Whether it is long running text with few links.
    #[must_use]
    pub fn is_prose(&self, link_chars: u32) -> bool {
        self.tokens() >= PROSE_WORDS && link_chars.saturating_mul(3) < self.chars
    }
}

/// Reads `text` once; calls `on_word` with the hash of every word.
pub fn shape(text: &str, on_word: &mut impl FnMut(u32)) -> TextShape {
    let mut pass = Pass {
        shape: TextShape::default(),
        word: EMPTY,
        in_word: false,
        between: true,
        function_words: function_words(),
    };
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte == b' ' {
            pass.shape.chars += 1;
            pass.between = true;
            pass.end_word(on_word);
            at += 1;
        } else if byte.is_ascii_alphanumeric() {
            at = pass.ascii(bytes, at);
        } else if byte.is_ascii() {
            pass.between_words(char::from(byte), on_word);
            at += 1;
        } else if let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
            pass.beyond_ascii(c, on_word);
            at += c.len_utf8();
        } else {
            break;
        }
    }
    pass.end_word(on_word);
    pass.shape.ends_sentence = text.chars().next_back().is_some_and(ends_sentence);
    pass.shape
}

struct Pass {
    shape: TextShape,
    word: u32,
    in_word: bool,
    between: bool,
    function_words: &'static HashSet32,
}

impl Pass {
    #[inline]
    fn count_word(&mut self, c: char) {
        self.shape.chars += 1;
        if c.is_ascii_whitespace() {
            self.between = true;
        } else if self.between {
            self.between = false;
            self.shape.words += 1;
            self.shape.upper_words += u32::from(c.is_uppercase());
        }
    }

    #[inline]
    fn start_word(&mut self) {
        if !self.in_word {
            self.in_word = true;
            self.word = EMPTY;
        }
    }

    /// Letters and digits of one word, or of the part from `start` on. Returns its end.
    #[inline]
    fn ascii(&mut self, bytes: &[u8], start: usize) -> usize {
        let is_upper = bytes.get(start).is_some_and(u8::is_ascii_uppercase);
        self.shape.words += u32::from(self.between);
        self.shape.upper_words += u32::from(self.between & is_upper);
        self.between = false;
        self.start_word();
        let mut at = start;
        loop {
            let eight = load(bytes, at, bytes.len());
            let length = word_prefix(eight);
            let kept = u64::MAX.checked_shr(64 - 8 * length as u32).unwrap_or(0);
            // among letters and digits only letters have this bit, and capitals lack the one below
            let letters = eight & kept & (0x40 * ONES);
            let capitals = letters & !(eight << 1);
            self.word = mix_prefix(self.word, eight | (0x20 * ONES), length);
            self.shape.letters += marked(letters);
            self.shape.uppercase += marked(capitals);
            at += length;
            if length < 8 {
                break;
            }
        }
        self.shape.chars += (at - start) as u32;
        at
    }

    #[inline]
    fn between_words(&mut self, c: char, on_word: &mut impl FnMut(u32)) {
        self.count_word(c);
        self.end_word(on_word);
        self.mark(c);
    }

    fn beyond_ascii(&mut self, c: char, on_word: &mut impl FnMut(u32)) {
        if is_alphanumeric(c) {
            self.count_word(c);
            self.letter(c, on_word);
        } else {
            self.between_words(c, on_word);
        }
    }

    fn letter(&mut self, c: char, on_word: &mut impl FnMut(u32)) {
        self.start_word();
        let is_ideograph = is_ideograph(c);
        let lower = match is_ideograph {
            true => c, // caseless script
            false => c.to_lowercase().next().unwrap_or(c),
        };
        for byte in lower.encode_utf8(&mut [0; 4]).bytes() {
            self.word = mix(self.word, byte);
        }
        self.shape.letters += 1;
        if is_ideograph {
            self.shape.ideographs += 1;
            self.end_word(on_word);
        } else {
            self.shape.uppercase += u32::from(lower != c);
            self.shape.unspaced += u32::from(is_unspaced(c));
        }
    }

    #[inline]
    fn end_word(&mut self, on_word: &mut impl FnMut(u32)) {
        if self.in_word {
            self.in_word = false;
            on_word(self.word);
            self.shape.function_words += u32::from(self.function_words.contains(self.word));
        }
    }

    #[inline]
    fn mark(&mut self, c: char) {
        let shape = &mut self.shape;
        match c {
            '.' | '!' | '?' | ';' | ':' | '。' | '！' | '？' | '；' | '：' => {
                shape.punctuation += 1;
            }
            _ if is_comma(c) => {
                shape.punctuation += 1;
                shape.commas += 1;
            }
            '|' | '»' | '›' | '/' | '•' | '·' | '→' | '>' | '«' => shape.bars += 1,
            '(' | '[' | '{' => shape.brackets += 1,
            '$' | '€' | '£' | '¥' | '₹' => shape.has_price = true,
            _ => {}
        }
    }
}

/// How many of eight bytes have the bit 0x40, the only one that may be set: one multiplication sums
/// them, because not every processor can count bits.
#[inline]
fn marked(bytes: u64) -> u32 {
    ((bytes >> 6).wrapping_mul(ONES) >> 56) as u32
}

/// Thai, Lao, Burmese, Khmer.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

#[cfg(test)]
mod tests;
