//! Unfilled template code and filler text.

use std::sync::LazyLock;

use memchr::memchr3;
use regex::Regex;

use super::{Decider, Page};
use crate::metadata::patterns::pattern;
use crate::page::blocks::{BlockTable, Kind};

/// Bytes of a block that is checked: placeholders are never long texts.
const MOST_BYTES: usize = 400;
/// Letters and digits outside of placeholders that make a block prose.
const MOST_OTHERS: usize = 40;

/// Placeholders that make a short block one.
const MANY: usize = 3;

/// Every placeholder contains one of these.
const MARKS: [[u8; 3]; 3] = [*b"{[%", *b"$#@", *b"***"];

/// Placeholders of common template languages and page builders.
static PLACEHOLDER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"\{\{\{?[^{}\n]*\}\}\}?|\{%[^{}\n]*%\}|<%[^<>\n]*%>|\[%[^\[\]\n]*%\]",
        r"|\[/?(?:vc|et_pb|fusion|av|cs|mk|rev_slider|contact-form|caption|gallery|mc4wp|wpforms|toc\b",
        r"|gravityform|ninja_form|elementor|ad_\d|adrotate|metaslider|tablepress|woocommerce|playlist|embed\b)",
        r"[A-Za-z0-9_-]*(?:\s[^\[\]\n]*)?\]",
        r"|\{/?(?:load(?:position|module(?:id)?)|modulepos|mos(?:image|pagebreak|loadposition)|jcomments",
        r"|phocagallery|rsform|chronoforms|youtube|vimeo|gallery|slider|tab)(?:[\s=][^{}\n]*)?\}",
        r#"|\[[a-z][a-z0-9_-]+(?:\s+[a-z_-]+=(?:"[^"\n]*"|'[^'\n]*'|\S+))+\s*/?\]"#,
        r"|%%[A-Za-z0-9_.-]+%%|\$\{[A-Za-z0-9_.|' ()\[\]-]+\}|#\{[A-Za-z0-9_.()]+\}",
        r"|\[\[[+*~$!]?[A-Za-z0-9_.:| ()-]+\]\]|\*\|[A-Z0-9_:]+\|\*|##[A-Z0-9_.]+##|@@[A-Za-z0-9_.]+@@",
    ))
});
/// Short ones, which also occur in prose: only if the block has nothing else.
static BARE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"^(?:%[A-Z][A-Z0-9_]+%|\$[a-z][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)+\$?|\$[a-z][A-Za-z0-9_]{4,}\$",
        r"|\{(?:\d|\$?[a-z][A-Za-z0-9_.]*)\}|\[object [A-Z][A-Za-z]*\]|@Model(?:\.[A-Za-z0-9_]+)+)$",
    ))
});

/// What scripts write for values that are missing, and most bytes of a block of them or of a name
/// in capitals.
const VALUES: [&str; 11] = [
    "undefined",
    "NaN",
    "null",
    "NULL",
    "[null]",
    "[undefined]",
    "%s",
    "%d",
    "%@",
    "$1",
    "$2",
];
const MOST_VALUE: usize = 32;

/// The beginnings of errors of template engines, and most bytes of one.
const ERRORS: [&str; 3] = [
    "liquid error",
    "liquid syntax error",
    "translation missing:",
];
const MOST_ERROR: usize = 160;

/// The beginning of the usual filler text.
const FILLER: [&str; 2] = ["lorem ipsum", " dolor sit amet"];
pub const FILLER_STEMS: [&str; 2] = ["psum", "PSUM"];

pub fn settle(page: &mut Page<'_>) {
    drop_values(page);
    drop_filler(page);
    drop_errors(page);
    let is_prose = |block: &usize| {
        let is_code = page.table.blocks[*block].kind == Kind::Code;
        is_code || page.text(*block).len() > MOST_BYTES
    };
    let marked = with_marks(page.table).into_iter();
    let (prose, short): (Vec<usize>, Vec<usize>) = marked
        .filter(|block| page.is_kept(*block))
        .partition(is_prose);
    let mut unfilled = short;
    unfilled.retain(|block| is_unfilled(page.text(*block)));
    // a page about templates has them in code and in prose
    let is_about = |block: &usize| PLACEHOLDER.is_match(page.text(*block));
    if unfilled.is_empty() || prose.iter().any(is_about) || is_about_templates(page.title()) {
        return;
    }
    for block in unfilled {
        page.drop(block, Decider::Placeholder);
    }
}

/// Whether the title of a page says that it is about templates.
fn is_about_templates(title: &str) -> bool {
    const WORDS: [&str; 6] = [
        "templat",
        "placeholder",
        "shortcode",
        "merge tag",
        "mail merge",
        "interpolation",
    ];
    let title = title.to_ascii_lowercase();
    WORDS.iter().any(|word| title.contains(word))
}

/// Drop filler text, on pages that do not write about it.
fn drop_filler(page: &mut Page<'_>) {
    let blocks = page.stems().iter().copied();
    let kept = blocks.filter(|block| page.is_kept(*block));
    let texts = kept.map(|block| (block, page.text(block).to_ascii_lowercase()));
    let named = texts.filter(|(_, text)| text.contains(FILLER[0]));
    let (filler, about): (Vec<_>, Vec<_>) = named.partition(|(_, text)| is_filler(text));
    if about.is_empty() {
        for (block, _) in filler {
            page.drop(block, Decider::Placeholder);
        }
    }
}

