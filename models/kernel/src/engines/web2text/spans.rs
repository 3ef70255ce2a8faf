//! Sums over adjacent blocks, and the columns that describe a run of text.

use super::counts::{
    AMOUNTS, BLOCKS, CAPITALS, CHARS, COMMAS, DIGITS, LINK_CHARS, LINK_WORDS, PUNCTUATION,
    SENTENCES, STOPWORDS, TextCounts, UPPERCASE, WORD_CHARS, WORDS,
};
use super::logs::log_of;

/// Columns of [`Amounts::brief`] and [`Amounts::full`].
pub const BRIEF: [&str; 7] = [
    "chars",
    "link_share",
    "stopword_share",
    "punctuation",
    "capital_share",
    "chars_per_block",
    "plain_words",
];
pub const FULL: [&str; 13] = [
    "chars",
    "link_share",
    "stopword_share",
    "punctuation",
    "capital_share",
    "chars_per_block",
    "plain_words",
    "digits",
    "commas",
    "word_length",
    "blocks",
    "sentence_length",
    "uppercase",
];

/// The values of [`FULL`].
pub type Full = [f32; FULL.len()];

/// The values of [`BRIEF`], which are the first of [`FULL`].
#[must_use]
pub fn brief_of(full: &Full) -> [f32; BRIEF.len()] {
    std::array::from_fn(|column| full[column])
}

/// The sums over a run of blocks.
#[derive(Clone, Copy, Default)]
pub struct Amounts([f64; AMOUNTS]);

impl Amounts {
    #[must_use]
    pub fn get(&self, amount: usize) -> f64 {
        self.0.get(amount).copied().unwrap_or(0.0)
    }

    /// Logarithms of sizes, shares of the rest; zeros for no block.
    #[must_use]
    pub fn brief(&self) -> [f32; 7] {
        let chars = self.get(CHARS);
        let (per_char, per_word) = (1.0 / chars.max(1.0), 1.0 / self.get(WORDS).max(1.0));
        [
            log_of(chars),
            self.get(LINK_CHARS) * per_char,
            self.get(STOPWORDS) * per_word,
            self.get(PUNCTUATION) * per_char * 10.0,
            self.get(CAPITALS) * per_word,
            log_of(chars / self.get(BLOCKS).max(1.0)),
            log_of(self.get(WORDS) - self.get(LINK_WORDS)),
        ]
        .map(|value| value as f32)
    }

    #[must_use]
    pub fn full(&self) -> Full {
        let chars = self.get(CHARS);
        let (per_char, per_word) = (1.0 / chars.max(1.0), 1.0 / self.get(WORDS).max(1.0));
        let more = [
            self.get(DIGITS) * per_char * 4.0,
            self.get(COMMAS) * per_word * 5.0,
            self.get(WORD_CHARS) * per_word / 5.0,
            log_of(self.get(BLOCKS)),
            log_of(chars / self.get(SENTENCES).max(1.0)),
            self.get(UPPERCASE) * per_char * 2.0,
        ];
        let mut columns = [0.0; 13];
        let values = self
            .brief()
            .into_iter()
            .chain(more.map(|value| value as f32));
        for (column, value) in columns.iter_mut().zip(values) {
            *column = value;
        }
        columns
    }
}

/// Running totals: the amounts of any run of blocks by one subtraction.
pub struct Spans {
    totals: Vec<Amounts>,
}

impl Spans {
    #[must_use]
    pub fn new(blocks: &[TextCounts]) -> Self {
        let mut total = Amounts::default();
        let mut totals = Vec::with_capacity(blocks.len() + 1);
        totals.push(total);
        for block in blocks {
            for (sum, &amount) in total.0.iter_mut().zip(&block.amounts) {
                *sum += f64::from(amount);
            }
            totals.push(total);
        }
        Self { totals }
    }

    /// The amounts of blocks `start..end`; bounds beyond the page are clamped.
    #[must_use]
    pub fn between(&self, start: usize, end: usize) -> Amounts {
        let last = self.totals.len() - 1;
        let (start, end) = (start.min(last), end.min(last));
        let mut amounts = self.totals[end];
        for (sum, before) in amounts.0.iter_mut().zip(&self.totals[start].0) {
            *sum -= before;
        }
        amounts
    }

    /// The amounts of the whole page.
    #[must_use]
    pub fn all(&self) -> Amounts {
        self.between(0, self.totals.len())
    }
}
