//! Quality signals used for filtering collections.
//!
//! Formulas are from Gopher (Rae et al. 2021, table A1), C4, FineWeb and RedPajama-2, the first
//! three as in datatrove 0.10; words are from [`words`](super::words). Shares of an empty whole are
//! 0.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use memchr::memmem;

use super::repeats::{JoinedRuns, Runs, repeated};
use super::signs::{is_punctuation, is_terminal};
use super::table::Table;
use super::words::{Words, chars, is_spelled};
use crate::unicode::is_letter;

/// The name of a signal, prefixed with its origin, and its value.
pub type Signal = (&'static str, f64);

const STOP_WORDS: [&str; 8] = ["the", "be", "to", "of", "and", "that", "have", "with"];
const POLICIES: [&str; 6] = [
    "terms of use",
    "privacy policy",
    "cookie policy",
    "uses cookies",
    "use of cookies",
    "use cookies",
];
const SCRIPT: &str = "javascript";
const FILLER: &str = "lorem ipsum";
/// Any of them, in ASCII.
#[expect(clippy::expect_used, reason = "constants, and the tests compile them")]
static PHRASES: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(POLICIES.iter().chain(&[SCRIPT, FILLER]))
        .expect("a few phrases")
});
const TOP_RUNS: [&str; 3] = [
    "gopher_top_2_gram_chars",
    "gopher_top_3_gram_chars",
    "gopher_top_4_gram_chars",
];
const REPEATED_RUNS: [&str; 6] = [
    "gopher_duplicate_5_gram_chars",
    "gopher_duplicate_6_gram_chars",
    "gopher_duplicate_7_gram_chars",
    "gopher_duplicate_8_gram_chars",
    "gopher_duplicate_9_gram_chars",
    "gopher_duplicate_10_gram_chars",
];
/// FineWeb's short lines have at most this many characters.
const SHORT_LINE: usize = 30;

