//! Footnotes, endnotes and references, by labels and by headings.

use std::sync::LazyLock;

use super::elements::Extents;
use super::{Span, UnitKind, Units};
use crate::page::blocks::{Block, BlockTable, Kind};
use crate::text::lines::Lines;

/// Most bytes of such a heading, with its number.
const MOST_HEADING: usize = 56;
/// Fewest notes below a line that is not a heading.
const LEAST_NOTES: usize = 2;

/// Headings above notes and references, in lower case; a number before them is ignored.
static KNOWN: LazyLock<Lines> = LazyLock::new(|| Lines::of(HEADINGS.into_iter()));
const HEADINGS: [&str; 71] = [
    "references",
    "reference list",
    "notes",
    "footnotes",
    "endnotes",
    "bibliography",
    "works cited",
    "literature cited",
    "notes and references",
    "references and notes",
    "citations",
    "sources",
    "selected bibliography",
    "einzelnachweise",
    "literatur",
    "literaturverzeichnis",
    "fußnoten",
    "anmerkungen",
    "quellen",
    "références",
    "notes et références",
    "notes",
    "bibliographie",
    "notes de bas de page",
    "referencias",
    "notas",
    "notas y referencias",
    "bibliografía",
    "notas al pie",
    "referências",
    "notas de rodapé",
    "bibliografia",
    "referències",
    "referencias bibliográficas",
    "note",
    "riferimenti",
    "riferimenti bibliografici",
    "riferimenti e note",
    "referenties",
    "bronnen",
    "noten",
    "voetnoten",
    "literatuur",
    "przypisy",
    "bibliografia",
    "literatura",
    "reference",
    "poznámky",
    "referenser",
    "källor",
    "fotnoter",
    "referanser",
    "kilder",
    "noter",
    "fodnoter",
    "lähteet",
    "viitteet",
    "hivatkozások",
    "jegyzetek",
    "kaynakça",
    "примечания",
    "література",
    "参考文献",
    "fuentes",
    "fonti",
    "quellenangaben",
    "quellenverzeichnis",
    "источники",
    "список литературы",
    "zdroje",
    "literatúra",
];

/// Sections marked by the names of elements; of nested ones the outermost.
pub fn find(are_notes: &[bool], extents: &Extents, units: &mut Units) {
    let mut end = 0;
    for (is_notes, span) in are_notes.iter().zip(&extents.spans) {
        if *is_notes && !span.is_empty() && span.first >= end {
            units.add(UnitKind::Notes, *span, [*span]);
            end = span.end;
        }
    }
}

/// Sections below such headings, of the units added since `from` was their number.
pub fn under_headings(table: &BlockTable, from: usize, units: &mut Units) {
    let sections: Vec<(Span, Span)> = units.all[from..]
        .iter()
        .filter(|unit| unit.kind == UnitKind::Section && heads_notes(table, unit.span.first))
        .filter_map(|unit| Some((unit.span, *units.members(unit).first()?)))
        .collect();
    for (span, governed) in sections {
        units.add(UnitKind::Notes, span, [governed]);
    }
}

/// Blocks of one element path below such a line that is a paragraph.
pub fn under_labels(table: &BlockTable, units: &mut Units) {
    let mut end = 0;
    for (at, block) in table.blocks.iter().enumerate() {
        let is_line = matches!(block.kind, Kind::Paragraph | Kind::Other) && block.table == 0;
        if at < end || !is_line || !heads_notes(table, at as u32) {
            continue;
        }
        let below = &table.blocks[at + 1..];
        let is_alike = |block: &&Block| {
            let is_text = matches!(block.kind, Kind::Paragraph | Kind::ListItem);
            is_text && Some(block.path) == below.first().map(|first| first.path)
        };
        end = at + 1 + below.iter().take_while(is_alike).count();
        let governed = Span::new(at as u32 + 1, end as u32);
        if governed.blocks().len() >= LEAST_NOTES {
            units.add(
                UnitKind::Notes,
                Span::new(at as u32, governed.end),
                [governed],
            );
        }
    }
}

fn heads_notes(table: &BlockTable, block: u32) -> bool {
    let block = table.blocks.get(block as usize);
    let text = block.map_or("", |block| table.text_of(block));
    if text.len() > MOST_HEADING {
        return false;
    }
    let text = text.trim_matches(|c: char| !c.is_alphabetic());
    KNOWN.may_have(text) && KNOWN.has(&text.to_lowercase())
}
