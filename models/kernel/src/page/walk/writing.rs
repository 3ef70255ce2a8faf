//! Output of a walk: text, line breaks and the ends of blocks.

use super::Walker;
use super::initials;
use super::lines;
use super::rows::{self, LEAST_LABEL, MAX_LABEL};
use crate::page::attributes::Name;
use crate::page::blocks::{Block, Kind};
use crate::page::class_signs::{sign, signs_of};
use crate::page::controls::links::without_edit_brackets;
use crate::page::element_attributes::ElementAttributes;
use crate::page::formulas::scripts::Formula;
use crate::page::frames::Frame;
use crate::page::inline::style;
use crate::page::near::{end_of, short_text};
use crate::page::shifted::apart;
use crate::page::tags::{self, Tag};
use crate::page::text::seam::{Seam, is_set_apart, is_unit};
use crate::page::tree::{Node, NodeKind};

/// Bytes of the text before a number that are looked at.
const BEFORE_NUMBER: usize = 32;
/// Most digits of the number of a footnote.
const MAX_DIGITS: usize = 3;
/// Bytes of the name of a footnote that are read.
const MAX_PLACE: usize = 64;
/// Longest letter in bytes.
const MAX_LETTER: usize = 2;

impl Walker<'_> {
    pub(super) fn write(&mut self, node: Node<'_>) {
        self.note_text(node);
        if !(self.frames.is_preformatted() && lines::is_between(node)) {
            let at = self.text.position();
            let begins_word =
                |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'$' || !byte.is_ascii();
            let left = self.left.filter(|(_, end)| *end == at);
            if let Some((left, _)) = left.filter(|_| node.text().first().is_some_and(begins_word)) {
                let (seam, is_label) = self.seam_of(left);
                self.text.seam(seam.with_text(), is_label);
            }
            let text = if self.has_brackets {
                without_edit_brackets(node)
            } else if self.frames.is_preformatted() {
                lines::without_feed(node, node.text())
            } else {
                node.text()
            };
            if let Some((initial, _)) = self.initial.take_if(|(_, after)| *after == node) {
                self.put(initial.as_bytes());
                return self.put(text.trim_ascii_start());
            }
            match self.shifted(node, text) {
                Some(number) => self.put(number.as_bytes()),
                None => self.put(text),
            }
        }
    }

    /// The letter in an element at the start of a block, which is written with the text after it.
    pub(super) fn initial_of<'node>(
        &self,
        node: Node<'node>,
        tag: Tag,
        attributes: &ElementAttributes<'_>,
    ) -> Option<(String, Node<'node>)> {
        let may_be_first = !self.text.is_open()
            && !self.in_link()
            && !self.frames.is_preformatted()
            && self.frames.top().block.kind != Kind::Heading;
        may_be_first.then(|| initials::initial_of(node, tag, attributes))?
    }

    /// What is written for a number in superscript or subscript, or of a footnote, that touches text.
    fn shifted(&self, node: Node<'_>, text: &[u8]) -> Option<String> {
        if !matches!(text.first()?, b'0'..=b'9' | b'+' | b'-' | 0xE2) {
            return None;
        }
        let is_shift = |element: &Node<'_>| matches!(element.tag(), tags::SUP | tags::SUB);
        let parent = node.parent()?;
        let shift = Some(parent).filter(is_shift);
        let shift = shift.or_else(|| parent.parent().filter(is_shift));
        let around = || [Some(parent), parent.parent()].into_iter().flatten();
        let shift = shift.or_else(|| around().find(|link| is_note_mark(*link, text)))?;
        let before = end_of(self.text.touched(), BEFORE_NUMBER);
        let after = shift.next().map_or(&b""[..], |after| after.text());
        let text = std::str::from_utf8(text).ok()?;
        apart(before, text, after, shift.tag() != tags::SUB)
    }

    fn note_text(&mut self, text: Node<'_>) {
        if let Some(block) = self.block_of_text.get_mut(text.id() as usize) {
            *block = self.blocks.len() as u32;
        }
    }

    /// Open the marks of a quotation.
    pub(super) fn quote(&mut self, node: Node<'_>) {
        let (before, at) = (self.text.touched(), self.text.position());
        let mark = self.quotations.enter(node, before, at);
        self.put(mark.as_bytes());
        self.quotations.written(self.text.position());
    }

    pub(super) fn put(&mut self, text: &[u8]) {
        let in_link = self.in_link();
        if self.frames.is_preformatted() {
            self.text.push_preformatted(text, in_link);
        } else if self.keeps_lines() {
            for (number, line) in text.split(|&byte| byte == b'\n').enumerate() {
                if number > 0 {
                    self.line_break();
                }
                self.text.push(line, in_link);
            }
        } else {
            self.text.push(text, in_link);
        }
    }

    fn in_link(&self) -> bool {
        self.links.iter().any(|(_, leads_away)| *leads_away)
    }

    /// Enter an element: compares its place with the element that was left last.
    pub(super) fn meet(&mut self, node: Node<'_>, tag: Tag, attributes: &ElementAttributes<'_>) {
        let class = attributes.class;
        let Some(mut seam) = Seam::of(tag) else {
            return;
        };
        let at = self.text.position();
        let left = self.left.take().filter(|(_, end)| *end == at);
        let is_in_line = !class.is_empty() && !self.text.touched().is_empty();
        if is_in_line && (is_set_apart(class) || attributes.signs & sign::UNSEEN != 0) {
            seam = Seam::Apart;
        }
        let (seam, is_label) = match left {
            None => (seam.with_text(), false),
            Some(_) if is_in_line && is_unit(class) && node.first_child().is_some() => {
                (Seam::Edge, false)
            }
            Some((left, _)) => {
                let (left, is_label) = self.seam_of(left);
                (left.with(seam), is_label)
            }
        };
        self.text.seam(seam, is_label);
    }

    /// The seam of the element that was left right here, and whether it is a label and all of its line.
    fn seam_of(&self, left: Node<'_>) -> (Seam, bool) {
        let tag = left.tag();
        let seam = Seam::of(tag).unwrap_or(Seam::Edge);
        let before = self.text.touched();
        if before.is_empty() || self.frames.is_preformatted() {
            return (seam, false);
        }
        let class = left.value(&[Name::Class]);
        // a letter of a word may be said alone
        let is_unseen = |class: &[u8]| {
            signs_of(class) & sign::UNSEEN != 0 && short_text(left, MAX_LETTER).is_none()
        };
        if class.is_some_and(|class| is_set_apart(class) || is_unit(class) || is_unseen(class)) {
            return (Seam::Apart, false);
        }
        if let Some(seam) = rows::seam_after(left, before) {
            return (seam, false);
        }
        let may_be_label = match tag {
            tags::B | tags::STRONG => true,
            tags::SPAN => before.ends_with(b":"),
            _ => false,
        };
        (seam, may_be_label && is_label(left, before))
    }

    /// Write a formula in TeX.
    pub(super) fn formula(&mut self, tex: &[u8], is_display: bool) {
        let shape = if is_display { style::DISPLAY } else { 0 };
        self.put_in(style::FORMULA | shape, tex);
    }

    /// Write the formula of a script; in other notations than TeX it is code.
    pub(super) fn formula_of_script(&mut self, formula: &Formula<'_>) {
        if formula.is_tex {
            self.formula(&formula.source, formula.is_display);
        } else {
            self.put_in(style::CODE, &formula.source);
        }
    }

    fn put_in(&mut self, style: u8, text: &[u8]) {
        if let Some(inline) = &mut self.inline {
            inline.begin(style, self.text.position());
        }
        self.put(text);
        if let Some(inline) = &mut self.inline {
            inline.end(style, self.text.position());
        }
    }

    /// Note the text nodes of an element whose text is replaced.
    pub(super) fn texts_of(&mut self, element: Node<'_>) {
        if self.block_of_text.is_empty() {
            return;
        }
        let mut node = element;
        loop {
            if node.kind() == NodeKind::Text {
                self.note_text(node);
            }
            let mut next = node.first_child();
            while next.is_none() {
                if node == element {
                    return;
                }
                next = node.next();
                let Some(parent) = node.parent() else { return };
                node = if next.is_none() { parent } else { node };
            }
            let Some(found) = next else { return };
            node = found;
        }
    }

    pub(super) fn line_break(&mut self) {
        let in_link = self.in_link();
        if self.frames.is_preformatted() {
            self.text.break_preformatted(in_link);
        } else if self.text.line_break(in_link) {
            self.end_block();
        }
    }

    pub(super) fn end_block(&mut self) {
        self.end_block_of(self.frames.top());
    }

    pub(super) fn end_block_of(&mut self, frame: Frame) {
        if let Some(written) = self.text.finish(frame.preformatted) {
            self.blocks.push(Block {
                start: written.start,
                end: written.end,
                link_chars: written.link_chars,
                ..frame.block
            });
            if let Some(elements) = &mut self.elements {
                elements.block();
            }
            if let Some(inline) = &mut self.inline {
                inline.end_block(self.text.position());
            }
        }
    }
}