/// The signals of a text.
#[must_use]
pub fn signals(words: &Words<'_>) -> Vec<Signal> {
    let mut signals = Vec::with_capacity(40);
    let lines: Vec<&str> = split_lines(words.text).collect();
    gopher_quality(words, &lines, &mut signals);
    gopher_repetition(words, &mut signals);
    c4(words.text, &lines, &mut signals);
    fineweb(words, &mut signals);
    redpajama(words, &mut signals);
    signals
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

fn occurrences(text: &str, part: &str) -> usize {
    memmem::find_iter(text.as_bytes(), part).count()
}

fn gopher_quality(words: &Words<'_>, lines: &[&str], out: &mut Vec<Signal>) {
    let text = words.text;
    let number = words.order.len();
    let (mut spelled, mut length, mut with_letters, mut stop_words) = (0, 0, 0, 0);
    for word in &words.distinct {
        if word.text.chars().any(|sign| !is_punctuation(sign)) {
            spelled += word.count;
            length += word.count * word.chars;
        }
        if word.text.chars().any(is_letter) {
            with_letters += word.count;
        }
        stop_words += usize::from(STOP_WORDS.contains(&word.text));
    }
    let (mut bullets, mut trailing) = (0, 0);
    for line in lines {
        bullets += usize::from(line.trim_start().starts_with(['•', '-']));
        let line = line.trim_end();
        trailing += usize::from(line.ends_with("...") || line.ends_with('…'));
    }
    let ellipses = occurrences(text, "...") + occurrences(text, "…");
    out.extend([
        ("gopher_words", spelled as f64),
        ("gopher_mean_word_length", share(length, spelled)),
        ("gopher_hashes", share(occurrences(text, "#"), number)),
        ("gopher_ellipses", share(ellipses, number)),
        ("gopher_bullet_lines", share(bullets, lines.len())),
        ("gopher_ellipsis_lines", share(trailing, lines.len())),
        ("gopher_alphabetic_words", share(with_letters, number)),
        ("gopher_stop_words", stop_words as f64),
    ]);
}

fn gopher_repetition(words: &Words<'_>, out: &mut Vec<Signal>) {
    let all = chars(words.text);
    let paragraphs: Vec<&str> = pieces(words.text.trim(), 2).collect();
    let again = repeated(&paragraphs);
    out.push((
        "gopher_duplicate_paragraphs",
        share(again.0, paragraphs.len()),
    ));
    out.push(("gopher_duplicate_paragraph_chars", share(again.1, all)));
    let lines: Vec<&str> = pieces(words.text, 1).collect();
    let again = repeated(&lines);
    out.push(("gopher_duplicate_lines", share(again.0, lines.len())));
    out.push(("gopher_duplicate_line_chars", share(again.1, all)));
    let mut runs = Runs::of(words);
    for name in TOP_RUNS {
        runs.lengthen();
        out.push((name, share(runs.top(), all)));
    }
    let runs = JoinedRuns::of(words);
    for (more, name) in REPEATED_RUNS.into_iter().enumerate() {
        let again = runs.again(JoinedRuns::LEAST + more);
        out.push((name, share(again, all)));
    }
}

fn c4(text: &str, lines: &[&str], out: &mut Vec<Signal>) {
    let (mut number, mut ended, mut long) = (0, 0, 0);
    for line in lines.iter().map(|line| line.trim()) {
        let ends = line.ends_with(['.', '?', '!', '"', '\'']) && !line.ends_with("...");
        number += usize::from(!line.is_empty());
        ended += usize::from(ends);
        long += usize::from(line.split_whitespace().nth(2).is_some());
    }
    let (mut script, mut policy, mut filler) = (0, 0, 0);
    // the Kelvin sign is a capital of `k`
    if PHRASES.is_match(text) || text.contains('\u{212a}') {
        let lower = text.to_lowercase();
        for line in split_lines(&lower) {
            let has = |phrase: &str| memmem::find(line.as_bytes(), phrase.as_bytes()).is_some();
            script += usize::from(has(SCRIPT));
            policy += usize::from(POLICIES.iter().any(|policy| has(policy)));
        }
        filler = occurrences(&lower, FILLER);
    }
    out.extend([
        ("c4_ended_lines", share(ended, number)),
        ("c4_three_word_lines", share(long, number)),
        ("c4_javascript_lines", share(script, number)),
        ("c4_policy_lines", share(policy, number)),
        ("c4_curly_brackets", occurrences(text, "{") as f64),
        ("c4_lorem_ipsum", filler as f64),
    ]);
}

fn fineweb(words: &Words<'_>, out: &mut Vec<Signal>) {
    let lines = words.text.split('\n');
    let lines: Vec<&str> = lines.filter(|line| !line.trim().is_empty()).collect();
    let (mut ended, mut short) = (0, 0);
    for line in &lines {
        ended += usize::from(line.ends_with(is_terminal));
        short += usize::from(chars(line) <= SHORT_LINE);
    }
    let breaks = occurrences(words.text, "\n");
    let again = repeated(&lines).1;
    out.extend([
        ("fineweb_ended_lines", share(ended, lines.len())),
        ("fineweb_short_lines", share(short, lines.len())),
        (
            "fineweb_duplicate_line_chars",
            share(again, chars(words.text) - breaks),
        ),
        ("fineweb_line_breaks", share(breaks, words.order.len())),
    ]);
}

/// RedPajama-2 counts words of letters and digits, in lower case for distinct words.
fn redpajama(words: &Words<'_>, out: &mut Vec<Signal>) {
    let mut folded = Table::of(words.distinct.len());
    let mut counts: Vec<usize> = Vec::with_capacity(words.distinct.len());
    let (mut number, mut capital, mut unlettered) = (0, 0, 0);
    for word in words.distinct.iter().filter(|word| is_spelled(word.text)) {
        let new = counts.len() as u32;
        let place = folded.first(word.key, new);
        if place == new {
            counts.push(0);
        }
        counts[place as usize] += word.count;
        number += word.count;
        if is_capital(word.text) {
            capital += word.count;
        }
        if !word.text.chars().any(is_letter) {
            unlettered += word.count;
        }
    }
    // the last digits of a sum depend on its order
    counts.sort_unstable();
    let entropy = |&count: &usize| {
        let share = share(count, number);
        -share * share.ln()
    };
    out.extend([
        ("redpajama_words", number as f64),
        ("redpajama_unique_words", share(counts.len(), number)),
        (
            "redpajama_unigram_entropy",
            counts.iter().map(entropy).sum(),
        ),
        ("redpajama_capital_words", share(capital, number)),
        ("redpajama_unlettered_words", share(unlettered, number)),
    ]);
}

/// Whether a word has cased letters, and all are capitals.
fn is_capital(word: &str) -> bool {
    let mut signs = word.chars();
    word.chars().any(char::is_uppercase) && !signs.any(char::is_lowercase)
}

/// Lines by every line end character; no empty one after the last.
fn split_lines(text: &str) -> impl Iterator<Item = &str> {
    const ENDS: [char; 9] = [
        '\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}',
    ];
    text.split_terminator(|sign| ENDS.contains(&sign) || sign == '\u{2029}')
}

/// The pieces of a text between runs of at least this many line feeds; the first and last may be
/// empty.
fn pieces(text: &str, least: usize) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let whole = rest?;
        let mut from = 0;
        while let Some(at) = memchr::memchr(b'\n', &whole.as_bytes()[from..]) {
            let start = from + at;
            let breaks = whole[start..]
                .bytes()
                .take_while(|&byte| byte == b'\n')
                .count();
            if breaks >= least {
                rest = Some(&whole[start + breaks..]);
                return Some(&whole[..start]);
            }
            from = start + breaks;
        }
        rest = None;
        Some(whole)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, name: &str) -> f64 {
        let signals = signals(&Words::of(text));
        let found = signals.iter().find(|signal| signal.0 == name);
        found.map_or(f64::NAN, |signal| signal.1)
    }

    #[test]
    fn signals_are_shares_of_words_and_lines() {
        let text = "The bees of the city. # A\n\n- One...\n\n- One...\nTWO";
        for (name, expected) in [
            ("gopher_words", 9.0),
            ("gopher_stop_words", 2.0),
            ("gopher_bullet_lines", 2.0 / 6.0),
            ("gopher_duplicate_paragraphs", 0.0),
            ("gopher_duplicate_lines", 1.0 / 4.0),
            ("fineweb_short_lines", 1.0),
            ("c4_curly_brackets", 0.0),
            ("redpajama_words", 9.0),
            ("redpajama_capital_words", 2.0 / 9.0),
        ] {
            assert!(
                (value(text, name) - expected).abs() < 1e-9,
                "{name}: {}",
                value(text, name)
            );
        }
    }

    #[test]
    fn an_empty_text_has_no_share_of_anything() {
        assert!(signals(&Words::of("")).iter().all(|signal| signal.1 == 0.0));
    }
}
