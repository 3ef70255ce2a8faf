//! Headings, lists and questions stay with the text next to them.

use std::collections::{HashMap, HashSet};

use super::controls::{is_about_others, is_control};
use super::{DOUBT, Decider, INSIDE, LINKED, NEAR, Page, SURE, TEXT_WORDS, WIDE, decider_of};
use crate::page::blocks::Kind;
use crate::page::elements::{Element, Elements};
use crate::page::tags::{BLOCKQUOTE, DD, DL, DT, H1, H6, LI, OL, P, PRE, SUMMARY, Tag, UL};
use crate::text::verdict::Verdict;
use crate::units::{Span, Unit, UnitKind};

/// Fewest kept words below the only heading of an item that are as good as a text, and their share.
const LEAST_DETAILS: f32 = 3.0;
const MOST_SHARE: f32 = 0.6;
/// Most words of a question and of a title.
const MOST_WORDS: f32 = 24.0;
/// Most words of a label, and of its value.
const VALUE_WORDS: f32 = 8.0;
/// Most elements from a block up to the element that its text is in.
const LEVELS: usize = 5;
/// Share of the characters of a list below a heading inside links, from which it is a menu.
const HEADED: f32 = 0.6;
/// Most blocks per item of such a list.
const ITEM_BLOCKS: usize = 2;
/// Characters of a line that say what it introduces.
const MOST_BEGIN: usize = 24;

pub fn settle(page: &mut Page<'_>) {
    let Some(elements) = page.table.elements.as_ref() else {
        return;
    };
    keep_headings(page, elements);
    keep_lists(page, elements);
    keep_questions(page);
    keep_quotes(page, elements);
    keep_credits(page);
    keep_titles(page, elements);
}

/// Keep a heading right between kept text of the same element.
fn keep_headings(page: &mut Page<'_>, elements: &Elements) {
    for block in 1..page.verdicts.len().saturating_sub(1) {
        let of = &page.table.blocks[block];
        let is_dropped = of.kind == Kind::Heading
            && of.link_chars == 0
            && !page.is_kept(block)
            && page.odds[block] > -WIDE;
        if !is_dropped || !is_text(page, block - 1) || !is_text(page, block + 1) {
            continue;
        }
        let (before, after) = (block - 1, block + 1);
        let is_long = page.weights[before] + page.weights[after] >= TEXT_WORDS;
        let is_followed = page.table.blocks[after].kind != Kind::Heading;
        let is_other = || is_control(page.text(block)) || is_about_others(page.text(block));
        let own = around(elements, block);
        let is_inside =
            || own.is_some() && around(elements, before) == own && around(elements, after) == own;
        if is_long && is_followed && is_inside() && !is_other() {
            page.keep(block, Decider::Heading);
        }
    }
}

/// Keep a list with few links or with labels right below kept text of the same element, or above it, unless
/// its first item is kept in another list.
fn keep_lists(page: &mut Page<'_>, elements: &Elements) {
    let units = page.units.all.iter().enumerate();
    let is_list = |unit: &Unit| match unit.kind {
        UnitKind::List | UnitKind::Definitions => true,
        UnitKind::Series => are_values(page, page.units.members(unit)),
        _ => false,
    };
    // lists in posts and cards are details of them, and the members of these were decided together
    let is_member = |unit: &Unit| {
        let around = page.units.all.get(unit.parent as usize);
        around.is_some_and(|around| matches!(around.kind, UnitKind::Thread | UnitKind::Series))
            && !is_below_paragraph(page, elements, unit.span)
    };
    let is_plain = |unit: &Unit| {
        page.linked(unit.span) < LINKED || is_labelled(page, page.units.members(unit))
    };
    // the items of others were decided together, and items of lists inside of it apart
    let items = |at: usize, unit: &Unit| {
        let is_part = page.words(unit.span).1 > 0.0;
        let own = unit.span.blocks();
        let own = own.filter(|block| !is_part || page.lists()[*block] == at as u32);
        own.collect::<Vec<usize>>()
    };
    // most lists have none inside
    let is_open = |at: usize, unit: &Unit| {
        let inner = page.units.all.get(at + 1);
        let has_inner =
            inner.is_some_and(|inner| inner.parent == at as u32 && inner.kind.is_list());
        has_inner || page.words(unit.span).1 <= 0.0
    };
    let may_be = |items: &[usize]| {
        let (words, odds) = page.sums(items.iter().copied());
        odds > INSIDE * words && !items.iter().any(|block| page.is_kept(*block))
    };
    let lists = units.filter(|(at, unit)| {
        is_list(unit)
            && !is_member(unit)
            && is_open(*at, unit)
            && may_be(&items(*at, unit))
            && match unit.kind {
                UnitKind::Series => is_plain(unit) && page.is_between_text(unit.span, |_| true),
                _ => {
                    is_plain(unit) && is_beside_text(page, elements, unit.span)
                        || is_introduced(page, elements, unit.span)
                        || is_below_heading(page, unit)
                }
            }
    });
    let lists: Vec<Vec<usize>> = lists.map(|(at, unit)| items(at, unit)).collect();
    if lists.is_empty() {
        return;
    }
    let kept = (0..page.verdicts.len()).filter(|block| page.is_kept(*block));
    let kept: HashSet<&str> = kept.map(|block| page.text(block)).collect();
    for list in lists {
        if list
            .first()
            .is_some_and(|first| kept.contains(page.text(*first)))
        {
            continue;
        }
        for block in list {
            if !page.is_hidden(block) {
                page.keep(block, Decider::List);
            }
        }
    }
}

