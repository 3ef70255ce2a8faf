//! Passages that the page shows in two places, with what is around them in both, such as a card of
//! a carousel: the less likely one goes.

use std::ops::Range;

use super::copies::{UNSURE, is_variant};
use super::{DOUBT, Decider, NEAR, Page, SURE, TEXT_WORDS, WIDE};
use crate::page::blocks::Kind;
use crate::page::elements::{Elements, NO_ELEMENT};
use crate::text::hash::{append, token};
use crate::text::map::HashedMap;
use crate::units::{Span, is_post};

/// Log-odds below which one of two next to each other may be, in equal elements.
const REPEATED: f32 = 2.0;
/// Log-odds below which one of two goes with other text around it too.
const DOUBTED: f32 = 0.8;
/// Classes of what WordPress calls posts although nobody answers in them.
const ARTICLES: [&str; 3] = ["type-post", "type-page", "type-product"];
/// Part of the classes of quotations.
const QUOTE: &str = "quot";
/// Words next to a second copy that are equal in both places; a heading has as many.
const LEAST_AROUND: f32 = 3.0;
/// Kept blocks below a summary that are read for ingredients, and the fewest with an amount.
const MOST_BELOW: usize = 24;
const LEAST_AMOUNTS: usize = 3;
/// Most elements around a copy that are read.
const MOST_AROUND: usize = 32;
/// Bytes at each end of a text by which others with the same words are found.
const ENDS: usize = 16;

/// Drop the title of an item of which all text is a copy.
pub fn drop_titles(page: &mut Page<'_>) {
    if !page.deciders.contains(&Decider::Copy) {
        return;
    }
    // sums up to each block: words that are copies, kept words, and those dropped for other reasons
    let mut sums = vec![[0.0; 3]];
    for block in 0..page.verdicts.len() {
        let [mut copied, mut kept, mut lost] = sums[block];
        let words = page.weights[block];
        if page.is_kept(block) {
            kept += words;
        } else if page.deciders[block] == Decider::Copy {
            copied += words;
        } else {
            lost += words;
        }
        sums.push([copied, kept, lost]);
    }
    let is_title = |member: &&Span| {
        let (before, after) = (sums[member.first as usize], sums[member.end as usize]);
        let [copied, kept, lost] = [0, 1, 2].map(|of| after[of] - before[of]);
        kept > 0.0 && kept < TEXT_WORDS && lost <= 0.0 && copied > 2.0 * kept
    };
    let lists = page.units.all.iter().filter(|unit| unit.kind.is_list());
    let members = lists.flat_map(|unit| page.units.members(unit));
    let titles: Vec<usize> = members
        .filter(is_title)
        .flat_map(|member| member.blocks())
        .filter(|block| page.odds[*block] < SURE)
        .collect();
    for block in titles {
        page.drop(block, Decider::Copy);
    }
}

