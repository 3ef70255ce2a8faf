//! The text of a block with its inline markup, as Markdown.

use std::cell::Cell;
use std::ops::Range;

use super::escape::{Mark, Place, Spell, Whole, escape, escape_plain};
use super::gap::{Gap, is_first_in};
use super::notes::{MAX_SIGN, Notes};
use super::spans::{Object, Stretch, events};
use super::{Part, span, tex};
use crate::page::addresses::{Base, absolute};
use crate::page::blocks::{Block, BlockTable, Kind};
use crate::page::inline::{Image, Inline, Run, style};
use crate::page::shifted;
use crate::page::text::is_invisible;

/// Bytes of addresses that a document may have in addition to the bytes of its page's text; further
/// links become text. Otherwise short references to a long base would expand without limit: a batch
/// limits its pages in bytes, and its documents must be limited with them.
const MORE_ADDRESSES: usize = 1 << 16;
const MAX_ADDRESSES: usize = 1 << 20;
/// Bytes that are read to resolve them: of references, and of the base for each. A link may be
/// resolved for every piece of its text.
const MAX_RESOLVED: usize = 1 << 22;
/// Placeholder for an image until it is written.
const IMAGE: &str = "\u{fffc}";

/// The inline markup that is written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Markup<'page> {
    pub inline: Option<&'page Inline>,
    /// The address of the page, the base of its references.
    pub url: &'page str,
    pub keeps_links: bool,
    pub keeps_images: bool,
}

/// Options for the blocks of one page.
pub struct Inlined<'page> {
    pub table: &'page BlockTable,
    markup: Markup<'page>,
    base: Option<Base>,
    room: Cell<usize>,
    unread: Cell<usize>,
    pub notes: &'page Notes,
}

/// A block before it becomes Markdown.
#[derive(Default)]
struct Draft<'page> {
    text: String,
    marks: Vec<Mark>,
    stretches: Vec<Stretch>,
    /// Numbers of links, and their targets.
    links: Vec<(u32, String)>,
    /// Images as they are written.
    images: Vec<String>,
    /// The TeX of formulas between delimiters.
    formulas: Vec<String>,
    inline: Option<&'page Inline>,
}

impl<'page> Inlined<'page> {
    pub fn of(table: &'page BlockTable, markup: Markup<'page>, notes: &'page Notes) -> Self {
        let stated = table.declared.pairs().find(|(name, _)| *name == "base");
        Self {
            table,
            markup,
            base: Base::of(markup.url, stated.map_or("", |(_, href)| href)),
            room: Cell::new(MAX_ADDRESSES.min(table.text.len() + MORE_ADDRESSES)),
            unread: Cell::new(MAX_RESOLVED),
            notes,
        }
    }