/// Keep a question right above its kept answer, but not one that is the title of the page or of all
/// posts.
fn keep_questions(page: &mut Page<'_>) {
    let is_dropped = |block: &usize| {
        let kind = page.table.blocks[*block].kind;
        page.verdicts[*block] == Verdict::Boilerplate
            && page.weights[*block] <= MOST_WORDS
            && page.odds[*block] > INSIDE
            && !page.is_below_dropped(*block)
            && !matches!(kind, Kind::TableCell | Kind::Code | Kind::Caption)
    };
    let is_answered = |block: &usize| {
        let answer = block + 1;
        page.table.blocks[answer].kind != Kind::Heading
            && page.weights[answer] >= TEXT_WORDS
            && is_text(page, answer)
    };
    let title = page.title();
    let blocks = 0..page.verdicts.len().saturating_sub(1);
    let questions: Vec<usize> = blocks
        .filter(is_dropped)
        .filter(|block| is_question(page.text(*block)) && is_answered(block))
        .filter(|block| !title.contains(page.text(*block)))
        .collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for block in &questions {
        *counts.entry(page.text(*block)).or_default() += 1;
    }
    for block in questions {
        if counts.get(page.text(block)) == Some(&1) {
            page.keep(block, Decider::Heading);
        }
    }
}

fn is_question(text: &str) -> bool {
    let is_after = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '”' | '’' | '»' | ')');
    let text = text.trim_end_matches(is_after);
    text.ends_with(['?', '？', '؟', '\u{37e}'])
}

/// Keep the rest of a quote that is partly kept above text of the element around it, such as the name
/// of who said it, or drop the name if the rest is not content.
fn keep_quotes(page: &mut Page<'_>, elements: &Elements) {
    let blocks = &page.table.blocks;
    let mut first = 0;
    while first < blocks.len() {
        let rest = blocks[first..].iter();
        let quote = rest.take_while(|block| block.kind == Kind::Quote && block.table == 0);
        let span = Span::new(first as u32, (first + quote.count()) as u32);
        let answer = span.end as usize;
        first = answer.max(first + 1);
        let (all, kept) = page.words(span);
        let is_answered = || {
            answer < blocks.len()
                && blocks[answer].kind != Kind::Heading
                && is_text(page, answer)
                && answers(elements, answer - 1, answer)
        };
        if kept <= 0.0 || kept >= all || !is_answered() {
            continue;
        }
        let name = span.first as usize;
        let is_said = |block: &usize| !is_control(page.text(*block));
        let said: Vec<usize> = span.blocks().filter(is_said).collect();
        let (words, odds) = page.sums(said.iter().copied());
        if odds > DOUBT * words && page.linked(span) < LINKED {
            for block in said {
                if page.odds[block] > INSIDE && !page.is_hidden(block) {
                    page.keep(block, Decider::Thread);
                }
            }
        } else if kept <= page.kept_words(name) && page.text(name).ends_with([':', '：']) {
            page.drop(name, Decider::Thread);
        }
    }
}

/// Keep the caption of a figure that is a kept quotation: who said it.
fn keep_credits(page: &mut Page<'_>) {
    let is = |block: usize, kind: Kind| page.table.blocks[block].kind == kind;
    let figures = page.units.all.iter();
    let figures = figures.filter(|unit| unit.kind == UnitKind::Figure);
    let quotes = figures
        .map(|unit| unit.span)
        .filter(|span| is(span.first as usize, Kind::Quote) && page.is_kept(span.first as usize));
    let is_credit = |block: &usize| {
        is(*block, Kind::Caption)
            && page.weights[*block] < TEXT_WORDS
            && page.odds[*block] > INSIDE
            && !page.is_link(*block)
    };
    let credits: Vec<usize> = quotes.flat_map(Span::blocks).filter(is_credit).collect();
    for credit in credits {
        page.keep(credit, Decider::Thread);
    }
}

