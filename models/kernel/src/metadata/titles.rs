//! Parts of page titles: the headline, the section, the name of the site.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use regex::Regex;

use super::dates::date_span;
use super::lines::{folded, is_of_key, key};
use super::patterns::pattern;
use super::statements::Stated;

/// Separators of a page's title and the name of its site.
static BORDER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\s+(?:[|\-–—·•»«/~<>›_]|::)\s+|[|»›]\s+|\s*｜\s*"));
/// The same with a colon, after which a headline may begin: `The Hive: Bees`.
static PART: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\s+(?:[|\-–—·•»«/~<>›_]|::)\s+|[|»›:：]\s+|\s*[｜：]\s*"));
/// What browsers and forums put around the name of a page: unread messages, the page of a thread,
/// `View topic` between a forum and its thread.
static AROUND: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)^\([0-9]{1,3}\+?\)\s+",
        r"|\s+[|\-–—·•]\s+(?:page|seite|página|pagina|pàgina|strona|strana|stránka|страница|сторінка",
        r"|стр\.|sida|side|sivu|oldal|sayfa|stranica|σελίδα|trang|halaman|ページ)\s?[0-9]{1,5}",
        r"(?:\s?(?:of|von|de|di|sur|van|av|af|z|из|/)\s?[0-9]{1,5})?(?P<next>\s+[|\-–—·•]\s|$)",
    ))
});
static TOPIC: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)^(?:.*\s(?:[|\-–—·•»]|::)\s+)?(?:view topic|thema anzeigen|voir le sujet|ver tema|ver tópico|exibir tópico",
        r"|leggi argomento|visualizza argomento|bekijk onderwerp|zobacz temat|zobacz wątek",
        r"|просмотр темы|перегляд теми|преглед на тема|visa ämne|visa tråd|vis emne|näytä aihe",
        r"|katso viestiketjua|zobrazit téma|zobraziť tému|téma megtekintése|konu görüntüleniyor",
        r"|başlığı görüntüle|vezi subiect|pogledaj temu|poglej temo|προβολή θέματος|查看主题|檢視主題",
        r"|トピックを表示|주제 보기)\s+(?:[|\-–—·•»]|::)\s+",
    ))
});
/// A word for screen readers that announces a headline.
static LABEL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)^(?:(?:article |page |post |document |paper )?(?:title|titel|titre|título|titolo|tytuł)",
        r"|headline|article|paper|abstract|subject|topic|thema|betreff|sujet|asunto|тема|заголовок",
        r"|название|标题|標題|題名|タイトル)\s*[:：]\s*",
    ))
});
const MAX_PARTS: usize = 8;
const MAX_BORDERS: usize = 64;
/// Separators of sections, which do not occur in headlines.
const SECTIONS: [&str; 7] = ["»", "«", "›", ">", "<", "_", "::"];
/// How names of sites end in Chinese and Japanese, where no spaces separate them from the headline.
const SITE_ENDS: [&str; 22] = [
    "网",
    "網",
    "报",
    "報",
    "新闻",
    "新聞",
    "频道",
    "頻道",
    "在线",
    "百科",
    "博客",
    "论坛",
    "論壇",
    "网站",
    "社区",
    "中心",
    "客户端",
    "平台",
    "电视台",
    "杂志",
    "通讯社",
    ".com",
];
/// Characters of a headline before them, and of a section between.
const LEAST_HEADLINE: usize = 6;
const MAX_SECTION: usize = 5;
const MAX_SITE: usize = 12;
/// Shorter site names occur inside other words.
const LEAST_NAME: usize = 4;
/// Letters and digits of a title inside a longer heading, and of the rest of the heading.
const LEAST_TITLE: usize = 8;
const MAX_LABEL: usize = 24;
/// Words before a title that belong to it.
const ARTICLES: [&str; 18] = [
    "the", "a", "an", "der", "die", "das", "ein", "eine", "le", "la", "les", "l", "el", "los",
    "las", "il", "o", "os",
];
/// Notes after a title, for screen readers or in a badge.
const NOTES: [&str; 22] = [
    "opensinanewwindow",
    "opensinnewwindow",
    "opensinanewtab",
    "opensinnewtab",
    "externallink",
    "linkcopied",
    "copylink",
    "permalink",
    "linktothisheading",
    "headinganchor",
    "edit",
    "share",
    "print",
    "bookmark",
    "new",
    "updated",
    "exclusive",
    "premium",
    "beta",
    "draft",
    "deprecated",
    "experimental",
];
/// What follows a title in its heading: a number of comments or in brackets, the time that reading
/// takes, the author.
static AFTER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)^\W*(?:by\s(?-i:\p{Lu})|[(\[]\s?[0-9]{1,6}\s?[)\]]$|[0-9]{1,6}\s(?:comments?|replies|kommentare?|commentaires?|comentários?|comentarios?",
        r"|commenti|reacties|komentarz[ey]?|комментари\S{1,3}|views?|shares?|min(?:ute)?s?(?: read)?|min(?:uti|uten|utos)?",
        r"(?: de (?:lectur[ae]|leitura)| di lettura| lesezeit| leestijd)?)\W*$)",
    ))
});
/// Names of a page that repeat its headline in words.
const READERS: [&str; 3] = ["meta:og:title", "json-ld:headline", "title"];
/// The match of a heading, and its score.
const WHOLE: i32 = 4;
const FIRST: i32 = 2;
const LAST: i32 = 4;

