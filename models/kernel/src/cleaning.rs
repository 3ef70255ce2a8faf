//! Pages -> the JSON of their messages, batch by batch: read, judge and write in one call.

use std::time::Duration;

use blake3::Hash;

use crate::clock::thread_time;
use crate::document::{Page, Writer};
use crate::engines::rule::{Ceiling, CutPage, JudgedPage, Rule, Scope, judge};
use crate::language::choice::LanguageModel;
use crate::message::{Document, Facts, Outcome};
use crate::page::refusal::Refusal;
use crate::read::{Headers, Reader, Reading};
use crate::sites::memory::SiteMemory;
use crate::sites::verdicts::{Judged, without_seen};

/// Process blocks and sentences in parts of about this many characters of text, because messages
/// take less memory than the intermediate data.
const PART_CHARS: usize = 1 << 20;

/// A page from a crawler.
#[derive(Clone, Copy, Debug)]
pub struct Given<'p> {
    pub body: &'p [u8],
    pub headers: Headers<'p>,
    pub fetched_at: &'p str,
    /// The host whose memory is used for the blocks of the page; empty for none.
    pub host: &'p str,
}

/// Options for cleaning pages.
#[derive(Clone, Copy)]
pub struct Cleaner<'c> {
    pub reader: Reader<'c>,
    pub rule: Rule<'c>,
    pub models: &'c [LanguageModel<'c>],
    pub ceiling: Option<Ceiling>,
    pub sites: Option<&'c SiteMemory>,
    pub writer: Writer,
    pub facts: Facts<'c>,
    /// Measure the CPU time of the stages.
    pub is_timed: bool,
}

/// The result for a cleaned page.
#[derive(Clone, Debug)]
pub struct Finished {
    pub document: Document,
    /// The JSON of the statistics.
    pub stats: Vec<u8>,
    pub content_digest: Hash,
    pub text_digest: Hash,
    pub simhash: Option<u64>,
    pub words: usize,
    /// The starts of the text's units, see [`crate::page::render::Rendered`].
    pub outline: Vec<u8>,
    pub language: String,
    /// The number of the language model that scored the sentences.
    pub model: usize,
    /// The threshold of the page.
    pub threshold: f64,
    pub confidence: Option<f32>,
    pub page_type: &'static str,
}

/// A judged page, and its result.
#[derive(Clone, Debug)]
pub struct Explained {
    pub reading: Reading,
    pub judged: JudgedPage,
    pub finished: Finished,
}

/// A page that was read.
struct Read<'p> {
    page: Given<'p>,
    reading: Reading,
    content_digest: Hash,
    chars: usize,
    time: Duration,
}

