//! The reference blocks of a page: headline, headings, largest text, runs of prose.

use super::outline::Outline;
use super::sink::share;
use super::tag::Tag;
use super::text::{Overlap, TextShape};

/// Paragraphs with at most three other blocks between them.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub first: usize,
    pub last: usize,
    pub chars: f32,
}

/// Landmarks of a page; lists per block are in the order of the blocks.
#[derive(Clone, Debug, Default)]
pub struct Landmarks {
    /// The block with the most text outside links.
    pub biggest: usize,
    /// The block that repeats the title, if any does.
    pub headline: Option<usize>,
    /// The first block inside `h1`.
    pub h1: Option<usize>,
    pub last_heading: Vec<Option<usize>>,
    pub last_prose: Vec<Option<usize>>,
    pub next_prose: Vec<Option<usize>>,
    pub runs: Vec<Run>,
    /// Index of the run of a block.
    pub run_of: Vec<Option<usize>>,
    pub longest_run: Option<usize>,
}

/// Most blocks from one paragraph of a run to the next.
const RUN_GAP: usize = 4;
/// Least agreement of a headline with the title; headings get a bonus, links a penalty.
const HEADLINE: f32 = 0.45;
const HEADING_BONUS: f32 = 0.2;
const LINK_MALUS: f32 = 0.15;

impl Landmarks {
    /// Finds the landmarks of a page whose title has `title_words` different words.
    #[must_use]
    pub fn of(
        page: &Outline<'_>,
        shapes: &[TextShape],
        overlaps: &[Overlap],
        title_words: u32,
    ) -> Self {
        let mut found = Self::default();
        found.find_biggest(page, shapes);
        found.find_headings(page);
        if title_words > 1 {
            found.find_headline(page, shapes, overlaps, title_words);
        }
        found.find_prose(page, shapes);
        found.find_runs(page, shapes);
        found
    }

    fn find_biggest(&mut self, page: &Outline<'_>, shapes: &[TextShape]) {
        let mut most = 0;
        for (at, (span, shape)) in page.spans.iter().zip(shapes).enumerate() {
            let plain = shape.chars.saturating_sub(span.link_chars);
            if plain > most {
                most = plain;
                self.biggest = at;
            }
        }
    }

    fn find_headings(&mut self, page: &Outline<'_>) {
        let mut last = None;
        for (at, span) in page.spans.iter().enumerate() {
            self.last_heading.push(last);
            let tag = page.nodes[span.node as usize].tag;
            if tag.is_heading() {
                last = Some(at);
            }
            if tag == Tag::H1 && self.h1.is_none() {
                self.h1 = Some(at);
            }
        }
    }

    fn find_headline(
        &mut self,
        page: &Outline<'_>,
        shapes: &[TextShape],
        overlaps: &[Overlap],
        title_words: u32,
    ) {
        let mut best = HEADLINE;
        for (at, span) in page.spans.iter().enumerate() {
            let hits = overlaps[at].in_title as f32;
            let precision = share(hits, overlaps[at].distinct as f32);
            let recall = share(hits, title_words as f32);
            let mut agreement = share(2.0 * precision * recall, precision + recall);
            if page.nodes[span.node as usize].tag.is_heading() {
                agreement += HEADING_BONUS;
            }
            if span.link_chars.saturating_mul(2) > shapes[at].chars {
                agreement -= LINK_MALUS;
            }
            if agreement > best {
                best = agreement;
                self.headline = Some(at);
            }
        }
    }

    fn find_prose(&mut self, page: &Outline<'_>, shapes: &[TextShape]) {
        let is_prose = |at: usize| shapes[at].is_prose(page.spans[at].link_chars);
        let mut last = None;
        for at in 0..shapes.len() {
            self.last_prose.push(last);
            if is_prose(at) {
                last = Some(at);
            }
        }
        self.next_prose = vec![None; shapes.len()];
        let mut next = None;
        for at in (0..shapes.len()).rev() {
            self.next_prose[at] = next;
            if is_prose(at) {
                next = Some(at);
            }
        }
    }

    fn find_runs(&mut self, page: &Outline<'_>, shapes: &[TextShape]) {
        for (at, (span, shape)) in page.spans.iter().zip(shapes).enumerate() {
            if !shape.is_prose(span.link_chars) {
                continue;
            }
            let chars = shape.chars as f32;
            match self.runs.last_mut() {
                Some(run) if at - run.last <= RUN_GAP => {
                    run.last = at;
                    run.chars += chars;
                }
                _ => self.runs.push(Run {
                    first: at,
                    last: at,
                    chars,
                }),
            }
        }
        self.run_of = vec![None; shapes.len()];
        let mut most = 0.0;
        for (index, run) in self.runs.iter().enumerate() {
            self.run_of[run.first..=run.last].fill(Some(index));
            if run.chars > most {
                most = run.chars;
                self.longest_run = Some(index);
            }
        }
    }
}
