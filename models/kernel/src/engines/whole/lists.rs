//! Lists, threads and series: similar blocks are kept or dropped together.

use super::stems::Rule;
use super::{DOUBT, Decider, INSIDE, Page, SURE, WIDE, decider_of, trackers};
use crate::engines::hybrid::roles::Convention;
use crate::page::elements::{Element, Elements};
use crate::page::tags::{DD, DT, LI};
use crate::text::hash::{append, token};
use crate::text::map::HashedMap;
use crate::text::verdict::Verdict;
use crate::units::{Labels, NO_UNIT, Span, UnitKind, is_comment, is_post};

/// Elements from a text up to the comment that it is in.
const LEVELS: usize = 3;
/// Most words of a detail of a post in a list, and fewest of blocks like its text, on average.
const DETAIL_WORDS: f32 = 3.0;
const MEAN_WORDS: f32 = 6.0;
/// Most bytes of a line that items repeat, and fewest items that have it.
const LINE_BYTES: usize = 80;
const LEAST_LINES: u32 = 3;
/// Most elements from an answer to the post that it is in.
const ANSWER_LEVELS: usize = 8;
/// Most words of a detail of an item, and fewest of a list that are judged together.
const DETAIL_MOST: f32 = 8.0;
const LEAST_DETAILS: usize = 3;
/// Blocks of an item that are looked at.
const MOST_PARTS: usize = 8;
/// The unit of posts outside of any series, for example in rows of a layout table.
const POSTS: u32 = NO_UNIT - 1;

/// A unit, what similar blocks of it have in common, and whether they are hidden at first.
type Place = (u32, u64, bool);

/// Similar blocks of one unit: how many, their words, the sum of the log-odds of these, and the words
/// of comments.
#[derive(Clone, Copy, Default)]
struct Group {
    blocks: f32,
    words: f32,
    odds: f32,
    comments: f32,
}

/// A block of a unit, and the number of its group.
struct Open {
    block: usize,
    unit: u32,
    group: usize,
    decider: Decider,
}

pub fn settle(page: &mut Page<'_>) {
    let Some(elements) = page.table.elements.as_ref() else {
        return;
    };
    let in_comments = in_comments(page, elements);
    let units = innermost(page, elements, &in_comments);
    if units.iter().all(|unit| *unit == NO_UNIT) {
        return keep_terms(page, elements);
    }
    let kind = |unit: u32| page.units.all.get(unit as usize).map(|unit| unit.kind);
    let is_list = |unit: u32| matches!(kind(unit), Some(UnitKind::List | UnitKind::Definitions));
    let mut labelled = Paths {
        elements,
        labels: &page.units.labels,
        known: vec![0; elements.rows.len()],
    };
    let mut place = |block: usize, unit: u32| {
        // classes of items tell of what they are, such as a place or a price
        if is_list(unit) {
            u64::from(page.table.blocks[block].path)
        } else {
            labelled.of(elements.of_block[block])
        }
    };
    // those that are hidden at first are another part
    let mut numbers: HashedMap<Place, usize> = HashedMap::default();
    let mut groups: Vec<Group> = Vec::new();
    let mut open = Vec::with_capacity(units.len());
    // many next to each other are similar
    let mut last = None;
    for (block, unit) in units.iter().copied().enumerate() {
        if unit != NO_UNIT && page.table.blocks[block].table == 0 {
            let place = (unit, place(block, unit), page.is_hidden(block));
            let number = match last {
                Some((known, number)) if known == place => number,
                _ => *numbers.entry(place).or_insert(groups.len()),
            };
            last = Some((place, number));
            if number == groups.len() {
                groups.push(Group::default());
            }
            let group = &mut groups[number];
            group.blocks += 1.0;
            group.words += page.weights[block];
            group.odds += page.weights[block] * page.odds[block];
            if page.verdicts[block] == Verdict::Comment {
                group.comments += page.weights[block];
            }
            open.push(Open {
                block,
                unit,
                group: number,
                decider: kind(unit).and_then(decider_of).unwrap_or(Decider::Thread),
            });
        }
    }
    let repeated = repeated(page, &open, &groups);
    let mut beside = None;
    let mut tracker = None;
    for (of, is_repeated) in open.into_iter().zip(repeated) {
        let (block, decider) = (of.block, of.decider);
        let Group {
            blocks,
            words,
            odds,
            comments,
        } = groups[of.group];
        // without their classes, details of posts in a list are like their texts: `27 posts`, `0`
        let is_detail = decider == Decider::List
            && page.weights[block] <= DETAIL_WORDS
            && page.odds[block] <= DOUBT
            && words >= MEAN_WORDS * blocks
            && is_in_post(elements, block)
            && beside.get_or_insert_with(|| beside_text(page))[block];
        let is_said = decider == Decider::Thread;
        let is_tracked = odds <= SURE * words
            && is_said
            && page.comments != Convention::Drop
            && *tracker.get_or_insert_with(|| trackers::is_one(page, elements));
        let is_kept = (odds > 0.0 || is_tracked) && !is_detail && !is_repeated;
        // other comments outside of any series may be elsewhere
        let is_lone = of.unit == POSTS && in_comments[block];
        // all posts are kept then, however short, and comments like them; items of lists are alike
        // without their classes, such as lines of a user panel
        let is_sure = odds > SURE * words || is_tracked;
        if is_kept && (is_said && is_sure || page.odds[block] > -WIDE) {
            // a few posts that look like comments are posts as well
            if is_sure || 2.0 * comments < words {
                page.open(block);
            }
            page.keep(block, decider);
        } else if !is_kept && page.odds[block] < WIDE && !is_lone {
            page.drop(block, decider);
        }
    }
    keep_terms(page, elements);
}

