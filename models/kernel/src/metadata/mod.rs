//! Metadata of a page: title, author, dates, addresses, subject, licence, directives.
//!
//! One rule per field: the first source with a usable value, without guessing. Each value has its
//! source. The rules for title, author and dates are in [`headline`], [`authors`], [`dating`]; the
//! others are here. Values are lines of limited length without invisible characters. They are the
//! page's text, so escape them before showing them as markup.

mod addresses;
pub(crate) mod authors;
mod calendar;
pub mod date_labels;
mod date_names;
pub(crate) mod dates;
mod dating;
mod headline;
pub(crate) mod lines;
pub(crate) mod linked_data;
mod mail_dates;
mod mending;
pub(crate) mod months;
pub(crate) mod names;
pub(crate) mod patterns;
mod people;
mod placeholders;
mod statements;
mod titles;
pub mod wishes;

use std::collections::{BTreeMap, HashSet};

use crate::page::blocks::BlockTable;
use addresses::{Address, absolute, base_of};
use lines::{MAX_CHARS, folded, line};
use placeholders::is_missing;
use statements::{Stated, Statements, all};

const SITES: [&str; 3] = [
    "meta:og:site_name",
    "meta:application-name",
    "meta:twitter:site:name",
];
/// The name below the icon of a page on a home screen: of the site, unless it is long.
const APP: &str = "meta:apple-mobile-web-app-title";
const MAX_APP_WORDS: usize = 3;
const LANGUAGES: [&str; 3] = ["lang", "meta:content-language", "meta:og:locale"];
const DESCRIPTIONS: [&str; 5] = [
    "meta:description",
    "meta:og:description",
    "meta:dc.description",
    "meta:dcterms.description",
    "meta:twitter:description",
];
const CANONICAL: [&str; 2] = ["canonical", "meta:og:url"];
const IMAGES: [&str; 8] = [
    "meta:og:image",
    "meta:og:image:url",
    "meta:og:image:secure_url",
    "meta:twitter:image",
    "meta:twitter:image:src",
    "image_src",
    "meta:image",
    "meta:thumbnailurl",
];
const SECTIONS: [&str; 3] = [
    "meta:article:section",
    "meta:parsely-section",
    "meta:section",
];
const ARTICLE_TAG: &str = "meta:article:tag";
const TAGS: [&str; 6] = [
    "meta:keywords",
    "meta:news_keywords",
    "meta:parsely-tags",
    "meta:citation_keywords",
    "meta:dc.subject",
    "meta:dcterms.subject",
];
/// What lists of keywords are separated by.
pub const TAG_MARKS: [char; 8] = [',', ';', '|', '，', '、', '；', '،', '؛'];
const LICENCES: [&str; 3] = ["license", "meta:dcterms.license", "meta:dc.rights.license"];
const MAX_DESCRIPTION: usize = 2048;
const MAX_TAGS: usize = 32;
const MAX_TAG: usize = 100;
/// Characters of a list of keywords.
pub const MAX_KEYWORDS: usize = 4096;

/// The metadata of a page; fields are empty if there is no value.
#[derive(Clone, Debug, Default)]
pub struct Metadata {
    pub title: Stated,
    /// An absolute web address; so are image and licence.
    pub canonical_url: Stated,
    /// One name, or several, joined as in the page.
    pub author: Stated,
    /// RFC 3339; only a date if the page gives no time.
    pub published_at: Stated,
    pub modified_at: Stated,
    pub site_name: Stated,
    /// Language tag in the page's spelling.
    pub lang: Stated,
    pub description: Stated,
    pub image: Stated,
    pub section: Stated,
    pub licence: Stated,
    pub tags: Vec<String>,
    pub tags_source: &'static str,
}

impl Metadata {
    /// Choose the metadata from the page's statements.
    ///
    /// `url` is the address of the page, or empty; `page_type` is the engine's, or empty: shops and
    /// lists show dates and names of other pages.
    #[must_use]
    pub fn of(url: &str, table: &BlockTable, page_type: &str) -> Self {
        let statements = Statements::new(url, table, page_type);
        let title = headline::title_of(&statements);
        let statements = statements.with_headline(title.headline);
        let linked = &statements.linked;
        let dating = dating::dating_of(&statements, title.headline);
        let base = base_of(url, statements.declared("base"));
        let address = |names: &[&'static str]| {
            let mut found = names
                .iter()
                .map(|name| Stated::new(absolute(&base, statements.declared(name)), name));
            found.find(|stated| !stated.is_empty()).unwrap_or_default()
        };
        let or_linked = |stated: Stated, text: &str, max_chars, source| {
            stated.or_else(|| Stated::new(line(text, max_chars), source))
        };
        let (tags, tags_source) = tags(&statements);
        Self {
            author: authors::author_of(&statements, title.headline),
            title: title.stated,
            canonical_url: canonical(&statements, &address),
            published_at: dating.published,
            modified_at: dating.modified,
            site_name: or_linked(
                or_linked(
                    statements.first(&SITES, MAX_CHARS),
                    &linked.site,
                    MAX_CHARS,
                    "json-ld:WebSite",
                ),
                &linked.publisher,
                MAX_CHARS,
                "json-ld:publisher",
            )
            .or_else(|| {
                let name = line(statements.declared(APP), MAX_CHARS);
                let is_site = name.split(' ').count() <= MAX_APP_WORDS;
                Stated::new(if is_site { name } else { String::new() }, APP)
            }),
            lang: statements.first(&LANGUAGES, MAX_CHARS),
            description: or_linked(
                statements.first(&DESCRIPTIONS, MAX_DESCRIPTION),
                &linked.description,
                MAX_DESCRIPTION,
                "json-ld:description",
            ),
            image: address(&IMAGES)
                .or_else(|| Stated::new(absolute(&base, &linked.image), "json-ld:image")),
            section: or_linked(
                statements.first(&SECTIONS, MAX_CHARS),
                &linked.section,
                MAX_CHARS,
                "json-ld:articleSection",
            ),
            licence: address(&LICENCES)
                .or_else(|| Stated::new(absolute(&base, &linked.licence), "json-ld:license"))
                .or_else(|| licence_of_links(&statements, &base)),
            tags,
            tags_source,
        }
    }

