//! The blocks of each element.

use super::Span;
use crate::page::elements::Elements;

/// The blocks of every element, in the order of the elements.
pub struct Extents {
    /// Empty for elements without text.
    pub spans: Vec<Span>,
    /// For every element the end of the nearest element around it that continues after it.
    pub rest: Vec<u32>,
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
        let rest = rests(elements, &spans);
        Self { spans, rest }
    }
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

fn rests(elements: &Elements, spans: &[Span]) -> Vec<u32> {
    let mut rest: Vec<u32> = Vec::with_capacity(spans.len());
    for (own, row) in spans.iter().zip(&elements.rows) {
        let around = spans.get(row.parent as usize);
        let end = match around {
            Some(around) if around.end > own.end => around.end,
            Some(_) => rest[row.parent as usize],
            None => own.end,
        };
        rest.push(end);
    }
    rest
}
