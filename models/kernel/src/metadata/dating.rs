//! When a page was published and changed, by the first source that gives a date.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use regex::Regex;

use super::calendar::{Day, number};
use super::dates::{is_month_first, of_web, rfc3339, seen_date};
use super::lines::{MAX_LINES, first_chars, is_longer};
use super::patterns::{pattern, words};
use super::statements::{Stated, Statements, is_beside};

const PUBLISHED: [&str; 25] = [
    "meta:article:published_time",
    "meta:datepublished",
    "meta:og:published_time",
    "meta:og:article:published_time",
    "meta:parsely-pub-date",
    "meta:dc.date.issued",
    "meta:dc.date.created",
    "meta:dc.date",
    "meta:dcterms.issued",
    "meta:dcterms.created",
    "meta:dcterms.date",
    "meta:sailthru.date",
    "meta:citation_publication_date",
    "meta:citation_date",
    "meta:article.published",
    "meta:article_date_original",
    "meta:cxenseparse:recs:publishtime",
    "meta:originalpublicationdate",
    "meta:publication_date",
    "meta:pubdate",
    "meta:publishdate",
    "meta:publish-date",
    "meta:published",
    "meta:release_date",
    "meta:date",
];
const MODIFIED: [&str; 9] = [
    "meta:article:modified_time",
    "meta:datemodified",
    "meta:og:updated_time",
    "meta:og:modified_time",
    "meta:dcterms.modified",
    "meta:dc.date.modified",
    "meta:last-modified",
    "meta:lastmod",
    "meta:revised",
];
/// A text that dates a change, in the languages whose dates are read.
static CHANGE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        "(?i)updat|modif|revis|edited|review|aktualis|geändert|stand:|mise à jour|mis à jour",
        "|actualiz|atualiz|aggiorn|modific|обновл|更新|ενημερ",
    ))
});
/// What lines far from the headline that date the page hold.
static FAR: LazyLock<AhoCorasick> = LazyLock::new(|| {
    words(&[
        "ublished",
        "PUBLISHED",
        "osted",
        "POSTED",
        "ublish date",
        "ost time",
        "eröffentlicht",
        "ublié",
        "ublicado",
        "ubblicato",
        "publikowano",
        "публиковано",
        "公開日",
        "投稿日",
    ])
});
const MAX_FAR_BYTES: usize = 100;
/// What lines with a date of the web hold.
static DECADES: LazyLock<AhoCorasick> = LazyLock::new(|| {
    words(&[
        "198", "199", "200", "201", "202", "203", "204", "205", "206", "207", "208", "209",
    ])
});
const MAX_LINE: usize = 200;
/// Longer ones are no labels like `Last updated on:`.
const MAX_LABEL: usize = 30;
const MAX_DATE: usize = 64;
/// Of a line that holds a date and hardly anything else.
const MAX_LONE: usize = 30;

/// The dates of a page.
#[derive(Clone, Debug, Default)]
pub struct Dating {
    pub published: Stated,
    pub modified: Stated,
}

/// Both dates.
///
/// Where the only date that a page gives is that of a change, shown beside the headline, it is the
/// date of both.
#[must_use]
pub fn dating_of(statements: &Statements<'_>, headline: Option<usize>) -> Dating {
    let reader = Reader::new(statements, headline);
    let mut published = reader.published();
    let modified = reader.modified();
    if published.is_empty() && modified.source == "shown:changed" {
        published = modified.clone();
    }
    Dating {
        published,
        modified,
    }
}

/// A date beside the headline.
struct Shown {
    day: String,
    is_change: bool,
}

struct Reader<'a> {
    statements: &'a Statements<'a>,
    headline: Option<usize>,
    lang: &'a str,
    month_first: Option<bool>,
    shows_own: bool,
    shown: Vec<Shown>,
}

impl<'a> Reader<'a> {
    fn new(statements: &'a Statements<'a>, headline: Option<usize>) -> Self {
        let lang = statements.declared("lang");
        let locale = statements.declared("meta:og:locale");
        let tag = if lang.contains('-') || locale.is_empty() {
            lang
        } else {
            locale
        };
        // what a front page shows are dates of other pages
        let shows_own = statements.is_written && !matches!(statements.address.path, "" | "/");
        let mut reader = Self {
            statements,
            headline,
            lang: if lang.is_empty() { locale } else { lang },
            month_first: is_month_first(tag, &statements.host),
            shows_own,
            shown: Vec::new(),
        };
        if shows_own {
            reader.shown = reader.beside();
        }
        reader
    }

    fn published(&self) -> Stated {
        let linked = &self.statements.linked;
        self.declared(&PUBLISHED)
            .or_else(|| match linked.is_article || self.statements.is_written {
                true => Stated::new(self.date(&linked.published), "json-ld:datePublished"),
                false => Stated::default(),
            })
            .or_else(|| {
                if self.shows_own {
                    self.seen()
                } else {
                    Stated::default()
                }
            })
            .or_else(|| Stated::new(in_path(self.statements.address.path), "url"))
    }

