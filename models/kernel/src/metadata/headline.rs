//! The title of a page: its headline, confirmed by what the page calls itself.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::lines::{MAX_CHARS, first_chars, folded, line};
use super::patterns::pattern;
use super::statements::{Stated, Statements};

/// What parts the title of a page from the name of its site.
static BORDER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\s+(?:[|\-–—·•»«/~>›]|::)\s+|[|»›]\s+|\s*｜\s*"));
const MAX_PARTS: usize = 8;
const MAX_HEADINGS: usize = 16;
const MAX_SITE: usize = 200;
/// Share of words that a headline and a title have in common, of the shorter one; .3 to .7 differ
/// by less than a percent of pages.
const LEAST_SHARED: f64 = 0.5;
/// Shorter names of sites stand inside other words.
const LEAST_NAME: usize = 4;

/// A title, and the block that shows it, or the first heading, if any.
#[derive(Clone, Debug, Default)]
pub struct Title {
    pub stated: Stated,
    pub headline: Option<usize>,
}

/// Choose the title.
///
/// A heading that says what the page calls itself, or most of it, decides; else what the page calls
/// itself without the name of the site.
#[must_use]
pub fn title_of(statements: &Statements<'_>) -> Title {
    let named = named(statements);
    let sites = site_keys(statements);
    let heads = heads(statements, &sites);
    let tops: Vec<&Head> = heads.iter().filter(|head| head.level == 1).collect();
    if let Some(head) = confirmed(&tops, &heads, &named, &sites) {
        return head.title();
    }
    let headline = tops.first().map(|head| head.block);
    let titled = |stated: &Stated, text: &str| Title {
        stated: Stated::new(text.to_owned(), stated.source),
        headline,
    };
    for stated in &named {
        if let Some(short) = without_site(&stated.value, &sites) {
            return titled(stated, short);
        }
    }
    if let (Some(first), Some(last)) = (named.first(), named.last()) {
        return match without_tail(&last.value) {
            Some(short) => titled(last, short),
            None => titled(first, &first.value),
        };
    }
    heads.first().map_or_else(Title::default, Head::title)
}

/// A heading that does not name the site.
struct Head {
    block: usize,
    level: u8,
    text: String,
    key: String,
}

impl Head {
    fn title(&self) -> Title {
        let source = if self.level == 1 { "h1" } else { "h2" };
        Title {
            stated: Stated::new(self.text.clone(), source),
            headline: Some(self.block),
        }
    }
}

/// The headings of the first level, or of the second one if there are none.
fn heads(statements: &Statements<'_>, sites: &HashSet<String>) -> Vec<Head> {
    let of_level = |level: u8| -> Vec<Head> {
        let found = statements
            .headings()
            .filter(|heading| heading.level == level);
        let read = found.take(MAX_HEADINGS).map(|heading| {
            let text = line(heading.text, MAX_CHARS);
            Head {
                block: heading.block,
                level,
                key: key(&text),
                text,
            }
        });
        read.filter(|head| !head.key.is_empty() && !sites.contains(&head.key))
            .collect()
    };
    let tops = of_level(1);
    if tops.is_empty() { of_level(2) } else { tops }
}

/// What the page calls itself, its `title` last.
fn named(statements: &Statements<'_>) -> Vec<Stated> {
    let mut named = vec![
        statements.first(&["meta:og:title"], MAX_CHARS),
        Stated::new(
            line(&statements.linked.headline, MAX_CHARS),
            "json-ld:headline",
        ),
        statements.first(&["title"], MAX_CHARS),
    ];
    named.retain(|stated| !stated.is_empty());
    named
}

/// The names of the site by which names are compared: declared ones, and the labels of its host.
pub fn site_keys(statements: &Statements<'_>) -> HashSet<String> {
    let host = statements.host.as_str();
    let labels = host.rsplit('.').skip(1);
    let declared = [
        statements.declared("meta:og:site_name"),
        statements.declared("meta:application-name"),
        &statements.linked.publisher,
        host,
    ];
    let names = declared.into_iter().chain(labels);
    let mut keys: HashSet<String> = names.map(|name| key(first_chars(name, MAX_SITE))).collect();
    keys.remove("");
    keys
}

/// The heading that the page's own names confirm best.
fn confirmed<'a>(
    tops: &[&'a Head],
    heads: &'a [Head],
    named: &[Stated],
    sites: &HashSet<String>,
) -> Option<&'a Head> {
    let parts: HashSet<String> = named
        .iter()
        .flat_map(|stated| runs(&stated.value))
        .collect();
    let is_part = |head: &&Head| !sites.contains(&head.key) && parts.contains(&head.key);
    if tops.is_empty() {
        return heads.iter().find(is_part);
    }
    if let Some(head) = tops.iter().copied().find(is_part) {
        return Some(head);
    }
    let words: Vec<HashSet<String>> = named.iter().map(|stated| words(&stated.value)).collect();
    let mut best = None;
    let mut most = 0.0;
    for &head in tops {
        let share = shared(&self::words(&head.text), &words);
        if share >= LEAST_SHARED && share > most {
            (best, most) = (Some(head), share);
        }
    }
    best
}

/// The largest share of words in common, of the shorter one of two.
fn shared(own: &HashSet<String>, named: &[HashSet<String>]) -> f64 {
    let shares = named.iter().map(|words| {
        let least = own.len().min(words.len()).max(1);
        own.intersection(words).count() as f64 / least as f64
    });
    shares.fold(0.0, f64::max)
}

/// The keys of a text and of all runs of its parts between borders.
fn runs(text: &str) -> Vec<String> {
    let parts: Vec<String> = BORDER.splitn(text, MAX_PARTS + 1).map(key).collect();
    let starts = 0..parts.len();
    let spans = starts.flat_map(|start| (start + 1..=parts.len()).map(move |end| start..end));
    spans.map(|span| parts[span].concat()).collect()
}

/// A title without the name of the site at its end or start, if there is one.
fn without_site<'a>(text: &'a str, sites: &HashSet<String>) -> Option<&'a str> {
    let first = BORDER.find(text)?;
    let last = BORDER.find_iter(text).last()?;
    if names_site(&text[last.end()..], sites) {
        return Some(text[..last.start()].trim()).filter(|rest| !rest.is_empty());
    }
    let rest = names_site(&text[..first.start()], sites).then(|| text[first.end()..].trim());
    rest.filter(|rest| !rest.is_empty())
}

/// Whether a text is the name of the site, or holds it, or a part of it.
pub fn names_site(part: &str, sites: &HashSet<String>) -> bool {
    let key = key(part);
    let is_long = |name: &str| name.chars().nth(LEAST_NAME - 1).is_some();
    sites.contains(&key)
        || sites.iter().any(|site| {
            is_long(site) && is_long(&key) && (key.contains(site.as_str()) || site.contains(&key))
        })
}

/// A title without its last part, if it has several.
fn without_tail(text: &str) -> Option<&str> {
    let last = BORDER.find_iter(text).last()?;
    Some(text[..last.start()].trim()).filter(|rest| !rest.is_empty())
}

/// The letters and digits of a text, by which titles are compared.
pub fn key(text: &str) -> String {
    folded(text).filter(|&sign| is_of_word(sign)).collect()
}

fn words(text: &str) -> HashSet<String> {
    let folded: String = folded(text).collect();
    let words = folded
        .split(|sign| !is_of_word(sign))
        .filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

fn is_of_word(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}
