//! The words of a text as the signals count them: tokens, of which signs are some.

use crate::ngram::tokens::{Token, Tokeniser};

/// Tokens of a text, as they stand in it.
#[derive(Clone, Debug, Default)]
pub struct Words<'text> {
    pub text: &'text str,
    pub tokens: Vec<Token>,
}

impl<'text> Words<'text> {
    /// Words are runs of letters and digits; any other visible character, and each letter of a
    /// script without spaces, is a word of its own.
    #[must_use]
    pub fn of(text: &'text str) -> Self {
        let mut tokens = Vec::with_capacity(text.len() / 4);
        Tokeniser::Folded.each(text, 0, text.len(), |token| tokens.push(token));
        Self { text, tokens }
    }

    #[must_use]
    pub fn word(&self, token: &Token) -> &'text str {
        self.text.get(token.start..token.end).unwrap_or("")
    }

    pub fn iter(&self) -> impl Iterator<Item = &'text str> {
        self.tokens.iter().map(|token| self.word(token))
    }
}

/// Whether a word is one of letters or digits.
#[must_use]
pub fn is_spelled(word: &str) -> bool {
    word.starts_with(char::is_alphanumeric)
}

#[must_use]
pub fn chars(word: &str) -> usize {
    if word.is_ascii() {
        word.len()
    } else {
        word.chars().count()
    }
}
