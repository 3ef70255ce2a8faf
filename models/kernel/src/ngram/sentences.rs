//! The table of sentences: one row a sentence of a page, with what the model makes of it.

/// One sentence: a span of [`crate::page::blocks::BlockTable::text`] and its score.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sentence {
    /// Byte offsets into the text of the block table, half open, on character borders.
    pub start: u32,
    pub end: u32,
    /// Index of the block that holds the sentence.
    pub block: u32,
    pub tokens: u32,
    /// Tokens that the model never met.
    pub oov: u32,
    /// Sum of log2 P(token | history) over the tokens, at most 0.
    pub log2_prob: f32,
}

impl Sentence {
    /// Perplexity per token, at least 1; 0 for a sentence without tokens.
    #[must_use]
    pub fn perplexity(&self) -> f32 {
        if self.tokens == 0 {
            return 0.0;
        }
        (-self.log2_prob / self.tokens as f32).exp2()
    }
}

/// All sentences of a page, in the order of its blocks.
#[derive(Clone, Debug, Default)]
pub struct SentenceTable {
    pub sentences: Vec<Sentence>,
}
