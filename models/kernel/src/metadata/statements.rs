//! Statements of a page about itself, gathered once from its declarations, marks and linked data.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::addresses::Address;
use super::lines::{MAX_CHARS, MAX_LINES, key, line};
use super::linked_data::LinkedData;
use super::patterns::pattern;
use super::placeholders::is_missing;
use crate::page::blocks::{Block, BlockTable, Kind};
use crate::page::elements::{Concealed, Elements};
use crate::page::marks::Marked;
use crate::page::tags;
use crate::text::map::{HashedMap, secret};
use crate::units::is_by_readers;

/// Blocks around the headline that may have a byline. From 8 and 12 to 16 no values are better than
/// others on the half of WCXB's sites used to make the rules.
const BEFORE: usize = 8;
const AFTER: usize = 14;
/// Distance in blocks of an adjacent block from the headline, and its greatest length.
const NEXT: usize = 3;
const MAX_NEXT_BYTES: usize = 48;
/// Page types with an author and a date; empty: the engine has no types.
const WRITTEN: [&str; 4] = ["", "article", "forum", "documentation"];

/// Page types whose declared authors are wrong more often than right, on the half of WCXB's sites
/// used to make the rules.
const WITHOUT_AUTHOR: [&str; 2] = ["listing", "service"];

/// A label of the place of an event.
static PLACE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?im)(?:^|[|·•–—,;]\s)\W*(?:where|venue|location|place|wo|ort|veranstaltungsort|lieu|où|lugar|dónde|ubicación|luogo|dove",
        r"|onde|plaats|locatie|waar|plats|sted|paikka|miejsce|gdzie|místo|miesto|mjesto|locația|loc|lokasi|tempat|địa điểm|المكان|مکان|מיקום|място|место(?: проведения)?|где|місце|yer|helyszín|τόπος|場所|会場|地点|地點|장소)",
        r"\s*(?:[:：]|$)|(?:^|\s)local\s*[:：]",
    ))
});
/// Most bytes of a block with the date or the author of a comment.
const MAX_LINE_BYTES: usize = 200;
/// Fewest words of a linked title.
const LEAST_TITLE_WORDS: usize = 4;
/// Longest announcement of other articles, in bytes.
const MAX_ANNOUNCEMENT: usize = 60;
static OTHERS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)^\W*(?:(?:you (?:may|might)|also|read|see|more|most|latest|recent|related|recommended",
        r"|similar|popular|trending|other|further|next|previous|up next|don't miss)",
        r"(?:\s\p{L}+){0,2}?\s(?:articles?|posts?|stories|story|news|reads?|reading|next|also|like",
        r"|headlines|links|content|topics|viewed|shared|entries|items|coverage|now|events?|jobs?|products?|recipes?|videos?)(?:\s\p{L}+)?",
        r"|related|recommended|trending|popular|latest|more (?:from|on|in|like|about)(?:[^\w\n].*)?|read (?:more|next)",
        r"|recommended for you|you (?:may|might) (?:also )?(?:like|enjoy).*|what to read next",
        r"|(?:\d+ )?(?:comments?|responses|replies)(?: \(\d+\))?|leave a (?:reply|comment)",
        r"|(?:weitere|ähnliche|mehr|verwandte|aktuelle|neueste) (?:artikel|beiträge|themen|nachrichten|meldungen)",
        r"|das könnte (?:sie|dich) auch interessieren|lesen sie auch|mehr zum thema|meistgelesen",
        r"|(?:à lire|lire) (?:aussi|également)|articles? (?:liés|similaires|récents)|sur le même sujet",
        r"|(?:te|le) puede interesar|también te puede.*|(?:artículos|noticias) relacionad[oa]s|lee también",
        r"|leia (?:também|mais)|(?:artigos|notícias) relacionad[oa]s|veja também|leggi anche",
        r"|articoli correlati|potrebbe interessarti.*|zobacz (?:też|także|również)|czytaj (?:też|także)",
        r"|читайте также|похожие (?:статьи|новости)|по теме|関連記事|おすすめ記事|人気記事|最新記事",
        r"|相关(?:文章|阅读|新闻)|推荐阅读|相關(?:文章|閱讀|新聞)",
        r"|most (?:popular|read|viewed|shared)|archives?|upcoming (?:events?|dates)",
        r"|lees (?:ook|meer)|gerelateerde (?:artikelen|berichten)|meest gelezen|lue myös",
        r"|läs (?:också|även|mer)|relaterade artiklar|mest läst|læs også|les også|relater(?:te|ede) artikler",
        r"|[iİ]lgili (?:haberler|yazılar|içerikler)|benzer (?:haberler|yazılar)|související (?:články|zprávy)",
        r"|čtěte (?:také|též)|mohlo by vás zajímat|súvisiace články|prečítajte si aj",
        r"|kapcsolódó (?:cikkek|hírek)|olvassa el ezt is|articole (?:similare|recente)|citește și",
        r"|povezan[ei] (?:članci|vijesti|vesti|teme)|pročitajte (?:i|još)|notícies relacionades",
        r"|читайте також|схожі (?:статті|новини)|ещё по теме|още по темата|свързани (?:статии|новини)",
        r"|διαβάστε (?:επίσης|ακόμα|ακόμη|και)|σχετικά (?:άρθρα|θέματα)|(?:tin|bài viết) liên quan|xem thêm",
        r"|(?:berita|artikel) terkait|baca juga|(?:مقالات|أخبار|مواضيع) (?:ذات صلة|متعلقة)|اقرأ أيضا",
        r"|(?:مطالب|اخبار) مرتبط|כתבות (?:נוספות|קשורות)|관련 ?(?:기사|뉴스|글)|많이 본 (?:뉴스|기사)",
        r"|(?:ข่าว|บทความ)ที่เกี่ยวข้อง)\W*$",
    ))
});

