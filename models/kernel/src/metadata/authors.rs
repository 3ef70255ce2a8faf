//! Who wrote a page, by the first source that names somebody.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use regex::Regex;

use super::lines::is_longer;
use super::names::{declared_author, is_login, marked_author, seen_author};
use super::patterns::{pattern, words};
use super::statements::{Stated, Statements, is_beside};
use crate::page::marks::Marked;

const NAMES: [&str; 11] = [
    "meta:author",
    "meta:article:author",
    "meta:dc.creator",
    "meta:dcterms.creator",
    "meta:parsely-author",
    "meta:sailthru.author",
    "meta:citation_author",
    "meta:article:author_name",
    "meta:og:author",
    "meta:byl",
    "meta:cxenseparse:author",
];
const CARD_LABEL: &str = "meta:twitter:label1";
const CARD_VALUE: &str = "meta:twitter:data1";
static LABEL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)^\W*(?:(?:written|posted|published)\s+)?(?:by|author|von|par|por)\W*$")
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
/// taken where no other name stands.
#[must_use]
pub fn author_of(statements: &Statements<'_>, headline: Option<usize>) -> Stated {
    let mut choice = Choice::default();
    if !statements.has_author {
        return choice.named;
    }
    let has_one = declared(statements, &mut choice)
        || (statements.is_written && shown(statements, headline, &mut choice));
    if has_one {
        choice.named
    } else {
        choice.account
    }
}

/// The first name, and the first that only an account has.
#[derive(Default)]
struct Choice {
    named: Stated,
    account: Stated,
}

impl Choice {
    /// Take an author in; say whether nothing better can come.
    fn offer(&mut self, name: String, source: &'static str) -> bool {
        if name.is_empty() {
            return false;
        }
        let is_account = is_login(&name);
        let place = if is_account {
            &mut self.account
        } else {
            &mut self.named
        };
        if place.is_empty() {
            *place = Stated::new(name, source);
        }
        !is_account
    }
}

fn declared(statements: &Statements<'_>, choice: &mut Choice) -> bool {
    let has_card = statements
        .declared(CARD_LABEL)
        .eq_ignore_ascii_case("written by");
    choice.offer(declared_author(&statements.linked.author), "json-ld:author")
        || NAMES
            .into_iter()
            .any(|name| choice.offer(declared_author(statements.declared(name)), name))
        || (has_card && choice.offer(declared_author(statements.declared(CARD_VALUE)), CARD_VALUE))
}

fn shown(statements: &Statements<'_>, headline: Option<usize>, choice: &mut Choice) -> bool {
    let lines = statements.beside(headline);
    let by_property = statements.marked(&["itemprop:author", "itemprop:creator"]);
    let by_rel = || statements.marked(&["rel:author"]);
    let by_class = || statements.marked(&["class:author"]);
    let is_here = |(_, mark): &(&str, &Marked)| is_beside(mark, headline);
    let mut offer = |name: String, source| choice.offer(name, source);
    marked(by_property, &mut offer)
        || marked(by_rel().filter(is_here), &mut offer)
        || lines
            .windows(2)
            .any(|pair| LABEL.is_match(pair[0]) && offer(marked_author(pair[1]), "byline"))
        || marked(by_class().filter(is_here), &mut offer)
        || lines
            .iter()
            .any(|text| !is_longer(text, MAX_BYLINE) && offer(seen_author(text), "byline"))
        || marked(by_rel(), &mut offer)
        || statements
            .table
            .lines_with(&FAR, MAX_FAR_BYTES)
            .into_iter()
            .any(|text| offer(seen_author(text), "byline"))
        || marked(by_class(), &mut offer)
}

fn marked<'a>(
    mut marks: impl Iterator<Item = (&'static str, &'a Marked)>,
    offer: &mut impl FnMut(String, &'static str) -> bool,
) -> bool {
    marks.any(|(name, mark)| offer(marked_author(&mark.value), name))
}
