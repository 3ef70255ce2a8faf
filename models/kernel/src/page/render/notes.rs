//! Footnotes: items that superscript links in the text refer to, and paragraphs that begin with a link
//! back to their mark.

use std::collections::{HashMap, HashSet};

use super::{Part, Piece, span};
use crate::page::blocks::{Block, BlockTable, Kind};
use crate::page::inline::{Inline, Run, style};

/// Longest text of a note reference, in bytes.
pub const MAX_SIGN: usize = 12;
/// Longest name of a place that is read, and longest address with one.
const MAX_NAME: usize = 64;
const MAX_ADDRESS: usize = 2048;
/// What the names of a mark and of its note differ in: `_ftnref1` and `_ftn1`.
const SIDES: [&str; 9] = [
    "anchor",
    "backlink",
    "back",
    "bottom",
    "note",
    "reference",
    "ref",
    "sym",
    "anc",
];

/// The kept footnotes of a page, numbered from 1 in the order of their items.
#[derive(Default)]
pub struct Notes {
    by_link: HashMap<u32, usize>,
    /// Group of the item, growing, and its number.
    by_group: Vec<(u32, usize)>,
    /// Links that are marks as a whole, raised or not.
    whole: HashSet<u32>,
    /// By the start of their first block, numbers of the notes that are paragraphs.
    by_start: HashMap<u32, usize>,
    /// By the index of a part, what is left of it without the link back.
    rests: HashMap<usize, Vec<Piece>>,
}

/// A link back to a mark, at the beginning of the part at `at`, and the end of its text.
struct Back {
    at: usize,
    end: u32,
    sign: String,
    name: String,
}

