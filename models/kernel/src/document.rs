//! Verdicts -> the fields of a document: text, fingerprints, metadata, and counts for its
//! statistics.

use blake3::Hash;

use crate::metadata::Metadata;
use crate::page::blocks::BlockTable;
use crate::page::inline::Inline;
use crate::page::render::{Dropped, Format, Markup, Rendered, render};
use crate::signals::{self, Signals};
use crate::text::sentences::SentenceTable;
use crate::text::verdict::Verdict;

/// The quantiles of perplexity in the statistics.
const QUANTILES: [f64; 5] = [0.1, 0.25, 0.5, 0.75, 0.9];

/// A judged page.
#[derive(Clone, Copy, Debug)]
pub struct Page<'page> {
    pub url: &'page str,
    pub table: &'page BlockTable,
    pub sentences: &'page SentenceTable,
    /// A code per sentence.
    pub verdicts: &'page [u8],
    /// The page type by the engine; empty if it has none.
    pub page_type: &'page str,
    /// Only for Markdown.
    pub inline: Option<&'page Inline>,
}

/// How documents are written.
#[derive(Clone, Copy, Debug)]
pub struct Writer {
    pub format: Format,
    pub dropped: Dropped,
    pub keeps_links: bool,
    pub keeps_images: bool,
    /// Compute the quality signals, which cost more than parsing the page.
    pub with_quality: bool,
}

/// The fields of a document.
#[derive(Clone, Debug)]
pub struct Written {
    pub rendered: Rendered,
    /// BLAKE3 of the text in UTF-8.
    pub text_digest: Hash,
    /// For the kept text without markup.
    pub signals: Signals,
    pub metadata: Metadata,
    pub counts: Counts,
}

/// The counts of a page's sentences.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    pub sentences: usize,
    pub tokens: u64,
    /// Kept tokens that are not in the model.
    pub oov_kept: u64,
    /// Sum of log2 P of the kept tokens.
    pub log2_kept: f64,
    /// Perplexity over the kept sentences: 10, 25, 50, 75 and 90 %; empty if none is kept.
    pub perplexity_quantiles: Vec<f64>,
    pub bytes_kept: u64,
    /// Code, sentences, tokens and bytes of each verdict except `Kept`, in order of first
    /// occurrence.
    pub dropped: Vec<(u8, u64, u64, u64)>,
}

impl Writer {
    /// Write one page.
    #[must_use]
    pub fn write(&self, page: Page<'_>) -> Written {
        let markup = Markup {
            inline: page.inline,
            url: page.url,
            keeps_links: self.keeps_links,
            keeps_images: self.keeps_images,
        };
        let rendered = page.render(self.format, self.dropped, markup);
        let is_plain = self.format == Format::Text && self.dropped == Dropped::Vanish;
        let without_markup = (!is_plain).then(|| {
            page.render(Format::Text, Dropped::Vanish, Markup::default())
                .text
        });
        let plain = without_markup.as_ref().unwrap_or(&rendered.text);
        let with_quality = self.with_quality && !rendered.text.is_empty();
        Written {
            text_digest: blake3::hash(rendered.text.as_bytes()),
            signals: signals::of(plain, with_quality),
            metadata: Metadata::of(page.url, page.table, page.page_type),
            counts: Counts::of(page.sentences, page.verdicts),
            rendered,
        }
    }
}

impl Writer {
    /// Whether dropped sentences stay in the text, marked.
    #[must_use]
    pub fn shows_dropped(&self) -> bool {
        self.dropped == Dropped::Marked
    }
}

impl Written {
    /// Kept text per token; none without a token.
    #[must_use]
    pub fn perplexity(&self) -> Option<f64> {
        let tokens = self.rendered.tokens_kept as f64;
        (tokens > 0.0).then(|| (-self.counts.log2_kept / tokens).exp2())
    }
}

impl Page<'_> {
    fn render(&self, format: Format, dropped: Dropped, markup: Markup<'_>) -> Rendered {
        let sentences = &self.sentences.sentences;
        render(
            self.table,
            sentences,
            self.verdicts,
            format,
            dropped,
            markup,
        )
    }
}

impl Counts {
    fn of(sentences: &SentenceTable, verdicts: &[u8]) -> Self {
        let (kept, dropped): (Vec<_>, Vec<_>) = sentences
            .by_verdict(verdicts)
            .into_iter()
            .partition(|row| row.0 == Verdict::KEPT);
        Self {
            sentences: sentences.sentences.len(),
            tokens: sentences.tokens(),
            oov_kept: sentences
                .kept(verdicts)
                .map(|each| u64::from(each.oov))
                .sum(),
            log2_kept: sentences
                .kept(verdicts)
                .map(|each| f64::from(each.log2_prob))
                .sum(),
            perplexity_quantiles: sentences.quantiles(verdicts, &QUANTILES),
            bytes_kept: kept.iter().map(|row| row.3).sum(),
            dropped,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::plain::paragraphs;
    use crate::text::sentences::Sentence;

    const WRITER: Writer = Writer {
        format: Format::Text,
        dropped: Dropped::Vanish,
        keeps_links: false,
        keeps_images: false,
        with_quality: false,
    };

    /// Two paragraphs of one sentence each; the second one is dropped as boilerplate.
    fn written(writer: Writer) -> Written {
        let table = paragraphs("The bees fly.\n\nLog in");
        let sentence = |block: u32, start, end, tokens| Sentence {
            start,
            end,
            block,
            tokens,
            oov: 1 + block,
            log2_prob: -(tokens as f32),
            ..Sentence::default()
        };
        let sentences = SentenceTable {
            sentences: vec![sentence(0, 0, 13, 4), sentence(1, 14, 20, 2)],
        };
        writer.write(Page {
            url: "https://bees.invalid/",
            table: &table,
            sentences: &sentences,
            verdicts: &[Verdict::KEPT, Verdict::Boilerplate as u8],
            page_type: "",
            inline: None,
        })
    }

    #[test]
    fn kept_text_is_written_and_counted() {
        let found = written(WRITER);

        assert_eq!(found.rendered.text, "The bees fly.");
        let simhash = signals::simhash::simhash("The bees fly.");
        assert_eq!((found.signals.simhash, found.signals.words), (simhash, 3));
        assert_eq!(found.text_digest, blake3::hash(b"The bees fly."));
        let counts = Counts {
            sentences: 2,
            tokens: 6,
            oov_kept: 1,
            log2_kept: -4.0,
            perplexity_quantiles: vec![2.0; 5],
            bytes_kept: 13,
            dropped: vec![(Verdict::Boilerplate as u8, 1, 2, 6)],
        };
        assert_eq!(found.counts, counts);
        assert!(found.signals.quality.is_empty());
    }

    #[test]
    fn fingerprint_and_quality_are_of_the_kept_text_without_markup() {
        let writer = Writer {
            dropped: Dropped::Marked,
            with_quality: true,
            ..WRITER
        };
        let (plain, marked) = (written(WRITER), written(writer));

        assert!(marked.rendered.text.contains("<ppl 2.0>Log in</ppl>"));
        assert_eq!(marked.signals, signals::of("The bees fly.", true));
        assert_eq!(marked.signals.simhash, plain.signals.simhash);
        assert_ne!(marked.text_digest, plain.text_digest);
    }
}