/// Titles that a page declares and shows, compared with the articles in its linked data.
const MAX_TITLES: usize = 8;

/// A value and its source in the page; both empty if there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stated {
    pub value: String,
    pub source: &'static str,
}

impl Stated {
    /// A value with its source; an empty value has none.
    #[must_use]
    pub fn new(value: String, source: &'static str) -> Self {
        if value.is_empty() {
            Self::default()
        } else {
            Self { value, source }
        }
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.value.is_empty()
    }

    /// This value, or another one if it is empty.
    #[must_use]
    pub fn or_else(self, other: impl FnOnce() -> Self) -> Self {
        if self.is_empty() { other() } else { self }
    }
}

/// The part of a page that contains a block, from the elements around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Own,
    /// The header of the page, not of an article.
    Header,
    Footer,
    /// Next to the page's own text: `nav`, `aside`.
    Side,
}

/// A heading of one of the first two levels.
#[derive(Clone, Copy, Debug)]
pub struct Heading<'a> {
    pub block: usize,
    pub level: u8,
    pub text: &'a str,
    /// All of its text is a link.
    pub is_link: bool,
    /// Readers do not see it.
    pub is_hidden: bool,
}

/// The statements of one page.
pub struct Statements<'a> {
    pub table: &'a BlockTable,
    /// The first declaration of each name, by hashes of the names.
    declared: HashedMap<u64, &'a str>,
    pub linked: LinkedData,
    pub address: Address<'a>,
    pub host: String,
    /// Whether the page may have a date of its own: not a shop, not a list.
    pub is_written: bool,
    pub is_forum: bool,
    headline: Option<usize>,
    /// The first block of the list of other articles after the headline.
    others: usize,
    /// The blocks of such a list before the headline.
    others_before: Range<usize>,
    /// Whether elements are named for what readers write or for facts, as far as asked for.
    of_others: RefCell<Vec<Option<bool>>>,
    /// By parent, the number of `article` elements that the headline is not in.
    articles: OnceCell<HashMap<u32, u32>>,
    /// Whether the page is the front page of its host: then it shows metadata of other pages.
    pub is_front: bool,
    /// Whether the page has no author, against its declarations: a list, an offer or a front page.
    pub has_author: bool,
}