pub fn settle(page: &mut Page<'_>) {
    let Some(elements) = page.table.elements.as_ref() else {
        return;
    };
    let blocks = 0..page.verdicts.len();
    let kept: Vec<usize> = blocks.filter(|block| page.is_kept(*block)).collect();
    let pairs = repeats(page, &kept);
    if pairs.is_empty() {
        return;
    }
    let spans = &page.units.spans;
    let mut posts = Posts::of(elements);
    let mut end = 0;
    // a text and the last of its copies right below each other
    let mut below = (usize::MAX, 0);
    // the distance of two copies, the element around the second and the blocks that are equal in both,
    // which are read once for all pairs of them
    let mut last: Option<(usize, Span, Range<usize>)> = None;
    let path = |block: usize| page.table.blocks[block].path;
    for (first, at) in pairs {
        let (one, two) = (kept[first], kept[at]);
        let is_item = |block: usize| page.table.blocks[block].lists > 0;
        let is_only_of_list =
            page.deciders[two] == Decider::List && is_item(one) && page.odds[one] >= 0.0;
        let is_against = page.odds[two] < if is_only_of_list { 0.0 } else { DOUBT };
        if at < end {
            continue;
        }
        let is_card = is_card(page, &kept, first, at);
        let [(of_one, _), (of_two, is_quoted)] =
            [one, two].map(|block| posts.said(elements.of_block[block]));
        let is_less = page.odds[two] < page.odds[one];
        let least = page.odds[one].min(page.odds[two]);
        if is_quoted || of_one != of_two && !is_against && !is_card {
            continue;
        }
        // kept for what is around it although the engine is against it
        if is_against && is_less {
            page.drop(two, Decider::Copy);
            continue;
        }
        let is_last = below == (first, at - 1) && !page.is_kept(kept[at - 1]);
        let is_below = at == first + 1 || is_last;
        if is_below {
            below = (first, at);
        }
        let less_likely = if is_less { two } else { one };
        let is_of_list = is_item(less_likely) || least >= DOUBTED && (is_item(one) || is_item(two));
        if !is_below && is_of_list {
            let members = page.members();
            let is_title = two - one <= NEAR && path(one) != path(two);
            if is_title && !members[one].is_empty() && members[one] == members[two] {
                page.drop(less_likely, Decider::Copy);
                continue;
            }
            // items are repeated on purpose, such as exercises of a week
            if !is_card {
                continue;
            }
        }
        let is_doubted = least < DOUBTED
            && !is_of_recipe(page, &kept[at + 1..])
            && !are_of_items(page, one, two);
        let element = elements.of_block[two] as usize;
        let Some(container) = container(elements, spans, element, one) else {
            let is_echo = is_below && (least < REPEATED || path(one) != path(two));
            if is_echo || is_doubted {
                page.drop(less_likely, Decider::Copy);
            }
            continue;
        };
        let distance = at - first;
        let run = match &last {
            Some((of, around, run))
                if (*of, *around) == (distance, container) && run.contains(&at) =>
            {
                run.clone()
            }
            _ => run(page, &kept, container, (first, end.max(first + 1)..at)),
        };
        last = Some((distance, container, run.clone()));
        let before = run.start + first - at..run.end + first - at;
        let is_cut = before.end + 1 == run.start && is_begun(page, &kept, before.end, run.end);
        let is_next = before.end == run.start || is_cut;
        let in_doubt = is_in_doubt(page, (one, two), &kept[run.clone()]);
        if is_next || in_doubt && has_words_around(page, &kept[run.clone()], two) {
            end = run.end;
            drop_less_likely(page, &kept, (before, run), is_cut);
        } else if is_doubted || at - first < NEAR && path(one) != path(two) {
            page.drop(less_likely, Decider::Copy);
        }
    }
}

/// Whether one of two copies is in doubt; below a heading it may be likelier, if the other one is far
/// likelier.
fn is_in_doubt(page: &Page<'_>, (one, two): (usize, usize), run: &[usize]) -> bool {
    let (one, two) = (page.odds[one], page.odds[two]);
    let is_apart = (one - two).abs() > SURE && run.iter().any(|block| is_heading(page, *block));
    one.min(two) < if is_apart { REPEATED } else { UNSURE }
}

/// Whether a text is right above ingredients, most of which begin with an amount: a recipe is complete
/// without its story.
pub fn is_of_recipe(page: &Page<'_>, below: &[usize]) -> bool {
    let is_item = |block: &&usize| page.table.blocks[**block].lists > 0;
    let is_line = |block: &&usize| page.weights[**block] < TEXT_WORDS || is_item(block);
    let lines = below.iter().take(MOST_BELOW).take_while(is_line);
    let items = lines.filter(is_item).take(2 * LEAST_AMOUNTS);
    let has_amount = |block: &&usize| {
        let first = page.text(**block).chars().find(|c| c.is_alphanumeric());
        first.is_some_and(char::is_numeric)
    };
    items.filter(has_amount).count() >= LEAST_AMOUNTS
}

