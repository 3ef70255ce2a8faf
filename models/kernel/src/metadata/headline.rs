//! The title of a page: its headline, confirmed by its declared titles.

use std::cell::OnceCell;
use std::collections::HashSet;

use super::lines::{MAX_CHARS, first_chars, key, line};
use super::statements::{Part, Stated, Statements};
use super::titles::{
    Names, after_site, before_site, names_site, of_page, shared, without_label, without_sections,
    without_site, without_tail, words,
};

const MAX_HEADINGS: usize = 16;
/// Signs between a kicker and a headline.
const EDGES: &str = " :|-–—·•/›»";
/// Most parts of one heading.
const MAX_PARTS: usize = 24;
const MAX_SITE: usize = 200;
/// Share of common words of a headline and a title, relative to the shorter one; .3 to .7 differ by
/// less than a percent of pages.
const LEAST_SHARED: f64 = 0.5;
/// Declarations of the page's title, before its `title`.
const TITLES: [&str; 7] = [
    "meta:citation_title",
    "meta:bepress_citation_title",
    "meta:dc.title",
    "meta:dcterms.title",
    "meta:parsely-title",
    "meta:twitter:title",
    "meta:title",
];

/// Default names of editors, and names of every front page, by their keys.
const UNNAMED: [&str; 26] = [
    "untitled",
    "untitleddocument",
    "untitledpage",
    "untitled1",
    "document",
    "newpage1",
    "newpage",
    "notitle",
    "pagetitle",
    "title",
    "newdocument",
    "blankpage",
    "loading",
    "pleasewait",
    "undefined",
    "null",
    "reactapp",
    "viteapp",
    "unbenannt",
    "unbenanntesdokument",
    "documentsanstitre",
    "documentosintítulo",
    "documentosemtítulo",
    "无标题文档",
    "無題ドキュメント",
    "제목없음",
];
const OF_FRONT_PAGES: [&str; 4] = ["home", "homepage", "startseite", "accueil"];

/// A title, and the block that shows it, or the first heading, if any.
#[derive(Clone, Debug, Default)]
pub struct Title {
    pub stated: Stated,
    pub headline: Option<usize>,
}

/// Choose the title.
///
/// A heading that matches a declared title, or most of it, decides; otherwise the declared title
/// without the name of the site.
#[must_use]
pub fn title_of(statements: &Statements<'_>) -> Title {
    let mut sites = site_keys(statements);
    let (named, keys) = named(statements, &sites);
    let names = Names::of(&named, keys);
    sites.extend(names.sites(&heading_keys(statements)));
    let heads = heads(statements, &sites);
    if let Some((head, text)) = confirmed(statements, &heads, &names, &sites) {
        return head.title(text);
    }
    let mut tops = heads.iter().filter(|head| head.level == heads[0].level);
    let headline = tops.next().filter(|head| head.level == 1);
    let headline = headline.map(|head| head.block);
    let titled = |stated: &Stated, text: &str| {
        let text = without_sections(text, statements.address.path);
        Title {
            stated: Stated::new(text.to_owned(), stated.source),
            headline,
        }
    };
    // another title has the same without an author or a section at its end
    let shortest = |stated: &Stated, short: &str| {
        let others = named.iter().take_while(|other| *other != stated);
        let mut starts = others.filter(|other| starts_with_words(short, &other.value));
        match starts.next() {
            Some(start) => titled(start, &start.value),
            None => titled(stated, short),
        }
    };
    for stated in &named {
        let text = &stated.value;
        // a front page describes the site after its name
        let short = without_site(text, &sites)
            .or_else(|| after_site(text, &sites).filter(|_| !statements.is_front))
            .or_else(|| before_site(text, &sites));
        if let Some(short) = short {
            return shortest(stated, short);
        }
    }
    if let (Some(first), Some(last)) = (named.first(), named.last()) {
        return match without_tail(&last.value) {
            Some(short) => shortest(last, short),
            None => titled(first, &first.value),
        };
    }
    heads
        .first()
        .map_or_else(Title::default, |head| head.title(&head.text))
}

