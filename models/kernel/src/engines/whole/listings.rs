//! Listings of code between blocks of text stay with them.

use super::{Decider, INSIDE, Page};
use crate::page::blocks::{Block, Kind};
use crate::units::Span;

pub fn settle(page: &mut Page<'_>) {
    let mut first = 0;
    while first < page.verdicts.len() {
        let length = page.table.blocks[first..].iter();
        let end = first + length.take_while(|block| is_listing(block)).count();
        let span = Span::new(first as u32, end as u32);
        let (all, kept) = page.words(span);
        if kept < all
            && page.mean_odds(span) > INSIDE
            && page.is_between_text(span, |of| !is_listing(of))
        {
            for block in span.blocks() {
                page.keep(block, Decider::Listing);
            }
        }
        first = end.max(first + 1);
    }
}

fn is_listing(block: &Block) -> bool {
    block.kind == Kind::Code && block.table == 0
}
