//! The dates of publication and change of a page, from the first source with a date.

use std::collections::HashSet;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use memchr::memchr2;
use regex::Regex;

use super::calendar::{Day, number};
use super::date_labels::{Dated, dated, first_bytes, is_change, is_of_page, last_bytes};
use super::date_names::{ANY_CREATED, ANY_MODIFIED, ANY_PUBLISHED, MODIFIED, PUBLISHED, last_part};
use super::dates::{
    YEARS, has_year, is_month_first, of_web, rfc3339, seen_date, seen_dates, with_plain_digits,
};
use super::lines::{MAX_LINES, first_chars, is_longer};
use super::months::month_of;
use super::patterns::{pattern, words};
use super::statements::{Stated, Statements, is_beside};
use crate::page::marks::Marked;

/// Words in lines far from the headline that date the page.
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
        "ublikován",
        "ublicerad",
        "ublisert",
        "ulkaistu",
        "ayınlan",
        "публіков",
    ])
});
const MAX_FAR_BYTES: usize = 100;
/// Words in lines at the foot of a page that date its last change.
static LAST_CHANGE: LazyLock<AhoCorasick> = LazyLock::new(|| {
    words(&[
        "ast modified",
        "ast updated",
        "ast update",
        "ast edited",
        "ast changed",
        "ast revised",
        "uletzt geändert",
        "uletzt aktualisiert",
        "uletzt bearbeitet",
        "ernière modification",
        "ernière mise à jour",
        "ltima modific",
        "ltima actualización",
        "ltima atualização",
        "ltimo aggiornamento",
        "statnia modyfikacja",
        "оследнее обновление",
        "оследнее изменение",
        "最終更新",
        "最后更新",
        "最后修改",
        "最后编辑",
    ])
});
/// Most blocks in the foot of a page.
const MAX_FOOT: usize = 96;
/// Content of lines with a date of the web.
static DECADES: LazyLock<AhoCorasick> = LazyLock::new(|| {
    words(&[
        "198", "199", "200", "201", "202", "203", "204", "205", "206", "207", "208", "209",
    ])
});
const MAX_LINE: usize = 200;
/// The agency after the date of a report.
static AGENCY: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\.?,?\s?(?:\([^()/]{2,40}\)|/[^()/]{2,40}/)\s?(?:-|–|—)"));
const MAX_DATELINE: usize = 128;
/// Such lines are shorter.
const MAX_LINE_BYTES: usize = 1024;
/// Longer lines are not labels like `Last updated on:`.
const MAX_LABEL: usize = 30;
const MAX_DATE: usize = 64;
/// Sources of a shown date of change.
const CHANGED: [&str; 3] = ["shown:changed", "time:changed", "class:updated"];
/// Sources of the date of a page's event.
const EVENTS: [&str; 5] = [
    "meta:startdate",
    "meta:enddate",
    "meta:event:start_time",
    "meta:event:end_time",
    "meta:og:start_time",
];
/// Most words of an item that is only a date.
const MOST_DATE_WORDS: usize = 3;
/// Dates of one line.
const MAX_DATES: usize = 8;
/// In a line that is almost only a date.
const MAX_LONE: usize = 30;

/// The dates of a page.
#[derive(Clone, Debug, Default)]
pub struct Dating {
    pub published: Stated,
    pub modified: Stated,
}

/// Both dates.
///
/// If the only date of a page is a change, shown near the headline, it is used for both.
#[must_use]
pub fn dating_of(statements: &Statements<'_>, headline: Option<usize>) -> Dating {
    let reader = Reader::new(statements, headline);
    let mut published = reader.published();
    let modified = reader.modified();
    if published.is_empty() && CHANGED.contains(&modified.source) {
        published = modified.clone();
    }
    Dating {
        published,
        modified,
    }
}