/// The declared titles of a page, by the keys of whole titles and of their parts.
pub struct Names<'a> {
    named: &'a [Stated],
    keys: Vec<String>,
    parts: HashMap<String, Run<'a>>,
}

/// Adjacent parts of a title.
#[derive(Clone, Copy, Debug)]
struct Run<'a> {
    text: &'a str,
    /// The end with the headline: the start, or the last part if the site is named first.
    is_first: bool,
    /// The other end.
    is_last: bool,
}

/// The confirmation of a heading by the declared titles.
#[derive(Clone, Copy, Debug)]
pub struct Confirmed<'a> {
    /// The heading without labels and capitals that the titles do not have.
    pub text: &'a str,
    /// The score: higher for a whole declared title, for more than one of them, and for the part of
    /// a title where the headline is expected; lower for the part where the site is named.
    pub score: i32,
}

impl<'a> Names<'a> {
    /// Add the titles with their keys; `title` is the last one, if the page has one.
    #[must_use]
    pub fn of(named: &'a [Stated], keys: Vec<String>) -> Self {
        let mut parts = HashMap::new();
        for stated in named {
            for run in runs(&stated.value) {
                parts.entry(key(run.text)).or_insert(run);
            }
        }
        Self { named, keys, parts }
    }

    /// The words of each name that is written for readers.
    #[must_use]
    pub fn words(&self) -> Vec<HashSet<String>> {
        let named = self.named.iter();
        let named = named.filter(|stated| READERS.contains(&stated.source));
        named.map(|stated| words(&stated.value)).collect()
    }

    /// The keys of the extra words of `title` compared with another declared title: the name of the
    /// site.
    ///
    /// A declared title that only ends the `title` is the site's name itself if a heading matches
    /// the beginning of the `title`, and no later heading matches the other.
    #[must_use]
    pub fn sites(&self, headings: &[String]) -> HashSet<String> {
        let mut found = HashSet::new();
        let Some((title, others)) = self.named.split_last() else {
            return found;
        };
        let parts = BORDER.splitn(&title.value, MAX_PARTS + 1).map(key);
        let parts: Vec<String> = parts.collect();
        let [first, .., last] = parts.as_slice() else {
            return found;
        };
        let place = |key: &String| headings.iter().position(|heading| heading == key);
        for stated in others.iter().filter(|_| title.source == "title") {
            let whole = key(&stated.value);
            let is_site = whole == *last
                && place(first).is_some_and(|first| place(last).is_none_or(|last| last < first));
            if is_site {
                found.insert(whole);
            } else if whole == parts[..parts.len() - 1].concat() {
                found.insert(last.clone());
            } else if whole == parts[1..].concat() {
                found.insert(first.clone());
            }
        }
        found.remove("");
        found
    }

    /// Whether a heading is one of the titles or a part of one.
    #[must_use]
    pub fn confirm<'b>(&'b self, text: &'b str, own: &str) -> Option<Confirmed<'b>> {
        let plain = without_label(text);
        self.said(text, own)
            .or_else(|| (plain.len() < text.len()).then(|| self.said(plain, &key(plain)))?)
            .or_else(|| {
                let text = self.labelled(text, own).or_else(|| self.noted(text, own))?;
                self.said(text, &key(text))
            })
    }

