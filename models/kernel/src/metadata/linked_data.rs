//! Linked data (JSON-LD) of a page to what it says of the page itself.
//!
//! Pages write schema.org loosely: objects, lists of objects, or objects under `@graph` or
//! `mainEntity` (forums do); names as text, as objects with a `name`, or as the `@id` of a top
//! object that has one. Whatever is not as expected is passed over.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde_json::{Map, Value};

use super::patterns::pattern;

/// Objects looked at on one page; people's pages have a few dozen.
const MAX_OBJECTS: usize = 1000;
const MAX_NAMES: usize = 10;
const MAX_TAGS: usize = 32;
/// What a page is made of beside its own thing.
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
/// An escaped character; the group is half a character without the other half.
static ESCAPE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?s)\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(u[dD][89a-fA-F]..)|.)"));

/// The first value of each kind on the page, empty if there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkedData {
    pub headline: String,
    /// Names joined by commas; organisations publish but do not write.
    pub author: String,
    pub published: String,
    pub modified: String,
    pub publisher: String,
    pub description: String,
    pub section: String,
    /// Addresses as they are written.
    pub image: String,
    pub licence: String,
    pub tags: Vec<String>,
    /// Something on the page is of a type that people write and date.
    pub is_article: bool,
}

type Thing = Map<String, Value>;
type Names<'a> = HashMap<&'a str, &'a str>;

impl LinkedData {
    /// Read the texts of a page's scripts; broken ones are passed over.
    pub fn read<'a>(scripts: impl Iterator<Item = &'a str>) -> Self {
        let loaded: Vec<Value> = scripts.filter_map(load).collect();
        let things = things(&loaded);
        let names = names(&things);
        let (around, own): (Vec<&Thing>, Vec<&Thing>) =
            things.iter().partition(|thing| is_around(thing));
        let mut data = Self {
            is_article: things.iter().any(|thing| is_article(thing)),
            ..Self::default()
        };
        for thing in own.into_iter().chain(around) {
            data.take(thing, &names);
        }
        data
    }

    fn take(&mut self, thing: &Thing, names: &Names<'_>) {
        for (field, property) in [
            (&mut self.headline, "headline"),
            (&mut self.author, "author"),
            (&mut self.published, "datePublished"),
            (&mut self.modified, "dateModified"),
            (&mut self.publisher, "publisher"),
            (&mut self.description, "description"),
            (&mut self.section, "articleSection"),
        ] {
            if let (true, Some(value)) = (field.is_empty(), thing.get(property)) {
                if property != "author" || !is_organisation(value) {
                    *field = text(value, names);
                }
            }
        }
        for (field, property) in [(&mut self.image, "image"), (&mut self.licence, "license")] {
            if let (true, Some(value)) = (field.is_empty(), thing.get(property)) {
                address(value).clone_into(field);
            }
        }
        if let (true, Some(value)) = (self.tags.is_empty(), thing.get("keywords")) {
            self.tags = tags(value);
        }
    }
}

/// The texts of articles that a page's scripts hold, each once.
pub fn article_bodies<'a>(scripts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let loaded: Vec<Value> = scripts.filter_map(load).collect();
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

/// What a script says, nothing if it is broken beyond mending.
fn load(script: &str) -> Option<Value> {
    serde_json::from_str(script)
        .or_else(|_| serde_json::from_str(&mended(script)))
        .ok()
}

/// Replace what templates leave in texts and JSON has no room for: raw controls, half pairs.
fn mended(script: &str) -> String {
    let spaced = script.replace(|character| character < ' ', " ");
    let whole = ESCAPE.replace_all(&spaced, |escape: &Captures<'_>| {
        let kept = if escape.get(1).is_some() {
            r"\ufffd"
        } else {
            &escape[0]
        };
        kept.to_owned()
    });
    whole.into_owned()
}