/// Which blocks are doubtful lines that other items have as well, except their numbers: what can be
/// done with each, such as `2 · Share this`.
fn repeated(page: &Page<'_>, open: &[Open], groups: &[Group]) -> Vec<bool> {
    let line = |of: &Open| {
        let text = page.text(of.block);
        let is_kept = groups[of.group].odds > 0.0;
        if !is_kept || page.odds[of.block] > DOUBT || text.len() > LINE_BYTES {
            return None;
        }
        let words = text.split_whitespace();
        let words = words.filter(|word| word.contains(char::is_alphabetic));
        let add = |(count, hash), word: &str| (count + 1, append(hash, token(word.as_bytes())));
        // one word next to a number may be the month of a date
        let (count, hash) = words.fold((0, 0), add);
        (count > 1).then_some((of.unit, hash))
    };
    let lines: Vec<_> = open.iter().map(line).collect();
    let mut counts: HashedMap<(u32, u64), u32> = HashedMap::default();
    for line in lines.iter().flatten() {
        *counts.entry(*line).or_default() += 1;
    }
    let is_repeated = |line: (u32, u64)| counts.get(&line).is_some_and(|of| *of >= LEAST_LINES);
    let are_repeated = lines.iter().map(|line| line.is_some_and(is_repeated));
    are_repeated.collect()
}

/// Whether the item of a block or the list around it is named for posts.
fn is_in_post(elements: &Elements, block: usize) -> bool {
    let row = |at: u32| elements.rows.get(at as usize);
    let above = std::iter::successors(row(elements.of_block[block]), |own| row(own.parent));
    let mut items = above.skip_while(|own| own.tag != LI).take(2);
    items.any(|own| is_post(elements.text(own.label), elements.text(own.role)))
}

/// By block whether its item has a likely one.
fn beside_text(page: &Page<'_>) -> Vec<bool> {
    // sums up to each block, so that an item with many blocks is read once
    let mut sums = vec![0_u32];
    for odds in &page.odds {
        let before = sums.last().copied().unwrap_or_default();
        sums.push(before + u32::from(*odds > 0.0));
    }
    let items = page.members().iter();
    items
        .map(|item| sums[item.end as usize] > sums[item.first as usize])
        .collect()
}

