//! Pages of issue trackers: what was written below a report is as much of the page as the report.

use std::collections::HashSet;

use super::stems::Rule;
use super::{Page, TEXT_WORDS};
use crate::page::elements::Elements;
use crate::page::tags::{BODY, HTML};

/// Parts of the labels of reports.
const REPORTS: [&str; 7] = [
    "issue",
    "ticket",
    "bug",
    "bz",
    "defect",
    "bugzilla",
    "issuedetails",
];
/// Names of what is known about a report, in lower case.
const FIELDS: [&str; 18] = [
    "affects version",
    "assignee",
    "assigned to",
    "component",
    "fix version",
    "milestone",
    "owned by",
    "priority",
    "product",
    "project",
    "reported",
    "reported by",
    "reporter",
    "resolution",
    "severity",
    "status",
    "type",
    "version",
];
/// Fewest of them, around the report and apart from it.
const LEAST_FIELDS: usize = 2;
const LEAST_APART: usize = 4;
/// Most words of a field with its value.
const FIELD_WORDS: f32 = 8.0;

/// Whether a page is a report with what is known about it.
pub fn is_one(page: &Page<'_>, elements: &Elements) -> bool {
    if !page.rules.has(Rule::Report) {
        return false;
    }
    let named = elements.by_label(names_report);
    let is_report = |at: usize| named[at] && !matches!(elements.rows[at].tag, HTML | BODY);
    if !(0..named.len()).any(is_report) {
        return false;
    }
    let mut spans = page.units.spans.iter().enumerate();
    let mut read = 0;
    let has_text = spans.any(|(at, span)| {
        // outer ones come first, so that each block is read once
        let is_new = is_report(at) && span.end > read;
        let blocks = span.blocks().start.max(read as usize)..span.blocks().end;
        read = if is_new { span.end } else { read };
        is_new
            && blocks
                .into_iter()
                .any(|block| page.kept_words(block) >= TEXT_WORDS)
    });
    let fields = (0..page.verdicts.len()).filter_map(|block| {
        let is_short = page.weights[block] <= FIELD_WORDS;
        is_short.then(|| field(page.text(block)))?
    });
    let least = if has_text { LEAST_FIELDS } else { LEAST_APART };
    fields.collect::<HashSet<_>>().len() >= least
}

/// The field that a line names: `Status: Closed`, `Affects Version/s:7.2.1`.
fn field(text: &str) -> Option<&'static str> {
    let name = text.split([':', '/', '\n']).next()?.trim();
    FIELDS
        .into_iter()
        .find(|field| field.eq_ignore_ascii_case(name))
}

fn names_report(label: &str) -> bool {
    let mut parts = label.split(|sign: char| !sign.is_ascii_alphabetic());
    parts.any(|part| REPORTS.contains(&part))
}
