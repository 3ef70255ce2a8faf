//! Blocks to sentences: a port of NLTK's Punkt splitter (Kiss and Strunk 2006) with the same spans,
//! the titles of `known`, and one rule of our own for scripts without a space after a full
//! stop.
//!
//! The rule (`unspaced`): a text is first cut after every run of wide sentence ends and the closing
//! brackets, quotation marks and white space after it; then Punkt works on each piece separately.

pub mod known;
pub mod listed;
pub mod parameters;
mod realign;
mod unspaced;
mod words;

use parameters::{ANY_LOWER, ANY_UPPER, INITIAL_LOWER, MIDDLE_UPPER, Parameters, STARTER};
use realign::realigned;
use unspaced::{may_hold_wide_end, wide_cut};
use words::{NUMBER, Word, drop_period, is_ellipsis, is_initial, is_no_word, lower, type_of};

use super::chars::{is_space, is_stripped};

/// A possible sentence end: its position and the data for the decision.
#[derive(Clone, Copy)]
struct Candidate {
    /// Byte offset of the `.`, `!` or `?`.
    at: usize,
    /// The word that it ends, and the end of the context after it.
    context: (usize, usize),
    /// Start of the next word, if white space is between.
    next: Option<usize>,
}

#[derive(PartialEq, Eq)]
enum Starts {
    Yes,
    No,
    Unknown,
}

/// Splits texts into sentences; reuses its buffers.
pub struct Splitter<'a> {
    parameters: Parameters<'a>,
    words: Vec<Word>,
    slices: Vec<(usize, usize)>,
    first: String,
    second: String,
}

impl<'a> Splitter<'a> {
    #[must_use]
    pub fn new(parameters: Parameters<'a>) -> Self {
        Self {
            parameters,
            words: Vec::new(),
            slices: Vec::new(),
            first: String::new(),
            second: String::new(),
        }
    }

    /// Appends the sentences of `text`: byte spans, none empty, in order and not overlapping.
    pub fn split(&mut self, text: &str, out: &mut Vec<(usize, usize)>) {
        let mut start = 0;
        if may_hold_wide_end(text) {
            while let Some((end, next)) = wide_cut(text, start) {
                self.split_piece(&text[start..end], start, out);
                start = next;
            }
        }
        self.split_piece(&text[start..], start, out);
    }

    /// Splits as NLTK's `span_tokenize` does; `offset` is added to the spans.
    fn split_piece(&mut self, text: &str, offset: usize, out: &mut Vec<(usize, usize)>) {
        let mut slices = std::mem::take(&mut self.slices);
        slices.clear();
        self.slices_of(text, &mut slices);
        realigned(text, &slices, |start, end| {
            out.push((offset + start, offset + end));
        });
        self.slices = slices;
    }

    /// The port of `_slices_from_text` with `_match_potential_end_contexts`.
    fn slices_of(&mut self, text: &str, slices: &mut Vec<(usize, usize)>) {
        let mut last_break = 0;
        let mut decide = |splitter: &mut Self, candidate: &Candidate| {
            let (start, end) = candidate.context;
            if splitter.ends_sentence(&text[start..end]) {
                slices.push((last_break, candidate.at + 1));
                last_break = candidate.next.unwrap_or(candidate.at + 1);
            }
        };
        let mut previous: Option<Candidate> = None;
        let mut word = (0, 0); // the word before the previous candidate
        let mut at = 0;
        while let Some(found) = next_end(text, at) {
            at = found + 1;
            let Some((after, next)) = what_follows(text, at) else {
                continue;
            };
            let start = match last_space(&text.as_bytes()[word.1..found]) {
                0 => word.0,
                space => word.1 + space + 1,
            };
            if let Some(candidate) = previous.filter(|_| word.1 <= start) {
                decide(self, &candidate);
            }
            previous = Some(Candidate {
                at: found,
                context: (start, after),
                next,
            });
            word = (start, found);
        }
        if let Some(candidate) = previous {
            decide(self, &candidate);
        }
        slices.push((last_break, text.trim_end_matches(is_stripped).len()));
    }

