//! Verdicts of units: block decisions of an engine, made consistent for each unit.
//!
//! An engine judges blocks; a reader sees tables, lists and sections. Each rule here changes the
//! verdicts of the blocks in one kind of unit, and records that it did.

mod consent;
mod containers;
mod controls;
mod copies;
mod dialogs;
mod events;
mod excerpts;
mod filters;
mod headings;
mod listings;
mod lists;
mod members;
mod notes;
mod pairs;
mod passages;
mod paywalls;
mod phrases;
mod placeholders;
mod promotion;
mod repeats;
mod specifications;
mod stems;
mod tables;
mod tools;
mod trackers;
mod wiki;

use std::cell::OnceCell;

use crate::engines::decider::Decider;
use crate::engines::hybrid::forest::log_odds;
use crate::engines::hybrid::roles::Convention;
use crate::engines::judgement::Judgement;
use crate::page::blocks::{Block, BlockTable, Kind};
use crate::page::elements::{Concealed, WordsAt};
use crate::page::tags::{ARTICLE, BODY, HTML, MAIN};
use crate::text::verdict::Verdict;
use crate::units::{NO_UNIT, Span, Unit, UnitKind, Units};
use stems::{Rule, Rules};

/// Limit of the log-odds of a single block.
const MOST_LOG_ODDS: f32 = 4.0;
/// Log-odds beyond which a block is clearly content or boilerplate.
const WIDE: f32 = 3.0;
/// Mean log-odds from which blocks are surely content.
const SURE: f32 = 1.0;
/// Fewest words of a block of text.
const TEXT_WORDS: f32 = 12.0;
/// Blocks next to a unit among which it is.
const NEAR: usize = 3;
/// Mean log-odds above which a unit between such blocks is kept.
const INSIDE: f32 = -2.0;
/// Most elements from a block to the box that begins with it.
const BOX_LEVELS: usize = 6;
/// Log-odds above which a block may be content, if what is next to it is.
const DOUBT: f32 = -1.0;
/// Share of the characters inside links, from which a block or a list is not text.
const LINKED: f32 = 0.3;

/// A judged page, and the changes in it.
struct Page<'a> {
    table: &'a BlockTable,
    units: &'a Units,
    /// The rules that look for names of its elements.
    rules: Rules,
    /// Words of each block.
    weights: &'a [f32],
    /// Whether comments are kept.
    comments: Convention,
    /// Log-odds of each block relative to the threshold.
    odds: Vec<f32>,
    verdicts: Vec<Verdict>,
    deciders: Vec<Decider>,
    /// The blocks with stems of some texts.
    stems: OnceCell<Vec<usize>>,
    lists: OnceCell<Vec<u32>>,
    members: OnceCell<Vec<Span>>,
}

/// What decides in a unit whose members are similar.
fn decider_of(kind: UnitKind) -> Option<Decider> {
    match kind {
        UnitKind::Thread => Some(Decider::Thread),
        UnitKind::Series => Some(Decider::Series),
        UnitKind::List | UnitKind::Definitions => Some(Decider::List),
        _ => None,
    }
}

/// Make the verdicts of a page consistent for each unit.
///
/// `weights` are the words of each block. Verdicts other than kept and boilerplate are unchanged,
/// except that comments are kept with those that are like them, if `comments` leaves them open.
pub fn settle(
    table: &BlockTable,
    weights: &[f32],
    comments: Convention,
    judgement: &mut Judgement,
) {
    let blocks = table.blocks.len();
    let has_all = [
        judgement.verdicts.len(),
        judgement.probabilities.len(),
        weights.len(),
    ]
    .iter()
    .all(|count| *count == blocks);
    if !has_all {
        return;
    }
    let units = Units::of(table);
    let mut page = Page::of(table, &units, weights, comments, judgement);
    page.settle();
    judgement.verdicts = page.verdicts;
    judgement.deciders = page.deciders;
}

impl<'a> Page<'a> {
    fn of(
        table: &'a BlockTable,
        units: &'a Units,
        weights: &'a [f32],
        comments: Convention,
        judgement: &mut Judgement,
    ) -> Self {
        let bar = log_odds(judgement.threshold.unwrap_or(0.5).clamp(0.02, 0.98));
        let odds = judgement.probabilities.iter();
        Self {
            table,
            units,
            rules: table
                .elements
                .as_ref()
                .map_or_else(Rules::default, |all| Rules::of(&all.names)),
            weights,
            comments,
            odds: odds
                .map(|p| (log_odds(*p) - bar).clamp(-MOST_LOG_ODDS, MOST_LOG_ODDS))
                .collect(),
            verdicts: std::mem::take(&mut judgement.verdicts),
            deciders: vec![Decider::Engine; table.blocks.len()],
            stems: OnceCell::new(),
            lists: OnceCell::new(),
            members: OnceCell::new(),
        }
    }

