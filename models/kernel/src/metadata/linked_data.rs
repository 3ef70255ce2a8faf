//! Linked data (JSON-LD) of a page -> statements about the page itself.
//!
//! Pages use schema.org loosely: objects, lists of objects, or objects under `@graph`, `mainEntity`
//! (forums do) or `mainEntityOfPage`; names as text, as lists, as objects with a `name`, or as the
//! `@id` of a top object that has one. Unexpected values are skipped.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use memchr::memmem;
use serde_json::{Map, Value};

use super::lines::{MAX_CHARS, key, line};
use super::mending::mended;
use super::placeholders::is_missing;
use super::{MAX_KEYWORDS, TAG_MARKS};

/// Objects read per page; usual pages have a few dozen.
const MAX_OBJECTS: usize = 1000;
/// Names of one property; papers have up to a few dozen authors.
pub const MAX_NAMES: usize = 64;
/// Depth of lists and names inside of names.
const MAX_DEPTH: usize = 4;
const MAX_TAGS: usize = 32;
/// Letters of a headline that a title may begin with.
const LEAST_HEADLINE: usize = 4;
/// The start of a name with its vocabulary.
const NAMED: &str = "\"schema:";
/// Types of page parts other than the main thing.
const AROUND: [&str; 5] = [
    "WebSite",
    "Organization",
    "BreadcrumbList",
    "Person",
    "ImageObject",
];
const ARTICLES: [&str; 7] = [
    "Article",
    "Posting",
    "Recipe",
    "Report",
    "Review",
    "HowTo",
    "VideoObject",
];
/// Properties with the times of an event.
const EVENT_DATES: [&str; 4] = ["startDate", "endDate", "doorTime", "previousStartDate"];
/// Types that publish and sign, but do not write.
const ORGANISATIONS: [&str; 3] = ["Organization", "Corporation", "LocalBusiness"];

/// The first value of each kind on the page, empty if there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkedData {
    pub headline: String,
    /// The name of the article, recipe or the like.
    pub name: String,
    /// One name each; organisations publish but do not write.
    pub authors: Vec<String>,
    pub published: String,
    pub modified: String,
    pub created: String,
    pub publisher: String,
    /// The name of the site.
    pub site: String,
    pub description: String,
    pub section: String,
    /// Addresses, unchanged.
    pub image: String,
    pub licence: String,
    pub tags: Vec<String>,
    /// Start and end of events, unchanged.
    pub events: Vec<String>,
    /// The first thing of the page is an event.
    pub is_event: bool,
    /// A thing of the page has a type with an author and a date.
    pub is_article: bool,
    /// All such things are videos.
    is_video: bool,
}

type Thing = Map<String, Value>;
/// Objects by their `@id`.
type Names<'a> = HashMap<&'a str, &'a Thing>;

