//! Hints from the names that authors give to elements.

use super::words::{EMPTY, mix};
use crate::engines::hints::{HYBRID, Hints};
use crate::text::map::HashedMap;

/// Initial hash of label words, so that `post` in a label differs from `post` in a text.
const WORD: u32 = !EMPTY;
/// The bit that small letters have, and capitals do not.
const CASE: u8 = 0x20;
/// Shortest label word that counts; shorter ones are mostly abbreviations.
const LEAST_LETTERS: usize = 3;

/// The hints of an element's `class` and `id`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Label {
    pub hints: Hints,
    /// Hash of the label without its digits, so that `post-12` and `post-13` are the same.
    pub hash: u32,
    /// Its number among the labels of the page.
    pub number: u32,
}

/// The labels of a page: `class` and `id`, joined by a blank. Each text is read once; number 0 is
/// the empty one.
#[derive(Default)]
pub struct Labels {
    /// By address: equal labels share a text.
    known: HashedMap<(usize, usize), Label>,
    words: Vec<u32>,
    /// The end of each label's words, from number 1 on.
    ends: Vec<usize>,
}

impl Labels {
    /// Reads a label.
    pub fn label(&mut self, label: &str) -> Label {
        let Self { known, words, ends } = self;
        let address = (label.as_ptr().addr(), label.len());
        if label.is_empty() {
            return Label {
                hash: EMPTY,
                ..Label::default()
            };
        }
        *known.entry(address).or_insert_with(|| {
            let hash = read(label, |word| words.push(word));
            ends.push(words.len());
            Label {
                hints: HYBRID.hints(label.as_bytes()),
                hash,
                number: ends.len() as u32,
            }
        })
    }

    /// How many labels there are, with the empty one.
    #[must_use]
    pub fn count(&self) -> usize {
        self.ends.len() + 1
    }

    /// The hashes of the words of all labels.
    #[must_use]
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The hashes of the words of a label.
    #[must_use]
    pub fn words_of(&self, number: u32) -> &[u32] {
        let end = |number: usize| number.checked_sub(1).map_or(0, |at| self.ends[at]);
        let number = number as usize;
        &self.words[end(number.saturating_sub(1))..end(number)]
    }
}

/// Calls `on_word` with the hash of each word of a label, a run of letters that is cut before a
/// capital after a small letter; returns the hash of the label without its digits.
pub fn read(label: &str, mut on_word: impl FnMut(u32)) -> u32 {
    let mut bytes = label.bytes().peekable();
    let mut hash = EMPTY;
    while let Some(mut byte) = bytes.next() {
        if !byte.is_ascii_digit() {
            hash = mix(hash, byte);
        }
        if !byte.is_ascii_alphabetic() {
            continue;
        }
        let (mut word, mut letters) = (mix(WORD, byte | CASE), 1);
        // a capital after a small letter lacks its bit
        while let Some(next) =
            bytes.next_if(|next| next.is_ascii_alphabetic() && byte & !next & CASE == 0)
        {
            byte = next;
            hash = mix(hash, byte);
            word = mix(word, byte | CASE);
            letters += 1;
        }
        if letters >= LEAST_LETTERS {
            on_word(word);
        }
    }
    hash
}

/// The hint of `role`, `itemprop` and `itemtype`: 2 content, 0 none, -1 comments, -2 boilerplate.
#[must_use]
pub fn semantics(role: &str) -> i8 {
    const BOILERPLATE: [&str; 7] = [
        "navigation",
        "banner",
        "contentinfo",
        "complementary",
        "search",
        "dialog",
        "menu",
    ];
    if role.is_empty() {
        return 0;
    }
    let role = role.to_ascii_lowercase();
    let is_main = role
        .split(' ')
        .any(|word| word == "main" || word == "article");
    if is_main || role.contains("articlebody") {
        2
    } else if BOILERPLATE.iter().any(|word| role.contains(word)) {
        -2
    } else if role.contains("comment") {
        -1
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_leaves_digits_out() {
        let hash = |label| read(label, |_| ());
        assert_eq!(hash("post-12"), hash("post-345"));
        assert_ne!(hash("post-12"), hash("posts-12"));
    }

    #[test]
    fn labels_are_cut_into_words_of_letters_whatever_their_case() {
        let words = |label| {
            let mut words = Vec::new();
            read(label, |word| words.push(word));
            words
        };
        let found = words("post-content12 entryTitle");

        assert_eq!(found.len(), 4);
        assert_eq!(found, words("POST_CONTENT ENTRY  title"));
        assert_eq!(found[..2], words("post content x ab")[..]);
    }

    #[test]
    fn each_label_is_read_once() {
        let mut labels = Labels::default();
        let names = ["", "entryTitle x", "post", ""];
        let twice = [names, names].concat();

        let numbers: Vec<u32> = twice.iter().map(|name| labels.label(name).number).collect();

        assert_eq!(numbers, [0, 1, 2, 0, 0, 1, 2, 0]);
        assert_eq!(labels.count(), 3);
        let words = |number| labels.words_of(number).len();
        assert_eq!([words(0), words(1), words(2)], [0, 2, 1]);
        assert_eq!(labels.words().len(), 3);
    }

    #[test]
    fn semantics_tell_content_comments_and_boilerplate_apart() {
        assert_eq!(semantics("main"), 2);
        assert_eq!(semantics("https://schema.org/Comment"), -1);
        assert_eq!(semantics("Navigation"), -2);
        assert_eq!(semantics("mainEntity"), 0);
    }
}