/// Whether a passage or the block above it is a heading with a link, the same in both places: a card of
/// a story is complete in itself.
fn is_card(page: &Page<'_>, kept: &[usize], first: usize, at: usize) -> bool {
    let is_title = |(one, two): (usize, usize)| {
        let (one, two) = (kept[one], kept[two]);
        is_heading(page, one) && page.is_link(one) && has_words_of(page.text(one), page.text(two))
    };
    let above = first.checked_sub(1).map(|above| (above, at - 1));
    [Some((first, at)), above]
        .into_iter()
        .flatten()
        .any(is_title)
}

/// The largest element around a copy that is after the first one; in its own it may be a refrain.
fn container(elements: &Elements, spans: &[Span], element: usize, first: usize) -> Option<Span> {
    let parent = |of: &usize| Some(elements.rows.get(*of)?.parent as usize);
    let around = std::iter::successors(parent(&element), parent).take(MOST_AROUND);
    let around = around.map_while(|of| spans.get(of).copied());
    around.take_while(|span| first < span.first as usize).last()
}

/// Drop one of two equal runs of kept blocks; a first one that is cut off is a teaser and goes with the
/// block between them.
fn drop_less_likely(
    page: &mut Page<'_>,
    kept: &[usize],
    (before, run): (Range<usize>, Range<usize>),
    is_cut: bool,
) {
    let odds = |run: &Range<usize>| {
        let blocks = kept[run.clone()].iter();
        blocks.map(|block| page.odds[*block]).sum::<f32>()
    };
    let less_likely = if is_cut {
        before.start..run.start
    } else if odds(&before) < odds(&run) {
        before
    } else {
        run
    };
    for block in &kept[less_likely] {
        if page.odds[*block] < WIDE {
            page.drop(*block, Decider::Copy);
        }
    }
}

/// Whether a text is the beginning of another, as at the end of a text that can be expanded.
fn is_begun(page: &Page<'_>, kept: &[usize], one: usize, other: usize) -> bool {
    let beginning = without_ellipsis(page.text(kept[one]));
    let other = kept.get(other).map(|block| page.text(*block));
    page.weights[kept[one]] >= LEAST_AROUND && other.is_some_and(|text| text.starts_with(beginning))
}

/// A text without what is at its end if it is cut off.
pub fn without_ellipsis(text: &str) -> &str {
    text.trim_end_matches(['.', '…', ' '])
}

/// The places in `kept` of a copy at the end of `between` and of what is around it in its container
/// that is around `first` too.
fn run(
    page: &Page<'_>,
    kept: &[usize],
    container: Span,
    (first, between): (usize, Range<usize>),
) -> Range<usize> {
    let is_equal = |(one, two): &(&usize, &usize)| {
        container.blocks().contains(*two)
            && (has_words_of(page.text(**one), page.text(**two)) || is_near(page, **one, **two))
    };
    let at = between.end;
    let before = kept[..first].iter().rev().zip(kept[between].iter().rev());
    let start = at - before.take_while(is_equal).count();
    let after = kept[first..start].iter().zip(&kept[at..]);
    let mut end = at + after.take_while(is_equal).count();
    // a heading at the end is of what follows
    while end > at + 1 && is_heading(page, kept[end - 1]) {
        end -= 1;
    }
    start..end
}

/// Whether a text is a variant of another that is about as long; many may be compared with one.
fn is_near(page: &Page<'_>, one: usize, two: usize) -> bool {
    let [one_words, two_words] = [one, two].map(|block| page.weights[block]);
    one_words.max(two_words) <= 2.0 * one_words.min(two_words) && is_variant(page, one, two)
}

/// Whether a run has enough words apart from one block; a heading has enough of them.
fn has_words_around(page: &Page<'_>, run: &[usize], copy: usize) -> bool {
    let mut words = 0.0;
    run.iter().filter(|block| **block != copy).any(|block| {
        words += page.weights[*block];
        is_heading(page, *block) || words >= LEAST_AROUND
    })
}

fn is_heading(page: &Page<'_>, block: usize) -> bool {
    page.table.blocks[block].kind == Kind::Heading
}