    fn seen(&self) -> Stated {
        let found = self
            .marked(&["itemprop:datepublished", "itemprop:datecreated"], false)
            .or_else(|| self.beside_headline(false, "shown"))
            .or_else(|| self.marked(&["time"], true))
            .or_else(|| self.classed());
        if !found.is_empty() || self.shown.iter().any(|shown| shown.is_change) {
            return found;
        }
        let lines = self.statements.table.lines_with(&FAR, MAX_FAR_BYTES);
        let mut days = lines.take(MAX_LINES).map(|text| self.shown_in(text));
        let far = days.find(|day| !day.is_empty()).unwrap_or_default();
        Stated::new(far, "shown")
            .or_else(|| self.marked(&["time"], false))
            .or_else(|| Stated::new(self.lone_day(), "shown"))
    }

    /// The day that lines of little but a date name, if they all name the same.
    fn lone_day(&self) -> String {
        let table = self.statements.table;
        let lines = table.lines_with(&DECADES, MAX_LONE * char::MAX.len_utf8());
        let short = lines.filter(|text| !is_longer(text, MAX_LONE));
        let mut days = short
            .take(MAX_LINES)
            .map(|text| self.shown_in(text))
            .filter(|day| !day.is_empty());
        let first = days.next().unwrap_or_default();
        if days.all(|day| day == first) {
            first
        } else {
            String::new()
        }
    }

    fn modified(&self) -> Stated {
        let linked = &self.statements.linked;
        Stated::new(self.date(&linked.modified), "json-ld:dateModified")
            .or_else(|| self.declared(&MODIFIED))
            .or_else(|| self.marked(&["itemprop:datemodified"], false))
            .or_else(|| self.beside_headline(true, "shown:changed"))
    }

    fn declared(&self, names: &[&'static str]) -> Stated {
        let mut found = names
            .iter()
            .map(|name| Stated::new(self.date(self.statements.declared(name)), name));
        found.find(|stated| !stated.is_empty()).unwrap_or_default()
    }

    fn marked(&self, names: &'static [&'static str], is_beside_only: bool) -> Stated {
        let marks = self.statements.marked(names);
        let here = marks.filter(|(_, mark)| !is_beside_only || is_beside(mark, self.headline));
        let mut dates = here.map(|(name, mark)| Stated::new(self.date(&mark.value), name));
        dates.find(|date| !date.is_empty()).unwrap_or_default()
    }

    /// The date in an element whose class calls it one.
    fn classed(&self) -> Stated {
        let marks = self.statements.marked(&["class:date"]);
        let mut here = marks
            .filter(|(_, mark)| is_beside(mark, self.headline) && !CHANGE.is_match(&mark.value));
        let first = here.find_map(|(name, mark)| {
            let date = Stated::new(self.shown_in(&mark.value), name);
            (!date.is_empty()).then_some(date)
        });
        first.unwrap_or_default()
    }

    fn beside_headline(&self, is_change: bool, source: &'static str) -> Stated {
        let mut shown = self.shown.iter();
        let first = shown.find(|shown| shown.is_change == is_change);
        first.map_or_else(Stated::default, |shown| {
            Stated::new(shown.day.clone(), source)
        })
    }

    fn beside(&self) -> Vec<Shown> {
        let mut found = Vec::new();
        let mut label = "";
        for text in self.statements.beside(self.headline) {
            let day = if is_longer(text, MAX_LINE) {
                String::new()
            } else {
                self.shown_in(text)
            };
            if !day.is_empty() {
                let is_change = CHANGE.is_match(text) || CHANGE.is_match(label);
                found.push(Shown { day, is_change });
            }
            label = if is_longer(text, MAX_LABEL) { "" } else { text };
        }
        found
    }

    fn date(&self, text: &str) -> String {
        let date = rfc3339(text);
        if date.is_empty() {
            self.shown_in(first_chars(text, MAX_DATE))
        } else {
            date
        }
    }

    fn shown_in(&self, text: &str) -> String {
        seen_date(text, self.lang, self.month_first)
    }
}

/// The day that the path of an address names: `/2025/05/03/bees`, `/20250503.html`.
fn in_path(path: &str) -> String {
    let mut starts = path.match_indices('/').map(|(at, _)| &path[at + 1..]);
    let first = starts.find_map(numbers_of_day);
    let day = first.and_then(|(year, month, day)| of_web(year, month, day));
    day.map_or_else(String::new, Day::written)
}

fn numbers_of_day(text: &str) -> Option<(u32, u32, u32)> {
    let (year, rest) = number(text, 4, 4)?;
    let separator = if rest.starts_with(['/', '_', '-']) {
        &rest[..1]
    } else {
        ""
    };
    let least = if separator.is_empty() { 2 } else { 1 };
    let (month, rest) = number(rest.strip_prefix(separator)?, least, 2)?;
    let (day, rest) = number(rest.strip_prefix(separator)?, least, 2)?;
    let is_end = rest.is_empty() || rest.starts_with(['/', '_', '.', '-']);
    (is_end && (1900..2100).contains(&year)).then_some((year, month, day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_an_address_may_name_a_day() {
        for (path, expected) in [
            ("/2025/05/03/bees", "2025-05-03"),
            ("/news/2025-5-3", "2025-05-03"),
            ("/news/20250503.html", "2025-05-03"),
            ("/news/20250503123", ""),
            ("/2025/05-03/bees", ""),
            ("/2025/13/03/bees", ""),
            ("/bees-2025-05-03", ""),
            ("", ""),
        ] {
            assert_eq!(in_path(path), expected, "{path}");
        }
    }
}