/// Whether a title begins with all words of another one, which are several, and a sign follows.
fn starts_with_words(title: &str, start: &str) -> bool {
    let rest = title.strip_prefix(start).map(str::trim_start);
    let is_end = |rest: &str| {
        rest.starts_with(|sign: char| sign.is_ascii_punctuation() || "–—·•»".contains(sign))
    };
    start.contains(' ') && rest.is_some_and(is_end)
}

/// A heading that is not the name of the site.
struct Head {
    block: usize,
    level: u8,
    text: String,
    key: String,
    /// Its parts, one of which may be the headline itself.
    parts: OnceCell<Vec<(String, String)>>,
    is_link: bool,
    is_hidden: bool,
    part: Part,
}

impl Head {
    fn title(&self, text: &str) -> Title {
        let source = if self.level == 1 { "h1" } else { "h2" };
        Title {
            stated: Stated::new(text.to_owned(), source),
            headline: Some(self.block),
        }
    }

    /// The penalty of a heading's place as the headline.
    fn doubts(&self) -> i32 {
        let place = match self.part {
            Part::Own => 0,
            Part::Header => 1,
            Part::Footer | Part::Side => 2,
        };
        place + i32::from(self.is_link)
    }
}

/// The keys of the headings of the page itself, in order.
fn heading_keys(statements: &Statements<'_>) -> Vec<String> {
    let headings = statements.headings().take(MAX_HEADINGS);
    headings
        .filter(|heading| !matches!(statements.part(heading.block), Part::Footer | Part::Side))
        .map(|heading| key(&line(heading.text, MAX_CHARS)))
        .collect()
}

/// The headings of the first two levels, the first level first.
fn heads(statements: &Statements<'_>, sites: &HashSet<String>) -> Vec<Head> {
    let of_level = |level: u8| {
        let found = statements
            .headings()
            .filter(move |heading| heading.level == level);
        found.take(MAX_HEADINGS).map(move |heading| {
            let text = line(heading.text, MAX_CHARS);
            Head {
                block: heading.block,
                level: heading.level,
                key: key(&text),
                text,
                parts: OnceCell::new(),
                is_link: heading.is_link,
                is_hidden: heading.is_hidden,
                part: statements.part(heading.block),
            }
        })
    };
    let heads = of_level(1).chain(of_level(2));
    heads
        .filter(|head| !head.key.is_empty() && !sites.contains(&head.key))
        .collect()
}

/// The parts of a heading, with their keys.
fn parts_of(statements: &Statements<'_>, heading: usize) -> Vec<(String, String)> {
    let parts = statements.parts(heading).take(MAX_PARTS);
    let parts = parts.map(|part| {
        let part = line(part, MAX_CHARS);
        part.trim_start_matches(|sign| EDGES.contains(sign))
            .to_owned()
    });
    let parts = parts.map(|part| (key(&part), part));
    let parts = parts.filter(|(key, _)| !key.is_empty());
    parts.map(|(key, part)| (part, key)).collect()
}

/// The declared titles with their keys, `title` last; the name of the site only if there is no
/// other title and no headline.
fn named(statements: &Statements<'_>, sites: &HashSet<String>) -> (Vec<Stated>, Vec<String>) {
    let linked = &statements.linked;
    let mut named = vec![
        statements.first(&["meta:og:title"], MAX_CHARS),
        Stated::new(line(&linked.headline, MAX_CHARS), "json-ld:headline"),
    ];
    let others = TITLES
        .iter()
        .map(|name| statements.first(&[*name], MAX_CHARS));
    named.extend(others);
    named.push(Stated::new(line(&linked.name, MAX_CHARS), "json-ld:name"));
    let title = statements.first(&["title"], MAX_CHARS);
    named.push(Stated::new(of_page(title.value), title.source));
    let is_name = |key: &str| {
        let is_of_front = !statements.is_front && OF_FRONT_PAGES.contains(&key);
        !is_of_front && !UNNAMED.contains(&key)
    };
    let has_heading = statements.headings().any(|heading| heading.level < 3);
    let named = named.into_iter().filter(|stated| !stated.is_empty());
    let named = named.map(|stated| {
        let key = key(&stated.value);
        (stated, key)
    });
    let mut named: Vec<(Stated, String)> = named
        .filter(|(_, key)| !has_heading || is_name(key))
        .collect();
    // every page of some sites has the name of the site as its title
    let is_headline = |head: &Head| head.level == 1 && head.part == Part::Own;
    let has_headline = || !statements.is_front && heads(statements, sites).iter().any(is_headline);
    if named.iter().any(|(_, key)| !sites.contains(key)) || has_headline() {
        named.retain(|(_, key)| !sites.contains(key));
    }
    named.into_iter().unzip()
}