/// A term stays with its definition, also if it is a link to it, and a definition in doubt with its
/// term.
fn keep_terms(page: &mut Page<'_>, elements: &Elements) {
    let row = |at: u32| elements.rows.get(at as usize);
    let list = |block: usize| {
        let own = row(elements.of_block[block])?;
        let mut around = std::iter::successors(Some(own), |own| row(own.parent)).take(LEVELS);
        around
            .find(|row| matches!(row.tag, DT | DD))
            .map(|row| row.parent)
    };
    let is_term = |block: usize| row(elements.of_block[block]).is_some_and(|row| row.tag == DT);
    // also of lists inside of it, as in a table of contents
    let lists = page.units.all.iter();
    let lists = lists.filter(|unit| unit.kind == UnitKind::Definitions);
    let terms: Vec<usize> = lists
        .flat_map(|unit| page.units.members(unit))
        .filter(|member| member.blocks().skip(1).any(|block| page.is_kept(block)))
        .flat_map(|member| member.blocks().take_while(|block| is_term(*block)))
        .filter(|block| !page.is_hidden(*block))
        .collect();
    for block in terms {
        page.keep(block, Decider::List);
    }
    for block in (1..page.verdicts.len()).rev() {
        let is_of_same = || list(block).is_some() && list(block - 1) == list(block);
        if is_term(block - 1) && page.is_kept(block) && !page.is_hidden(block - 1) && is_of_same() {
            page.keep(block - 1, Decider::List);
        }
    }
    for block in lost_definitions(page, is_term) {
        page.keep(block, Decider::List);
    }
}

/// Keep details of items, such as names of posters or values, if they are kept in most items.
pub fn settle_details(page: &mut Page<'_>) {
    let members = page.members();
    let units = page.lists();
    let is_detail = |block: &usize| {
        units[*block] != NO_UNIT
            && page.weights[*block] <= DETAIL_MOST
            && page.table.blocks[*block].table == 0
    };
    let is_lost = |block: &usize| {
        let is_judged = matches!(page.deciders[*block], Decider::Engine | Decider::List);
        !page.is_kept(*block) && page.odds[*block] > INSIDE && is_judged
    };
    let place = |block: usize| {
        let path = u64::from(page.table.blocks[block].path);
        (units[block], path, page.is_hidden(block))
    };
    let details = (0..page.verdicts.len()).filter(is_detail);
    let lost = details.clone().filter(is_lost);
    let mut groups: HashedMap<Place, Vec<usize>> =
        lost.map(|block| (place(block), Vec::new())).collect();
    if groups.is_empty() {
        return;
    }
    for block in details {
        if let Some(blocks) = groups.get_mut(&place(block)) {
            blocks.push(block);
        }
    }
    let mut kept = Vec::new();
    for blocks in groups.into_values() {
        let are_kept = blocks.iter().filter(|block| page.is_kept(**block)).count();
        let is_one_each = blocks
            .windows(2)
            .all(|two| members[two[0]] != members[two[1]]);
        if blocks.len() < LEAST_DETAILS || 2 * are_kept <= blocks.len() || !is_one_each {
            continue;
        }
        let has_others = |block: usize| {
            let member = members[block];
            member
                .blocks()
                .take(MOST_PARTS)
                .any(|other| page.is_kept(other))
        };
        let lost = blocks.into_iter().filter(is_lost);
        kept.extend(lost.filter(|block| has_others(*block)));
    }
    for block in kept {
        page.keep(block, Decider::List);
    }
}

/// The definitions of kept terms that have none left, if they are in doubt.
fn lost_definitions(page: &Page<'_>, is_term: impl Fn(usize) -> bool) -> Vec<usize> {
    let units = page.units.all.iter();
    let mut lost = Vec::new();
    for unit in units.filter(|unit| unit.kind == UnitKind::Definitions) {
        let is_alone = |member: &&Span| {
            let mut kept = member.blocks().filter(|block| page.is_kept(*block));
            kept.next().is_some_and(&is_term) && kept.all(&is_term)
        };
        let alone = page.units.members(unit).iter().filter(is_alone);
        let is_open = |block: &usize| !is_term(*block) && !page.is_hidden(*block);
        let definitions = alone.flat_map(|member| member.blocks()).filter(is_open);
        let definitions: Vec<usize> = definitions.collect();
        let (words, odds) = page.sums(definitions.iter().copied());
        if odds > DOUBT * words {
            lost.extend(
                definitions
                    .into_iter()
                    .filter(|block| page.odds[*block] > -WIDE),
            );
        }
    }
    lost
}