/// Whether an element links with a number to a footnote, which a style sheet raises.
fn is_note_mark(node: Node<'_>, text: &[u8]) -> bool {
    const NAMES: [&[u8]; 4] = [b"note", b"fn", b"ftn", b"cite"];
    let number = text.trim_ascii();
    if node.tag() != tags::A || number.len() > MAX_DIGITS || !number.iter().all(u8::is_ascii_digit)
    {
        return false;
    }
    let href = node.value(&[Name::Href]).unwrap_or_default();
    let place = href.strip_prefix(b"#").unwrap_or_default();
    let place = place.get(..MAX_PLACE).unwrap_or(place);
    NAMES
        .iter()
        .any(|name| memchr::memmem::find(place, name).is_some())
}

/// Whether an element is a label, and all of the last line of a text.
fn is_label(node: Node<'_>, text: &[u8]) -> bool {
    let end = end_of(text, MAX_LABEL + 1);
    let line = end.rsplit('\n').next().unwrap_or("");
    let is_whole = line.len() < end.len() || end.len() == text.len();
    is_whole
        && line.len() <= MAX_LABEL
        && line.chars().count() >= LEAST_LABEL
        && line.starts_with(char::is_uppercase)
        && short_text(node, MAX_LABEL).is_some_and(|text| text == line.as_bytes())
}
