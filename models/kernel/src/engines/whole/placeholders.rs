//! Template code that nobody has filled.

use std::sync::LazyLock;

use regex::Regex;

use super::{Decider, Page};
use crate::metadata::patterns::pattern;
use crate::page::blocks::Kind;

/// Bytes of a block that is looked at: no placeholder is a long text.
const MOST_BYTES: usize = 400;
/// Letters and digits outside of placeholders that make a block prose.
const MOST_OTHERS: usize = 40;

/// Placeholders of common template languages and page builders.
static PLACEHOLDER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"\{\{[^{}\n]*\}\}|\{%[^{}\n]*%\}|<%[^<>\n]*%>|\[%[^\[\]\n]*%\]",
        r"|\[/?(?:vc|et_pb|fusion|av|cs|mk|rev_slider|contact-form-7|caption|gallery)",
        r"[A-Za-z0-9_-]*(?:\s[^\[\]\n]*)?\]",
        r"|%%[A-Za-z0-9_.-]+%%|\$\{[A-Za-z0-9_.|' ()\[\]-]+\}|#\{[A-Za-z0-9_.()]+\}",
        r"|\[\[[A-Za-z0-9_.:| -]+\]\]",
    ))
});

pub fn settle(page: &mut Page<'_>) {
    for block in 0..page.verdicts.len() {
        let is_code = page.table.blocks[block].kind == Kind::Code;
        let text = page.text(block);
        let is_open = page.is_kept(block) && !is_code && text.len() <= MOST_BYTES;
        if is_open && is_unfilled(text) {
            page.drop(block, Decider::Placeholder);
        }
    }
}

/// Whether a text is nothing but placeholders, or a label whose value is one.
fn is_unfilled(text: &str) -> bool {
    let has_mark = text.bytes().any(|byte| matches!(byte, b'{' | b'[' | b'%'));
    if !has_mark || !PLACEHOLDER.is_match(text) {
        return false;
    }
    let rest = PLACEHOLDER.replace_all(text, "\u{0}");
    let others = rest.chars().filter(|c| c.is_alphanumeric()).count();
    let after_label = rest.trim_end().ends_with([':', '\u{0}']) && is_label(&rest);
    others == 0 || (others <= MOST_OTHERS && after_label)
}

/// Whether what stands before the first placeholder is a label: `Price: {{price}}`.
fn is_label(rest: &str) -> bool {
    let before = rest.split('\u{0}').next().unwrap_or("").trim_end();
    let words = before.split_whitespace().count();
    before.is_empty() || before.ends_with([':', '：', '$', '€', '£', '#', '=']) || words <= 1
}