/// The top objects, those of `@graph` and main entities.
fn things(loaded: &[Value]) -> Vec<&Thing> {
    let mut waiting: Vec<&Value> = loaded.iter().rev().collect();
    let mut found = Vec::new();
    for _ in 0..MAX_OBJECTS {
        match waiting.pop() {
            Some(Value::Array(list)) => waiting.extend(list.iter().take(MAX_OBJECTS).rev()),
            Some(Value::Object(thing)) => {
                found.push(thing);
                waiting.extend(
                    ["mainEntity", "@graph"]
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

/// The first name that objects of each `@id` have.
fn names<'a>(things: &[&'a Thing]) -> Names<'a> {
    let mut names = HashMap::new();
    for thing in things {
        let (id, name) = (stripped(thing.get("@id")), stripped(thing.get("name")));
        if !id.is_empty() && !name.is_empty() {
            names.entry(id).or_insert(name);
        }
    }
    names
}

fn is_around(thing: &Thing) -> bool {
    let kind = thing.get("@type").and_then(Value::as_str);
    kind.is_some_and(|kind| AROUND.contains(&kind))
}

fn is_article(thing: &Thing) -> bool {
    let is_one = |kind: &Value| {
        let kind = kind.as_str().unwrap_or_default();
        ARTICLES.iter().any(|article| kind.ends_with(article))
    };
    match thing.get("@type") {
        Some(Value::Array(kinds)) => kinds.iter().any(is_one),
        Some(kind) => is_one(kind),
        None => false,
    }
}

/// Whether an author, or each of a list, is of a type of organisations.
fn is_organisation(value: &Value) -> bool {
    match value {
        Value::Array(list) => !list.is_empty() && list.iter().all(is_organisation),
        _ => stripped(value.get("@type")).ends_with("Organization"),
    }
}

/// A text, the `name` of an object, or those of a list, joined by commas.
fn text(value: &Value, names: &Names<'_>) -> String {
    let Value::Array(list) = value else {
        return name(value, names).to_owned();
    };
    let found = list.iter().take(MAX_NAMES).map(|each| name(each, names));
    let found: Vec<&str> = found.filter(|name| !name.is_empty()).collect();
    found.join(", ")
}

fn name<'a>(value: &'a Value, names: &Names<'a>) -> &'a str {
    match value {
        Value::Object(thing) => match said(thing, "name") {
            Some(name) => stripped(Some(name)),
            None => names
                .get(stripped(thing.get("@id")))
                .copied()
                .unwrap_or_default(),
        },
        _ => stripped(Some(value)),
    }
}

/// An address: a text, or the `url` or `@id` of the first object.
fn address(value: &Value) -> &str {
    let first = match value {
        Value::Array(list) => list.first(),
        _ => Some(value),
    };
    match first {
        Some(Value::Object(thing)) => {
            let known = ["url", "contentUrl", "@id"];
            stripped(known.into_iter().find_map(|key| said(thing, key)))
        }
        other => stripped(other),
    }
}

/// Keywords: a list of them, or a text that commas part.
fn tags(value: &Value) -> Vec<String> {
    let none = Names::new();
    let found: Vec<&str> = match value {
        Value::String(text) => text.split(',').map(str::trim).take(MAX_TAGS).collect(),
        Value::Array(list) => list
            .iter()
            .take(MAX_TAGS)
            .map(|each| name(each, &none))
            .collect(),
        _ => Vec::new(),
    };
    let named = found.into_iter().filter(|tag| !tag.is_empty());
    named.map(str::to_owned).collect()
}

/// A value that says something.
fn said<'a>(thing: &'a Thing, key: &str) -> Option<&'a Value> {
    thing.get(key).filter(|value| match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(thing) => !thing.is_empty(),
        _ => true,
    })
}

fn stripped(value: Option<&Value>) -> &str {
    value.and_then(Value::as_str).unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(script: &str) -> LinkedData {
        LinkedData::read([script].into_iter())
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
                (data.headline.as_str(), data.author.as_str()),
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
        let data = LinkedData::read(scripts.into_iter());
        assert_eq!((data.headline.as_str(), data.author.as_str()), ("A", "C"));

        let data = read(
            r#"[{"@type": "WebSite", "description": "S"},
                {"@type": ["X", "NewsArticle"], "description": "A", "datePublished": "2024",
                 "image": [{"url": "/i"}], "license": {"@id": "/l"}, "keywords": "a, ,b"}]"#,
        );
        assert_eq!(
            (data.description.as_str(), data.published.as_str()),
            ("A", "2024")
        );
        assert_eq!((data.image.as_str(), data.licence.as_str()), ("/i", "/l"));
        assert!(data.is_article);
        assert_eq!(data.tags, ["a", "b"]);
    }
}
