//! Headings with their sections.

use super::elements::Extents;
use super::{Span, UnitKind, Units};
use crate::page::blocks::{BlockTable, Kind};
use crate::page::elements::Elements;

/// A section ends at the next heading of its level or a higher one, and at the latest with the
/// nearest element around its heading that continues after it.
pub fn find(table: &BlockTable, elements: &Elements, extents: &Extents, units: &mut Units) {
    // headings whose section is open: level, first block, latest end
    let mut open: Vec<(u8, u32, u32)> = Vec::new();
    let mut last_group = 0;
    for (at, block) in table.blocks.iter().enumerate() {
        let at = at as u32;
        if block.kind != Kind::Heading || block.group == last_group {
            continue;
        }
        last_group = block.group;
        while let Some(&(level, first, end)) = open.last() {
            if level < block.level && end > at {
                break;
            }
            close(table, units, first, end.min(at));
            open.pop();
        }
        open.push((block.level, at, extents.rest(elements, at)));
    }
    while let Some((_, first, end)) = open.pop() {
        close(table, units, first, end);
    }
}

/// Add a section from its heading on; without text below the heading there is none.
fn close(table: &BlockTable, units: &mut Units, first: u32, end: u32) {
    let Some(heading) = table.blocks.get(first as usize) else {
        return;
    };
    let blocks = table.blocks.iter().skip(first as usize);
    let lines =
        blocks.take_while(|block| block.kind == Kind::Heading && block.group == heading.group);
    let governed = Span::new(first + lines.count() as u32, end);
    if !governed.is_empty() {
        units.add(UnitKind::Section, Span::new(first, end), [governed]);
    }
}