    /// The source of each field with a value, by name of the field.
    #[must_use]
    pub fn sources(&self) -> BTreeMap<&'static str, &'static str> {
        let fields = [
            ("title", &self.title),
            ("canonical_url", &self.canonical_url),
            ("author", &self.author),
            ("published_at", &self.published_at),
            ("modified_at", &self.modified_at),
            ("site_name", &self.site_name),
            ("lang", &self.lang),
            ("description", &self.description),
            ("image", &self.image),
            ("section", &self.section),
            ("licence", &self.licence),
        ];
        let stated = fields.into_iter().filter(|(_, stated)| !stated.is_empty());
        let tags = (!self.tags.is_empty()).then_some(("tags", self.tags_source));
        stated
            .map(|(name, stated)| (name, stated.source))
            .chain(tags)
            .collect()
    }
}

/// The declared address of a page that is on the web, and not the front page of its site if another
/// one is declared too.
fn canonical(statements: &Statements<'_>, address: &impl Fn(&[&'static str]) -> Stated) -> Stated {
    let is_other = |stated: &Stated| {
        let of = Address::of(&stated.value);
        of.is_local() && !statements.address.is_local()
    };
    let is_front = |stated: &Stated| !statements.is_front && Address::of(&stated.value).is_front();
    let all = CANONICAL.iter().map(|name| address(&[name]));
    let mut all = all.filter(|stated| !stated.is_empty() && !is_other(stated));
    let first = all.next().unwrap_or_default();
    if !is_front(&first) {
        return first;
    }
    all.find(|stated| !is_front(stated)).unwrap_or(first)
}

/// The language tag of a page in its own spelling, empty if it has none.
#[must_use]
pub fn declared_language(table: &BlockTable) -> String {
    let mut tags = LANGUAGES
        .iter()
        .map(|name| line(all(table, name).next().unwrap_or_default(), MAX_CHARS));
    tags.find(|tag| !tag.is_empty()).unwrap_or_default()
}

/// The keywords, each once, and their source: `article:tag`, else lists of keywords.
fn tags(statements: &Statements<'_>) -> (Vec<String>, &'static str) {
    let mut article = tag_lines(all(statements.table, ARTICLE_TAG));
    if let [list] = article.as_slice() {
        article = tag_lines(list.split(TAG_MARKS)); // all of them in one element
    }
    if !article.is_empty() {
        return (article, ARTICLE_TAG);
    }
    let linked = tag_lines(statements.linked.tags.iter().map(String::as_str));
    if !linked.is_empty() {
        return (linked, "json-ld:keywords");
    }
    let named = TAGS
        .into_iter()
        .filter(|name| !statements.declared(name).is_empty());
    let mut lists = named.map(|name| {
        // escapes end in a separator
        let lists: Vec<String> = all(statements.table, name)
            .map(|list| line(list, MAX_KEYWORDS))
            .collect();
        let parts = lists.iter().flat_map(|list| list.split(TAG_MARKS));
        (tag_lines(parts), name)
    });
    lists.find(|(tags, _)| !tags.is_empty()).unwrap_or_default()
}

fn tag_lines<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut seen = HashSet::new();
    let lines = texts.map(|text| line(text, MAX_TAG));
    lines
        .filter(|tag| !tag.is_empty() && !is_missing(tag))
        .filter(|tag| seen.insert(folded(tag).collect::<String>()))
        .take(MAX_TAGS)
        .collect()
}

/// The address of the linked licence.
///
/// A link to Creative Commons counts if all such links of the page have one target: otherwise they
/// are for its pictures.
fn licence_of_links(statements: &Statements<'_>, base: &str) -> Stated {
    let links = statements.marked(&["license", "itemprop:license"]);
    let mut found = links
        .map(|(_, mark)| absolute(base, &mark.value))
        .filter(|address| !address.is_empty());
    let Some(first) = found.next() else {
        return Stated::default();
    };
    if found.all(|other| other == first) {
        Stated::new(first, "rel:license")
    } else {
        Stated::default()
    }
}
