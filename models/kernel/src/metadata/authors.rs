//! The author of a page, from the first source with a name.

use std::collections::HashSet;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use regex::Regex;

use super::headline::site_keys;
use super::lines::{MAX_LINES, folded, is_longer, key};
use super::names::{declared_author, is_login, marked_author, seen_author};
use super::patterns::{pattern, words};
use super::people::{given_first, is_family_first, joined};
use super::statements::{Part, Stated, Statements, all, is_beside};
use super::titles::names_site;
use crate::page::marks::Marked;
use crate::page::tags;

/// Declarations of the author, which the hybrid engine reads too: it is trained with them.
pub const NAMES: [&str; 10] = [
    "meta:author",
    "meta:article:author",
    "meta:dc.creator",
    "meta:dcterms.creator",
    "meta:parsely-author",
    "meta:sailthru.author",
    "meta:article:author_name",
    "meta:og:author",
    "meta:byl",
    "meta:cxenseparse:author",
];
/// More of them.
const MORE_NAMES: [&str; 16] = [
    "meta:dc:creator",
    "meta:dcterms:creator",
    "meta:dc.creator.personalname",
    "meta:article:author:name",
    "meta:og:article:author",
    "meta:article.author",
    "meta:authors",
    "meta:author_name",
    "meta:articleauthor",
    "meta:article_author",
    "meta:creator",
    "meta:byline",
    "meta:rnews:author",
    "meta:rbauthors",
    "meta:lp.article:author",
    "meta:book:author",
];
/// The authors of papers: one declaration each, or all of them separated by `;`.
const CITED: [&str; 4] = [
    "meta:citation_author",
    "meta:citation_authors",
    "meta:bepress_citation_author",
    "meta:eprints.creators_name",
];
const CARDS: [(&str, &str); 2] = [
    ("meta:twitter:label1", "meta:twitter:data1"),
    ("meta:twitter:label2", "meta:twitter:data2"),
];
/// Their labels for the author, in the languages of WordPress.
const CARD_LABELS: [&str; 27] = [
    "written by",
    "author",
    "verfasst von",
    "écrit par",
    "escrito por",
    "escrit per",
    "scritto da",
    "geschreven door",
    "napisane przez",
    "skriven av",
    "skrevet av",
    "skrevet af",
    "kirjoittanut",
    "napsal(a)",
    "autor",
    "szerző",
    "scris de",
    "yazan",
    "yazar",
    "συντάχθηκε από",
    "написано автором",
    "автор",
    "ditulis oleh",
    "được viết bởi",
    "كُتب بواسطة",
    "執筆者",
    "作者",
];
static LABEL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\W*(?:(?:written|posted|published)\s+)?(?:by|author|von|par|por|(?:thread|topic) (?:starter|author)|original poster)\W*$",
    )
});
/// Words in lines far from the headline that name the author.
static FAR: LazyLock<AhoCorasick> = LazyLock::new(|| {
    words(&[
        "ritten by",
        "Written By",
        "WRITTEN BY",
        "osted by",
        "Posted By",
        "uthor:",
        "AUTHOR:",
        "By:",
        "BY:",
        "erfasst von",
        "utor:",
        "utorin:",
        "uteur:",
        "uteur :",
    ])
});
const MAX_FAR_BYTES: usize = 100;
const MAX_BYLINE: usize = 200;

/// The names, in the page's spelling.
///
/// A page that is not a text by a person has only its declared author. The name of an account is
/// used only without another name, and the name of the site only without an account: personal sites
/// have their author's name, but companies put their name on texts by others.
#[must_use]
pub fn author_of(statements: &Statements<'_>, headline: Option<usize>) -> Stated {
    if !statements.has_author {
        return Stated::default();
    }
    let mut choice = Choice::new(statements);
    let _is_named = declared(statements, &mut choice)
        || (statements.is_written && shown(statements, headline, &mut choice));
    choice.best()
}

/// The first name, the first account name, and the first name that is also the site's.
struct Choice {
    sites: HashSet<String>,
    /// Members of a forum are known by their account names.
    is_forum: bool,
    named: Stated,
    account: Stated,
    site: Stated,
}

impl Choice {
    fn new(statements: &Statements<'_>) -> Self {
        Self {
            sites: site_keys(statements),
            is_forum: statements.is_forum,
            named: Stated::default(),
            account: Stated::default(),
            site: Stated::default(),
        }
    }

    /// Add an author; returns whether a better one is impossible.
    fn offer(&mut self, name: String, source: &'static str) -> bool {
        let name = without_site(name, &self.sites);
        if name.is_empty() {
            return false;
        }
        let is_site = self.sites.contains(&key(&name));
        let is_account = !self.is_forum && is_login(&name);
        let place = match (is_site, is_account) {
            (true, _) => &mut self.site,
            (_, true) => &mut self.account,
            _ => &mut self.named,
        };
        if place.is_empty() {
            *place = Stated::new(name, source);
        }
        !is_site && !is_account
    }

    fn best(self) -> Stated {
        self.named.or_else(|| self.account).or_else(|| self.site)
    }
}

/// Names without the site's name after them: `Ann Bee, The Hive`.
fn without_site(names: String, sites: &HashSet<String>) -> String {
    match names.rsplit_once(',') {
        Some((first, last)) if first.contains(' ') && names_site(last, sites) => first.to_owned(),
        _ => names,
    }
}