/// The places in `kept` of passages, and of others with the same words of which the one or the other
/// is in doubt.
fn repeats(page: &Page<'_>, kept: &[usize]) -> Vec<(usize, usize)> {
    let is_repeat = |first: usize, later: usize| {
        let (one, two) = (page.odds[first], page.odds[later]);
        one != two && one.min(two) < WIDE && has_words_of(page.text(first), page.text(later))
    };
    let mut known: HashedMap<(u64, bool), usize> = HashedMap::default();
    let mut pairs = Vec::new();
    for (at, block) in kept.iter().enumerate() {
        if !may_repeat(page, *block, TEXT_WORDS) {
            let above = at.checked_sub(1).filter(|above| {
                is_heading(page, *block)
                    && is_heading(page, kept[*above])
                    && page.weights[*block] >= LEAST_AROUND
            });
            pairs.extend(
                above
                    .filter(|above| is_repeat(kept[*above], *block))
                    .map(|above| (above, at)),
            );
            continue;
        }
        // enough to tell it from others: the words of equal ones are compared
        let bytes = page.text(*block).as_bytes();
        let end = bytes.len().min(ENDS);
        let ends = append(token(&bytes[..end]), token(&bytes[bytes.len() - end..]));
        let key = append(ends, bytes.len() as u64);
        let first = *known.entry((key, is_heading(page, *block))).or_insert(at);
        if first != at && is_repeat(kept[first], *block) {
            pairs.push((first, at));
        }
    }
    pairs
}

/// Whether a kept block of some words is a text, an item or a heading.
pub fn may_repeat(page: &Page<'_>, block: usize, least: f32) -> bool {
    let kind = page.table.blocks[block].kind;
    let is_text = !matches!(
        kind,
        Kind::TableCell | Kind::Code | Kind::Quote | Kind::Caption
    );
    is_text && page.weights[block] >= least && page.is_kept(block)
}

/// Whether two texts are in items with the same data, such as two sizes of a product, and not in one item
/// that is shown twice.
fn are_of_items(page: &Page<'_>, one: usize, two: usize) -> bool {
    let path = |block: usize| page.table.blocks[block].path;
    let [one_item, two_item] = [one, two].map(|block| page.members()[block]);
    let [one_title, two_title] = [one_item, two_item].map(|item| item.first as usize);
    let are_titles = is_heading(page, one_title) && is_heading(page, two_title);
    one_item != two_item
        && one_item.blocks().len() > 1
        && two_item.blocks().len() > 1
        && path(one) == path(two)
        && !(are_titles && has_words_of(page.text(one_title), page.text(two_title)))
}

/// Whether two texts have the same words, however they are broken into lines.
fn has_words_of(one: &str, two: &str) -> bool {
    one == two || one.split_whitespace().eq(two.split_whitespace())
}

/// The innermost post around elements, and whether they are in a quotation by their classes.
pub struct Posts<'a> {
    elements: &'a Elements,
    known: HashedMap<u32, (u32, bool)>,
}

impl<'a> Posts<'a> {
    pub fn of(elements: &'a Elements) -> Self {
        Self {
            elements,
            known: HashedMap::default(),
        }
    }

    pub fn said(&mut self, element: u32) -> (u32, bool) {
        let row = |at: u32| self.elements.rows.get(at as usize);
        let mut path = Vec::new();
        let mut said = (NO_ELEMENT, false);
        let mut above = std::iter::successors(Some(element), |at| row(*at).map(|row| row.parent));
        while let Some((at, row)) = above.next().and_then(|at| Some((at, row(at)?))) {
            if let Some(of) = self.known.get(&at) {
                said = *of;
                break;
            }
            path.push((at, row));
        }
        for (at, row) in path.into_iter().rev() {
            let label = self.elements.text(row.label);
            let role = if row.has_role() {
                self.elements.text(row.role)
            } else {
                ""
            };
            let is_article = label.split(' ').any(|word| ARTICLES.contains(&word));
            let is_post = !is_article && is_post(label, role);
            let post = if is_post { at } else { said.0 };
            said = (post, said.1 || label.to_ascii_lowercase().contains(QUOTE));
            self.known.insert(at, said);
        }
        said
    }
}