/// The smallest list, thread or series around each block, of threads inside of each other the
/// largest; posts without one belong to the page.
fn innermost(page: &Page<'_>, elements: &Elements, in_comments: &[bool]) -> Vec<u32> {
    let mut threads: Vec<u32> = Vec::with_capacity(page.units.all.len());
    for (at, unit) in page.units.all.iter().enumerate() {
        let around = threads.get(unit.parent as usize).copied();
        let own = if unit.kind == UnitKind::Thread {
            at as u32
        } else {
            NO_UNIT
        };
        threads.push(around.filter(|at| *at != NO_UNIT).unwrap_or(own));
    }
    let is_thread = |at: u32| {
        let unit = page.units.all.get(at as usize);
        unit.is_some_and(|unit| unit.kind == UnitKind::Thread)
    };
    let mut units = page.lists().to_vec();
    for unit in units.iter_mut().filter(|unit| is_thread(**unit)) {
        *unit = threads[*unit as usize];
    }
    // many next to each other have one name
    let mut last = ((0, 0), false);
    let mut of_post = |row: &Element| {
        let names = (row.label, row.role);
        if names != last.0 {
            last = (
                names,
                is_post(elements.text(names.0), elements.text(names.1)),
            );
        }
        last.1
    };
    for (block, at) in elements.of_block.iter().enumerate() {
        let mut is_of_post = || elements.rows.get(*at as usize).is_some_and(&mut of_post);
        if units[block] == NO_UNIT && (in_comments[block] || is_of_post()) {
            units[block] = POSTS;
        }
    }
    units
}

/// By block whether it is in a single comment, a few elements around it.
fn in_comments(page: &Page<'_>, elements: &Elements) -> Vec<bool> {
    let Some(comments) = page.named(Rule::Comment, |mut words| words.any(is_comment)) else {
        return vec![false; elements.of_block.len()];
    };
    let parent = |at: &u32| elements.rows.get(*at as usize).map(|row| row.parent);
    let is_in_comment = |at: &u32| {
        let above = std::iter::successors(parent(at), parent).take(LEVELS);
        above
            .filter_map(|at| comments.get(at as usize))
            .any(|is| *is)
    };
    elements.of_block.iter().map(is_in_comment).collect()
}

/// The paths of elements, each read when it is asked for.
struct Paths<'a> {
    elements: &'a Elements,
    labels: &'a Labels,
    /// By element; 0 if it is not known.
    known: Vec<u64>,
}

impl Paths<'_> {
    /// The hash of the element names and labels from the root down to an element; of an answer inside
    /// of a post that has its name and label, the hash of the post.
    fn of(&mut self, element: u32) -> u64 {
        if self.known[element as usize] == 0 {
            let around = self.elements.with_parents(element);
            let is_open = |at: &u32| self.known[*at as usize] == 0;
            let open: Vec<u32> = around.take_while(is_open).collect();
            for at in open.into_iter().rev() {
                self.known[at as usize] = self.read(at).max(1);
            }
        }
        self.known[element as usize]
    }

    /// The same, once the paths of the elements around it are known.
    fn read(&self, element: u32) -> u64 {
        let hash = |at: u32| self.labels.hash(self.elements, at as usize);
        let (row, label) = (&self.elements.rows[element as usize], hash(element));
        let mut around = self.elements.with_parents(row.parent).take(ANSWER_LEVELS);
        let is_like =
            |at: &u32| self.elements.rows[*at as usize].tag == row.tag && hash(*at) == label;
        let post = around.find(is_like);
        let post = post.filter(|_| is_post(self.elements.text(row.label), ""));
        let known = |at: u32| self.known.get(at as usize).copied();
        post.and_then(known).unwrap_or_else(|| {
            let around = known(row.parent).unwrap_or_default();
            append(append(around, u64::from(row.tag)), label)
        })
    }
}