/// Whether the element around a quotation is around another block too, a few levels up.
fn answers(elements: &Elements, quote: usize, answer: usize) -> bool {
    let row = |at: u32| elements.rows.get(at as usize);
    let above = |block: usize| {
        let own = elements.of_block.get(block).copied();
        std::iter::successors(own, |at| row(*at).map(|row| row.parent)).take(LEVELS)
    };
    let is_quote = |at: &u32| row(*at).is_some_and(|row| row.tag == BLOCKQUOTE);
    let around = above(quote).find(is_quote).and_then(row);
    around.is_some_and(|quote| above(answer).any(|at| at == quote.parent))
}

/// Keep the titles of a series or list of which the text or most details are kept, such as titles of
/// panels that open.
fn keep_titles(page: &mut Page<'_>, elements: &Elements) {
    for at in 0..page.units.all.len() {
        let unit = page.units.all[at];
        let decider = decider_of(unit.kind).filter(|of| *of != Decider::Thread);
        let Some(decider) = decider else {
            continue;
        };
        let members = page.units.members(&unit);
        let is_heading = |block: usize| page.table.blocks[block].kind == Kind::Heading;
        let has_text = |member: &&Span| {
            let text = Span::new(member.first + 1, member.end);
            let has_words = |block: &usize| page.text(*block).contains(char::is_alphabetic);
            // a date, a source or a price may be between, and numbers and signs such as arrows
            let next = text.blocks().filter(has_words).take(NEAR);
            let mut next = next.map(|block| page.is_kept(block));
            let (all, kept) = page.words(text);
            let has_details = || {
                kept >= LEAST_DETAILS.max(MOST_SHARE * all)
                    && is_heading(member.first as usize)
                    && !text.blocks().any(is_heading)
            };
            (kept >= TEXT_WORDS || has_details()) && next.any(|is| is)
        };
        let mut titles: Vec<usize> = members
            .iter()
            .filter(has_text)
            .map(|member| member.first as usize)
            .collect();
        let is_title = |block: &usize| {
            page.verdicts[*block] == Verdict::Boilerplate
                && page.weights[*block] <= MOST_WORDS
                && is_titled(elements, *block, page.table.blocks[*block].kind)
                && !is_control(page.text(*block))
        };
        let is_most = titles.len() > members.len() / 2;
        titles.retain(|block| !page.is_kept(*block));
        let (words, odds) = page.sums(titles.iter().copied());
        if is_most && titles.iter().all(is_title) && odds > INSIDE * words {
            for block in titles {
                page.keep(block, decider);
            }
        }
    }
}

/// Whether a block is a heading, the button of a panel, or named for the title of one.
fn is_titled(elements: &Elements, block: usize, kind: Kind) -> bool {
    const NAMES: [&str; 6] = ["title", "question", "head", "summary", "toggle", "name"];
    let row = elements.of_block.get(block);
    let Some(row) = row.and_then(|at| elements.rows.get(*at as usize)) else {
        return false;
    };
    let label = elements.text(row.label).to_ascii_lowercase();
    kind == Kind::Heading
        || row.tag == SUMMARY
        || row.has_role() && elements.text(row.role).contains("button")
        || NAMES.iter().any(|name| label.contains(name))
}

/// Whether each item is a label and what it is of, which may be links.
fn is_labelled(page: &Page<'_>, items: &[Span]) -> bool {
    let is_pair = |item: &Span| {
        let blocks = &page.table.blocks[item.blocks()];
        blocks.len() > 1 && blocks[0].link_chars == 0 && page.weights[item.first as usize] > 0.0
    };
    items.iter().all(is_pair)
}

/// Whether each member is a short label and its short value, without links.
fn are_values(page: &Page<'_>, members: &[Span]) -> bool {
    let is_pair = |member: &Span| {
        let short = |block: usize| {
            page.weights[block] <= VALUE_WORDS
                && page.weights[block] > 0.0
                && page.odds[block] > DOUBT
                && page.table.blocks[block].link_chars == 0
                && page.table.blocks[block].kind != Kind::Heading
        };
        member.blocks().len() == 2 && member.blocks().all(short)
    };
    members.len() > 1 && members.iter().all(is_pair)
}

/// Whether a list is below text of its element, or likely and right next to a part of it.
fn is_beside_text(page: &Page<'_>, elements: &Elements, list: Span) -> bool {
    let is_below = || is_below_paragraph(page, elements, list);
    is_below_text(page, elements, list)
        || is_in_post(page, list) && is_below()
        || page.mean_odds(list) > DOUBT && (is_above_text(page, elements, list) || is_below())
}

