//! Footnotes: items that superscript links in the text refer to.

use std::collections::{HashMap, HashSet};

use super::Part;
use crate::page::blocks::{Block, Kind};
use crate::page::inline::{Inline, style};

/// The kept footnotes of a page, numbered from 1 in the order of their items.
#[derive(Default)]
pub struct Notes {
    by_link: HashMap<u32, usize>,
    /// Group of the item, growing, and its number.
    by_group: Vec<(u32, usize)>,
}

impl Notes {
    pub fn of(inline: &Inline, parts: &[Part<'_>]) -> Self {
        let links = raised_links(inline, parts);
        let targets = links.iter().filter_map(|&link| anchor(inline.href(link)));
        let referred: HashSet<&str> = targets.collect();
        let mut notes = Self::default();
        let mut by_anchor = HashMap::new();
        let mut asked = 0;
        for part in parts {
            let group = part.block.group;
            let known = notes.by_group.last().is_some_and(|last| last.0 >= group);
            // an item of many blocks is checked once: its anchor may be long
            if known || !can_be_note(part.block) || group == asked {
                continue;
            }
            asked = group;
            let anchor = inline.anchor(group);
            if referred.contains(anchor) {
                let number = notes.by_group.len() + 1;
                notes.by_group.push((group, number));
                by_anchor.entry(anchor).or_insert(number);
            }
        }
        let note = |&link: &u32| Some((link, *by_anchor.get(anchor(inline.href(link))?)?));
        notes.by_link = links.iter().filter_map(note).collect();
        notes
    }

    /// The number of the note that a link refers to.
    pub fn referred(&self, link: u32) -> Option<usize> {
        self.by_link.get(&link).copied()
    }

    /// The number of the note that a block belongs to.
    pub fn number(&self, block: &Block) -> Option<usize> {
        let at = self
            .by_group
            .binary_search_by_key(&block.group, |each| each.0);
        let number = self.by_group.get(at.ok()?)?.1;
        can_be_note(block).then_some(number)
    }
}

/// The links with superscript text, each once.
fn raised_links(inline: &Inline, parts: &[Part<'_>]) -> HashSet<u32> {
    let pieces = parts.iter().flat_map(|part| part.pieces);
    let runs = pieces.flat_map(|piece| inline.runs_of(piece.start, piece.end));
    let raised = runs.filter(|run| run.link > 0 && run.style & style::RAISED != 0);
    raised.map(|run| run.link).collect()
}

/// Notes are written at the outermost level: Markdown does not allow them in lists and quotes.
fn can_be_note(block: &Block) -> bool {
    block.kind == Kind::ListItem && block.level == 1 && block.quotes == 0
}

fn anchor(href: &str) -> Option<&str> {
    let (_, anchor) = href.split_once('#')?;
    (!anchor.is_empty()).then_some(anchor)
}