impl<'a> Statements<'a> {
    /// Gather them; `page_type` is the engine's, empty if it has none.
    #[must_use]
    pub fn new(url: &'a str, table: &'a BlockTable, page_type: &str) -> Self {
        let mut declared = HashedMap::default();
        for (name, value) in table.declared.pairs() {
            if !(name.starts_with("meta:") && is_missing(value)) {
                declared.entry(hash_of(name)).or_insert(value);
            }
        }
        let titles = || {
            let shown = table.blocks.iter().take(MAX_LINES);
            let shown = shown.filter(|block| block.kind == Kind::Heading && block.level == 1);
            let shown = shown.map(|block| table.text_of(block));
            let named = all(table, "meta:og:title")
                .chain(all(table, "title"))
                .chain(shown);
            named
                .take(MAX_TITLES)
                .map(|title| key(&line(title, MAX_CHARS)))
                .collect()
        };
        let address = Address::of(url);
        let is_front = address.is_front();
        Self {
            table,
            declared,
            linked: LinkedData::read(all(table, "json-ld"), url, titles),
            address,
            host: address.host(),
            is_written: WRITTEN.contains(&page_type),
            is_forum: page_type == "forum",
            is_front,
            headline: None,
            others: usize::MAX,
            others_before: 0..0,
            of_others: RefCell::default(),
            articles: OnceCell::new(),
            has_author: !is_front && !WITHOUT_AUTHOR.contains(&page_type),
        }
    }

