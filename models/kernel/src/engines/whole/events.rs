//! The facts of an event: its place, its time and who holds it, next to its description.

use super::stems::Rule;
use super::{Decider, Page, TEXT_WORDS};
use crate::page::elements::WordsAt;
use crate::page::tags::{ASIDE, BODY, FOOTER, HTML, NAV};
use crate::text::map::HashedMap;
use crate::units::Span;

/// Parts of the labels of such facts, and of events.
const FACTS: [&str; 9] = [
    "venue",
    "organizer",
    "organiser",
    "organizador",
    "organizzatore",
    "organisateur",
    "veranstalter",
    "veranstaltungsort",
    "arrangør",
];
const EVENTS: [&str; 6] = [
    "event",
    "events",
    "evento",
    "evenement",
    "veranstaltung",
    "termin",
];
/// Parts of a label of an event that make it the label of its facts.
const DETAILS: [&str; 12] = [
    "meta", "detail", "details", "info", "facts", "location", "place", "date", "time", "schedule",
    "where", "when",
];
/// First parts of labels that name the subject of a page.
const SUBJECTS: [&str; 9] = [
    "archive", "cat", "category", "entry", "post", "tag", "taxonomy", "term", "type",
];
/// Most words of such facts, and fewest boxes of one label in a list of events.
const MOST_WORDS: f32 = 120.0;
const LEAST_LISTED: u32 = 3;

/// What the label of an element says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    Other,
    Event,
    Facts,
}

/// Keep the facts of the event that a page is about.
pub fn settle(page: &mut Page<'_>) {
    let (Some(elements), Some(named)) =
        (page.table.elements.as_ref(), page.named(Rule::Event, read))
    else {
        return;
    };
    if !named.contains(&Named::Facts) {
        return;
    }
    let labels = &page.units.labels;
    let mut counts: HashedMap<u64, u32> = HashedMap::default();
    for at in (0..named.len()).filter(|at| named[*at] != Named::Other) {
        *counts.entry(labels.hash(elements, at)).or_default() += 1;
    }
    let aside = elements.rows.iter();
    let aside = aside.map(|row| matches!(row.tag, ASIDE | NAV | FOOTER));
    let aside = elements.within(aside.collect());
    let is_one = |at: usize| {
        let row = &elements.rows[at];
        let count = || counts.get(&labels.hash(elements, at));
        let is_listed = || count().is_some_and(|count| *count >= LEAST_LISTED);
        named[at] != Named::Other && !aside[at] && !is_listed() && !matches!(row.tag, HTML | BODY)
    };
    // sums up to each block, so that elements inside each other are measured in constant time
    let mut sums = vec![(0_u32, 0_f32)];
    for (block, words) in page.weights.iter().enumerate() {
        let (texts, before) = sums.last().copied().unwrap_or_default();
        let is_text = page.kept_words(block) >= TEXT_WORDS;
        sums.push((texts + u32::from(is_text), before + words));
    }
    let measure = |span: &Span| {
        let (first, end) = (sums[span.first as usize], sums[span.end as usize]);
        (end.0 > first.0, end.1 - first.1)
    };
    let spans = &page.units.spans;
    let mut ones = spans.iter().enumerate().filter(|(at, _)| is_one(*at));
    if !ones.any(|(_, span)| measure(span).0) {
        return;
    }
    let mut end = 0;
    let mut kept = Vec::new();
    for (at, span) in spans.iter().enumerate() {
        let is_facts = span.first >= end && named[at] == Named::Facts && is_one(at);
        let (has_text, words) = measure(span);
        if is_facts && !has_text && words <= MOST_WORDS {
            end = span.end;
            kept.extend(span.blocks().filter(|block| !page.is_hidden(*block)));
        }
    }
    for block in kept {
        page.keep(block, Decider::List);
    }
}

fn read(words: WordsAt<'_>) -> Named {
    let of_word = |word: &str| {
        let parts = || word.split(|sign: char| !sign.is_alphabetic());
        let has = |names: &[&str]| {
            parts().any(|part| names.iter().any(|name| name.eq_ignore_ascii_case(part)))
        };
        let first = parts().next().unwrap_or_default();
        if SUBJECTS.contains(&first) {
            Named::Other
        } else if has(&FACTS) || has(&EVENTS) && has(&DETAILS) {
            Named::Facts
        } else if has(&EVENTS) {
            Named::Event
        } else {
            Named::Other
        }
    };
    let mut named = Named::Other;
    for word in words {
        match of_word(word) {
            Named::Other => {}
            Named::Event => named = Named::Event,
            Named::Facts => return Named::Facts,
        }
    }
    named
}
