//! Inline markup of blocks: emphasis, links, images, code, footnotes, alignment.
//!
//! Only Markdown needs it, so it is not part of the table of blocks. A separate walk records it, as
//! changes of style at byte positions of the first walk's text.

mod adverts;
mod language;
mod pixels;
mod sources;

use memchr::memmem;

use super::attributes::Name;
use super::blocks::{Block, Kind};
use super::near;
use super::roles::Role;
use super::tags::{self, Tag};
use super::tree::Node;

/// Styles of text, one bit each.
pub mod style {
    pub const STRONG: u8 = 1;
    pub const EMPHASIS: u8 = 1 << 1;
    pub const STRUCK: u8 = 1 << 2;
    pub const RAISED: u8 = 1 << 3;
    pub const LOWERED: u8 = 1 << 4;
    pub const CODE: u8 = 1 << 5;
    pub const FORMULA: u8 = 1 << 6;
    /// With [`FORMULA`]: on a separate line.
    pub const DISPLAY: u8 = 1 << 7;
}

const STYLES: usize = 8;
/// How many images before one are compared, as its copy for readers without scripts.
const NEAR_IMAGES: usize = 4;
/// Longest address, alternative text or anchor that is kept, in bytes.
const MAX_VALUE_BYTES: usize = 4096;

/// The style of the text from here to the next run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Run {
    pub at: u32,
    pub style: u8,
    /// Number of the link from 1; 0 outside of links.
    pub link: u32,
}

/// An image before the byte `at` of the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Image {
    pub at: u32,
    /// The kind of block that text in its place would make.
    pub group: u32,
    pub lists: u8,
    pub quotes: u8,
    /// Number of the link around it, from 1; 0 outside of links.
    pub link: u32,
    /// The place in a table, as of text there; the table may be a layout.
    pub table: u32,
    pub row: u32,
    pub column: u16,
    pub cell: u32,
    is_in_noscript: bool,
    /// A placeholder of a picture that a script loads.
    is_placeholder: bool,
    /// In a figure of the text: not linked, or linked to its file.
    pub is_figure: bool,
    alternative: Span,
    source: Span,
}

/// The alignment of a cell's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alignment {
    Left,
    Centre,
    Right,
}

type Span = (u32, u32);

/// The inline markup of a page.
#[derive(Clone, Debug, Default)]
pub struct Inline {
    pub runs: Vec<Run>,
    pub images: Vec<Image>,
    /// The page has a script that draws formulas written in TeX.
    pub draws_formulas: bool,
    links: Vec<Span>,
    /// By the group of their block, which grows.
    languages: Vec<(u32, Span)>,
    anchors: Vec<(u32, Span)>,
    alignments: Vec<(u32, Alignment)>,
    /// Items that are tasks, and whether they are done.
    tasks: Vec<(u32, bool)>,
    values: String,
    /// The number of open elements of each style.
    open: [u32; STYLES],
    open_links: Vec<u32>,
}

/// Whether an element is part of a recipe, whose boxes are for cooks to tick.
fn is_of_recipe(node: Node<'_>) -> bool {
    const WORDS: [&[u8]; 4] = [b"ngredient", b"ecipe", b"nstruction", b"quipment"];
    let names = [Name::Class, Name::Id, Name::ItemProp];
    let mut values = node.attributes();
    values.any(|each| {
        let has = |word: &&[u8]| memmem::find(each.value(), word).is_some();
        names.contains(&each.name()) && WORDS.iter().any(has)
    })
}

/// Whether a checkbox shows if a task is done, and is not for readers to tick.
fn is_task(node: Node<'_>) -> bool {
    let mut attributes = node.markup_attributes();
    let is_disabled = attributes.any(|(name, _)| name.eq_ignore_ascii_case(b"disabled"));
    (is_disabled || near::around(node, is_of_tasks).is_some())
        && near::around(node, is_of_recipe).is_none()
}

