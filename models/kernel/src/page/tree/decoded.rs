//! The texts and attributes of a parsed page, decoded where they differ from the markup.

use std::cell::LazyCell;

use memchr::{memchr, memchr2};
use winnow_html::Kind;
use winnow_html::tag::{self, Tag};
use winnow_html::tokenizer::{END, Span};
use winnow_html::tree::RAW;

use crate::page::attributes::Name;
use crate::page::doubled::{is_about_it, text_encoded_once};
use crate::page::escaped::escaped_once;

/// Elements whose text is code, and how far above a text one is.
const CODE: [Tag; 5] = [tag::CODE, tag::PRE, tag::KBD, tag::SAMP, tag::TT];
const CODE_LEVELS: usize = 8;

/// The number of a node: its place. 0 is the document, and means no node in links.
pub type Id = u32;

/// An attribute.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// None after the last one of a tag.
    pub name: Option<Name>,
    pub value: Span,
}

impl Entry {
    pub const LAST: Self = Self {
        name: None,
        value: Span { start: 0, end: 0 },
    };
}

/// The places of `&` and NUL in a markup, which texts and values are decoded for. Few have one, so
/// the next one is remembered from span to span.
struct Signs<'i> {
    input: &'i [u8],
    from: usize,
    /// The first one after `from`, or the end of the input.
    next: usize,
}

impl<'i> Signs<'i> {
    fn of(input: &'i [u8]) -> Self {
        Self {
            input,
            from: 0,
            next: 0,
        }
    }

    /// Whether there is one in a span; spans should be in the order of the markup.
    #[inline]
    fn are_in(&mut self, span: Span) -> bool {
        let (start, end) = (span.start as usize, span.end as usize);
        if start < self.from {
            return memchr2(b'&', 0, span.of(self.input)).is_some();
        }
        self.from = start;
        if start > self.next || start == 0 {
            let rest = &self.input[start..];
            self.next = memchr2(b'&', 0, rest).map_or(self.input.len(), |length| start + length);
        }
        self.next < end
    }
}

/// The decoded parts of a markup.
pub struct Decoded {
    pub bytes: Vec<u8>,
    /// The length of the markup, after which these positions begin.
    base: usize,
}

impl Decoded {
    pub fn behind(markup: &str) -> Self {
        Self {
            bytes: Vec::new(),
            base: markup.len(),
        }
    }

    fn end(&self) -> u32 {
        (self.base + self.bytes.len()) as u32
    }

    fn put(&mut self, text: &[u8]) -> Span {
        let start = self.end();
        self.bytes.extend_from_slice(text);
        Span {
            start,
            end: self.end(),
        }
    }

    /// Decodes texts with references, and joins adjacent texts. Returns those that were decoded.
    pub fn join_texts(&mut self, tree: &mut winnow_html::Tree<'_>) -> Vec<Id> {
        let mut texts = Vec::new();
        let mut signs = Signs::of(tree.input);
        let is_text =
            |tree: &winnow_html::Tree<'_>, id: Id| id != 0 && tree.node(id).kind == Kind::Text;
        for id in 1..tree.nodes.len() as Id {
            let node = *tree.node(id);
            // text after another text is joined to it
            if node.kind != Kind::Text || is_text(tree, node.previous) {
                continue;
            }
            let is_decoded = if node.flags & RAW == 0 {
                signs.are_in(node.span)
            } else {
                tree.has_line_ends && memchr(0, node.span.of(tree.input)).is_some()
            };
            if !is_decoded && !is_text(tree, node.next) {
                continue;
            }
            if is_decoded && node.flags & RAW == 0 {
                texts.push(id);
            }
            let start = self.end();
            let mut last = id;
            loop {
                self.put(tree.text(last).as_bytes());
                let next = tree.node(last).next;
                if !is_text(tree, next) {
                    break;
                }
                last = next;
            }
            let next = tree.node(last).next;
            tree.nodes[id as usize].span = Span {
                start,
                end: self.end(),
            };
            tree.nodes[id as usize].next = next;
            if next == 0 {
                tree.nodes[node.parent as usize].last_child = id;
            } else {
                tree.nodes[next as usize].previous = id;
            }
        }
        texts
    }