fn declared(statements: &Statements<'_>, choice: &mut Choice) -> bool {
    let card = CARDS.into_iter().find(|(label, _)| {
        let label: String = folded(statements.declared(label)).collect();
        CARD_LABELS.contains(&label.trim_end_matches([':', ' ']))
    });
    let linked = statements.linked.authors.iter().map(String::as_str);
    choice.offer(joined(linked.map(declared_author)), "json-ld:author")
        || CITED
            .into_iter()
            .any(|name| choice.offer(cited(statements, name), name))
        || NAMES
            .into_iter()
            .chain(MORE_NAMES)
            .any(|name| choice.offer(declarations(statements, name), name))
        || card.is_some_and(|(_, name)| choice.offer(declarations(statements, name), name))
}

/// The authors in all declarations with a name.
fn declarations(statements: &Statements<'_>, name: &str) -> String {
    if statements.declared(name).is_empty() {
        return String::new(); // most fields of most pages
    }
    let is_of_library = name.starts_with("meta:dc");
    let names = all(statements.table, name).map(|text| {
        let name = declared_author(text);
        if is_of_library && is_family_first(&name) {
            given_first(&name)
        } else {
            name
        }
    });
    joined(names)
}

/// The authors of a paper, whose declarations may have the family name first.
fn cited(statements: &Statements<'_>, name: &str) -> String {
    if statements.declared(name).is_empty() {
        return String::new();
    }
    let names = all(statements.table, name).flat_map(|text| text.split(';'));
    joined(names.map(|name| given_first(&declared_author(name))))
}

fn shown(statements: &Statements<'_>, headline: Option<usize>, choice: &mut Choice) -> bool {
    let lines = statements.beside(headline);
    let is_own = |(_, mark): &(&str, &Marked)| statements.is_own(mark.block as usize);
    // some themes have the byline in an `aside`
    let is_here = |(_, mark): &(&str, &Marked)| {
        is_beside(mark, headline)
            && statements.is_before_others(mark.block as usize)
            && !statements.is_of_others(mark.block as usize)
            && !is_one_of_several(statements, mark)
    };
    let by_property = statements.marked(&["itemprop:author", "itemprop:creator"]);
    let by_rel = || statements.marked(&["rel:author"]);
    let by_class = statements.marked(&["class:author"]);
    let mut offer = |name: String, source| choice.offer(name, source);
    let is_labelled = lines
        .windows(2)
        .any(|pair| LABEL.is_match(pair[0]) && offer(marked_author(pair[1]), "byline"));
    is_labelled
        || marked(statements, by_property.filter(is_here), &mut offer)
        || marked(statements, by_rel().filter(is_here), &mut offer)
        || marked(
            statements,
            by_class.filter(|mark| is_here(mark) && !signs_quote(statements, mark.1)),
            &mut offer,
        )
        || lines
            .iter()
            .any(|text| !is_longer(text, MAX_BYLINE) && offer(seen_author(text), "byline"))
        || marked(statements, by_rel().filter(is_own), &mut offer)
        || statements
            .table
            .lines_with(&FAR, MAX_FAR_BYTES)
            .take(MAX_LINES)
            .any(|text| offer(seen_author(text), "byline"))
}

/// Whether a mark names the author of a quotation, in it or right after it.
fn signs_quote(statements: &Statements<'_>, mark: &Marked) -> bool {
    let table = statements.table;
    let block = mark.block as usize;
    let is_quote = |block: usize| {
        let path = table.blocks.get(block).map(|block| block.path);
        let mut around = std::iter::successors(path, |path| table.paths.parent(*path));
        around.any(|path| table.paths.tag(path) == tags::BLOCKQUOTE)
    };
    is_quote(block) || block.checked_sub(1).is_some_and(is_quote)
}

/// Whether an `aside` marks others in other blocks: the authors of other articles.
fn is_one_of_several(statements: &Statements<'_>, mark: &Marked) -> bool {
    let is_aside = |mark: &Marked| statements.part(mark.block as usize) == Part::Side;
    let is_other = |other: &&Marked| {
        other.name == mark.name && other.block != mark.block && other.value != mark.value
    };
    let mut others = statements.table.marks.all().iter().filter(is_other);
    is_aside(mark) && others.any(is_aside)
}

/// Offer the marked names, all names of one block together: except in an `aside`, which may name
/// others too, and by a class, which roles have too.
fn marked<'a>(
    statements: &Statements<'_>,
    marks: impl Iterator<Item = (&'static str, &'a Marked)>,
    offer: &mut impl FnMut(String, &'static str) -> bool,
) -> bool {
    let mut marks = marks.peekable();
    while let Some((source, mark)) = marks.next() {
        let is_joined = |(name, other): &(&str, &Marked)| {
            other.block == mark.block
                && !name.starts_with("class:")
                && statements.part(mark.block as usize) != Part::Side
        };
        let mut names = vec![marked_author(&mark.value)];
        while let Some((_, other)) = marks.next_if(is_joined) {
            names.push(marked_author(&other.value));
        }
        let name = match names.len() {
            1 => names.remove(0),
            _ => joined(names.into_iter()),
        };
        if offer(name, source) {
            return true;
        }
    }
    false
}