    pub fn inline(&self) -> Option<&'page Inline> {
        self.markup.inline
    }

    /// Write the kept part of a block.
    pub fn write(&self, part: &Part<'page>, place: Place, out: &mut String) {
        let draft = self.draft(part, place);
        let events = events(&draft.text, &draft.stretches);
        escape(&draft.text, &draft.marks, &events, &draft, place, out);
    }

    /// An image as it is written, if it has a usable address.
    pub fn image(&self, image: &Image) -> Option<String> {
        let inline = self.markup.inline?;
        let source = self.resolved(inline.source(image))?;
        let shown = inline.alternative(image).replace(is_invisible, "");
        let words: Vec<&str> = shown.split_whitespace().collect();
        let mut out = String::from("![");
        escape_plain(&words.join(" "), true, &mut out);
        out.push_str("](");
        out.push_str(&source);
        out.push(')');
        Some(out)
    }

    /// The same, with the link around it.
    pub fn linked_image(&self, image: &Image) -> Option<String> {
        let written = self.image(image)?;
        let href = self.markup.inline.map(|inline| inline.href(image.link));
        let href = href.filter(|href| self.markup.keeps_links && !href.is_empty());
        Some(match href.and_then(|href| self.resolved(href)) {
            Some(address) => format!("[{written}]({address})"),
            None => written,
        })
    }

    fn draft(&self, part: &Part<'page>, place: Place) -> Draft<'page> {
        let mut draft = Draft {
            inline: self.markup.inline,
            ..Draft::default()
        };
        let hidden = hidden_styles(part.block);
        for piece in part.pieces {
            self.add(&mut draft, part.block, piece.lead, piece.start, hidden);
            let at = draft.text.len();
            self.add(&mut draft, part.block, piece.start, piece.end, hidden);
            if let Some(perplexity) = piece.marked {
                draft.mark(at, perplexity);
            }
        }
        if place != Place::Line {
            // both are one byte long
            draft.text = draft.text.replace('\n', " ");
        }
        draft.take_formulas();
        draft
    }

    /// Add text of a block with its styles.
    fn add(&self, draft: &mut Draft<'page>, block: &Block, start: u32, end: u32, hidden: u8) {
        let Some(inline) = draft.inline.filter(|_| start < end) else {
            draft.push(span(self.table, start, end), 0, None, None);
            return;
        };
        let mut images = self.images_of(block, start, end).iter().peekable();
        let runs = inline.runs_of(start, end);
        let mut ends = runs.iter().map(|run| run.at);
        for run in [Run::default()].iter().chain(runs) {
            let from = run.at.clamp(start, end);
            let until = ends.next().unwrap_or(end).clamp(from, end);
            let text = span(self.table, from, until);
            if let Some(note) = self.note(run, text) {
                draft.push(text, 0, None, Some(Object::Note(note)));
                continue;
            }
            let link = self.link(draft, inline, run).filter(|_| from < until);
            let style = own_style(run.style & !hidden);
            let mut at = from;
            while let Some(image) = images.next_if(|image| image.at < until || until == end) {
                let place = image.at.clamp(at, until);
                draft.push(span(self.table, at, place), style, link, None);
                at = place;
                if let Some(written) = self.image(image) {
                    let around = Run {
                        link: image.link,
                        ..*run
                    };
                    let link = self.link(draft, inline, &around);
                    let number = Object::Image(draft.images.len());
                    draft.images.push(written);
                    draft.part_from_image(IMAGE, link);
                    draft.push(IMAGE, 0, link, Some(number));
                }
            }
            let text = span(self.table, at, until);
            if draft.text.ends_with(IMAGE) {
                draft.part_from_image(text, link);
            }
            draft.push(text, style, link, None);
        }
    }

    /// The images inside a range of a block.
    fn images_of(&self, block: &Block, start: u32, end: u32) -> &'page [Image] {
        let Some(inline) = self.markup.inline.filter(|_| self.markup.keeps_images) else {
            return &[];
        };
        let mut images = inline.images_of(start, end.saturating_add(1));
        while let Some((first, others)) = images.split_first() {
            let is_inside = first.at > start || start == block.start && is_first_in(first, block);
            if is_inside {
                break;
            }
            images = others;
        }
        images
    }

    /// The images between two blocks, or at an end of the page.
    pub fn images_between(
        &self,
        before: Option<&Block>,
        block: Option<&Block>,
    ) -> Vec<&'page Image> {
        let Some(inline) = self.markup.inline.filter(|_| self.markup.keeps_images) else {
            return Vec::new();
        };
        let is_in_table_of = |image: &Image, block: Option<&Block>| {
            block.is_some_and(|block| block.table > 0 && block.table == image.table)
        };
        let gap = Gap::of(self.table, inline, before, block);
        let images = inline
            .images_of(gap.start, gap.end.saturating_add(1))
            .iter();
        images
            .filter(|image| !block.is_some_and(|block| is_first_in(image, block)))
            .filter(|image| gap.holds(image))
            .filter(|image| !is_in_table_of(image, before) && !is_in_table_of(image, block))
            .collect()
    }

    /// The images of the cells without text in a row of a table, with their columns.
    pub fn images_of_row(&self, row: &[Part<'page>]) -> Vec<(usize, String)> {
        let (Some(first), Some(last)) = (row.first(), row.last()) else {
            return Vec::new();
        };
        let Some(inline) = self.markup.inline.filter(|_| self.markup.keeps_images) else {
            return Vec::new();
        };
        let blocks = &self.table.blocks;
        let has_text = |image: &Image| {
            let next = blocks.partition_point(|block| block.start < image.at);
            let near = next.saturating_sub(1)..=next;
            let mut near = near.filter_map(|order| blocks.get(order));
            near.any(|block| block.cell == image.cell)
        };
        let (table, number) = (first.block.table, first.block.row);
        let end = last.block.end.saturating_add(2); // past the line feed
        let images = inline.images_of(first.block.start, end).iter();
        let own = images.filter(|image| (image.table, image.row) == (table, number));
        own.filter(|image| !has_text(image))
            .filter_map(|image| Some((usize::from(image.column), self.linked_image(image)?)))
            .collect()
    }

    /// The note that a run refers to.
    fn note(&self, run: &Run, text: &str) -> Option<usize> {
        let is_sign = run.link > 0
            && (run.style & style::RAISED != 0 || self.notes.is_whole(run.link))
            && (1..=MAX_SIGN).contains(&text.trim().len());
        is_sign.then(|| self.notes.referred(run.link)).flatten()
    }

    /// The index of the link of a run in the draft, if it has a usable target.
    fn link(&self, draft: &mut Draft<'page>, inline: &Inline, run: &Run) -> Option<usize> {
        if run.link == 0 || !self.markup.keeps_links {
            return None;
        }
        let last = draft.links.last().filter(|(link, _)| *link == run.link);
        if let Some((_, address)) = last {
            // a note inside ends the link, and its address is written again after it
            let number = draft.links.len() - 1;
            let before = draft.stretches.last().and_then(|before| before.link);
            if before != Some(number) {
                self.take_room(address.len())?;
            }
            return Some(number);
        }
        let address = self.resolved(inline.href(run.link))?;
        draft.links.push((run.link, address));
        Some(draft.links.len() - 1)
    }

    /// Use this many bytes of the limit of addresses; `None` if fewer remain.
    fn take_room(&self, bytes: usize) -> Option<()> {
        self.room.set(self.room.get().checked_sub(bytes)?);
        Some(())
    }

    fn resolved(&self, reference: &str) -> Option<String> {
        let bytes = reference.len() + self.base.as_ref().map_or(0, Base::bytes);
        self.unread.set(self.unread.get().checked_sub(bytes)?);
        let address = match &self.base {
            Some(base) => base.resolve(reference),
            None => absolute(reference),
        }?;
        self.take_room(address.len())?;
        Some(address)
    }
}

