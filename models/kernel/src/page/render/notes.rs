//! Footnotes: items that raised signs in the text lead to.

use std::collections::{HashMap, HashSet};

use super::Part;
use crate::page::blocks::{Block, Kind};
use crate::page::inline::{Inline, style};

/// The footnotes of a page that are kept, numbered from 1 in the order of their items.
#[derive(Default)]
pub struct Notes {
    by_anchor: HashMap<String, usize>,
    /// Group of the item, growing, and its number.
    by_group: Vec<(u32, usize)>,
}

impl Notes {
    pub fn of(inline: &Inline, parts: &[Part<'_>]) -> Self {
        let mut referred = HashSet::new();
        for piece in parts.iter().flat_map(|part| part.pieces) {
            for run in inline.runs_of(piece.start, piece.end) {
                if run.link > 0 && run.style & style::RAISED != 0 {
                    referred.extend(anchor(inline.href(run.link)));
                }
            }
        }
        let mut notes = Self::default();
        for part in parts {
            let group = part.block.group;
            let known = notes.by_group.last().is_some_and(|last| last.0 >= group);
            let anchor = inline.anchor(group);
            if known || !can_be_note(part.block) || !referred.contains(anchor) {
                continue;
            }
            let number = notes.by_group.len() + 1;
            notes.by_group.push((group, number));
            notes.by_anchor.entry(anchor.to_owned()).or_insert(number);
        }
        notes
    }

    /// The number of the note that a link leads to.
    pub fn referred(&self, href: &str) -> Option<usize> {
        self.by_anchor.get(anchor(href)?).copied()
    }

    /// The number of the note that a block is of.
    pub fn number(&self, block: &Block) -> Option<usize> {
        let at = self
            .by_group
            .binary_search_by_key(&block.group, |each| each.0);
        let number = self.by_group.get(at.ok()?)?.1;
        can_be_note(block).then_some(number)
    }
}

/// Notes stand at the outermost level: inside of lists and quotes Markdown has none.
fn can_be_note(block: &Block) -> bool {
    block.kind == Kind::ListItem && block.level == 1 && block.quotes == 0
}

fn anchor(href: &str) -> Option<&str> {
    let (_, anchor) = href.split_once('#')?;
    (!anchor.is_empty()).then_some(anchor)
}