/// The names of the site for comparison: declared ones, and the labels of its host.
pub fn site_keys(statements: &Statements<'_>) -> HashSet<String> {
    let host = statements.host.as_str();
    let labels = host.rsplit('.').skip(1);
    let declared = [
        statements.declared("meta:og:site_name"),
        statements.declared("meta:application-name"),
        &statements.linked.publisher,
        &statements.linked.site,
        host,
    ];
    let names = declared.into_iter().chain(labels);
    let mut keys: HashSet<String> = names.map(|name| key(first_chars(name, MAX_SITE))).collect();
    keys.remove("");
    keys
}

/// The heading that the declared titles confirm best, and its text without labels.
///
/// A first-level heading comes before a second-level one, and both before one in the place of the
/// site's name.
fn confirmed<'a>(
    statements: &Statements<'_>,
    heads: &'a [Head],
    names: &'a Names<'_>,
    sites: &HashSet<String>,
) -> Option<(&'a Head, &'a str)> {
    let scored: Vec<(&Head, &str, i32)> = heads
        .iter()
        .filter_map(|head| {
            let named = names.confirm(&head.text, &head.key).or_else(|| {
                let parts = || match head.level {
                    1 => parts_of(statements, head.block),
                    _ => Vec::new(),
                };
                let parts = head.parts.get_or_init(parts).iter();
                let named = parts.filter_map(|(part, key)| names.said(part, key));
                named
                    .filter(|named| named.score > 0)
                    .max_by_key(|named| named.score)
            })?;
            let is_site = named.score <= 0 && names_site(&head.text, sites);
            let score = named.score - head.doubts() - 3 * i32::from(is_site);
            Some((head, named.text, score))
        })
        .collect();
    let best = |level: u8, least: i32| {
        let those = scored
            .iter()
            .filter(|(head, _, score)| head.level == level && *score >= least);
        // the first one of several
        let best = those.rev().max_by_key(|(_, _, score)| *score);
        best.map(|(head, text, _)| (*head, *text))
    };
    best(1, 0)
        .or_else(|| alike(heads, names, &scored, false))
        .or_else(|| best(2, 0))
        .or_else(|| alike(heads, names, &scored, true))
        .or_else(|| best(1, i32::MIN))
        .or_else(|| best(2, i32::MIN))
}

/// The shown or hidden first-level heading with the most words in common with a declared title.
fn alike<'a>(
    heads: &'a [Head],
    names: &Names<'_>,
    doubted: &[(&Head, &str, i32)],
    is_hidden: bool,
) -> Option<(&'a Head, &'a str)> {
    let named = names.words();
    let is_free = |head: &&Head| doubted.iter().all(|(other, ..)| other.block != head.block);
    let tops = heads
        .iter()
        .filter(|head| head.level == 1 && head.is_hidden == is_hidden);
    let mut best = None;
    let mut most = 0.0;
    for head in tops.filter(is_free) {
        let share = shared(&words(&head.text), &named);
        if share >= LEAST_SHARED && share > most {
            (best, most) = (Some((head, without_label(&head.text))), share);
        }
    }
    best
}
