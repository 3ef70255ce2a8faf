//! Lists of what a subscription offers, next to a request to subscribe, and boxes with such a request.

use super::promotion::{is_of_newsletter, is_request, is_subscription};
use super::{Decider, Page, TEXT_WORDS};
use crate::page::blocks::Kind;
use crate::units::{Span, UnitKind};

/// Blocks next to a list among which such a request is.
const NEAR: usize = 2;
/// Most words of such a request.
const MOST_WORDS: f32 = 24.0;

/// Most words and blocks of a box with a request.
const BOX_WORDS: f32 = 60.0;
const BOX_BLOCKS: usize = 12;

/// Drop boxes that begin with a request to subscribe to the site or to its newsletter, below the first
/// text of a page that is not about newsletters.
pub fn drop_boxes(page: &mut Page<'_>) {
    let is_lead = |block: &usize| page.kept_words(*block) >= TEXT_WORDS;
    let Some(first) = (0..page.verdicts.len()).find(is_lead) else {
        return;
    };
    let end = page.verdicts.len();
    let is_open = |block: usize| {
        let mut near = block..end.min(block + 1 + NEAR);
        near.any(|block| page.is_kept(block))
    };
    let is_line = |block: &usize| {
        page.weights[*block] <= MOST_WORDS && is_open(*block) && is_request(page.text(*block))
    };
    let requests: Vec<usize> = (first + 1..page.verdicts.len()).filter(is_line).collect();
    if requests.is_empty() || is_of_newsletter(page.title()) {
        return;
    }
    for request in requests {
        let boxes = page.boxes_from(request);
        let boxes = boxes.take_while(|span| span.blocks().len() <= BOX_BLOCKS);
        let is_plain = |block: usize| {
            let of = &page.table.blocks[block];
            of.lists == 0 && of.table == 0 && of.kind != Kind::Code
        };
        let is_short = |span: &Span| {
            let is_box = span.blocks().len() > 1 && span.blocks().all(is_plain);
            is_box && page.words(*span).0 <= BOX_WORDS
        };
        let short = boxes.filter(is_short);
        if let Some(span) = short.last() {
            for block in span.blocks() {
                page.drop(block, Decider::Promotion);
            }
        }
    }
}

/// Drop the lists of which half of the items are `offers`, with the requests next to them.
///
/// Without a request the list is of an article about the offer.
pub fn settle(page: &mut Page<'_>, offers: &[usize]) {
    if offers.is_empty() {
        return;
    }
    let lists = page.units.all.iter();
    let lists: Vec<Span> = lists
        .filter(|unit| unit.kind == UnitKind::List)
        .filter(|unit| {
            let (from, to) = (unit.span.first as usize, unit.span.end as usize);
            let offered = offers.partition_point(|offer| *offer < to)
                - offers.partition_point(|offer| *offer < from);
            offered > 0 && 2 * offered >= page.units.members(unit).len()
        })
        .map(|unit| unit.span)
        .collect();
    for list in lists {
        let (from, to) = (list.first as usize, list.end as usize);
        let near = (from.saturating_sub(NEAR)..from).chain(to..page.verdicts.len().min(to + NEAR));
        let requests: Vec<usize> = near
            .filter(|block| page.weights[*block] <= MOST_WORDS)
            .filter(|block| is_subscription(page.text(*block)))
            .collect();
        if requests.is_empty() {
            continue;
        }
        for block in list.blocks().chain(requests) {
            page.drop(block, Decider::Promotion);
        }
    }
}
