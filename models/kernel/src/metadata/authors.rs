//! Who wrote a page, by the first source that names somebody.

use std::collections::HashSet;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use regex::Regex;

use super::headline::{key, names_site, site_keys};
use super::lines::{MAX_LINES, is_longer};
use super::names::{declared_author, is_login, marked_author, seen_author};
use super::patterns::{pattern, words};
use super::statements::{Stated, Statements, all, is_beside};
use crate::page::marks::Marked;

/// Declarations that name who wrote the page.
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
const CITED: &str = "meta:citation_author";
const CARDS: [(&str, &str); 2] = [
    ("meta:twitter:label1", "meta:twitter:data1"),
    ("meta:twitter:label2", "meta:twitter:data2"),
];
static LABEL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\W*(?:(?:written|posted|published)\s+)?(?:by|author|von|par|por|(?:thread|topic) (?:starter|author)|original poster)\W*$",
    )
});
/// What lines far from the headline that name the author hold.
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

/// The names, as the page writes them.
///
/// A page that is no text somebody wrote has the author that it declares. The name of an account is
/// taken where no other name stands, and that of the site itself where not even an account does:
/// people's own sites bear their name, but companies sign with theirs what somebody else wrote.
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

/// The first name, the first that only an account has, and the first that the site bears too.
struct Choice {
    sites: HashSet<String>,
    /// Members of a forum are known by the names of their accounts.
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

    /// Take an author in; say whether nothing better can come.
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

/// Names without the site's behind them: `Ann Bee, The Hive`.
fn without_site(names: String, sites: &HashSet<String>) -> String {
    match names.rsplit_once(',') {
        Some((first, last)) if first.contains(' ') && names_site(last, sites) => first.to_owned(),
        _ => names,
    }
}

fn declared(statements: &Statements<'_>, choice: &mut Choice) -> bool {
    let card = CARDS.into_iter().find(|(label, _)| {
        let label = statements.declared(label);
        label.eq_ignore_ascii_case("written by")
    });
    choice.offer(declared_author(&statements.linked.author), "json-ld:author")
        || choice.offer(cited(statements), CITED)
        || NAMES
            .into_iter()
            .any(|name| choice.offer(declared_author(statements.declared(name)), name))
        || card
            .is_some_and(|(_, name)| choice.offer(declared_author(statements.declared(name)), name))
}

/// The authors of a paper: one declaration each, the family's name first.
fn cited(statements: &Statements<'_>) -> String {
    let names = all(statements.table, CITED).map(|text| {
        let name = declared_author(text);
        match name.split_once(", ") {
            Some((family, given)) if !given.contains(',') => format!("{given} {family}"),
            _ => name,
        }
    });
    let names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
    names.join(", ")
}

fn shown(statements: &Statements<'_>, headline: Option<usize>, choice: &mut Choice) -> bool {
    let lines = statements.beside(headline);
    let is_here = |(_, mark): &(&str, &Marked)| is_beside(mark, headline);
    let by_property = statements.marked(&["itemprop:author", "itemprop:creator"]);
    let by_rel = || statements.marked(&["rel:author"]);
    let by_class = statements.marked(&["class:author"]);
    let mut offer = |name: String, source| choice.offer(name, source);
    let is_labelled = lines
        .windows(2)
        .any(|pair| LABEL.is_match(pair[0]) && offer(marked_author(pair[1]), "byline"));
    is_labelled
        || marked(by_property.filter(is_here), &mut offer)
        || marked(by_rel().filter(is_here), &mut offer)
        || marked(by_class.filter(is_here), &mut offer)
        || lines
            .iter()
            .any(|text| !is_longer(text, MAX_BYLINE) && offer(seen_author(text), "byline"))
        || marked(by_rel(), &mut offer)
        || statements
            .table
            .lines_with(&FAR, MAX_FAR_BYTES)
            .take(MAX_LINES)
            .any(|text| offer(seen_author(text), "byline"))
}

fn marked<'a>(
    mut marks: impl Iterator<Item = (&'static str, &'a Marked)>,
    offer: &mut impl FnMut(String, &'static str) -> bool,
) -> bool {
    marks.any(|(name, mark)| offer(marked_author(&mark.value), name))
}