    fn settle(&mut self) {
        tables::settle(self);
        lists::settle(self);
        members::settle(self);
        listings::settle(self);
        pairs::settle(self);
        passages::settle(self);
        specifications::settle(self);
        events::settle(self);
        notes::settle(self);
        copies::settle(self);
        repeats::settle(self);
        excerpts::settle(self);
        repeats::drop_titles(self);
        dialogs::settle(self);
        promotion::keep_links(self);
        wiki::keep_boxes(self);
        promotion::drop_controls(self);
        let offers = promotion::settle(self);
        paywalls::settle(self, &offers);
        paywalls::drop_boxes(self);
        promotion::drop_rights(self);
        wiki::settle(self);
        tools::settle(self);
        filters::settle(self);
        placeholders::settle(self);
        consent::settle(self);
        headings::keep_see_also(self);
        headings::drop_players(self);
        headings::settle(self);
        headings::keep_above_text(self);
        headings::keep_dates(self);
        lists::settle_details(self);
        headings::drop_last(self);
        containers::settle(self);
    }

    fn stems(&self) -> &[usize] {
        self.stems.get_or_init(|| stems::blocks_with(self.table))
    }

    /// By element what `of` says about the words of its label with stems; nothing if no element is named
    /// for a rule, or `of` says the same about all.
    fn named<T: Copy + PartialEq>(
        &self,
        rule: Rule,
        of: impl FnMut(WordsAt<'_>) -> T,
    ) -> Option<Vec<T>> {
        let elements = self.table.elements.as_ref();
        let elements = elements.filter(|_| self.rules.has(rule))?;
        elements.by_words_at(&self.rules.places, of)
    }

    fn is_kept(&self, block: usize) -> bool {
        self.verdicts[block] == Verdict::Kept
    }

    fn keep(&mut self, block: usize, decider: Decider) {
        if self.verdicts[block] == Verdict::Boilerplate {
            self.verdicts[block] = Verdict::Kept;
            self.deciders[block] = decider;
        }
    }

    /// Judge a comment as other blocks, unless comments are dropped.
    fn open(&mut self, block: usize) {
        if self.comments == Convention::Auto && self.verdicts[block] == Verdict::Comment {
            self.verdicts[block] = Verdict::Boilerplate;
        }
    }

    fn drop(&mut self, block: usize, decider: Decider) {
        if self.verdicts[block] == Verdict::Kept {
            self.verdicts[block] = Verdict::Boilerplate;
            self.deciders[block] = decider;
        }
    }

    /// Words of a span, and how many of them are kept.
    fn words(&self, span: Span) -> (f32, f32) {
        span.blocks().fold((0.0, 0.0), |(all, kept), block| {
            let words = self.weights[block];
            (all + words, kept + self.kept_words(block))
        })
    }

    /// The words of a kept block, else 0.
    fn kept_words(&self, block: usize) -> f32 {
        if self.is_kept(block) {
            self.weights[block]
        } else {
            0.0
        }
    }

    /// Mean of the log-odds of a span, weighted by words.
    fn mean_odds(&self, span: Span) -> f32 {
        let (words, odds) = self.sums(span.blocks());
        odds / words.max(f32::MIN_POSITIVE)
    }

    /// Words of some blocks, and the sum of the log-odds of these words.
    fn sums(&self, blocks: impl Iterator<Item = usize>) -> (f32, f32) {
        blocks.fold((0.0, 0.0), |(all, odds), block| {
            let words = self.weights[block];
            (all + words, odds + words * self.odds[block])
        })
    }

    /// Whether a unit is between kept blocks of text, next to them or to their headings and labels.
    fn is_between_text(&self, unit: Span, may_be_text: impl Fn(&Block) -> bool) -> bool {
        let (first, end) = (unit.first as usize, unit.end as usize);
        self.is_text_near((0..first).rev(), &may_be_text)
            && self.is_text_near(end..self.verdicts.len(), &may_be_text)
    }

    /// Whether one of the next kept blocks is text, and none before it is dropped.
    fn is_text_near(
        &self,
        blocks: impl Iterator<Item = usize>,
        may_be_text: &impl Fn(&Block) -> bool,
    ) -> bool {
        let mut kept = blocks.take(NEAR).take_while(|block| self.is_kept(*block));
        kept.any(|block| {
            let of = &self.table.blocks[block];
            self.weights[block] >= TEXT_WORDS && of.kind != Kind::Heading && may_be_text(of)
        })
    }

    /// By block, the innermost list, thread or series that it is in an item of.
    fn lists(&self) -> &[u32] {
        self.lists.get_or_init(|| {
            let mut lists = vec![NO_UNIT; self.verdicts.len()];
            // inner units come after those around them
            for (at, unit) in self.units.all.iter().enumerate() {
                let members = self.units.members(unit).iter();
                for member in members.filter(|_| unit.kind.is_list()) {
                    // other siblings may be between them
                    lists[member.blocks()].fill(at as u32);
                }
            }
            lists
        })
    }

    /// By block, the innermost item of a list, card or post that it is in; empty if it is in none.
    fn members(&self) -> &[Span] {
        self.members.get_or_init(|| {
            let mut members = vec![Span::default(); self.verdicts.len()];
            // inner units come after those around them
            for unit in self.units.all.iter().filter(|unit| unit.kind.is_list()) {
                for member in self.units.members(unit) {
                    members[member.blocks()].fill(*member);
                }
            }
            members
        })
    }

    /// The outermost list or series that begins with a block.
    fn list_from(&self, first: usize) -> Option<Span> {
        let is_list = |unit: &&Unit| matches!(unit.kind, UnitKind::List | UnitKind::Series);
        self.units_from(first).find(is_list).map(|unit| unit.span)
    }

    /// The units that begin with a block, the outermost first.
    fn units_from(&self, first: usize) -> impl Iterator<Item = &Unit> {
        let units = &self.units.all;
        let from = units.partition_point(|unit| (unit.span.first as usize) < first);
        let begins = move |unit: &&Unit| unit.span.first as usize == first;
        units[from..].iter().take_while(begins)
    }

    /// The parts of a page that begin with a block, such as boxes, the smallest first.
    fn boxes_from(&self, first: usize) -> impl Iterator<Item = Span> {
        let spans = &self.units.spans;
        let elements = self.table.elements.as_ref();
        let row = move |at: u32| elements.and_then(|all| all.rows.get(at as usize));
        let own = elements.and_then(|all| all.of_block.get(first).copied());
        let around = std::iter::successors(own, move |at| row(*at).map(|row| row.parent));
        let is_box = move |at: &u32| {
            row(*at).is_some_and(|row| !matches!(row.tag, MAIN | ARTICLE | BODY | HTML))
        };
        let boxes = around.take(BOX_LEVELS).take_while(is_box);
        let boxes = boxes.filter_map(|at| spans.get(at as usize).copied());
        boxes.take_while(move |span| span.first as usize == first)
    }

    /// Share of the characters of a span inside links.
    fn linked(&self, span: Span) -> f32 {
        let sums = span.blocks().fold((0, 0), |(all, linked), block| {
            let chars = self.text(block).chars().count();
            let links = self.table.blocks[block].link_chars as usize;
            (all + chars, linked + links)
        });
        sums.1 as f32 / sums.0.max(1) as f32
    }

    /// Whether a block is not text but links.
    fn is_link(&self, block: usize) -> bool {
        let links = self.table.blocks[block].link_chars;
        links > 0 && links as f32 >= LINKED * self.text(block).chars().count() as f32
    }

    /// Whether the block right before one has the same path and is dropped: both are of a list.
    fn is_below_dropped(&self, block: usize) -> bool {
        let blocks = &self.table.blocks;
        block > 0 && blocks[block - 1].path == blocks[block].path && !self.is_kept(block - 1)
    }

    fn is_hidden(&self, block: usize) -> bool {
        self.concealed(block) != Concealed::No
    }

    fn concealed(&self, block: usize) -> Concealed {
        let elements = self.table.elements.as_ref();
        let row = elements.and_then(|all| all.rows.get(*all.of_block.get(block)? as usize));
        row.map_or(Concealed::No, |row| row.concealed)
    }

    /// The declared title of the page, or an empty text.
    fn title(&self) -> &'a str {
        let mut declared = self.table.declared.pairs();
        let title = declared.find(|(name, _)| *name == "title");
        title.map_or("", |(_, title)| title)
    }

    fn text(&self, block: usize) -> &'a str {
        self.table.text_of(&self.table.blocks[block])
    }
}

#[cfg(test)]
mod tests;