/// Whether an element is a list of tasks, or one of them.
fn is_of_tasks(node: Node<'_>) -> bool {
    const WORDS: [&[u8]; 5] = [b"task-list", b"tasklist", b"taskList", b"taskItem", b"todo"];
    let mut values = node.attributes();
    matches!(node.tag(), tags::UL | tags::OL | tags::LI)
        && values.any(|each| {
            let value = near::start_of_class(each.value());
            let has = |word: &&[u8]| memmem::find(value, word).is_some();
            matches!(each.name(), Name::Class | Name::Type) && WORDS.iter().any(has)
        })
}

/// Whether an image is in a figure that is not in a part next to the text.
fn is_in_figure(node: Node<'_>) -> bool {
    let is_next_to = |node: Node<'_>| matches!(node.tag(), tags::ASIDE | tags::FOOTER | tags::NAV);
    near::around(node, |node| node.tag() == tags::FIGURE).is_some()
        && near::around(node, is_next_to).is_none()
}

impl Inline {
    /// Start an inline element before the byte `at`.
    pub fn open(&mut self, node: Node<'_>, tag: Tag, at: u32, around: &Block) {
        if tag == tags::IMG || node.unknown_name() == b"amp-img" {
            return self.image(node, at, around);
        }
        let style = style_of(node, tag);
        if style != 0 {
            self.begin(style, at);
        }
    }

    /// End the same element.
    pub fn close(&mut self, node: Node<'_>, tag: Tag, at: u32) {
        let style = style_of(node, tag);
        if style != 0 {
            self.end(style, at);
        }
    }

    /// Start text of a style.
    pub fn begin(&mut self, style: u8, at: u32) {
        for (bit, open) in self.open.iter_mut().enumerate() {
            *open += u32::from(style >> bit & 1);
        }
        self.change(at);
    }

    pub fn end(&mut self, style: u8, at: u32) {
        for (bit, open) in self.open.iter_mut().enumerate() {
            *open = open.saturating_sub(u32::from(style >> bit & 1));
        }
        self.change(at);
    }

    pub fn open_link(&mut self, node: Node<'_>, at: u32) {
        let href = node.value(&[Name::Href]).unwrap_or_default();
        let span = self.keep(href);
        self.links.push(span);
        self.open_links.push(self.links.len() as u32);
        self.change(at);
    }

    pub fn close_link(&mut self, at: u32) {
        self.open_links.pop();
        self.change(at);
    }

    /// Start a block-level element, whose text makes blocks like `block`.
    pub fn border(&mut self, node: Node<'_>, role: Role, block: &Block) {
        match role {
            Role::Preformatted => {
                let language = language::of_code(node);
                if !language.is_empty() {
                    let span = self.keep(language.as_bytes());
                    self.languages.push((block.group, span));
                }
            }
            Role::Item | Role::Definition => {
                // Easy Footnotes names an empty element at the start of a note
                let first = || node.first_child()?.value(&[Name::Id]);
                if let Some(id) = node.value(&[Name::Id]).or_else(first) {
                    let span = self.keep(id);
                    self.anchors.push((block.group, span));
                }
            }
            Role::Cell => {
                if let Some(alignment) = alignment(node) {
                    self.alignments.push((block.group, alignment));
                }
            }
            _ => {}
        }
    }

    /// End a block; the text of the next one starts at `at`, because white space may have been cut.
    pub fn end_block(&mut self, at: u32) {
        for run in self.runs.iter_mut().rev().take_while(|run| run.at > at) {
            run.at = at;
        }
        for image in self
            .images
            .iter_mut()
            .rev()
            .take_while(|image| image.at > at)
        {
            image.at = at;
        }
    }

    /// Record an `input` in a block, first in it or not.
    pub fn input(&mut self, node: Node<'_>, is_first: bool, block: &Block) {
        let is_checkbox = node
            .value(&[Name::Type])
            .is_some_and(|kind| kind.trim_ascii().eq_ignore_ascii_case(b"checkbox"));
        if is_checkbox && is_first && is_task(node) {
            self.task(block, node.value(&[Name::Checked]).is_some());
        }
    }

    /// Record a `script` of the page.
    pub fn script(&mut self, node: Node<'_>) {
        let source = node.value(&[Name::Source]).unwrap_or_default();
        let source = source.to_ascii_lowercase();
        self.draws_formulas |= memmem::find(&source, b"mathjax").is_some()
            || memmem::find(&source, b"katex").is_some();
    }

