//! The blocks of each element.

use super::Span;
use crate::page::elements::Elements;
use crate::page::tags::{DIR, DL, MENU, OL, Tag, UL};

/// The blocks of every element, in the order of the elements.
pub struct Extents {
    /// Empty for elements without text.
    pub spans: Vec<Span>,
    /// Whether an element is an item, a post or another member of a unit, by element.
    pub is_member: Vec<bool>,
}

impl Extents {
    pub fn of(elements: &Elements) -> Self {
        let mut spans = vec![Span::default(); elements.rows.len()];
        for (block, element) in elements.of_block.iter().enumerate() {
            if let Some(span) = spans.get_mut(*element as usize) {
                widen(span, Span::new(block as u32, block as u32 + 1));
            }
        }
        // parents come before their children
        for at in (1..spans.len()).rev() {
            let (own, parent) = (spans[at], elements.rows[at].parent);
            if let Some(around) = spans.get_mut(parent as usize) {
                widen(around, own);
            }
        }
        let is_member = vec![false; spans.len()];
        Self { spans, is_member }
    }

    /// The end of the nearest element around a heading that continues after it.
    ///
    /// A heading that ends a list, or an item or a post with other text before it, has none.
    pub fn rest(&self, elements: &Elements, heading: u32) -> u32 {
        let own = elements.of_block.get(heading as usize).copied();
        let mut at = own.unwrap_or(0) as usize;
        let last = self.spans.get(at).map_or(heading, |span| span.end);
        while let (Some(span), Some(row)) = (self.spans.get(at), elements.rows.get(at)) {
            let is_closed = is_list(row.tag) || self.is_member[at] && span.first < heading;
            if span.end > last || is_closed {
                return span.end;
            }
            at = row.parent as usize;
        }
        last
    }
}

/// Whether the children of an element are items.
pub fn is_list(tag: Tag) -> bool {
    matches!(tag, UL | OL | MENU | DIR | DL)
}

fn widen(span: &mut Span, other: Span) {
    if other.is_empty() {
        return;
    }
    *span = if span.is_empty() {
        other
    } else {
        Span::new(span.first.min(other.first), span.end.max(other.end))
    };
}