impl LinkedData {
    /// Read the texts of a page's scripts; invalid ones are skipped.
    ///
    /// `url` is the address of the page, and `titles` gives the [keys](key) of its titles: of several
    /// articles, the one with this address is its own, or else the one with such a headline.
    pub fn read<'a>(
        scripts: impl Iterator<Item = &'a str>,
        url: &str,
        titles: impl FnOnce() -> Vec<String>,
    ) -> Self {
        let loaded: Vec<Value> = scripts.flat_map(load).collect();
        let things = things(&loaded);
        let names = names(&things);
        let (around, own): (Vec<&Thing>, Vec<&Thing>) =
            things.iter().partition(|thing| is_around(thing));
        let mut data = Self {
            is_article: things.iter().any(|thing| is_article(thing)),
            ..Self::default()
        };
        data.is_event = !data.is_article && own.first().is_some_and(|thing| is_event(thing));
        let url = place(url);
        let mut articles = own.iter().filter(|thing| is_article(thing));
        let are_several = articles.nth(1).is_some();
        let (mut first, mut others): (Vec<&Thing>, Vec<&Thing>) = own
            .into_iter()
            .partition(|thing| are_several && is_at(thing, url));
        if are_several && first.is_empty() {
            let titles = titles();
            let is_named = |thing: &&Thing| is_article(thing) && is_titled(thing, &titles);
            (first, others) = others.into_iter().partition(is_named);
        }
        data.is_video = first
            .iter()
            .chain(&others)
            .all(|thing| !is_article(thing) || is_of_kind(thing, &["VideoObject"]));
        for thing in first.into_iter().chain(others).chain(around) {
            data.take(thing, &names);
        }
        let wholes = things.iter().filter_map(|thing| thing.get("isPartOf"));
        let wholes = wholes.filter_map(Value::as_object);
        let mut sites = things
            .iter()
            .copied()
            .chain(wholes)
            .filter(|thing| is_of_kind(thing, &["WebSite"]));
        let site = sites.find_map(|thing| said(thing, "name"));
        data.site = site.map_or_else(String::new, |name| text(name, &names));
        data
    }

    fn take(&mut self, thing: &Thing, names: &Names<'_>) {
        let others = thing
            .get("datePosted")
            .or_else(|| thing.get("uploadDate").filter(|_| self.is_video));
        for (field, value) in [
            (&mut self.published, thing.get("datePublished").or(others)),
            (&mut self.modified, thing.get("dateModified")),
            (&mut self.created, thing.get("dateCreated")),
        ] {
            if let (true, Some(value)) = (field.is_empty(), value) {
                // seconds since 1970 are often written without quotation marks
                let number = value.is_number().then(|| value.to_string());
                *field = number.unwrap_or_else(|| text(value, names));
            }
        }
        for (field, property) in [
            (&mut self.headline, "headline"),
            (&mut self.publisher, "publisher"),
            (&mut self.description, "description"),
            (&mut self.section, "articleSection"),
        ] {
            if let (true, Some(value)) = (field.is_empty(), thing.get(property)) {
                *field = text(value, names);
            }
        }
        if let (true, true, Some(value)) =
            (self.name.is_empty(), is_article(thing), thing.get("name"))
        {
            self.name = text(value, names);
        }
        // analytics of news sites name the authors as creators
        let creator = thing.get("creator").filter(|_| is_article(thing));
        for value in thing.get("author").into_iter().chain(creator) {
            if self.authors.is_empty() && !is_organisation(value, names) {
                push_names(value, names, MAX_DEPTH, &mut self.authors);
            }
        }
        if is_event(thing) && self.events.len() < MAX_OBJECTS {
            let dates = EVENT_DATES.iter().map(|key| stripped(thing.get(*key)));
            let dates = dates.filter(|date| !date.is_empty());
            self.events.extend(dates.map(str::to_owned));
        }
        let image = said(thing, "image").or_else(|| thing.get("thumbnailUrl"));
        for (field, value) in [
            (&mut self.image, image),
            (&mut self.licence, thing.get("license")),
        ] {
            if let (true, Some(value)) = (field.is_empty(), value) {
                address(value, MAX_DEPTH).clone_into(field);
            }
        }
        if let (true, Some(value)) = (self.tags.is_empty(), thing.get("keywords")) {
            self.tags = tags(value);
        }
    }
}

/// The texts of articles in a page's scripts, each once.
pub fn article_bodies<'a>(scripts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let loaded: Vec<Value> = scripts.flat_map(load).collect();
    let mut known = HashSet::new();
    let mut bodies: Vec<String> = Vec::new();
    for thing in things(&loaded) {
        let parts = match thing.get("articleBody") {
            Some(Value::Array(list)) => list.as_slice(),
            Some(value) => std::slice::from_ref(value),
            None => &[],
        };
        for body in parts.iter().map(|part| stripped(Some(part))) {
            if !body.is_empty() && known.insert(body) {
                bodies.push(body.to_owned());
            }
        }
    }
    bodies
}

/// The value of a script; irreparable ones are left out.
fn load(script: &str) -> Vec<Value> {
    // `"schema:name"` is `"name"` with the vocabulary named
    let script = if memmem::find(script.as_bytes(), NAMED.as_bytes()).is_some() {
        Cow::Owned(script.replace(NAMED, "\""))
    } else {
        Cow::Borrowed(script)
    };
    match serde_json::from_str(&script) {
        Ok(value) => vec![value],
        Err(_) => {
            let values = mended(&script);
            let read = values.iter().map(|value| serde_json::from_str(value));
            read.filter_map(Result::ok).collect()
        }
    }
}