    /// The declared value of a name, empty if there is none.
    #[must_use]
    pub fn declared(&self, name: &str) -> &'a str {
        let found = self.declared.get(&hash_of(name));
        found.copied().unwrap_or_default()
    }

    /// The first of some declarations that is a valid line.
    #[must_use]
    pub fn first(&self, names: &[&'static str], max_chars: usize) -> Stated {
        let mut found = names
            .iter()
            .map(|name| Stated::new(line(self.declared(name), max_chars), name));
        found.find(|stated| !stated.is_empty()).unwrap_or_default()
    }

    /// The marks with some names, each with its name.
    pub fn marked(
        &self,
        names: &'static [&'static str],
    ) -> impl Iterator<Item = (&'static str, &'a Marked)> + use<'a> {
        let marks = self.table.marks.all().iter();
        marks.filter_map(|mark| {
            let name = names.iter().find(|name| **name == mark.name)?;
            Some((*name, mark))
        })
    }

    /// The lines of a heading, its inline elements, and the texts before and after these.
    pub fn parts(&self, heading: usize) -> impl Iterator<Item = &'a str> + use<'a> {
        let block = &self.table.blocks[heading];
        let text = self.table.text_of(block);
        let marks = self.marked(&["part"]);
        let marks = marks.filter(move |(_, mark)| mark.block as usize == heading);
        let inner = marks.flat_map(move |(_, mark)| {
            let at = mark.at.saturating_sub(block.start) as usize;
            let (before, rest) = text.split_at_checked(at).unwrap_or_default();
            let after = rest.trim_start().strip_prefix(mark.value.as_str());
            [before, mark.value.as_str(), after.unwrap_or_default()]
        });
        text.split('\n')
            .chain(inner)
            .filter(move |part| part.trim() != text)
    }

    /// The headings of the first two levels.
    pub fn headings(&self) -> impl Iterator<Item = Heading<'a>> + use<'a> {
        let table = self.table;
        let headings = table
            .blocks
            .iter()
            .enumerate()
            .filter(|(_, block)| block.kind == Kind::Heading && block.level <= 2);
        headings.map(|(order, block)| Heading {
            block: order,
            level: block.level,
            text: table.text_of(block),
            is_link: block.link_chars as usize >= table.text_of(block).chars().count(),
            is_hidden: is_hidden(table, order),
        })
    }

    /// The part of the page that contains a block; an unknown block is in the page's own part.
    #[must_use]
    pub fn part(&self, block: usize) -> Part {
        let table = self.table;
        let mut at = table.blocks.get(block).map(|block| block.path);
        let mut part = Part::Own;
        while let Some(path) = at {
            part = match table.paths.tag(path) {
                tags::NAV | tags::ASIDE => return Part::Side,
                tags::ARTICLE => return Part::Own,
                tags::MAIN if part == Part::Header => return Part::Own,
                tags::FOOTER => Part::Footer,
                tags::HEADER => Part::Header,
                _ => part,
            };
            at = table.paths.parent(path);
        }
        part
    }

    /// The lines around a headline, limited in number: those after it, then those before it,
    /// upwards.
    ///
    /// Lines outside the page's own text, in its footer or among other articles are left out.
    #[must_use]
    pub fn beside(&self, headline: Option<usize>) -> Vec<&'a str> {
        let Some(headline) = headline else {
            return Vec::new();
        };
        let end = (headline + 1 + AFTER).min(self.table.blocks.len());
        let after = headline + 1..end;
        let before = (headline.saturating_sub(BEFORE)..=headline).rev();
        let own = after.chain(before).filter(|block| self.is_own(*block));
        let blocks = own.filter_map(|block| self.table.blocks.get(block));
        blocks
            .flat_map(|block| self.table.text_of(block).split('\n'))
            .take(MAX_LINES)
            .collect()
    }

    /// Whether a block may have the author and date of the page.
    #[must_use]
    pub fn is_own(&self, block: usize) -> bool {
        self.is_before_others(block)
            && match self.part(block) {
                Part::Own => true,
                // above an article the header of the site has the day of the visit
                Part::Header => self
                    .headline
                    .is_none_or(|headline| block > headline || self.part(headline) == Part::Header),
                Part::Footer => false,
                Part::Side => self.is_next_to_headline(block),
            }
            && self
                .table
                .blocks
                .get(block)
                .is_none_or(|block| block.kind != Kind::Caption)
            && !self.is_of_others(block)
    }

    /// Whether a block is in a comment, a review, a box of facts, or one of several articles, that
    /// the headline is not in.
    #[must_use]
    pub fn is_of_others(&self, block: usize) -> bool {
        // paragraphs have no date of their own
        let is_line = |block: &Block| (block.end - block.start) as usize <= MAX_LINE_BYTES;
        let is_asked = !self.is_forum && self.table.blocks.get(block).is_some_and(is_line);
        let Some(elements) = self.table.elements.as_ref().filter(|_| is_asked) else {
            return false;
        };
        let of = |block: usize| elements.of_block.get(block).copied().unwrap_or_default();
        let own = of(block);
        let headline = self.headline.map_or(0, of);
        let around = elements.around(own, headline);
        let is_of_several = |at: u32| {
            let row = &elements.rows[at as usize];
            let articles = || {
                self.articles
                    .get_or_init(|| articles_without(elements, headline))
            };
            row.tag == tags::ARTICLE && articles().get(&row.parent).is_some_and(|count| *count > 1)
        };
        let mut known = self.of_others.borrow_mut();
        known.resize(elements.rows.len(), None);
        let mut inner = elements.with_parents(own).take_while(|at| *at != around);
        inner.any(|at| {
            let label = elements.text(elements.rows[at as usize].label);
            let is_box = || label.split(' ').any(|word| word.ends_with("infobox"));
            *known[at as usize]
                .get_or_insert_with(|| is_by_readers(label) || is_box() || is_of_several(at))
        })
    }

    /// Whether a short block is right before or after the headline, like a date in the `aside` of
    /// some themes.
    fn is_next_to_headline(&self, block: usize) -> bool {
        let bytes = |order: usize| {
            let block = self.table.blocks.get(order);
            block.map_or(usize::MAX, |block| (block.end - block.start) as usize)
        };
        let Some(headline) = self.headline.filter(|line| line.abs_diff(block) <= NEXT) else {
            return false;
        };
        let mut between = headline.min(block) + 1..headline.max(block);
        bytes(block) <= MAX_NEXT_BYTES && between.all(|order| bytes(order) <= MAX_NEXT_BYTES)
    }

    /// Whether a block next to this one, or this one, says where something takes place.
    #[must_use]
    pub fn is_next_to_place(&self, block: usize) -> bool {
        let table = self.table;
        let end = (block + NEXT + 1).min(table.blocks.len());
        let near = table.blocks.get(block.saturating_sub(NEXT)..end);
        let mut near = near.unwrap_or_default().iter();
        near.any(|block| {
            (block.end - block.start) as usize <= MAX_LINE_BYTES
                && PLACE.is_match(table.text_of(block))
        })
    }

    /// Whether a line of the page's text is in such a block.
    #[must_use]
    pub fn is_own_line(&self, line: &str) -> bool {
        self.block_of(line).is_some_and(|block| self.is_own(block))
    }

    /// The block of a line of the page's text.
    #[must_use]
    pub fn block_of(&self, line: &str) -> Option<usize> {
        let start = line.as_ptr() as usize - self.table.text.as_ptr() as usize;
        let blocks = &self.table.blocks;
        let after = blocks.partition_point(|block| block.start as usize <= start);
        after.checked_sub(1)
    }

    /// Whether a block is not in a list of other articles, nor after it.
    #[must_use]
    pub fn is_before_others(&self, block: usize) -> bool {
        block < self.others && !self.others_before.contains(&block)
    }

    /// Set the place of the headline: other articles may follow it.
    #[must_use]
    pub fn with_headline(mut self, headline: Option<usize>) -> Self {
        self.headline = headline;
        if let (Some(headline), false) = (headline, self.is_forum) {
            self.others = others_after(self.table, headline);
            self.others_before = others_before(self.table, headline).unwrap_or_default();
        }
        self
    }
}