    /// Mark a block or part of it as a task.
    pub fn task(&mut self, block: &Block, is_done: bool) {
        let is_new = self.tasks.last().is_none_or(|last| last.0 < block.group);
        if block.kind == Kind::ListItem && is_new {
            self.tasks.push((block.group, is_done));
        }
    }

    fn image(&mut self, node: Node<'_>, at: u32, around: &Block) {
        let Some(source) = sources::source_of(node) else {
            return;
        };
        if source.address.len() > MAX_VALUE_BYTES
            || pixels::is_pixel(node, &source.address)
            || adverts::is_advert(node, &source.address)
        {
            return;
        }
        let is_in_noscript = near::around(node, |node| node.tag() == tags::NOSCRIPT).is_some();
        if self.is_copy(&source, at, is_in_noscript) {
            return;
        }
        let alternative = node.value(&[Name::Alt]).unwrap_or_default();
        let (alternative, kept) = (self.keep(alternative), self.keep(&source.address));
        let link = self.open_links.last().copied().unwrap_or(0);
        let is_figure = is_in_figure(node) && (link == 0 || sources::is_file(self.href(link)));
        self.images.push(Image {
            at,
            group: around.group,
            lists: around.lists,
            quotes: around.quotes,
            link,
            table: around.table,
            row: around.row,
            column: around.column,
            cell: around.cell,
            is_in_noscript,
            is_placeholder: source.is_placeholder,
            is_figure,
            alternative,
            source: kept,
        });
    }

    /// Whether one of two images is for readers without scripts, and the other one is already kept.
    ///
    /// They are at one place, up to the border between them, or have the same source.
    fn is_copy(&mut self, source: &sources::Source<'_>, at: u32, is_in_noscript: bool) -> bool {
        let last = self.images.len().saturating_sub(NEAR_IMAGES);
        let near = self.images.get(last..).unwrap_or_default().iter().rev();
        let mut near = near.filter(|image| image.is_in_noscript != is_in_noscript);
        let is_near = |image: &Image| image.at == at || image.at + 1 == at;
        let has_same = |image: &&Image| self.value(image.source).as_bytes() == &*source.address;
        if near.clone().any(|image| has_same(&image)) {
            return true;
        }
        let is_last = |image: &&Image| self.images.last() == Some(*image) && is_near(image);
        let Some(copied) = near.find(is_last).map(|image| image.is_placeholder) else {
            return false;
        };
        if copied && !source.is_placeholder {
            let kept = self.keep(&source.address);
            if let Some(image) = self.images.last_mut() {
                (image.source, image.is_placeholder) = (kept, false);
            }
        }
        true
    }

    fn change(&mut self, at: u32) {
        let mut style = 0;
        for (bit, &open) in self.open.iter().enumerate() {
            style |= u8::from(open > 0) << bit;
        }
        let link = self.open_links.last().copied().unwrap_or(0);
        while self.runs.last().is_some_and(|last| last.at >= at) {
            self.runs.pop();
        }
        let last = self.runs.last().copied().unwrap_or_default();
        if (last.style, last.link) != (style, link) {
            self.runs.push(Run { at, style, link });
        }
    }

    fn keep(&mut self, value: &[u8]) -> Span {
        let start = self.values.len() as u32;
        if value.len() <= MAX_VALUE_BYTES {
            self.values.push_str(&String::from_utf8_lossy(value));
        }
        (start, self.values.len() as u32)
    }

    fn value(&self, span: Span) -> &str {
        let (start, end) = (span.0 as usize, span.1 as usize);
        self.values.get(start..end).unwrap_or("")
    }

    /// The target of a link; empty for an unknown number.
    #[must_use]
    pub fn href(&self, link: u32) -> &str {
        let link = self.links.get((link as usize).wrapping_sub(1));
        link.map_or("", |&span| self.value(span))
    }

    #[must_use]
    pub fn alternative(&self, image: &Image) -> &str {
        self.value(image.alternative)
    }