/// The top objects, the ones of `@graph`, and main entities.
fn things(loaded: &[Value]) -> Vec<&Thing> {
    let mut waiting: Vec<&Value> = loaded.iter().rev().collect();
    let mut found = Vec::new();
    for _ in 0..MAX_OBJECTS {
        match waiting.pop() {
            Some(Value::Array(list)) => waiting.extend(list.iter().take(MAX_OBJECTS).rev()),
            Some(Value::Object(thing)) => {
                found.push(thing);
                waiting.extend(
                    ["mainEntityOfPage", "mainEntity", "@graph"]
                        .into_iter()
                        .filter_map(|key| thing.get(key)),
                );
            }
            Some(_) => {}
            None => break,
        }
    }
    found
}

/// The first object with a name for each `@id`.
fn names<'a>(things: &[&'a Thing]) -> Names<'a> {
    let mut names = HashMap::new();
    for thing in things {
        let id = stripped(thing.get("@id"));
        if !id.is_empty() && own_name(thing).is_some() {
            names.entry(id).or_insert(*thing);
        }
    }
    names
}

/// The types of an object without the address of their vocabulary.
fn kinds(thing: &Thing) -> impl Iterator<Item = &str> {
    let kinds = match thing.get("@type") {
        Some(Value::Array(kinds)) => kinds.as_slice(),
        Some(kind) => std::slice::from_ref(kind),
        None => &[],
    };
    let named = kinds.iter().filter_map(Value::as_str);
    named.filter_map(|kind| kind.rsplit(['/', '#', ':']).next())
}

fn is_of_kind(thing: &Thing, wanted: &[&str]) -> bool {
    kinds(thing).any(|kind| wanted.contains(&kind))
}

fn is_around(thing: &Thing) -> bool {
    is_of_kind(thing, &AROUND)
}

fn is_event(thing: &Thing) -> bool {
    kinds(thing).any(|kind| kind.ends_with("Event") || kind == "Festival" || kind == "Hackathon")
}

fn is_article(thing: &Thing) -> bool {
    kinds(thing).any(|kind| ARTICLES.iter().any(|article| kind.ends_with(article)))
}

/// Whether an author, or every one in a list, is an organisation.
fn is_organisation(value: &Value, names: &Names<'_>) -> bool {
    match value {
        Value::Array(list) => {
            let mut each = list.iter().take(MAX_NAMES);
            !list.is_empty() && each.all(|value| is_organisation(value, names))
        }
        Value::Object(thing) => {
            let named = meant(thing, names);
            kinds(named).any(|kind| ORGANISATIONS.iter().any(|name| kind.ends_with(name)))
        }
        _ => false,
    }
}

/// An object, or the one that it refers to if it has no name itself.
fn meant<'a>(thing: &'a Thing, names: &Names<'a>) -> &'a Thing {
    match own_name(thing) {
        Some(_) => thing,
        None => {
            let other = names.get(stripped(thing.get("@id")));
            other.copied().unwrap_or(thing)
        }
    }
}

/// The name of an object.
fn own_name(thing: &Thing) -> Option<&Value> {
    ["name", "@value", "@list", "@set"]
        .into_iter()
        .filter_map(|key| said(thing, key))
        .find(|name| name.is_string() || name.is_array() || name.is_object())
}

/// A text, the name of an object, or the names of a list, joined by commas.
fn text(value: &Value, names: &Names<'_>) -> String {
    let mut found = Vec::new();
    push_names(value, names, MAX_DEPTH, &mut found);
    found.join(", ")
}

/// The names in a value, one each.
fn push_names(value: &Value, names: &Names<'_>, depth: usize, found: &mut Vec<String>) {
    if depth == 0 || found.len() >= MAX_NAMES {
        return;
    }
    match value {
        Value::Array(list) => {
            for each in list.iter().take(MAX_NAMES) {
                push_names(each, names, depth - 1, found);
            }
        }
        Value::Object(thing) => {
            let thing = meant(thing, names);
            if let Some(name) = own_name(thing) {
                return push_names(name, names, depth - 1, found);
            }
            let parts = ["givenName", "familyName"].map(|key| stripped(thing.get(key)));
            found.push(parts.join(" ").trim().to_owned());
        }
        _ => found.push(stripped(Some(value)).to_owned()),
    }
    if found.last().is_some_and(String::is_empty) {
        found.pop();
    }
}

