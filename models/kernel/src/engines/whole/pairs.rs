//! A label and its value, a quote and its name: both stay, or both go.

use super::controls::{is_about_others, is_control, is_of_post};
use super::stems::{LABEL, Rule};
use super::{DOUBT, Decider, INSIDE, NEAR, Page, WIDE, decider_of};
use crate::page::blocks::Kind;
use crate::page::elements::{Element, Elements};
use crate::page::tags::{ADDRESS, DIV, P};
use crate::units::{Span, UnitKind};

/// Fewest members of two parts, and most blocks of one, with its controls.
const LEAST_PAIRS: usize = 2;
const MOST_PARTS: usize = 6;
/// Fewest members of which the prices are kept, and most bytes of a price.
const LEAST_PRICES: usize = 3;
const MOST_PRICE: usize = 24;
/// Most words of a label, and of a line among others.
const LABEL_WORDS: f32 = 6.0;
const LINE_WORDS: f32 = 12.0;
/// Most values of a label that are kept with it.
const MOST_VALUES: usize = 3;
/// Fewest lines with facts among lines of one element.
const LEAST_FACTS: usize = 3;

pub fn settle(page: &mut Page<'_>) {
    settle_members(page);
    let Some(elements) = page.table.elements.as_ref() else {
        return;
    };
    let named = page.named(Rule::Field, |mut words| words.any(is_label_name));
    keep_labels(page, elements, named.as_deref());
    if let Some(named) = named {
        keep_fields(page, elements, &named);
    }
    keep_lines(page, elements);
}

/// Keep both parts of members of two parts, if all of them together may be content, and prices.
fn settle_members(page: &mut Page<'_>) {
    let mut kept = Vec::new();
    for unit in &page.units.all {
        let decider = decider_of(unit.kind).filter(|of| *of != Decider::Thread);
        let Some(decider) = decider else {
            continue;
        };
        let members = page.units.members(unit);
        // most have all of their blocks
        if !members.iter().any(|member| is_cut(page, *member)) {
            continue;
        }
        if members.len() >= LEAST_PRICES {
            let prices = prices(page, members).into_iter();
            kept.extend(prices.map(|price| (price, decider)));
        }
        let pairs: Vec<[usize; 2]> = members
            .iter()
            .filter_map(|each| pair(page, *each, unit.kind))
            .collect();
        let has_kept = |pair: &&[usize; 2]| pair.iter().any(|block| page.is_kept(*block));
        if pairs.len() < LEAST_PAIRS.max(members.len().div_ceil(2))
            || 2 * pairs.iter().filter(has_kept).count() < pairs.len()
        {
            continue;
        }
        let (words, odds) = page.sums(pairs.iter().flatten().copied());
        if odds <= DOUBT * words {
            continue;
        }
        for at in 0..2 {
            let is_lost =
                |pair: &&[usize; 2]| !page.is_kept(pair[at]) && page.is_kept(pair[1 - at]);
            let cut: Vec<[usize; 2]> = pairs.iter().filter(is_lost).copied().collect();
            let lost: Vec<&str> = cut.iter().map(|pair| page.text(pair[at])).collect();
            if is_likely(page, &cut, at) && !are_badges(&lost) {
                kept.extend(cut.iter().map(|pair| (pair[at], decider)));
            }
        }
    }
    for (block, decider) in kept {
        page.keep(block, decider);
    }
}

/// The lost prices of members of which other text is kept, if most members have one.
fn prices(page: &Page<'_>, members: &[Span]) -> Vec<usize> {
    let is_lost = |block: &usize| {
        !page.is_kept(*block) && !page.is_hidden(*block) && is_price(page.text(*block))
    };
    let short = members
        .iter()
        .filter(|each| each.blocks().len() <= MOST_PARTS);
    let prices: Vec<usize> = short
        .filter(|each| each.blocks().any(|block| page.is_kept(block)))
        .flat_map(|each| each.blocks().filter(is_lost))
        .collect();
    let (words, odds) = page.sums(prices.iter().copied());
    let is_likely = odds > INSIDE * words && 2 * prices.len() >= members.len();
    if is_likely { prices } else { Vec::new() }
}

/// Whether a text is an amount of money.
fn is_price(text: &str) -> bool {
    const SIGNS: [char; 7] = ['$', '€', '£', '¥', '₹', '₽', '₩'];
    text.len() <= MOST_PRICE
        && text.contains(SIGNS)
        && text.contains(|sign: char| sign.is_ascii_digit())
}