    /// Whether a text is one of the titles or a part of one, without what may be around it.
    #[must_use]
    pub fn said<'b>(&'b self, text: &'b str, own: &str) -> Option<Confirmed<'b>> {
        let named = self.named.iter().zip(&self.keys);
        let same: Vec<&Stated> = named
            .filter(|(_, key)| *key == own)
            .map(|(stated, _)| stated)
            .collect();
        let whole = same.iter().find(|stated| stated.source != "title");
        let run = self.parts.get(own);
        let other = whole.map(|stated| stated.value.as_str());
        let place = match run {
            Some(run) if run.is_first => FIRST,
            Some(run) if run.is_last && whole.is_none() => -LAST,
            _ => 0,
        };
        let score = match whole {
            Some(_) => WHOLE + i32::from(same.len() > 1),
            None => 0,
        };
        Some(Confirmed {
            text: better_cased(text, other.or(run.map(|run| run.text))?),
            score: score + place,
        })
    }

    /// The title in a heading with a few extra letters, if two sources agree on it.
    ///
    /// The extra words are for screen readers, a date or a section before it, a date or a badge
    /// after it, or a part after a separator.
    fn labelled(&self, text: &str, own: &str) -> Option<&'a str> {
        self.named.iter().zip(&self.keys).find_map(|(stated, key)| {
            let before = own.strip_suffix(key.as_str());
            let rest = before.or(own.strip_prefix(key.as_str()))?;
            let is_label = rest.chars().count() <= MAX_LABEL && !rest.is_empty();
            let is_long = key.chars().count() >= LEAST_TITLE || !key.is_ascii();
            let parts_well = match before {
                Some(_) => !ARTICLES.contains(&rest),
                None => {
                    is_note(text, key, rest)
                        || runs_by(&BORDER, text)
                            .iter()
                            .any(|run| self::key(run.text) == *key)
                }
            };
            (is_label && is_long && parts_well && self.agrees(stated, key))
                .then_some(stated.value.as_str())
        })
    }

    /// The headline in a `title`, if a heading has only a date or a badge after it.
    fn noted(&self, text: &str, own: &str) -> Option<&'a str> {
        let parts = self.parts.iter().filter(|(key, run)| {
            let rest = own.strip_prefix(key.as_str()).unwrap_or_default();
            run.is_first && !rest.is_empty() && is_note(text, key, rest)
        });
        let longest = parts.max_by_key(|(key, _)| key.len());
        longest.map(|(_, run)| run.text)
    }

    /// Whether a source of another kind has the same title.
    fn agrees(&self, stated: &Stated, key: &str) -> bool {
        let mut others = self.named.iter().zip(&self.keys);
        others.any(|(other, own)| {
            kind_of(other.source) != kind_of(stated.source)
                && (own == key || other.source == "title" && self.is_part(other, key))
        })
    }

    fn is_part(&self, stated: &Stated, part: &str) -> bool {
        runs(&stated.value).iter().any(|run| key(run.text) == part)
    }
}

/// Whether the rest of a heading after a title is a badge, a date, a number such as `#12`, or other
/// facts about the page.
fn is_note(text: &str, title: &str, rest: &str) -> bool {
    let follows = || {
        let mut spaces = text.match_indices(' ');
        let end = spaces.find(|(at, _)| key(&text[..*at]) == title);
        end.is_some_and(|(at, _)| AFTER.is_match(&text[at..]))
    };
    let is_number = || {
        let number = text.rsplit_once('#').map_or("", |(_, number)| number);
        !number.is_empty() && number == rest && rest.bytes().all(|byte| byte.is_ascii_digit())
    };
    NOTES.contains(&rest)
        || is_number()
        || follows()
        || date_span(text).is_some_and(|span| key(&text[..span.start]) == title)
}

/// The origin of a declaration: one template fills both Open Graph and Twitter.
fn kind_of(source: &str) -> &str {
    match source {
        "meta:og:title" | "meta:twitter:title" | "meta:title" => "social",
        "meta:citation_title" | "meta:dc.title" | "meta:dcterms.title" => "library",
        "json-ld:headline" | "json-ld:name" => "linked",
        other => other,
    }
}

/// A heading, or the same text from another source if the heading is all capitals.
fn better_cased<'a>(text: &'a str, other: &'a str) -> &'a str {
    let has_small = |text: &str| text.contains(char::is_lowercase);
    if !has_small(text) && has_small(other) && text.contains(char::is_uppercase) {
        other
    } else {
        text
    }
}