struct Reader<'a> {
    statements: &'a Statements<'a>,
    headline: Option<usize>,
    lang: &'a str,
    month_first: Option<bool>,
    shows_own: bool,
    /// The days near the headline, and their meaning.
    shown: Vec<(String, Dated)>,
    /// The days of events in the page.
    events: HashSet<String>,
    /// The days in elements whose class marks a change.
    changes: HashSet<String>,
    /// The declared date of the last change.
    last: Stated,
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
        // the dates shown on a front page belong to other pages
        let shows_own = statements.is_written && !statements.is_front;
        let mut reader = Self {
            statements,
            headline,
            lang: if lang.is_empty() { locale } else { lang },
            month_first: is_month_first(tag, &statements.host),
            shows_own,
            shown: Vec::new(),
            events: HashSet::new(),
            changes: HashSet::new(),
            last: Stated::default(),
        };
        reader.changes = reader.days(reader.statements.marked(&["class:updated"]));
        reader.events = reader.events();
        reader.last = reader.changed();
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
            .or_else(|| self.declared_anyhow(&ANY_PUBLISHED))
            .or_else(|| {
                if self.shows_own {
                    self.seen()
                } else {
                    Stated::default()
                }
            })
            .or_else(|| self.declared_anyhow(&ANY_CREATED))
            .or_else(|| match linked.is_article && self.statements.is_written {
                true => Stated::new(self.date(&linked.created), "json-ld:dateCreated"),
                false => Stated::default(),
            })
            .or_else(|| Stated::new(in_path(self.statements.address.path), "url"))
    }

    /// The first and last days of events, from linked data, marks and classes.
    fn events(&self) -> HashSet<String> {
        let statements = self.statements;
        let mut days = self.days(statements.marked(&[
            "itemprop:startdate",
            "itemprop:enddate",
            "class:event",
        ]));
        let linked = statements.linked.events.iter().map(String::as_str);
        let declared = EVENTS.iter().map(|name| statements.declared(name));
        let written = linked.chain(declared).map(|text| self.date(text));
        days.extend(written.map(|date| day_of(&date).to_owned()));
        days.extend(self.listed());
        days.remove("");
        days
    }

    /// The days of a list whose items begin with different days, such as a programme.
    fn listed(&self) -> Vec<String> {
        let table = self.statements.table;
        let mut found: Vec<(u32, String)> = Vec::new();
        for (_, mark) in self.statements.marked(&["time"]) {
            let block = table.blocks.get(mark.block as usize);
            let item = block.filter(|block| {
                let words = table.text_of(block).split_whitespace();
                block.list > 0 && mark.at == block.start && words.count() > MOST_DATE_WORDS
            });
            if let Some(item) = item {
                found.push((item.list, day_of(&self.date(&mark.value)).to_owned()));
            }
        }
        let is_one_of_several = |(list, day): &(u32, String)| {
            let mut others = found.iter();
            others.any(|(other, that)| other == list && that != day)
        };
        let days = found.iter().filter(|entry| is_one_of_several(entry));
        days.map(|(_, day)| day.clone()).collect()
    }

    fn days(&self, marks: impl Iterator<Item = (&'static str, &'a Marked)>) -> HashSet<String> {
        let dates = marks.map(|(_, mark)| self.date(&mark.value));
        dates.map(|date| day_of(&date).to_owned()).collect()
    }

    fn seen(&self) -> Stated {
        let found = self
            .marked(&["itemprop:datepublished", "itemprop:datecreated"], false)
            .or_else(|| self.beside_headline(Dated::Publication, "shown"))
            .or_else(|| self.timed(Dated::Publication, true, "time"))
            .or_else(|| self.classed());
        if !found.is_empty() || self.shown.iter().any(|(_, dated)| *dated == Dated::Change) {
            return found;
        }
        let lines = self.statements.table.lines_with(&FAR, MAX_FAR_BYTES);
        let lines = lines.filter(|text| self.statements.is_own_line(text));
        let mut days = lines.take(MAX_LINES).map(|text| self.published_in(text));
        let far = days.find(|day| !day.is_empty()).unwrap_or_default();
        Stated::new(far, "shown")
            .or_else(|| self.timed(Dated::Publication, false, "time"))
            .or_else(|| Stated::new(self.lone_day(), "shown"))
    }

    /// The day in lines that are almost only a date, if they all have the same one.
    fn lone_day(&self) -> String {
        let table = self.statements.table;
        let lines = table.lines_with(&DECADES, MAX_LONE * char::MAX.len_utf8());
        let short = lines.filter(|text| !is_longer(text, MAX_LONE));
        let own = short.filter(|text| self.statements.is_own_line(text));
        let mut days = own
            .take(MAX_LINES)
            .map(|text| self.date_in(text))
            .filter(|day| !day.is_empty() && !self.is_told(day));
        let first = days.next().unwrap_or_default();
        if days.all(|day| day == first) {
            first
        } else {
            String::new()
        }
    }

    /// The declared date of the last change.
    fn changed(&self) -> Stated {
        let linked = &self.statements.linked;
        Stated::new(self.date(&linked.modified), "json-ld:dateModified")
            .or_else(|| self.declared(&MODIFIED))
            .or_else(|| self.declared_anyhow(&ANY_MODIFIED))
    }

    fn modified(&self) -> Stated {
        self.last
            .clone()
            .or_else(|| self.marked(&["itemprop:datemodified"], false))
            .or_else(|| self.beside_headline(Dated::Change, "shown:changed"))
            .or_else(|| match self.shows_own {
                true => self
                    .timed(Dated::Change, false, "time:changed")
                    .or_else(|| self.marked(&["class:updated"], true))
                    .or_else(|| Stated::new(self.at_foot(), "foot:changed")),
                false => Stated::default(),
            })
    }

    /// The date of the last change in the foot of a page; in a forum the last post may have a
    /// change date of its own.
    fn at_foot(&self) -> String {
        if self.statements.is_forum {
            return String::new();
        }
        let table = self.statements.table;
        let blocks = table.blocks.iter().rev().take(MAX_FOOT);
        let lines = blocks.map(|block| table.text_of(block));
        let found = lines
            .filter(|text| text.len() <= MAX_LINE && has_year(text) && LAST_CHANGE.is_match(text))
            .map(|text| self.first_in(text, |dated| dated == Dated::Change))
            .find(|day| !day.is_empty());
        found.unwrap_or_default()
    }

    fn declared(&self, names: &[&'static str]) -> Stated {
        let mut found = names
            .iter()
            .map(|name| Stated::new(self.date(self.statements.declared(name)), name));
        found.find(|stated| !stated.is_empty()).unwrap_or_default()
    }

    /// The date with the name that comes first in a list, by the last parts of all names.
    ///
    /// Shops and lists declare the publication dates of their offers.
    fn declared_anyhow(&self, names: &[&'static str]) -> Stated {
        if !self.statements.is_written {
            return Stated::default();
        }
        let mut best = names.len();
        let mut found = Stated::default();
        for (name, value) in self.statements.table.declared.pairs() {
            let part = last_part(name);
            let known = names[..best]
                .iter()
                .position(|name| name["meta:".len()..] == part);
            let Some(rank) = known else { continue };
            let date = Stated::new(self.date(value), names[rank]);
            if !date.is_empty() {
                (best, found) = (rank, date);
            }
        }
        found
    }

    fn marked(&self, names: &'static [&'static str], is_beside_only: bool) -> Stated {
        let marks = self.own_marks(names);
        let here = marks.filter(|(_, mark)| !is_beside_only || is_beside(mark, self.headline));
        let mut dates = here.map(|(name, mark)| Stated::new(self.date(&mark.value), name));
        dates
            .find(|date| self.is_of_page(&date.value))
            .unwrap_or_default()
    }

    /// Marks in the page's own text.
    fn own_marks(
        &self,
        names: &'static [&'static str],
    ) -> impl Iterator<Item = (&'static str, &'a Marked)> {
        let marks = self.statements.marked(names);
        marks.filter(|(_, mark)| self.statements.is_own(mark.block as usize))
    }

    /// The date of a `time` outside of sentences, near the headline or anywhere.
    fn timed(&self, wanted: Dated, is_beside_only: bool, source: &'static str) -> Stated {
        let changed = self.own_marks(&["class:updated"]);
        let changed: HashSet<u32> = changed.map(|(_, mark)| mark.at).collect();
        let times = self.own_marks(&["time"]);
        let here = times.filter(|(_, mark)| !is_beside_only || is_beside(mark, self.headline));
        let mut dates = here.filter_map(|(_, mark)| {
            let day = self.date(&mark.value);
            let dated = match self.dated_at(mark) {
                Dated::Publication if changed.contains(&mark.at) => Dated::Change,
                dated => dated,
            };
            let is_one = dated == wanted && self.is_of_page(&day) && !self.is_told(&day);
            is_one.then(|| Stated::new(day, source))
        });
        dates.next().unwrap_or_default()
    }

    /// The meaning of a mark's date, from the line that contains it.
    fn dated_at(&self, mark: &Marked) -> Dated {
        let table = self.statements.table;
        let Some(block) = table.blocks.get(mark.block as usize) else {
            return Dated::Publication;
        };
        let text = table.text_of(block);
        let at = (mark.at.max(block.start) - block.start) as usize;
        let Some((before, after)) = text.split_at_checked(at) else {
            return Dated::Publication;
        };
        let before = last_bytes(before, MAX_LINE_BYTES).rsplit('\n').next();
        let after = first_bytes(after, MAX_LINE_BYTES)
            .trim_start()
            .split('\n')
            .next();
        let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
        if is_longer(after, MAX_LINE) || is_longer(before, MAX_LINE) {
            return Dated::Other;
        }
        let after = &*with_plain_digits(after);
        let mut days = seen_dates(after, self.lang, self.month_first);
        let end = days.next().map_or(0, |(_, span)| span.end);
        let label = self.label_before(mark.block as usize, before);
        let label = [label, before].concat();
        if self.is_of_event(mark.block as usize, &label) {
            return Dated::Other;
        }
        dated(&label, &after[end..])
    }

    /// Whether a date without a label of its own is next to the place of an event.
    fn is_of_event(&self, block: usize, label: &str) -> bool {
        !is_of_page(label) && self.statements.is_next_to_place(block)
    }

    /// The short line before a block, which may label a date in the block.
    fn label_before(&self, block: usize, before: &str) -> &'a str {
        let table = self.statements.table;
        let last = block.checked_sub(1).filter(|at| Some(*at) != self.headline);
        let last = last.and_then(|at| table.blocks.get(at));
        let line = last.map_or("", |last| table.text_of(last));
        let line = line.rsplit('\n').next().unwrap_or_default();
        if before.is_empty() && is_label(line) {
            line
        } else {
            ""
        }
    }

    /// The date in an element whose class marks a date.
    fn classed(&self) -> Stated {
        let marks = self.own_marks(&["class:date"]);
        let mut here =
            marks.filter(|(_, mark)| is_beside(mark, self.headline) && !is_change(&mark.value));
        let first = here.find_map(|(name, mark)| {
            let date = Stated::new(self.date(&mark.value), name);
            let is_one = self.is_of_page(&date.value)
                && !self.is_told(&date.value)
                && !self.is_of_event(mark.block as usize, &mark.value);
            is_one.then_some(date)
        });
        first.unwrap_or_default()
    }

    /// Whether a date may belong to the page: a date of the web, not of an event, and not years
    /// after the declared last change.
    fn is_of_page(&self, date: &str) -> bool {
        let year_of = |date: &str| date.get(..4).and_then(|year| year.parse::<u32>().ok());
        let last = year_of(&self.last.value).unwrap_or(YEARS.end);
        year_of(date).is_some_and(|year| YEARS.contains(&year) && year <= last)
            && !self.events.contains(day_of(date))
    }

    fn beside_headline(&self, wanted: Dated, source: &'static str) -> Stated {
        let mut shown = self.shown.iter();
        let first = shown.find(|(_, dated)| *dated == wanted);
        first.map_or_else(Stated::default, |(day, _)| Stated::new(day.clone(), source))
    }

    /// The dates of the lines near the headline, each with its meaning.
    fn beside(&self) -> Vec<(String, Dated)> {
        let mut found = Vec::new();
        let mut label = "";
        let headline = self
            .headline
            .and_then(|at| self.statements.table.blocks.get(at));
        let headline = headline.map_or("", |block| self.statements.table.text_of(block));
        for text in self.statements.beside(self.headline) {
            if !is_longer(text, MAX_LINE) {
                self.read_line(text, label, &mut found);
            }
            if let Some(day) = self.in_dateline(text) {
                found.push((day, Dated::Publication));
            }
            label = if is_label(text) && text != headline {
                text
            } else {
                ""
            };
        }
        found
    }

    /// The date between the town and the agency at the start of a report:
    /// `LONDON, 3 May 2025 (Reuters) - The bees ...`.
    fn in_dateline(&self, text: &str) -> Option<String> {
        let start = first_bytes(text, MAX_DATELINE);
        memchr2(b'(', b'/', start.as_bytes()).filter(|_| has_year(start))?;
        let (day, span) = seen_dates(start, self.lang, self.month_first).next()?;
        let town = start[..span.start].trim_end_matches([' ', ',', '-', '–', '—']);
        let is_town = town.is_empty() || town.starts_with(char::is_uppercase);
        let is_one = is_town
            && span.start <= MAX_LABEL
            && AGENCY.is_match(&start[span.end..])
            && self.is_of_page(&day);
        is_one.then_some(day)
    }

    /// Add the dates of a line; the previous line may be the label of the first one.
    fn read_line(&self, text: &str, label: &str, found: &mut Vec<(String, Dated)>) {
        let block = self.statements.block_of(text);
        let is_of_event = |label: &str| block.is_some_and(|block| self.is_of_event(block, label));
        let text = &*with_plain_digits(text);
        let dates: Vec<_> = seen_dates(text, self.lang, self.month_first)
            .take(MAX_DATES)
            .collect();
        let mut from = 0;
        for (place, (day, span)) in dates.iter().enumerate() {
            let before = &text[from..span.start];
            let end = dates.get(place + 1).map_or(text.len(), |next| next.1.start);
            let after = match dates.len() {
                1 => &text[span.end..end],
                _ => "", // it is the label of the next one
            };
            let dated = match place {
                0 if is_weekday(before) => dated(&[label, " ", before].concat(), after),
                _ => dated(before, after),
            };
            let is_joined = |one: usize| {
                let both = dates.get(one).zip(dates.get(one + 1));
                both.is_some_and(|(one, other)| is_range(&text[one.1.end..other.1.start]))
            };
            let dated = match dated {
                _ if is_joined(place) || place.checked_sub(1).is_some_and(is_joined) => {
                    Dated::Other
                }
                Dated::Publication if self.changes.contains(day) => Dated::Change,
                Dated::Publication if is_of_event(&[label, before].concat()) => Dated::Other,
                dated => dated,
            };
            from = span.end;
            if self.is_of_page(day) {
                found.push((day.clone(), dated));
            }
        }
    }

    /// Whether lines near the headline use a day for something else.
    fn is_told(&self, day: &str) -> bool {
        let mut shown = self.shown.iter();
        shown.any(|(other, dated)| *dated == Dated::Other && other == day_of(day))
    }

    /// The first publication date of a line.
    fn published_in(&self, text: &str) -> String {
        self.first_in(text, |dated| dated == Dated::Publication)
    }

    /// The first date of publication or change of a line.
    fn date_in(&self, text: &str) -> String {
        self.first_in(text, |dated| dated != Dated::Other)
    }

    fn first_in(&self, text: &str, is_wanted: impl Fn(Dated) -> bool) -> String {
        let mut found = Vec::new();
        self.read_line(text, "", &mut found);
        let mut wanted = found.into_iter().filter(|(_, dated)| is_wanted(*dated));
        wanted.next().map_or_else(String::new, |(day, _)| day)
    }

    fn date(&self, text: &str) -> String {
        if text.is_empty() {
            return String::new(); // most names on most pages
        }
        let date = rfc3339(text);
        if date.is_empty() {
            self.shown_in(first_chars(text, MAX_DATE))
        } else {
            date
        }
    }

    fn shown_in(&self, text: &str) -> String {
        seen_date(&with_plain_digits(text), self.lang, self.month_first)
    }
}