    #[must_use]
    pub fn source(&self, image: &Image) -> &str {
        self.value(image.source)
    }

    /// The language of code, as named in the page; empty if unnamed.
    #[must_use]
    pub fn language(&self, group: u32) -> &str {
        of_group(&self.languages, group).map_or("", |span| self.value(span))
    }

    /// The `id` of an item.
    #[must_use]
    pub fn anchor(&self, group: u32) -> &str {
        of_group(&self.anchors, group).map_or("", |span| self.value(span))
    }

    /// Whether an item is a task, and is done.
    #[must_use]
    pub fn is_done(&self, group: u32) -> Option<bool> {
        of_group(&self.tasks, group)
    }

    #[must_use]
    pub fn alignment(&self, group: u32) -> Option<Alignment> {
        of_group(&self.alignments, group)
    }

    /// The runs that overlap a range of text.
    #[must_use]
    pub fn runs_of(&self, start: u32, end: u32) -> &[Run] {
        let first = self.runs.partition_point(|run| run.at <= start);
        let last = self.runs.partition_point(|run| run.at < end);
        let first = first.saturating_sub(1);
        self.runs.get(first..last.max(first)).unwrap_or_default()
    }

    /// The images whose places are in `start..end`.
    #[must_use]
    pub fn images_of(&self, start: u32, end: u32) -> &[Image] {
        let first = self.images.partition_point(|image| image.at < start);
        let last = self.images.partition_point(|image| image.at < end);
        self.images.get(first..last.max(first)).unwrap_or_default()
    }
}

fn of_group<T: Copy>(values: &[(u32, T)], group: u32) -> Option<T> {
    let at = values.binary_search_by_key(&group, |each| each.0).ok()?;
    values.get(at).map(|each| each.1)
}

fn style_of(node: Node<'_>, tag: Tag) -> u8 {
    match tag {
        // editors wrap copied texts in these
        tags::B | tags::STRONG if says(node, b"font-weight", &[b"normal", b"400"]) => 0,
        tags::I | tags::EM if says(node, b"font-style", &[b"normal"]) => 0,
        tags::B | tags::STRONG => style::STRONG,
        tags::I | tags::EM => style::EMPHASIS,
        tags::S | tags::STRIKE | tags::DEL => style::STRUCK,
        tags::SUP => style::RAISED,
        tags::SUB => style::LOWERED,
        tags::CODE | tags::KBD | tags::SAMP | tags::TT => style::CODE,
        _ => 0,
    }
}

fn alignment(node: Node<'_>) -> Option<Alignment> {
    if let Some(align) = node.value(&[Name::Align]) {
        return alignment_by(align);
    }
    property_of(node, b"text-align", alignment_by)
}

/// The last value of a property in the `style` of an element that can be read.
pub fn property_of<T>(
    node: Node<'_>,
    wanted: &[u8],
    read: impl Fn(&[u8]) -> Option<T>,
) -> Option<T> {
    let style = node.value(&[Name::Style])?;
    style
        .split(|&byte| byte == b';')
        .rev()
        .find_map(|declaration| {
            let colon = declaration.iter().position(|&byte| byte == b':')?;
            let (property, value) = declaration.split_at(colon);
            let is_wanted = property.trim_ascii().eq_ignore_ascii_case(wanted);
            is_wanted.then(|| read(&value[1..])).flatten()
        })
}

/// Whether the `style` of an element sets a property to one of some values.
fn says(node: Node<'_>, property: &[u8], values: &[&[u8]]) -> bool {
    let found = property_of(node, property, |value| {
        let value = value.split(|&byte| byte == b'!').next()?.trim_ascii();
        Some(values.iter().any(|one| value.eq_ignore_ascii_case(one)))
    });
    found == Some(true)
}

fn alignment_by(word: &[u8]) -> Option<Alignment> {
    let word = word.split(|&byte| byte == b'!').next()?.trim_ascii();
    match word.to_ascii_lowercase().as_slice() {
        b"left" => Some(Alignment::Left),
        b"center" => Some(Alignment::Centre),
        b"right" => Some(Alignment::Right),
        _ => None,
    }
}