fn is_filler(text: &str) -> bool {
    let rest = text.strip_prefix(FILLER[0]);
    rest.is_some_and(|rest| rest.starts_with(FILLER[1]) || !rest.contains(char::is_alphabetic))
}

/// Drop what template engines write instead of a text that they cannot fill.
fn drop_errors(page: &mut Page<'_>) {
    let title = page.title().to_ascii_lowercase();
    for block in 0..page.verdicts.len() {
        let text = page.text(block);
        let is_error = |start: &str| {
            let begin = text.as_bytes().get(..start.len());
            begin.is_some_and(|begin| begin.eq_ignore_ascii_case(start.as_bytes()))
                && !title.contains(start)
        };
        let is_short = text.len() <= MOST_ERROR && page.table.blocks[block].kind != Kind::Code;
        if page.is_kept(block) && is_short && ERRORS.iter().any(|start| is_error(start)) {
            page.drop(block, Decider::Placeholder);
        }
    }
}

/// Drop blocks that are only such a value, on pages that do not write about it.
fn drop_values(page: &mut Page<'_>) {
    let is_text = |block: usize| {
        let of = &page.table.blocks[block];
        matches!(of.kind, Kind::Paragraph | Kind::Other | Kind::ListItem) && of.table == 0
    };
    let blocks = 0..page.verdicts.len();
    let alone = blocks.filter(|block| page.is_kept(*block) && is_text(*block));
    let alone: Vec<usize> = alone.filter(|block| is_value(page.text(*block))).collect();
    if alone.is_empty() {
        return;
    }
    let others = (0..page.verdicts.len()).filter(|block| page.is_kept(*block));
    let (mut has_values, mut has_amounts) = (false, false);
    for text in others.map(|block| page.text(block)) {
        if !is_value(text) {
            let words = || text.split(|c: char| !is_of_value(c));
            has_values |= words().any(|word| is_value(word) && !is_amount(word));
            has_amounts |= words().any(is_amount);
        }
    }
    for block in alone {
        if ![has_values, has_amounts][usize::from(is_amount(page.text(block)))] {
            page.drop(block, Decider::Placeholder);
        }
    }
}

/// Whether a word is an amount of money, or looks like one: `$1`.
fn is_amount(word: &str) -> bool {
    let amount = word.strip_prefix('$');
    amount.is_some_and(|amount| amount.starts_with(|c: char| c.is_ascii_digit()))
}

/// Letters, digits and the signs of values.
fn is_of_value(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '%' | '$' | '@' | '[' | ']')
}

/// Whether a text is a value without content: `null`, `__TITLE__`, an HTML comment.
fn is_value(text: &str) -> bool {
    if !(1..=MOST_VALUE).contains(&text.len()) {
        return false;
    }
    let between = |start: &str, end: &str| text.strip_prefix(start)?.strip_suffix(end);
    let is_capital = |byte: u8| byte.is_ascii_uppercase() || byte == b'_';
    let name = between("__", "__");
    let is_name = name.is_some_and(|name| !name.is_empty() && name.bytes().all(is_capital));
    let is_comment = between("<!--", "-->").is_some();
    let mut words = text.split_whitespace();
    is_name || is_comment || words.all(|word| VALUES.contains(&word))
}

/// The blocks with one of [`MARKS`], in order.
fn with_marks(table: &BlockTable) -> Vec<usize> {
    let mut found = Vec::new();
    for [one, two, three] in MARKS {
        let mut rest = 0;
        while let Some(at) = memchr3(one, two, three, &table.text.as_bytes()[rest..]) {
            let at = rest + at;
            let block = table
                .blocks
                .partition_point(|block| block.end as usize <= at);
            let Some(own) = table.blocks.get(block) else {
                break;
            };
            found.push(block);
            rest = own.end as usize;
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether a text is only placeholders and a few words, or a label with a placeholder as its value.
fn is_unfilled(text: &str) -> bool {
    if !PLACEHOLDER.is_match(text) {
        return BARE.is_match(text.trim());
    }
    let rest = PLACEHOLDER.replace_all(text, "\u{0}");
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    let others = letters(&rest);
    let is_named = || {
        rest.split_once('\u{0}')
            .is_some_and(|(_, after)| after.starts_with(','))
    };
    let is_value = rest.trim_end().ends_with([':', '\u{0}']) || is_named();
    let after_label = is_value && is_label(&rest);
    let is_most = 2 * others < letters(text);
    // a line with several of them is not a sentence about one
    let are_many = rest.matches('\u{0}').count() >= MANY;
    others == 0 || (others <= MOST_OTHERS && (after_label || is_most || are_many))
}

/// Whether the text before the first placeholder is a label: `Price: {{price}}`.
fn is_label(rest: &str) -> bool {
    let before = rest.split('\u{0}').next().unwrap_or("").trim_end();
    let words = before.split_whitespace().count();
    before.is_empty() || before.ends_with([':', '：', '$', '€', '£', '#', '=']) || words <= 1
}
