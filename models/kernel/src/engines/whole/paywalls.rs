//! Lists of what a subscription offers, next to a request to subscribe.

use super::promotion::is_subscription;
use super::{Decider, Page};
use crate::units::{Span, UnitKind};

/// Blocks next to a list among which such a request is.
const NEAR: usize = 2;
/// Most words of such a request.
const MOST_WORDS: f32 = 24.0;

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