/// Whether text may contain TeX: it is not code, formula, link or image.
fn is_plain(stretch: &Stretch) -> bool {
    stretch.style & (style::CODE | style::FORMULA) == 0
        && stretch.link.is_none()
        && stretch.object.is_none()
}

/// Styles without meaning in a block, because all of it has them.
fn hidden_styles(block: &Block) -> u8 {
    match block.kind {
        Kind::Heading => style::STRONG,
        Kind::Caption => style::EMPHASIS,
        _ => 0,
    }
}

/// Styles without those that cannot be combined with a stronger one.
fn own_style(run: u8) -> u8 {
    if run & style::FORMULA != 0 {
        return run & (style::FORMULA | style::DISPLAY);
    }
    for style in [style::CODE, style::RAISED, style::LOWERED] {
        if run & style != 0 {
            return style;
        }
    }
    run
}

impl Draft<'_> {
    fn push(&mut self, text: &str, style: u8, link: Option<usize>, object: Option<Object>) {
        if text.is_empty() {
            return;
        }
        let start = self.text.len();
        self.text.push_str(text);
        let end = self.text.len();
        let made = Stretch {
            start,
            end,
            style,
            link,
            object,
        };
        match self.stretches.last_mut() {
            Some(last)
                if (Stretch {
                    start: last.start,
                    ..made
                }) == (Stretch { end, ..*last }) =>
            {
                last.end = end;
            }
            _ => self.stretches.push(made),
        }
    }

    /// Take TeX between delimiters out of the text around it.
    fn take_formulas(&mut self) {
        let is_drawn = self.inline.is_some_and(|inline| inline.draws_formulas);
        let formulas = tex::formulas(&self.text, is_drawn);
        if formulas.is_empty() {
            return;
        }
        let mut cut = Vec::with_capacity(self.stretches.len() + 2 * formulas.len());
        let mut rest = std::mem::take(&mut self.stretches).into_iter().peekable();
        for formula in formulas {
            let Range { start, end } = formula.all;
            while let Some(whole) = rest.next_if(|next| next.end <= start) {
                cut.push(whole);
            }
            let Some(&around) = rest.peek().filter(|next| next.end >= end && is_plain(next)) else {
                continue;
            };
            cut.push(Stretch {
                end: start,
                ..around
            });
            let number = Object::Tex(self.formulas.len());
            let tex = self.text.get(formula.inner).unwrap_or("").trim();
            self.formulas.push(tex.replace('\n', " "));
            cut.push(Stretch {
                start,
                end,
                object: Some(number),
                ..around
            });
            if let Some(next) = rest.peek_mut() {
                next.start = end;
            }
        }
        cut.extend(rest);
        cut.retain(|stretch| stretch.start < stretch.end);
        self.stretches = cut;
    }

    /// Put a space between an image and adjacent text.
    fn part_from_image(&mut self, next: &str, link: Option<usize>) {
        let before = self.stretches.last().and_then(|last| last.link);
        let link = link.filter(|_| before == link);
        let is_parted = self.text.is_empty() || self.text.ends_with(char::is_whitespace);
        if !is_parted && next.starts_with(|next: char| !next.is_whitespace()) {
            self.push(" ", 0, link, None);
        }
    }

    fn mark(&mut self, at: usize, perplexity: f32) {
        self.marks.push(Mark {
            at,
            text: super::opening(perplexity),
        });
        self.marks.push(Mark {
            at: self.text.len(),
            text: super::CLOSING.to_owned(),
        });
    }
}