/// Whether the lost first or second parts of pairs may be content; a value below a heading or next to
/// a name may be less likely than a badge.
fn is_likely(page: &Page<'_>, pairs: &[[usize; 2]], lost: usize) -> bool {
    let is_heading = |pair: &[usize; 2]| page.table.blocks[pair[1 - lost]].kind == Kind::Heading;
    let is_short = |block: usize| page.weights[block] <= LABEL_WORDS;
    let is_value = |pair: &[usize; 2]| lost == 1 && pair.iter().all(|block| is_short(*block));
    let is_amount = |text: &str| {
        let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
        text.starts_with(char::is_numeric)
    };
    let amounts = pairs.iter().filter(|pair| is_amount(page.text(pair[lost])));
    let are_values = || pairs.iter().all(is_value) && 2 * amounts.count() > pairs.len();
    let least = if pairs.iter().all(is_heading) || are_values() {
        INSIDE
    } else {
        DOUBT
    };
    let (words, odds) = page.sums(pairs.iter().map(|pair| pair[lost]));
    odds > least * words
}

/// Whether several texts are the same word, such as a badge or a link to the top.
pub fn are_badges(texts: &[&str]) -> bool {
    let is_word = |text: &&str| *text == texts[0] && !text.contains(' ');
    texts.len() > 1 && texts.iter().all(is_word)
}

/// Whether some blocks of a member are kept and others are not.
fn is_cut(page: &Page<'_>, member: Span) -> bool {
    let mut kept = member
        .blocks()
        .take(MOST_PARTS)
        .map(|block| page.is_kept(block));
    let first = kept.next();
    kept.any(|is| Some(is) != first)
}

/// The two different parts of a member that has no others, apart from links, controls and signs.
fn pair(page: &Page<'_>, member: Span, kind: UnitKind) -> Option<[usize; 2]> {
    if member.blocks().len() > MOST_PARTS {
        return None;
    }
    // values of definition lists may be links
    let is_value = |block: usize| kind == UnitKind::Definitions && may_be_part(page, block);
    let is_one = |block: &usize| is_part(page, *block) || is_value(*block);
    let mut parts = member.blocks().filter(is_one);
    let pair = [parts.next()?, parts.next()?];
    let is_pair = parts.next().is_none() && page.text(pair[0]) != page.text(pair[1]);
    is_pair.then_some(pair)
}

/// Whether a block is text that may be a label or a value.
fn is_part(page: &Page<'_>, block: usize) -> bool {
    !page.is_link(block) && may_be_part(page, block)
}

/// The same, also if it is a link.
fn may_be_part(page: &Page<'_>, block: usize) -> bool {
    let (of, text) = (&page.table.blocks[block], page.text(block));
    let is_plain = of.table == 0 && !matches!(of.kind, Kind::Code | Kind::Caption);
    let is_other = || is_control(text) || is_of_post(text) || is_about_others(text);
    is_plain && page.weights[block] > 0.0 && !page.is_hidden(block) && !is_other()
}

/// Keep a label right above its kept value in the same element, and the value of a kept label that is
/// named for one.
fn keep_labels(page: &mut Page<'_>, elements: &Elements, named: Option<&[bool]>) {
    let mut kept = Vec::new();
    // labels above all text are of the way to the page
    let first = (0..page.verdicts.len()).find(|block| page.is_kept(*block));
    let labels = first.unwrap_or(0)..page.verdicts.len().saturating_sub(1);
    for label in labels {
        let value = label + 1;
        if page.is_kept(label) == page.is_kept(value)
            || page.weights[label] > LABEL_WORDS
            || page.table.blocks[label].kind == Kind::Heading && !is_headed_value(page, label)
            || page.table.blocks[value].kind == Kind::Heading
            || !holds(elements, label, value)
        {
            continue;
        }
        let lost = if page.is_kept(label) { value } else { label };
        if page.odds[lost] <= INSIDE || !is_part(page, label) {
            continue;
        }
        let is_named = |named: &[bool]| {
            let is = |block: usize| named[elements.of_block[block] as usize];
            is(label) && !is(value)
        };
        let is_heading = page.table.blocks[label].kind == Kind::Heading;
        let is_headed = (lost == label || is_heading) && page.text(label).ends_with([':', '：']);
        if is_part(page, value) && (is_headed || named.is_some_and(is_named)) {
            kept.push(lost);
        }
    }
    for block in kept {
        page.keep(block, Decider::List);
    }
}

/// Whether a kept heading with a colon is the label of a value that may be content: `Yield:`, `12`.
fn is_headed_value(page: &Page<'_>, label: usize) -> bool {
    page.is_kept(label)
        && page.odds[label + 1] > DOUBT
        && is_fact(page.text(label + 1))
        && page.text(label).ends_with([':', '：'])
}