/// Whether text of its element is right below a list.
fn is_above_text(page: &Page<'_>, elements: &Elements, list: Span) -> bool {
    let next = list.end as usize;
    next < page.verdicts.len()
        && page.weights[next] >= TEXT_WORDS
        && is_text(page, next)
        && around(elements, next) == around(elements, list.first as usize)
}

/// Whether the block right before a list is a kept paragraph of its element.
fn is_below_paragraph(page: &Page<'_>, elements: &Elements, list: Span) -> bool {
    let first = list.first as usize;
    first.checked_sub(1).is_some_and(|before| {
        page.table.blocks[before].kind == Kind::Paragraph
            && is_text(page, before)
            && around(elements, before).is_some()
            && around(elements, before) == around(elements, first)
    })
}

/// Whether a sure paragraph right before a list introduces it inside of a text or a post: "You can:".
fn is_introduced(page: &Page<'_>, elements: &Elements, list: Span) -> bool {
    let is_inside = || is_above_text(page, elements, list) || is_in_post(page, list);
    is_below_paragraph(page, elements, list) && is_inside() && {
        let before = list.first as usize - 1;
        page.odds[before] > SURE
            && page.text(before).ends_with([':', '：'])
            && !leads_away(page.text(before))
    }
}

/// Whether a line before a list of links is about other pages: "More stories of the harbour:".
fn leads_away(text: &str) -> bool {
    const BEGINNINGS: [&str; 3] = [
        "more |other |also |related|similar |recent |latest |popular |read |see |check |try |watch |don't miss",
        "if you like|if you enjoy|you may also |you might also |weitere|mehr |andere |auch |meer ",
        "autres |plus de |más |otras |otros |altri |altre |mais |outras |outros |więcej |inne ",
    ];
    let begin: String = text.chars().take(MOST_BEGIN).collect();
    let begin = begin.to_lowercase();
    let mut beginnings = BEGINNINGS.iter().flat_map(|line| line.split('|'));
    is_about_others(text)
        || !begin.starts_with("more than ") && beginnings.any(|known| begin.starts_with(known))
}

/// Whether a list is in one of several posts.
fn is_in_post(page: &Page<'_>, list: Span) -> bool {
    let above = (list.first as usize).checked_sub(1);
    let around = above.and_then(|block| page.lists().get(block));
    let unit = around.and_then(|around| page.units.all.get(*around as usize));
    unit.is_some_and(|unit| unit.kind == UnitKind::Thread)
}

/// Whether a list in doubt that is not a menu is right below a likely heading, but not below the title,
/// where details are; comments have more blocks than items.
fn is_below_heading(page: &Page<'_>, unit: &Unit) -> bool {
    let above = (unit.span.first as usize).checked_sub(1);
    let items = page.units.members(unit).len();
    let has_words = |block: usize| page.text(block).contains(char::is_alphabetic);
    unit.span.blocks().len() <= ITEM_BLOCKS * items
        && page.linked(unit.span) < HEADED
        && page.mean_odds(unit.span) > DOUBT
        && unit.span.blocks().any(has_words)
        && above.is_some_and(|heading| {
            page.table.blocks[heading].kind == Kind::Heading
                && page.odds[heading] > 0.0
                && is_text(page, heading)
                && !leads_away(page.text(heading))
                && !page.title().contains(page.text(heading))
        })
}

/// Whether the nearest blocks before a list are kept, one of them is text, and all are in its element.
fn is_below_text(page: &Page<'_>, elements: &Elements, list: Span) -> bool {
    let first = list.first as usize;
    let own = around(elements, first);
    let is_beside = |block: &usize| is_text(page, *block) && around(elements, *block) == own;
    let mut before = (0..first).rev().take(NEAR).take_while(is_beside);
    own.is_some() && before.any(|block| page.weights[block] >= TEXT_WORDS)
}

/// Whether a block is kept and not mostly links.
fn is_text(page: &Page<'_>, block: usize) -> bool {
    page.is_kept(block) && !page.is_link(block)
}

/// The element that a paragraph, a heading or a list is in; none for a part of something else.
fn around(elements: &Elements, block: usize) -> Option<u32> {
    let mut at = *elements.of_block.get(block)?;
    for _ in 0..LEVELS {
        let row: &Element = elements.rows.get(at as usize)?;
        if !is_of_text(row.tag) {
            return Some(at);
        }
        at = row.parent;
    }
    None
}

fn is_of_text(tag: Tag) -> bool {
    matches!(tag, P | LI | UL | OL | DL | DT | DD | PRE | BLOCKQUOTE) || (H1..=H6).contains(&tag)
}