/// By parent, the number of `article` elements that an element is not in.
fn articles_without(elements: &Elements, inside: u32) -> HashMap<u32, u32> {
    let around: Vec<u32> = elements.with_parents(inside).collect();
    let mut counts = HashMap::new();
    for (at, row) in (0..).zip(&elements.rows) {
        if row.tag == tags::ARTICLE && !around.contains(&at) {
            *counts.entry(row.parent).or_default() += 1;
        }
    }
    counts
}

/// The first block after the headline that announces other articles or readers' comments.
fn others_after(table: &BlockTable, headline: usize) -> usize {
    let mut blocks = headline + 1..table.blocks.len();
    let announcing = blocks.find(|order| is_announcement(table, *order));
    announcing.unwrap_or(usize::MAX)
}

/// The blocks of a box right before the headline that begins with an announcement of other articles
/// and has a link to one; a word such as "Latest" alone is the section of the page.
fn others_before(table: &BlockTable, headline: usize) -> Option<Range<usize>> {
    let elements = table.elements.as_ref()?;
    let mut near = (headline.saturating_sub(BEFORE)..headline).rev();
    let first = near.find(|order| is_announcement(table, *order))?;
    let linked = (first + 1..headline).find(|order| {
        let block = &table.blocks[*order];
        let text = table.text_of(block);
        block.link_chars > 0 && text.split_whitespace().count() >= LEAST_TITLE_WORDS
    })?;
    let around = |one: usize, other: usize| {
        let of = |block: usize| elements.of_block.get(block).copied();
        Some(elements.around(of(one)?, of(other)?))
    };
    let own = around(first, linked)?;
    let is_inside = |order: &usize| around(first, *order) == Some(own);
    if around(first, headline)? == own {
        return Some(first..linked + 1);
    }
    let end = (linked + 1..headline).take_while(is_inside).last();
    Some(first..end.unwrap_or(linked) + 1)
}

fn is_hidden(table: &BlockTable, block: usize) -> bool {
    let elements = table.elements.as_ref();
    let row = elements.and_then(|all| all.rows.get(*all.of_block.get(block)? as usize));
    row.is_some_and(|row| row.concealed != Concealed::No)
}

fn is_announcement(table: &BlockTable, order: usize) -> bool {
    let block = &table.blocks[order];
    (block.end - block.start) as usize <= MAX_ANNOUNCEMENT && OTHERS.is_match(table.text_of(block))
}

/// Keyed by a secret, so a page with thousands of names cannot cause collisions.
fn hash_of(name: &str) -> u64 {
    xxh3_64_with_seed(name.as_bytes(), secret())
}

/// All declarations of a name.
pub fn all<'a>(table: &'a BlockTable, wanted: &str) -> impl Iterator<Item = &'a str> {
    let pairs = table.declared.pairs();
    pairs.filter_map(move |(name, value)| (name == wanted).then_some(value))
}

/// Whether a mark is near a headline.
#[must_use]
pub fn is_beside(mark: &Marked, headline: Option<usize>) -> bool {
    let block = mark.block as usize;
    headline.is_some_and(|headline| headline <= block + BEFORE && block <= headline + AFTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_other_articles_are_announced() {
        for text in [
            "Related",
            "Similar events nearby",
            "You may also like",
            "More from The Hive!",
            "More on:",
            "Latest",
            "Latest news",
            "Read more",
            "Ähnliche Artikel",
            "Читайте также:",
            "関連記事",
        ] {
            assert!(OTHERS.is_match(text), "{text}");
        }
        for text in [
            "Moreover",
            "More fromages",
            "More on\nthe bees",
            "More aboutµ",
            "Seestories",
            "Related bees",
            "Latest bees of the town",
        ] {
            assert!(!OTHERS.is_match(text), "{text}");
        }
    }
}