impl Spell for Draft<'_> {
    fn address(&self, link: usize) -> &str {
        self.links.get(link).map_or("", |(_, address)| address)
    }

    fn whole(&self, stretch: usize, text: &str) -> Whole {
        let Some(found) = self.stretches.get(stretch) else {
            return Whole::Text(text.to_owned());
        };
        match found.object {
            Some(Object::Image(image)) => {
                Whole::Raw(self.images.get(image).cloned().unwrap_or_default())
            }
            Some(Object::Tex(formula)) => {
                let tex = self.formulas.get(formula).map_or("", String::as_str);
                self.formula(found, tex)
            }
            Some(Object::Note(note)) => Whole::Bracketed(format!("[^{note}]")),
            None if found.style & style::FORMULA != 0 => self.formula(found, text),
            None if found.style & style::CODE != 0 => Whole::Raw(code(text)),
            None if found.style & style::RAISED != 0 => Whole::Text(shifted::raised(text)),
            None => Whole::Text(shifted::lowered(text)),
        }
    }
}

impl Draft<'_> {
    /// A formula between dollars, unless they would not be read as delimiters.
    fn formula(&self, stretch: &Stretch, text: &str) -> Whole {
        let behind = self.text.get(stretch.end..).unwrap_or("");
        let is_before_digit = behind.starts_with(|next: char| next.is_ascii_digit());
        let ends_escaping = text.ends_with('\\');
        if text.contains('$') || is_before_digit || ends_escaping {
            return Whole::Raw(code(text));
        }
        Whole::Raw(format!("${text}$"))
    }
}

/// Code between runs of back ticks longer than those in it.
fn code(text: &str) -> String {
    let runs = text.split(|character| character != '`').map(str::len);
    let longest = runs.max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{space}{text}{space}{fence}")
}