impl Notes {
    pub fn of(inline: &Inline, table: &BlockTable, parts: &[Part<'_>]) -> Self {
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
        notes.add_paragraphs(inline, table, parts);
        notes
    }

    /// Find the notes that are paragraphs, each with a mark of the same text above it.
    fn add_paragraphs(&mut self, inline: &Inline, table: &BlockTable, parts: &[Part<'_>]) {
        let backs: Vec<Back> = (0..parts.len())
            .filter_map(|at| back(inline, table, parts, at))
            .collect();
        let Some(first) = backs.first() else { return };
        let mut marks: HashMap<(String, String), u32> = HashMap::new();
        for piece in parts[..first.at].iter().flat_map(|part| part.pieces) {
            let runs = inline.runs_of(piece.start, piece.end);
            let ends = runs.iter().skip(1).map(|run| run.at).chain([piece.end]);
            for (run, end) in runs.iter().zip(ends) {
                let place = || short_anchor(inline.href(run.link));
                let sign = sign_of(span(table, run.at.max(piece.start), end));
                let Some((sign, place)) = sign.and_then(|sign| Some((sign, place()?))) else {
                    continue;
                };
                if !self.by_link.contains_key(&run.link) {
                    marks.entry((sign, bare(place))).or_insert(run.link);
                }
            }
        }
        for back in backs {
            let Some(link) = marks.remove(&(back.sign, back.name)) else {
                continue;
            };
            let rest = super::numbers::rest(&parts[back.at], back.end);
            // or the text is the next paragraph
            let text = if rest.is_empty() {
                back.at + 1
            } else {
                back.at
            };
            let Some(text) = parts.get(text).filter(|part| is_line(part.block)) else {
                continue;
            };
            let number = self.by_group.len() + self.by_start.len() + 1;
            self.by_start.insert(text.block.start, number);
            self.rests.insert(back.at, rest);
            self.by_link.insert(link, number);
            self.whole.insert(link);
        }
    }

    /// The parts without the links back.
    pub fn without<'a>(&'a self, parts: Vec<Part<'a>>) -> Vec<Part<'a>> {
        if self.rests.is_empty() {
            return parts;
        }
        let left = |(at, part): (usize, Part<'a>)| match self.rests.get(&at) {
            None => Some(part),
            Some(pieces) => (!pieces.is_empty()).then_some(Part { pieces, ..part }),
        };
        parts.into_iter().enumerate().filter_map(left).collect()
    }

    /// The number of the note that a link refers to.
    pub fn referred(&self, link: u32) -> Option<usize> {
        self.by_link.get(&link).copied()
    }

    /// Whether all of the text of a link is a mark.
    pub fn is_whole(&self, link: u32) -> bool {
        self.whole.contains(&link)
    }

    /// The number of the note that begins with a paragraph.
    pub fn of_paragraph(&self, block: &Block) -> Option<usize> {
        self.by_start.get(&block.start).copied()
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

/// The link back to a mark that a paragraph begins with.
fn back(inline: &Inline, table: &BlockTable, parts: &[Part<'_>], at: usize) -> Option<Back> {
    let part = parts.get(at).filter(|part| is_line(part.block))?;
    let start = part.pieces.first()?.start;
    let end = part.pieces.last()?.end;
    let runs = inline.runs_of(start, end);
    // brackets may be around the link, and not in it
    let is_open = |two: &[Run]| two[0].link == 0 && span(table, start, two[1].at) == "[";
    let is_open = runs.windows(2).next().is_some_and(is_open);
    let mut runs = runs.iter().skip(usize::from(is_open));
    let link = runs.next().map(|run| run.link).filter(|link| *link > 0)?;
    let after = runs.find(|run| run.link != link);
    let closes = |run: &Run| is_open && span(table, run.at, end).starts_with(']');
    let end = after.map_or(end, |run| run.at + u32::from(closes(run)));
    let is_marked = part.pieces.iter().any(|piece| piece.marked.is_some());
    let place = short_anchor(inline.href(link)).filter(|_| !is_marked)?;
    Some(Back {
        at,
        end,
        sign: sign_of(span(table, start, end))?,
        name: bare(place),
    })
}

/// A paragraph at the outermost level.
fn is_line(block: &Block) -> bool {
    matches!(block.kind, Kind::Paragraph | Kind::Other)
        && block.lists == 0
        && block.quotes == 0
        && block.table == 0
}

/// A number, a letter or a sign, without brackets around it, and no longer raised.
fn sign_of(text: &str) -> Option<String> {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let text = text.trim();
    if text.len() > MAX_SIGN {
        return None;
    }
    let lowered = |c: char| match RAISED.iter().zip('0'..).find(|(raised, _)| **raised == c) {
        Some((_, digit)) => digit,
        None => c,
    };
    let bare = text.trim_matches(['[', ']', '(', ')', '.']);
    let sign: String = bare.chars().map(lowered).collect();
    let is_number = !sign.is_empty() && sign.bytes().all(|byte| byte.is_ascii_digit());
    (is_number || sign.chars().count() == 1).then_some(sign)
}

/// The name of a place without what says that it is of the mark or of the note.
fn bare(place: &str) -> String {
    let mut name: String = place.chars().take(MAX_NAME).collect();
    name.make_ascii_lowercase();
    for side in SIDES {
        name = name.replace(side, "");
    }
    name.retain(|c| c.is_alphanumeric());
    // ids of docutils only count: `id1` and `id2`
    let counted = name.strip_prefix("id").map(str::len);
    if counted.is_some_and(|digits| {
        name.bytes()
            .rev()
            .take(digits)
            .all(|byte| byte.is_ascii_digit())
    }) {
        name.truncate("id".len());
    }
    name
}

/// The place that an address names, unless this is long: the text of one link may be in many parts.
fn short_anchor(href: &str) -> Option<&str> {
    (href.len() <= MAX_ADDRESS).then(|| anchor(href)).flatten()
}

fn anchor(href: &str) -> Option<&str> {
    let (_, anchor) = href.split_once('#')?;
    (!anchor.is_empty()).then_some(anchor)
}
