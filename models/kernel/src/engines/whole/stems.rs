//! Which rules have something to look for on a page, by the names of its elements: one search for
//! all of them.

use std::sync::LazyLock;

use aho_corasick::packed::Searcher;

use super::phrases::CONSENT_STEMS;
use super::placeholders::FILLER_STEMS;
use crate::page::blocks::BlockTable;
use crate::page::elements::ends;
use crate::units::COMMENTS;

/// The end of the classes of boxes of facts in wikis; tables of this class are tables.
pub const BOX: &str = "infobox";
/// The end of the classes of labels of values.
pub const LABEL: &str = "label";
/// What the classes of numbers of votes contain.
pub const VOTE: &str = "vote";
/// Names of the elements with lines around the articles of wikis, and with notices about the state of
/// one: of MediaWiki, of its skins, and of templates.
pub const WIKI: [&str; 10] = [
    "siteSub",
    "contentSub",
    "contentSub2",
    "jump-to-nav",
    "printfooter",
    "page-header__page-subtitle",
    "page-header__actions",
    "ambox",
    "bandeau-container",
    "bandeau-article",
];
/// What the labels of events and their facts contain; the first letter may be a capital.
const EVENTS: [&str; 7] = [
    "vent",
    "venement",
    "enue",
    "rgani",
    "eranstalt",
    "ermin",
    "rrang",
];
/// Names of signatures and descriptions of functions in references of Doxygen, Javadoc and Sphinx, and
/// what they contain.
pub const MEMBERS: [&str; 16] = [
    "autosummary",
    "constantsSummary",
    "memberSummary",
    "overviewSummary",
    "packageSummary",
    "three-column-summary",
    "two-column-summary",
    "typeSummary",
    "memproto",
    "memdoc",
    "memItemLeft",
    "memItemRight",
    "memTemplParams",
    "memTemplItemLeft",
    "memTemplItemRight",
    "mdescRight",
];
const OF_MEMBERS: [&str; 8] = [
    "memproto",
    "memdoc",
    "memItem",
    "memTempl",
    "mdescR",
    "Summary",
    "autosumm",
    "column-summ",
];
/// What the labels of reports contain; four bytes are found faster than two.
const REPORTS: [&str; 9] = [
    "issue", "ticket", "bug-", "bug_", "bugz", "bz_c", "bz_f", "bz_s", "defect",
];

/// Rules that look for elements by their names.
#[derive(Clone, Copy)]
pub enum Rule {
    Box,
    Comment,
    Event,
    Field,
    Member,
    Report,
    Signature,
    Vote,
    Wiki,
}

/// The rules for which a page has names, and where these are.
#[derive(Default)]
pub struct Rules {
    has: u16,
    /// In order.
    pub places: Vec<usize>,
}

static STEMS: LazyLock<Vec<(&str, Rule)>> = LazyLock::new(|| {
    let each: [(&[&str], Rule); 9] = [
        (&[BOX], Rule::Box),
        (&COMMENTS, Rule::Comment),
        (&EVENTS, Rule::Event),
        (&[LABEL], Rule::Field),
        (&OF_MEMBERS, Rule::Member),
        (&REPORTS, Rule::Report),
        // the first letter may be a capital
        (&["ignature"], Rule::Signature),
        (&[VOTE], Rule::Vote),
        (&WIKI, Rule::Wiki),
    ];
    let stems = each.into_iter();
    stems
        .flat_map(|(stems, rule)| stems.iter().map(move |stem| (*stem, rule)))
        .collect()
});
/// Few enough for vectorised search where available.
static SEARCHER: LazyLock<Option<Searcher>> =
    LazyLock::new(|| Searcher::new(STEMS.iter().map(|(stem, _)| stem)));

/// The blocks of a page with a stem of consent or of filler text; all without vectorised search.
pub fn blocks_with(table: &BlockTable) -> Vec<usize> {
    let blocks = &table.blocks;
    let Some(stems) = TEXT_STEMS.as_ref() else {
        return (0..blocks.len()).collect();
    };
    let found = stems.find_iter(&table.text);
    let block = |start: usize| blocks.partition_point(|block| block.end as usize <= start);
    let mut with_stems: Vec<usize> = found.map(|found| block(found.start())).collect();
    with_stems.dedup();
    with_stems.retain(|block| *block < blocks.len());
    with_stems
}

/// What texts contain that ask for consent, and filler.
static TEXT_STEMS: LazyLock<Option<Searcher>> =
    LazyLock::new(|| Searcher::new(CONSENT_STEMS.iter().chain(&FILLER_STEMS)));

impl Rules {
    /// The rules for the names of a page.
    pub fn of(names: &str) -> Self {
        let mut rules = Self::default();
        match &*SEARCHER {
            Some(stems) => stems.find_iter(names).for_each(|found| {
                rules.add(STEMS[found.pattern().as_usize()].1);
                rules.places.extend(ends(&found));
            }),
            None => {
                let stems = STEMS.iter().filter(|(stem, _)| names.contains(stem));
                stems.for_each(|(_, rule)| rules.add(*rule));
                rules.places.extend(0..names.len());
            }
        }
        rules
    }

    fn add(&mut self, rule: Rule) {
        self.has |= 1 << rule as u8;
    }

    pub fn has(&self, rule: Rule) -> bool {
        self.has & 1 << rule as u8 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stem_is_found_alone_and_next_to_every_other() {
        for (stem, rule) in STEMS.iter() {
            assert!(Rules::of(stem).has(*rule), "{stem}");
            for (other, next) in STEMS.iter() {
                let rules = Rules::of(&format!("a-{stem}{other}"));
                assert!(rules.has(*rule) && rules.has(*next), "{stem}{other}");
            }
        }
        assert_eq!(Rules::of("card main-text").has, 0);
        assert_eq!(Rules::of("").has, 0);
    }
}