/// A heading without the word that announces it.
#[must_use]
pub fn without_label(text: &str) -> &str {
    let rest = LABEL.find(text).map_or(text, |label| &text[label.end()..]);
    if rest.is_empty() { text } else { rest }
}

/// The largest share of common words, relative to the shorter one of two.
#[must_use]
pub fn shared(own: &HashSet<String>, named: &[HashSet<String>]) -> f64 {
    let shares = named.iter().map(|words| {
        let least = own.len().min(words.len()).max(1);
        own.intersection(words).count() as f64 / least as f64
    });
    shares.fold(0.0, f64::max)
}

/// All runs of the parts of a text between separators.
fn runs(text: &str) -> Vec<Run<'_>> {
    runs_by(&PART, text)
}

fn runs_by<'a>(pattern: &Regex, text: &'a str) -> Vec<Run<'a>> {
    let borders: Vec<_> = pattern.find_iter(text).take(MAX_PARTS).collect();
    // a colon may be part of the headline itself
    let is_colon = |border: &&regex::Match<'_>| matches!(border.as_str().trim(), ":" | "：");
    let strong = borders.iter().find(|border| !is_colon(border));
    let ends_first = strong
        .or(borders.first())
        .is_some_and(|border| border.as_str().contains(['»', '›', '>', ':', '：']));
    let starts: Vec<usize> = std::iter::once(0)
        .chain(borders.iter().map(|border| border.end()))
        .collect();
    let ends: Vec<usize> = borders
        .iter()
        .map(|border| border.start())
        .chain([text.len()])
        .collect();
    let last = ends.len() - 1;
    let spans = (0..=last).flat_map(|start| (start..=last).map(move |end| (start, end)));
    spans
        .map(|(start, end)| {
            let (is_start, is_end) = (start == 0, end == last);
            Run {
                text: text[starts[start]..ends[end]].trim(),
                is_first: if ends_first { is_end } else { is_start },
                is_last: if ends_first { is_start } else { is_end },
            }
        })
        .collect()
}

/// A title without the name of the site at its end or start, if there is one.
///
/// Sections with the same separator are removed too: `The Hive » News » Bees`.
#[must_use]
pub fn without_site<'a>(text: &'a str, sites: &HashSet<String>) -> Option<&'a str> {
    let borders: Vec<_> = BORDER.find_iter(text).take(MAX_BORDERS).collect();
    let (first, last) = (borders.first()?, borders.last()?);
    let is_same = |border: &&regex::Match<'_>, site: &regex::Match<'_>| {
        let sign = border.as_str().trim();
        sign == site.as_str().trim() && SECTIONS.contains(&sign)
    };
    if names_site(&text[last.end()..], sites) {
        let of_site = borders
            .iter()
            .rev()
            .take_while(|border| is_same(border, last));
        let start = of_site.last().unwrap_or(last).start();
        let rest = text[..start].trim();
        // `Bees - The Hive - News of The Hive`
        let own = BORDER.find_iter(rest).last();
        let own = own.filter(|own| sites.contains(&key(&rest[own.end()..])));
        let rest = own.map_or(rest, |own| rest[..own.start()].trim());
        return Some(rest).filter(|rest| !rest.is_empty());
    }
    if !names_site(&text[..first.start()], sites) {
        // `Bees - The Hive - News`
        let mut pairs = borders.windows(2);
        let own = pairs.find(|pair| sites.contains(&key(&text[pair[0].end()..pair[1].start()])))?;
        return Some(text[..own[0].start()].trim()).filter(|rest| !rest.is_empty());
    }
    let of_site = borders.iter().take_while(|border| is_same(border, first));
    let end = of_site.last().unwrap_or(first).end();
    Some(text[end..].trim()).filter(|rest| !rest.is_empty())
}

/// A title without the name of the site before a colon: `The Hive: Bees in the city`.
///
/// `The Hive: News: Bees` is unchanged.
#[must_use]
pub fn after_site<'a>(text: &'a str, sites: &HashSet<String>) -> Option<&'a str> {
    let (first, rest) = text.split_once(": ")?;
    let is_headline = rest.trim().contains(' ') && !rest.contains(": ");
    (is_headline && sites.contains(&key(first))).then(|| rest.trim())
}