/// An address: a text, or the `url` or `@id` of the first object.
fn address(value: &Value, depth: usize) -> &str {
    let inner = match value {
        Value::Array(list) => list.first(),
        Value::Object(thing) => {
            let known = ["url", "contentUrl", "@id"];
            known.into_iter().find_map(|key| said(thing, key))
        }
        _ => return stripped(Some(value)),
    };
    match inner {
        Some(inner) if depth > 0 => address(inner, depth - 1),
        _ => "",
    }
}

/// Whether the headline of a thing is a title of the page, or begins one.
fn is_titled(thing: &Thing, titles: &[String]) -> bool {
    let named = ["headline", "name"];
    let mut named = named.into_iter().filter_map(|name| thing.get(name));
    named.any(|name| {
        let name = key(&line(stripped(Some(name)), MAX_CHARS));
        name.chars().nth(LEAST_HEADLINE - 1).is_some()
            && titles.iter().any(|title| title.starts_with(&name))
    })
}

/// Whether a thing names a [`place`] as its own.
fn is_at(thing: &Thing, url: &str) -> bool {
    let named = ["url", "@id", "mainEntityOfPage"];
    let mut named = named.into_iter().filter_map(|key| thing.get(key));
    !url.is_empty() && named.any(|value| place(address(value, MAX_DEPTH)) == url)
}

/// Host and path of an address, without `www.` and parameters; empty for another text, or for a front page.
fn place(url: &str) -> &str {
    let Some((_, rest)) = url.split_once("://") else {
        return "";
    };
    let end = rest.find(['?', '#']).unwrap_or(rest.len());
    let rest = rest[..end].trim_end_matches('/');
    let rest = rest.strip_prefix("www.").unwrap_or(rest);
    if rest.contains('/') { rest } else { "" }
}

/// Keywords: a list of them, or a text with separators.
fn tags(value: &Value) -> Vec<String> {
    let found: Vec<String> = match value {
        Value::String(text) => {
            let text = line(text, MAX_KEYWORDS);
            let parts = text.split(TAG_MARKS).map(|tag| tag.trim().to_owned());
            parts.take(MAX_TAGS).collect()
        }
        Value::Array(_) | Value::Object(_) => {
            let mut found = Vec::new();
            push_names(value, &Names::new(), MAX_DEPTH, &mut found);
            found.truncate(MAX_TAGS);
            found
        }
        _ => Vec::new(),
    };
    found.into_iter().filter(|tag| !tag.is_empty()).collect()
}

/// A value that is not empty.
fn said<'a>(thing: &'a Thing, key: &str) -> Option<&'a Value> {
    thing.get(key).filter(|value| match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(thing) => !thing.is_empty(),
        _ => true,
    })
}

