//! What the columns ask about the text of one block, counted in one pass over its characters.

use memchr::{memchr_iter, memchr2_iter};

use super::counter::Counter;

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

/// A host that starts with `www`, or a scheme with something behind it.
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