    /// Reads these decoded texts as they were before they were escaped or encoded a second time.
    pub fn read_once(&mut self, tree: &mut winnow_html::Tree<'_>, texts: Vec<Id>) {
        // most have neither a sign of a reference nor of a character of several
        let has_sign = |id: &Id| memchr2(b'&', 0xC3, self.text(tree, *id).as_bytes()).is_some();
        let is_code = |id: Id| {
            let parent = |id: &Id| Some(tree.node(*id).parent).filter(|parent| *parent != 0);
            let mut above = std::iter::successors(parent(&id), parent).take(CODE_LEVELS);
            above.any(|id| CODE.contains(&tree.node(id).tag))
        };
        let texts = texts.into_iter().filter(|id| has_sign(id) && !is_code(*id));
        let ids: Vec<Id> = texts.collect();
        if ids.is_empty() {
            return;
        }
        let texts: Vec<&str> = ids.iter().map(|id| self.text(tree, *id)).collect();
        let is_text =
            |id: &Id| tree.node(*id).kind == Kind::Text && tree.node(*id).flags & RAW == 0;
        let page = (1..tree.nodes.len() as Id).filter(is_text);
        let page = page.map(|id| self.text(tree, id));
        let escaped = escaped_once(&texts, page).unwrap_or_else(|| vec![None; texts.len()]);
        let is_about_it = LazyCell::new(|| std::str::from_utf8(tree.input).is_ok_and(is_about_it));
        let once = |(text, escaped): (&str, Option<String>)| {
            let decoded = text_encoded_once(escaped.as_deref().unwrap_or(text), || *is_about_it);
            decoded.or(escaped)
        };
        let once: Vec<Option<String>> = texts.into_iter().zip(escaped).map(once).collect();
        for (id, text) in ids.into_iter().zip(once) {
            if let Some(text) = text {
                tree.nodes[id as usize].span = self.put(text.as_bytes());
            }
        }
    }

    /// A text, decoded or as it is in the markup.
    fn text<'t>(&'t self, tree: &'t winnow_html::Tree<'_>, id: Id) -> &'t str {
        let Span { start, end } = tree.node(id).span;
        let (start, end) = (start as usize, end as usize);
        let bytes = match start.checked_sub(self.base) {
            Some(start) => self.bytes.get(start..end - self.base),
            None => tree.input.get(start..end),
        };
        std::str::from_utf8(bytes.unwrap_or_default()).unwrap_or_default()
    }

    /// The indexed attributes of all tags, at the same places; the first of two with one name
    /// counts.
    pub fn attributes(&mut self, tree: &winnow_html::Tree<'_>) -> Vec<Entry> {
        let mut entries = Vec::with_capacity(tree.read.len());
        let mut signs = Signs::of(tree.input);
        let mut seen = 0u64;
        for (at, each) in tree.read.iter().enumerate() {
            if each.name == END {
                while entries.len() <= at {
                    entries.push(Entry::LAST);
                }
                seen = 0;
            } else if seen & 1 << each.name == 0 {
                seen |= 1 << each.name;
                let value = if signs.are_in(each.value) {
                    self.put(winnow_html::attributes::decoded(each.value.of(tree.input)).as_bytes())
                } else {
                    each.value
                };
                entries.push(Entry {
                    name: Some(Name::numbered(each.name)),
                    value,
                });
            }
        }
        entries
    }

    /// Gives `html` and `body` the attributes of their later tags too.
    pub fn add_merged(&mut self, tree: &mut winnow_html::Tree<'_>, entries: &mut Vec<Entry>) {
        let mut elements: Vec<Id> = tree.merged.iter().map(|(id, _)| *id).collect();
        elements.sort_unstable();
        elements.dedup();
        for id in elements {
            let start = entries.len();
            for (name, value) in tree.attributes(id) {
                let Some(name) = Name::spelled(name) else {
                    continue;
                };
                if entries[start..].iter().all(|each| each.name != Some(name)) {
                    let value = self.put(winnow_html::attributes::decoded(value).as_bytes());
                    entries.push(Entry {
                        name: Some(name),
                        value,
                    });
                }
            }
            entries.push(Entry::LAST);
            tree.nodes[id as usize].read = start as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_found_in_spans_in_any_order() {
        let input = b"&a&&bcd&\0efgh\0&ij";
        let spans = (0..=input.len() as u32)
            .flat_map(|start| (start..=input.len() as u32).map(move |end| Span { start, end }));
        let spans: Vec<Span> = spans.collect();
        let has = |span: &Span| span.of(input).iter().any(|byte| matches!(byte, b'&' | 0));
        for step in [1, 5, 7, 11, spans.len() - 1] {
            let mut signs = Signs::of(input);
            for at in 0..spans.len() {
                let span = spans[at * step % spans.len()];
                assert_eq!(signs.are_in(span), has(&span), "{step} {span:?}");
            }
        }
    }
}
