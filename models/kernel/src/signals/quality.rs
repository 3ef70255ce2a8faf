//! The signals of quality that the makers of collections filter by, as numbers.
//!
//! Formulas are those of Gopher (Rae et al. 2021, table A1), C4, FineWeb and RedPajama-2, the first
//! three as datatrove 0.10 has them; words are those of [`words`](super::words). Shares of an empty
//! whole are 0.

use std::collections::HashMap;

use memchr::memmem;

use super::repeats::{Runs, repeated};
use super::signs::{is_punctuation, is_terminal};
use super::words::{Words, chars, is_spelled};

/// The name of a signal, with that of who filters by it in front, and its value.
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
/// FineWeb's short lines have at most so many characters.
const SHORT_LINE: usize = 30;

/// The signals of a text.
#[must_use]
pub fn signals(words: &Words<'_>) -> Vec<Signal> {
    let mut signals = Vec::with_capacity(40);
    gopher_quality(words, &mut signals);
    gopher_repetition(words, &mut signals);
    c4(words.text, &mut signals);
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

fn gopher_quality(words: &Words<'_>, out: &mut Vec<Signal>) {
    let text = words.text;
    let number = words.tokens.len();
    let (mut spelled, mut length, mut with_letters) = (0, 0, 0);
    let mut stop_words = [false; STOP_WORDS.len()];
    for word in words.iter() {
        if word.chars().any(|sign| !is_punctuation(sign)) {
            spelled += 1;
            length += chars(word);
        }
        with_letters += usize::from(word.chars().any(is_letter));
        if let Some(found) = STOP_WORDS.iter().position(|stop_word| *stop_word == word) {
            stop_words[found] = true;
        }
    }
    let lines = split_lines(text).count();
    let bullets = split_lines(text).filter(|line| line.trim_start().starts_with(['•', '-']));
    let trailing = split_lines(text).filter(|line| {
        let line = line.trim_end();
        line.ends_with("...") || line.ends_with('…')
    });
    let ellipses = occurrences(text, "...") + occurrences(text, "…");
    out.extend([
        ("gopher_words", spelled as f64),
        ("gopher_mean_word_length", share(length, spelled)),
        ("gopher_hashes", share(occurrences(text, "#"), number)),
        ("gopher_ellipses", share(ellipses, number)),
        ("gopher_bullet_lines", share(bullets.count(), lines)),
        ("gopher_ellipsis_lines", share(trailing.count(), lines)),
        ("gopher_alphabetic_words", share(with_letters, number)),
        (
            "gopher_stop_words",
            stop_words.iter().filter(|found| **found).count() as f64,
        ),
    ]);
}

fn gopher_repetition(words: &Words<'_>, out: &mut Vec<Signal>) {
    let all = chars(words.text);
    let text = words.text.trim();
    let (number, again) = (pieces(text, 2).count(), repeated(pieces(text, 2)));
    out.push(("gopher_duplicate_paragraphs", share(again.0, number)));
    out.push(("gopher_duplicate_paragraph_chars", share(again.1, all)));
    let (number, again) = (
        pieces(words.text, 1).count(),
        repeated(pieces(words.text, 1)),
    );
    out.push(("gopher_duplicate_lines", share(again.0, number)));
    out.push(("gopher_duplicate_line_chars", share(again.1, all)));
    let mut runs = Runs::of(words);
    for (size, name) in [
        (2, "gopher_top_2_gram_chars"),
        (3, "gopher_top_3_gram_chars"),
        (4, "gopher_top_4_gram_chars"),
    ] {
        out.push((name, share(runs.top(size), all)));
    }
    for (size, name) in [
        (5, "gopher_duplicate_5_gram_chars"),
        (6, "gopher_duplicate_6_gram_chars"),
        (7, "gopher_duplicate_7_gram_chars"),
        (8, "gopher_duplicate_8_gram_chars"),
        (9, "gopher_duplicate_9_gram_chars"),
        (10, "gopher_duplicate_10_gram_chars"),
    ] {
        out.push((name, share(runs.again(size), all)));
    }
}

fn c4(text: &str, out: &mut Vec<Signal>) {
    let lower = text.to_lowercase();
    let lines = || {
        let lines = split_lines(text).map(str::trim);
        lines.filter(|line| !line.is_empty())
    };
    let number = lines().count();
    let ended =
        lines().filter(|line| line.ends_with(['.', '?', '!', '"', '\'']) && !line.ends_with("..."));
    let long = lines().filter(|line| line.split_whitespace().nth(2).is_some());
    let script = split_lines(&lower).filter(|line| occurrences(line, "javascript") > 0);
    let policy = split_lines(&lower)
        .filter(|line| POLICIES.iter().any(|policy| occurrences(line, policy) > 0));
    out.extend([
        ("c4_ended_lines", share(ended.count(), number)),
        ("c4_three_word_lines", share(long.count(), number)),
        ("c4_javascript_lines", share(script.count(), number)),
        ("c4_policy_lines", share(policy.count(), number)),
        ("c4_curly_brackets", occurrences(text, "{") as f64),
        ("c4_lorem_ipsum", occurrences(&lower, "lorem ipsum") as f64),
    ]);
}

fn fineweb(words: &Words<'_>, out: &mut Vec<Signal>) {
    let lines = || {
        let lines = words.text.split('\n');
        lines.filter(|line| !line.trim().is_empty())
    };
    let number = lines().count();
    let ended = lines().filter(|line| line.ends_with(is_terminal)).count();
    let short = lines().filter(|line| chars(line) <= SHORT_LINE).count();
    let breaks = occurrences(words.text, "\n");
    let again = repeated(lines()).1;
    out.extend([
        ("fineweb_ended_lines", share(ended, number)),
        ("fineweb_short_lines", share(short, number)),
        (
            "fineweb_duplicate_line_chars",
            share(again, chars(words.text) - breaks),
        ),
        ("fineweb_line_breaks", share(breaks, words.tokens.len())),
    ]);
}

/// RedPajama-2 counts words of letters and digits, in small letters where it counts them apart.
fn redpajama(words: &Words<'_>, out: &mut Vec<Signal>) {
    let mut counts: HashMap<u64, usize> = HashMap::with_capacity(words.tokens.len());
    let (mut number, mut capital, mut unlettered) = (0, 0, 0);
    for token in &words.tokens {
        let word = words.word(token);
        if is_spelled(word) {
            number += 1;
            *counts.entry(token.key).or_default() += 1;
            capital += usize::from(is_capital(word));
            unlettered += usize::from(!word.chars().any(is_letter));
        }
    }
    // the order of a map changes from run to run, and with it the last digits of a sum
    let mut counts: Vec<usize> = counts.into_values().collect();
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

/// Whether a word has letters of a case, and all are capitals.
fn is_capital(word: &str) -> bool {
    let mut signs = word.chars();
    word.chars().any(char::is_uppercase) && !signs.any(char::is_lowercase)
}

/// A letter to Unicode's general category; numerals and circled letters are none.
pub fn is_letter(sign: char) -> bool {
    sign.is_ascii_alphabetic()
        || !sign.is_ascii()
            && sign.is_alphabetic()
            && !sign.is_numeric()
            && !matches!(sign, '\u{24b6}'..='\u{24e9}' | '\u{1f130}'..='\u{1f189}')
}

/// Lines by every sign that ends one; none behind the last.
fn split_lines(text: &str) -> impl Iterator<Item = &str> {
    const ENDS: [char; 9] = [
        '\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}',
    ];
    text.split_terminator(|sign| ENDS.contains(&sign) || sign == '\u{2029}')
}

/// The pieces of a text between runs of at least so many line feeds; those at its ends are empty.
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