/// Keep the fields next to a kept one: labels that are named for it, each with its values.
fn keep_fields(page: &mut Page<'_>, elements: &Elements, named: &[bool]) {
    let is_label = |block: usize| {
        named[elements.of_block[block] as usize] && page.weights[block] <= LABEL_WORDS
    };
    let mut kept = Vec::new();
    let mut first = 0;
    while first < page.verdicts.len() {
        // the run of fields from here
        let mut end = first;
        let mut has_kept = false;
        while end + 1 < page.verdicts.len() && is_label(end) && holds(elements, end, end + 1) {
            let values = end + 1..page.verdicts.len();
            let is_value = |value: &usize| !is_label(*value) && holds(elements, end, *value);
            let values = values.take(MOST_VALUES).take_while(is_value).count();
            has_kept |= page.is_kept(end) && values > 0 && page.is_kept(end + 1);
            end += values.max(1) + usize::from(values > 0);
        }
        let fields = first..end;
        let may_be = |block: &usize| {
            let is_short = page.weights[*block] <= LINE_WORDS && !page.is_hidden(*block);
            is_short && page.odds[*block] > INSIDE && !is_control(page.text(*block))
        };
        if has_kept {
            kept.extend(fields.clone().filter(may_be));
        }
        first = fields.end.max(first + 1);
    }
    for block in kept {
        page.keep(block, Decider::List);
    }
}

/// Whether the element around a label is around its value too.
fn holds(elements: &Elements, label: usize, value: usize) -> bool {
    let row = |at: u32| elements.rows.get(at as usize);
    let own = elements.of_block[label];
    let around = row(own).map(|row| row.parent);
    let mut above = std::iter::successors(Some(elements.of_block[value]), |at| {
        row(*at).map(|row| row.parent)
    });
    above
        .by_ref()
        .take(NEAR + 1)
        .any(|at| at == own || Some(at) == around)
}

/// Whether a class says that an element is the label of a value: `field__label`.
fn is_label_name(class: &str) -> bool {
    let before = class.strip_suffix(LABEL);
    before.is_some_and(|before| before.is_empty() || before.ends_with(['-', '_']))
}

/// Keep short lines of one element with the others of it, such as an address or facts.
fn keep_lines(page: &mut Page<'_>, elements: &Elements) {
    let row = |block: usize| elements.rows.get(*elements.of_block.get(block)? as usize);
    let is_line = |row: &&Element| matches!(row.tag, P | DIV | ADDRESS);
    let around = |block: usize| Some(row(block).filter(is_line)?.parent);
    let is_short = |block: usize| {
        page.weights[block] <= LINE_WORDS
            && matches!(page.table.blocks[block].kind, Kind::Paragraph | Kind::Other)
            && page.table.blocks[block].lists == 0
    };
    let mut kept = Vec::new();
    let mut first = 0;
    while first < page.verdicts.len() {
        let own = around(first);
        let is_other = |block: &usize| own.is_some() && around(*block) == own && is_short(*block);
        let rest = first..page.verdicts.len();
        let lines = first..first + rest.take_while(is_other).count();
        first = lines.end.max(first + 1);
        let gone = || lines.clone().filter(|line| !page.is_kept(*line));
        let is_cut = lines.clone().any(|line| page.is_kept(line)) && gone().next().is_some();
        if !is_cut {
            continue;
        }
        let facts = lines.clone().filter(|line| is_fact(page.text(*line)));
        let is_other = |line: usize| page.is_kept(line) && !is_fact(page.text(line));
        if facts.count() < LEAST_FACTS || lines.clone().any(is_other) {
            continue;
        }
        let (words, odds) = page.sums(lines.clone());
        let lost = gone().filter(|line| is_part(page, *line) && odds > DOUBT * words);
        kept.extend(lost.filter(|line| page.odds[*line] > least(page.text(*line))));
    }
    for block in kept {
        page.keep(block, Decider::List);
    }
}

/// Whether a line states a fact: it has a number, a label or an address.
fn is_fact(text: &str) -> bool {
    text.contains(|c: char| c.is_numeric() || matches!(c, '@' | ':' | '：'))
}

/// Log-odds above which a line stays with others; an e-mail address may be less likely.
fn least(text: &str) -> f32 {
    let is_address = |word: &str| {
        word.split_once('@')
            .is_some_and(|(_, host)| host.contains('.'))
    };
    if text.split_whitespace().any(is_address) {
        -WIDE
    } else {
        DOUBT
    }
}