/// Whether the text between two dates makes them the first and the last day of something.
fn is_range(between: &str) -> bool {
    const JOINTS: [&str; 14] = [
        "-", "–", "—", "~", "～", "to", "until", "bis", "au", "al", "t/m", "till", "до", "по",
    ];
    JOINTS.contains(&between.trim())
}

/// Whether the text before a date is at most the name of its day: a single word.
fn is_weekday(before: &str) -> bool {
    let word = before.trim().trim_end_matches([',', '.']);
    word.chars().all(char::is_alphabetic)
}

/// Whether a line may be the label of the date in the next one.
fn is_label(text: &str) -> bool {
    !is_longer(text, MAX_LABEL) && !text.contains(|sign: char| sign.is_ascii_digit())
}

/// The day of a date, without its time.
fn day_of(date: &str) -> &str {
    date.get(..10).unwrap_or_default()
}

/// The day in the path of an address: `/2025/05/03/bees`, `/20250503.html`.
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
    let rest = rest.strip_prefix(separator)?;
    let (month, rest) = number(rest, least, 2).or_else(|| named_month(rest))?;
    let (day, rest) = number(rest.strip_prefix(separator)?, least, 2)?;
    let is_end = rest.is_empty() || rest.starts_with(['/', '_', '.', '-']);
    (is_end && (1900..2100).contains(&year)).then_some((year, month, day))
}

/// A month as three letters: `/2025/may/03`.
fn named_month(text: &str) -> Option<(u32, &str)> {
    let (name, rest) = text.split_at_checked(3)?;
    Some((month_of(name, "en")?, rest))
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
            ("/hive/2025/may/03/bees", "2025-05-03"),
            ("/2025-May-3", "2025-05-03"),
            ("/2025/mayors/03", ""),
            ("/2025/bee/03", ""),
            ("/2025/mä/03", ""),
            ("/bees-2025-05-03", ""),
            ("", ""),
        ] {
            assert_eq!(in_path(path), expected, "{path}");
        }
    }
}
