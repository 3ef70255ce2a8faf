//! Whether a block or a sentence is kept, or why it is dropped.

/// Verdicts are passed as their codes, one byte each; any code except `Kept` drops the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Verdict {
    Kept,
    /// Above the threshold of the perplexity engine.
    Perplexity,
    /// Text around the content: menus, links, notices.
    Boilerplate,
    /// A reader's comment that the options drop.
    Comment,
    /// The same block is on many pages of the site.
    Seen,
}

impl Verdict {
    /// The names in documents, by code.
    pub const NAMES: [&str; 5] = ["kept", "perplexity", "boilerplate", "comment", "seen"];
    /// The code of `Kept`.
    pub const KEPT: u8 = Self::Kept as u8;
}