    /// Whether a word of the context except the last ends a sentence (`text_contains_sentbreak`).
    fn ends_sentence(&mut self, context: &str) -> bool {
        let mut words = std::mem::take(&mut self.words);
        words.clear();
        words::words(context, &mut words);
        for word in &mut words {
            self.annotate_type(context, word);
        }
        let found = (1..words.len()).any(|next| {
            let following = words[next];
            self.annotate_pair(context, &mut words[next - 1], following);
            words[next - 1].ends_sentence
        });
        self.words = words;
        found
    }

    /// The decision from the word alone (`_first_pass_annotation`).
    fn annotate_type(&mut self, context: &str, word: &mut Word) {
        let text = &context[word.start..word.end];
        if matches!(text, "." | "?" | "!") {
            word.ends_sentence = true;
        } else if is_ellipsis(text) {
            word.ellipsis = true;
        } else if text.ends_with('.') && !text.ends_with("..") {
            lower(&text[..text.len() - 1], &mut self.first);
            let is_known =
                |type_: &str| known::abbreviates(type_) || self.parameters.abbreviates(type_);
            let last_part = self.first.rsplit_once('-').map(|(_, part)| part);
            word.abbreviation = is_known(&self.first) || last_part.is_some_and(is_known);
            word.ends_sentence = !word.abbreviation;
        }
    }

    /// The decision with the following word (`_second_pass_annotation`).
    fn annotate_pair(&mut self, context: &str, word: &mut Word, following: Word) {
        let (text, next) = (
            &context[word.start..word.end],
            &context[following.start..following.end],
        );
        if !text.ends_with('.') {
            return;
        }
        type_of(text, &mut self.first);
        drop_period(&mut self.first);
        type_of(next, &mut self.second);
        if following.ends_sentence {
            drop_period(&mut self.second);
        }
        if self.parameters.collocated(&self.first, &self.second) {
            word.ends_sentence = false;
            word.abbreviation = true;
            return;
        }
        let initial = is_initial(text);
        let is_number = self.first == NUMBER;
        if !(word.abbreviation || word.ellipsis || initial || is_number) {
            return; // the following word could not change the decision
        }
        let flags = self.parameters.of(&self.second);
        let upper = next.chars().next().is_some_and(char::is_uppercase);
        if (word.abbreviation || word.ellipsis) && !initial {
            let starter = upper && flags & STARTER != 0;
            if starts_sentence(next, flags) == Starts::Yes || starter {
                word.ends_sentence = true;
                return;
            }
        }
        if initial || is_number {
            let abbreviates = match starts_sentence(next, flags) {
                Starts::No => true,
                Starts::Unknown => initial && upper && flags & ANY_LOWER == 0,
                Starts::Yes => false,
            };
            if abbreviates {
                word.ends_sentence = false;
                word.abbreviation = true;
            }
        }
    }
}

/// The orthographic heuristic (`_ortho_heuristic`): whether the word starts a sentence.
fn starts_sentence(word: &str, flags: u8) -> Starts {
    if matches!(word, ";" | ":" | "," | "." | "!" | "?") {
        return Starts::No;
    }
    let first = word.chars().next().unwrap_or_default();
    if first.is_uppercase() && flags & ANY_LOWER != 0 && flags & MIDDLE_UPPER == 0 {
        return Starts::Yes;
    }
    if first.is_lowercase() && (flags & ANY_UPPER != 0 || flags & INITIAL_LOWER == 0) {
        return Starts::No;
    }
    Starts::Unknown
}

fn next_end(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes().get(from..)?;
    Some(from + memchr::memchr3(b'.', b'!', b'?', bytes)?)
}

/// The text required after a sentence end: punctuation, or white space and a word. Returns the end
/// of that text, and the start of the word.
fn what_follows(text: &str, at: usize) -> Option<(usize, Option<usize>)> {
    let rest = &text[at..];
    let first = rest.chars().next()?;
    if is_no_word(first) {
        return Some((at + first.len_utf8(), None));
    }
    let word = rest.trim_start_matches(is_space);
    if word.len() == rest.len() || word.is_empty() {
        return None;
    }
    let start = text.len() - word.len();
    let length = word.find(is_space).unwrap_or(word.len());
    Some((start + length, Some(start)))
}

/// Offset of the last ASCII white space, 0 if there is none (`_get_last_whitespace_index`).
fn last_space(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .rposition(|byte| matches!(byte, b' ' | b'\t'..=b'\r'))
        .unwrap_or(0)
}