/// A text, empty if software wrote it for an absent one.
fn stripped(value: Option<&Value>) -> &str {
    let text = value.and_then(Value::as_str).unwrap_or_default().trim();
    if is_missing(text) { "" } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(script: &str) -> LinkedData {
        LinkedData::read([script].into_iter(), "https://hive.org/bees", Vec::new)
    }

    #[test]
    fn values_are_taken_from_what_is_as_expected() {
        let deep = ["[".repeat(1000), "]".repeat(1000)].concat();
        for (script, headline, author) in [
            (r#"{"headline": "A", "author": {"name": "B"}}"#, "A", "B"),
            (r#"[{"author": ["B", {"name": "C"}, 7]}]"#, "", "B, C"),
            (r#"{"mainEntity": {"author": {"name": "A"}}}"#, "", "A"),
            (
                r#"{"author": "A", "mainEntity": [{"author": "B"}]}"#,
                "",
                "A",
            ),
            (
                r##"[{"author": [{"@id": "#b"}, {"@id": [7]}, {}]}, {"@id": "#b", "name": "B"}]"##,
                "",
                "B",
            ),
            (
                r#"{"author": [{"@type": "NewsMediaOrganization", "name": "A"}]}"#,
                "",
                "",
            ),
            (
                r#"{"author": [{"@type": "Organization", "name": "A"}, {"name": "B"}]}"#,
                "",
                "A, B",
            ),
            (r#"[{"author": {}}, {"@id": null, "name": "A"}]"#, "", ""),
            (
                r#"[{"author": {"@id": "b"}}, {"@id": "b"}, {"@graph": [{"name": "A", "@id": "b"}]}]"#,
                "",
                "A",
            ),
            (
                r#"[{"@id": "b", "name": 7, "author": {"@id": "b"}}, {"@id": "b", "name": "A"}]"#,
                "",
                "A",
            ),
            (r#"[{"author": {}}, {"@id": "None", "name": "A"}]"#, "", ""),
            (
                &format!(r#"{{"name": "A", "author": "B", "@id": {deep}}}"#),
                "",
                "",
            ),
            (r#"{"headline": ["", null]}"#, "", ""),
            ("{broken", "", ""),
            ("7", "", ""),
            (&deep, "", ""),
            ("{\"headline\": \"A\n\tB\"}", "A  B", ""),
            (r#"{"headline": "A \ud83d B"}"#, "A \u{fffd} B", ""),
            (
                r#"{"headline": "\udc1d\ud83d\uDC1D \\ud83d"}"#,
                "\u{fffd}\u{1f41d} \\ud83d",
                "",
            ),
            ("{\"headline\": \"A\nB\" \"author\": \"C\"}", "", ""),
        ] {
            let data = read(script);
            assert_eq!(
                (data.headline.as_str(), data.authors.join(", ").as_str()),
                (headline, author),
                "{script}"
            );
        }
    }

    #[test]
    fn the_first_value_of_each_kind_counts_and_that_of_the_page_before_all() {
        let scripts = [
            r#"{"headline": "A"}"#,
            "{broken",
            r#"{"headline": "B", "author": "C"}"#,
        ];
        let data = LinkedData::read(scripts.into_iter(), "", Vec::new);
        assert_eq!(
            (data.headline.as_str(), data.authors.join(", ").as_str()),
            ("A", "C")
        );

        let data = read(
            r#"[{"@type": "WebSite", "description": "S"},
                {"@type": ["X", "NewsArticle"], "description": "A", "datePublished": "2024",
                 "image": [{"url": "/i"}], "license": {"@id": "/l"}, "keywords": "a; ,b"}]"#,
        );
        assert_eq!(
            (data.description.as_str(), data.published.as_str()),
            ("A", "2024")
        );
        assert_eq!((data.image.as_str(), data.licence.as_str()), ("/i", "/l"));
        assert!(data.is_article);
        assert_eq!(data.tags, ["a", "b"]);

        let data = read(
            r#"[{"@type": "Article", "url": "https://hive.org/wasps", "author": "A"},
                {"@type": "Article", "mainEntityOfPage": {"@id": "http://www.hive.org/bees/?a"}, "author": "B",
                 "dateCreated": "2024", "image": [{"url": ["/i"]}], "keywords": {"name": "k"}}]"#,
        );
        assert_eq!(
            (data.authors, data.created),
            (vec!["B".to_owned()], "2024".to_owned())
        );
        assert_eq!(
            (data.image, data.tags),
            ("/i".to_owned(), vec!["k".to_owned()])
        );

        let data = read(
            r#"{"@type": "schema:Article", "schema:author": {"@type": "schema:Person", "schema:name": "A"},
                "schema:image": "", "schema:thumbnailUrl": "/t"}"#,
        );
        assert_eq!(
            (data.authors, data.image),
            (vec!["A".to_owned()], "/t".to_owned())
        );

        let data = read(r#"{"datePublished": 1706954400000, "dateModified": [1706954400]}"#);
        assert_eq!(
            (data.published.as_str(), data.modified.as_str()),
            ("1706954400000", "")
        );
    }
}
