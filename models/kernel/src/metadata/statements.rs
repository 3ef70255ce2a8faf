//! What a page states about itself, gathered once from its declarations, marks and linked data.

use std::collections::HashMap;

use super::addresses::Address;
use super::lines::{MAX_LINES, line};
use super::linked_data::LinkedData;
use crate::page::blocks::{BlockTable, Kind};
use crate::page::marks::Marked;

/// Blocks around the headline in which a byline stands. Of 8 and 12 to 16 none is better than
/// another on the half of WCXB's sites that served for making the rules.
const BEFORE: usize = 8;
const AFTER: usize = 14;
/// What has an author and a date, of the types that an engine tells apart; empty: it does not.
const WRITTEN: [&str; 4] = ["", "article", "forum", "documentation"];

/// Types of pages whose declared authors are wrong more often than right, on the half of WCXB's sites
/// that served for making the rules.
const WITHOUT_AUTHOR: [&str; 2] = ["listing", "service"];

/// A value and where the page says it; both empty if it says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stated {
    pub value: String,
    pub source: &'static str,
}

impl Stated {
    /// A value with its source; an empty one has none.
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

/// A heading of one of the first two levels.
#[derive(Clone, Copy, Debug)]
pub struct Heading<'a> {
    pub block: usize,
    pub level: u8,
    pub text: &'a str,
}

/// The statements of one page.
pub struct Statements<'a> {
    pub table: &'a BlockTable,
    /// The first declaration of each name.
    declared: HashMap<&'a str, &'a str>,
    pub linked: LinkedData,
    pub address: Address<'a>,
    pub host: String,
    /// The page may have a date of its own: it is no shop and no list.
    pub is_written: bool,
    pub is_forum: bool,
    /// Nobody is the author of a list, of an offer or of a front page, whatever it declares.
    pub has_author: bool,
}

impl<'a> Statements<'a> {
    /// Gather them; `page_type` is what an engine takes the page for, empty if it tells no types.
    #[must_use]
    pub fn new(url: &'a str, table: &'a BlockTable, page_type: &str) -> Self {
        let mut declared = HashMap::new();
        for (name, value) in table.declared.pairs() {
            declared.entry(name).or_insert(value);
        }
        let address = Address::of(url);
        let is_front = !url.is_empty() && matches!(address.path, "" | "/");
        Self {
            table,
            declared,
            linked: LinkedData::read(all(table, "json-ld")),
            address,
            host: address.host(),
            is_written: WRITTEN.contains(&page_type),
            is_forum: page_type == "forum",
            has_author: !is_front && !WITHOUT_AUTHOR.contains(&page_type),
        }
    }

    /// What the page declares under a name, empty if nothing.
    #[must_use]
    pub fn declared(&self, name: &str) -> &'a str {
        self.declared.get(name).copied().unwrap_or_default()
    }

    /// The first declaration of some that is a line.
    #[must_use]
    pub fn first(&self, names: &[&'static str], max_chars: usize) -> Stated {
        let mut found = names
            .iter()
            .map(|name| Stated::new(line(self.declared(name), max_chars), name));
        found.find(|stated| !stated.is_empty()).unwrap_or_default()
    }

    /// The marks of some names, each with its name.
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
        })
    }

    /// The lines around a headline, the first of many: those behind it, then those before it, upwards.
    #[must_use]
    pub fn beside(&self, headline: Option<usize>) -> Vec<&'a str> {
        let Some(headline) = headline else {
            return Vec::new();
        };
        let table = self.table;
        let blocks = |first: usize, end: usize| {
            let end = end.min(table.blocks.len());
            table.blocks.get(first..end).unwrap_or_default().iter()
        };
        let after = blocks(headline + 1, headline + 1 + AFTER);
        let before = blocks(headline.saturating_sub(BEFORE), headline + 1);
        let around = after.chain(before.rev());
        around
            .flat_map(|block| table.text_of(block).split('\n'))
            .take(MAX_LINES)
            .collect()
    }
}

/// All declarations of a name.
pub fn all<'a>(table: &'a BlockTable, wanted: &str) -> impl Iterator<Item = &'a str> {
    let pairs = table.declared.pairs();
    pairs.filter_map(move |(name, value)| (name == wanted).then_some(value))
}

/// Whether a mark stands by a headline.
#[must_use]
pub fn is_beside(mark: &Marked, headline: Option<usize>) -> bool {
    let block = mark.block as usize;
    headline.is_some_and(|headline| headline <= block + BEFORE && block <= headline + AFTER)
}