/// A title without the name of the site after a colon: `蜂が帰ってきた：蜂新聞`.
#[must_use]
pub fn before_site<'a>(text: &'a str, sites: &HashSet<String>) -> Option<&'a str> {
    let (first, last) = text.rsplit_once([':', '：'])?;
    let first = first.trim();
    (!first.is_empty() && sites.contains(&key(last))).then_some(first)
}

/// Whether a text is the name of the site, or contains it, or is a part of it.
pub fn names_site(part: &str, sites: &HashSet<String>) -> bool {
    let key = key(part);
    let is_long = |name: &str| name.chars().nth(LEAST_NAME - 1).is_some();
    sites.contains(&key)
        || sites.iter().any(|site| {
            is_long(site) && is_long(&key) && (key.contains(site.as_str()) || site.contains(&key))
        })
}

/// A title without its last part, if it has several; two words may be joined by a slash, and a
/// number names neither a site nor a page: `99 – Bees do not fly`.
#[must_use]
pub fn without_tail(text: &str) -> Option<&str> {
    let last = BORDER.find_iter(text).last()?;
    let tail = &text[last.end()..];
    let goes_on = last.as_str().trim() == "/" && tail.starts_with(char::is_lowercase)
        || !tail.contains(char::is_alphabetic);
    let rest = text[..last.start()].trim();
    (rest.contains(char::is_alphabetic) && !goes_on).then_some(rest)
}

/// A `title` as it names the page: without numbers of messages and pages, with spaces between the
/// headline and the site in Chinese.
#[must_use]
pub fn of_page(title: String) -> String {
    let mut title = title;
    if TOPIC.is_match(&title) {
        title = TOPIC.replace(&title, "").into_owned();
    }
    if title.starts_with('(') || title.contains(|sign: char| sign.is_ascii_digit()) {
        title = AROUND.replace_all(&title, "$next").into_owned();
    }
    match spaced(&title) {
        Some(spaced) => spaced,
        None => title,
    }
}

/// A title with spaces around the signs before sections and the site: `蜜蜂回来了_新闻_蜂网`.
fn spaced(title: &str) -> Option<String> {
    if title.is_ascii() || !title.contains(['_', '-']) {
        return None;
    }
    let is_long = |text: &str, least: usize| text.chars().nth(least - 1).is_some();
    let mut parts = title.split(['_', '-']).filter(|part| !part.is_empty());
    let headline = parts.next().filter(|headline| {
        is_long(headline, LEAST_HEADLINE) && headline.contains(|sign: char| !sign.is_ascii())
    })?;
    let tail = &title[headline.len()..];
    let mut parts: Vec<&str> = parts.collect();
    let site = parts.pop()?;
    let names_site =
        SITE_ENDS.iter().any(|end| site.ends_with(end)) && !is_long(site, MAX_SITE + 1);
    let are_sections = parts.iter().all(|part| !is_long(part, MAX_SECTION + 1));
    let is_parted = tail.starts_with('_') || tail.starts_with("--") || names_site && are_sections;
    let rest = tail.trim_start_matches(['_', '-']);
    is_parted.then(|| format!("{} _ {rest}", headline.trim_end()))
}

/// A title without sections of the site at its end, which are folders of the page's address or
/// follow signs such as `<`.
#[must_use]
pub fn without_sections<'a>(text: &'a str, path: &str) -> &'a str {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    let folders: Vec<String> = folders.split('/').map(key).collect();
    let borders: Vec<_> = BORDER.find_iter(text).take(MAX_BORDERS).collect();
    let signs = || borders.iter().map(|border| border.as_str().trim());
    let are_levels = signs().filter(|sign| *sign == "<").count() > 1;
    let only_sections = signs().position(|sign| sign == "_" || sign == "<" && are_levels);
    let kept = only_sections.unwrap_or(borders.len());
    let mut end = borders.get(kept).map_or(text.len(), |next| next.start());
    for border in borders[..kept].iter().rev() {
        let part = key(&text[border.end()..end]);
        if !part.contains(char::is_alphabetic) || !folders.contains(&part) {
            break;
        }
        end = border.start();
    }
    text[..end].trim()
}

#[must_use]
pub fn words(text: &str) -> HashSet<String> {
    let folded: String = folded(text).collect();
    let words = folded
        .split(|sign| !is_of_key(sign))
        .filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}