impl Cleaner<'_> {
    /// Cleans pages together; a refused page does not affect the others.
    #[must_use]
    pub fn clean(&self, pages: &[Given<'_>]) -> Vec<Result<Finished, Refusal>> {
        let mut done = Vec::with_capacity(pages.len());
        in_parts(
            pages,
            PART_CHARS,
            |page| {
                let read = self.read(*page);
                let chars = read.as_ref().map_or(0, |read| read.chars);
                (read, chars)
            },
            |part| self.finish(part, &mut done),
        );
        done
    }

    /// Cleans one page with the scores of all its sentences, and keeps the intermediate data.
    ///
    /// # Errors
    /// The page is refused.
    pub fn explain(&self, page: Given<'_>) -> Result<Option<Explained>, Refusal> {
        let read = self.read(page)?;
        let judged = self.judge(&[&read], Scope::All).pop();
        Ok(judged.map(|(judged, time)| Explained {
            finished: self.write(&read, &judged, time),
            reading: read.reading,
            judged,
        }))
    }

    fn read<'p>(&self, page: Given<'p>) -> Result<Read<'p>, Refusal> {
        let begun = self.time();
        let reading = self.reader.read(page.body, page.headers)?;
        Ok(Read {
            chars: reading.blocks.table.chars(),
            // now, while the page is in the caches of the processor
            content_digest: blake3::hash(page.body),
            time: self.time().saturating_sub(begun),
            page,
            reading,
        })
    }

    /// Judges and writes the pages that were read, in order.
    fn finish(
        &self,
        part: Vec<Result<Read<'_>, Refusal>>,
        done: &mut Vec<Result<Finished, Refusal>>,
    ) {
        let read: Vec<&Read<'_>> = part.iter().flatten().collect();
        let scope = if self.facts.with_spans || self.writer.shows_dropped() {
            Scope::All
        } else {
            Scope::Kept
        };
        let mut judged = self.judge(&read, scope).into_iter();
        for page in part {
            match page {
                Err(refusal) => done.push(Err(refusal)),
                Ok(read) => done.extend(
                    judged
                        .next()
                        .map(|(judged, time)| Ok(self.write(&read, &judged, time))),
                ),
            }
        }
    }

    /// Judges pages together; the time is divided by length of text.
    fn judge(&self, pages: &[&Read<'_>], scope: Scope) -> Vec<(JudgedPage, Duration)> {
        let begun = self.time();
        let cut = pages.iter().map(|read| CutPage {
            table: &read.reading.blocks.table,
            labels: read.reading.blocks.labels.as_ref(),
        });
        let cut: Vec<CutPage<'_>> = cut.collect();
        let mut judged = judge(self.models, self.rule, &cut, scope, self.ceiling);
        if let Some(sites) = self.sites {
            for (read, judged) in pages.iter().zip(&mut judged) {
                drop_seen(sites, read, judged);
            }
        }
        let time = self.time().saturating_sub(begun);
        let chars: usize = pages.iter().map(|read| read.chars).sum();
        let share = |read: &&Read<'_>| time.mul_f64(read.chars as f64 / chars.max(1) as f64);
        judged.into_iter().zip(pages.iter().map(share)).collect()
    }

    fn write(&self, read: &Read<'_>, judged: &JudgedPage, time: Duration) -> Finished {
        let begun = self.time();
        let (page, reading) = (&read.page, &read.reading);
        let typed = judged.blocks.as_ref().and_then(|blocks| blocks.page_type());
        let written = self.writer.write(Page {
            url: page.headers.url,
            table: &reading.blocks.table,
            sentences: &judged.sentences,
            verdicts: &judged.verdicts,
            page_type: typed.map_or("", |(name, _)| name),
            inline: reading.blocks.inline.as_ref(),
        });
        let content_digest = read.content_digest;
        let spent = [read.time, time, self.time().saturating_sub(begun)];
        let outcome = Outcome {
            url: page.headers.url,
            fetched_at: page.fetched_at,
            page_bytes: page.body.len(),
            chars: read.chars,
            content_digest,
            reading,
            judged,
            typed,
            stranger: &|perplexity| {
                self.models[judged.model]
                    .model
                    .quantiles
                    .stranger(perplexity)
            },
            model_language: if judged.is_known {
                self.models[judged.model].language
            } else {
                ""
            },
            written: &written,
            cpu: self.is_timed.then_some(spent),
        };
        let (document, stats) = self.facts.messages(&outcome);
        Finished {
            document,
            stats,
            content_digest,
            text_digest: written.text_digest,
            simhash: written.signals.simhash,
            words: written.signals.words,
            language: judged.language.clone(),
            model: judged.model,
            threshold: judged.threshold.unwrap_or(self.facts.threshold),
            confidence: judged.blocks.as_ref().and_then(|blocks| blocks.confidence),
            page_type: typed.map_or("", |(name, _)| name),
            outline: written.rendered.outline,
        }
    }

    fn time(&self) -> Duration {
        if self.is_timed {
            thread_time()
        } else {
            Duration::ZERO
        }
    }
}

/// Calls `make` for each page, and `finish` as soon as the pages have this many characters.
fn in_parts<'p, P, T>(
    pages: &'p [P],
    most_chars: usize,
    mut make: impl FnMut(&'p P) -> (T, usize),
    mut finish: impl FnMut(Vec<T>),
) {
    let (mut part, mut chars) = (Vec::new(), 0);
    for page in pages {
        let (made, more) = make(page);
        part.push(made);
        chars += more;
        if chars >= most_chars {
            finish(std::mem::take(&mut part));
            chars = 0;
        }
    }
    if !part.is_empty() {
        finish(part);
    }
}

/// Remembers the blocks of a page, and drops blocks that its site repeats.
fn drop_seen(sites: &SiteMemory, read: &Read<'_>, judged: &mut JudgedPage) {
    if read.page.host.is_empty() {
        return;
    }
    let found = Judged {
        text: &read.reading.blocks.table.text,
        sentences: &judged.sentences.sentences,
        verdicts: &judged.verdicts,
        blocks: judged.blocks.as_deref(),
    };
    if let Some(verdicts) = without_seen(sites, read.page.host, read.page.headers.url, found) {
        judged.verdicts = verdicts;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_much_text_are_finished_before_more_are_read() {
        let parts_of = |pages: &[usize]| {
            let mut parts = Vec::new();
            in_parts(pages, 10, |chars| (*chars, *chars), |part| parts.push(part));
            parts
        };

        assert!(parts_of(&[]).is_empty());
        assert_eq!(parts_of(&[1, 2, 3]), [vec![1, 2, 3]]);
        assert_eq!(
            parts_of(&[1, 10, 0, 12, 3, 0, 7, 1]),
            [vec![1, 10], vec![0, 12], vec![3, 0, 7], vec![1]]
        );
    }
}
