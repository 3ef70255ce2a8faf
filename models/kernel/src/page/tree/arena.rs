//! Markup to a tree: the parser's ranges of markup are decoded here, once.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::{memchr, memchr2};
use winnow_html::tokenizer::{END, Span};
use winnow_html::tree::RAW;
use winnow_html::{Kind, tag};

use super::Node;
use crate::page::attributes::{Name, READ};
use crate::page::limits::Limits;
use crate::page::refusal::Refusal;
use crate::page::tags::{self, Tag};
use crate::text::hash::load;

/// The number of a node: its place. 0 is the document, and means no node in links.
pub type Id = u32;

/// Options for parsing a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// It is XML by its content type, where any element may close itself.
    pub is_xml: bool,
    /// The tree is for readers of text instead of the standard's: unclosed elements of damaged
    /// pages end before they contain the rest of the page, shadow roots are in their place, and the
    /// fallback of framesets is read.
    pub is_repaired: bool,
}

impl Options {
    fn of_parser(self) -> winnow_html::Options {
        winnow_html::Options {
            noscript_ends_raw_text: self.is_repaired,
            closes_title: self.is_repaired,
            is_xml: self.is_xml,
            closes_as_xhtml: self.is_repaired,
            shadow_roots_in_place: self.is_repaired,
            parses_noframes: self.is_repaired,
        }
    }
}

/// A parsed page.
pub struct Tree<'m> {
    /// With line feeds as line ends.
    markup: Cow<'m, str>,
    /// Text that differs from the markup. Positions after the end of the markup refer to it.
    decoded: Vec<u8>,
    pub(super) nodes: Vec<winnow_html::Node>,
    /// The attributes of a tag in one piece, followed by an entry without a name.
    pub(super) attributes: Vec<Entry>,
    /// Our numbers of names, by the parser's.
    pub(super) tags: Vec<Tag>,
    /// Names unknown to the parser, in lower case.
    pub(super) own_names: Vec<Vec<u8>>,
    root: Id,
    /// The page is drawn in standards mode, not in quirks mode.
    pub(super) is_standard: bool,
}

/// An attribute.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// None after the last one of a tag.
    pub name: Option<Name>,
    pub value: Span,
}

impl Entry {
    const LAST: Self = Self {
        name: None,
        value: Span { start: 0, end: 0 },
    };
}

/// Our numbers of the names that the parser knows.
static KNOWN: LazyLock<Vec<Tag>> = LazyLock::new(|| {
    tag::NAMES
        .iter()
        .map(|name| number(name.as_bytes()))
        .collect()
});

fn number(name: &[u8]) -> Tag {
    tags::tag_by(load(name, 0, name.len()), name)
}

impl<'m> Tree<'m> {
    /// Parses a page.
    ///
    /// # Errors
    /// It is beyond a limit.
    pub fn of(markup: Cow<'m, str>, options: Options, limits: &Limits) -> Result<Self, Refusal> {
        let markup = with_line_feeds(markup);
        let parsed = winnow_html::parse_into(
            &markup,
            &limits.of_tree(),
            options.of_parser(),
            Some(&*READ),
            Vec::new(),
        );
        let mut parsed = parsed.map_err(|passed| limits.refusal(passed))?;
        let mut decoded = Decoded::behind(&markup);
        decoded.join_texts(&mut parsed);
        let mut attributes = decoded.attributes(&parsed);
        decoded.add_merged(&mut parsed, &mut attributes);
        let mut tags = KNOWN.clone();
        let own_names: Vec<Vec<u8>> = parsed
            .names
            .iter()
            .map(|name| name.of(parsed.input).to_ascii_lowercase())
            .collect();
        tags.extend(own_names.iter().map(|name| number(name)));
        let root = parsed
            .children(0)
            .find(|&id| parsed.node(id).kind.is_element())
            .unwrap_or(0);
        let is_standard = !parsed.is_quirky;
        let nodes = parsed.nodes;
        Ok(Self {
            decoded: decoded.bytes,
            markup,
            nodes,
            attributes,
            tags,
            own_names,
            root,
            is_standard,
        })
    }

    /// The root element.
    #[must_use]
    pub fn root(&self) -> Node<'_> {
        Node {
            tree: self,
            id: self.root,
        }
    }

    /// The number of elements, texts and comments.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The markup, with line feeds as line ends.
    #[must_use]
    pub fn markup(&self) -> &str {
        &self.markup
    }

    #[inline]
    pub(super) fn bytes(&self, place: Span) -> &[u8] {
        let (start, end) = (place.start as usize, place.end as usize);
        let markup = self.markup.as_bytes();
        let found = match start.checked_sub(markup.len()) {
            None => markup.get(start..end),
            Some(start) => self.decoded.get(start..end - markup.len()),
        };
        found.unwrap_or_default()
    }
}

/// Line feeds instead of carriage returns, alone or before a line feed.
fn with_line_feeds(markup: Cow<'_, str>) -> Cow<'_, str> {
    let bytes = markup.as_bytes();
    let Some(mut at) = memchr(b'\r', bytes) else {
        return markup;
    };
    let mut made = String::with_capacity(markup.len());
    let mut from = 0;
    loop {
        made.push_str(&markup[from..at]);
        made.push('\n');
        from = at + 1 + usize::from(bytes.get(at + 1) == Some(&b'\n'));
        match memchr(b'\r', &bytes[from..]) {
            Some(length) => at = from + length,
            None => break,
        }
    }
    made.push_str(&markup[from..]);
    Cow::Owned(made)
}

/// The decoded parts of a markup.
struct Decoded {
    bytes: Vec<u8>,
    /// The length of the markup, after which these positions begin.
    base: usize,
}

impl Decoded {
    fn behind(markup: &str) -> Self {
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

    /// Decodes texts with references, and joins adjacent texts.
    fn join_texts(&mut self, tree: &mut winnow_html::Tree<'_>) {
        let is_text =
            |tree: &winnow_html::Tree<'_>, id: Id| id != 0 && tree.node(id).kind == Kind::Text;
        for id in 1..tree.nodes.len() as Id {
            let node = *tree.node(id);
            // text after another text is joined to it
            if node.kind != Kind::Text || is_text(tree, node.previous) {
                continue;
            }
            let bytes = node.span.of(tree.input);
            let is_decoded = node.flags & RAW == 0 && memchr(b'&', bytes).is_some()
                || tree.has_line_ends && memchr(0, bytes).is_some();
            if !is_decoded && !is_text(tree, node.next) {
                continue;
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
    }

    /// The indexed attributes of all tags, at the same places; the first of two with one name
    /// counts.
    fn attributes(&mut self, tree: &winnow_html::Tree<'_>) -> Vec<Entry> {
        let mut entries = vec![Entry::LAST; tree.read.len()];
        let (mut free, mut seen) = (0, 0u64);
        for (at, each) in tree.read.iter().enumerate() {
            if each.name == END {
                (free, seen) = (at + 1, 0);
            } else if seen & 1 << each.name == 0 {
                seen |= 1 << each.name;
                entries[free] = Entry {
                    name: Some(Name::numbered(each.name)),
                    value: self.value(tree, each.value),
                };
                free += 1;
            }
        }
        entries
    }

    fn value(&mut self, tree: &winnow_html::Tree<'_>, value: Span) -> Span {
        let raw = value.of(tree.input);
        if memchr2(b'&', 0, raw).is_none() {
            return value;
        }
        self.put(winnow_html::attributes::decoded(raw).as_bytes())
    }

    /// Gives `html` and `body` the attributes of their later tags too.
    fn add_merged(&mut self, tree: &mut winnow_html::Tree<'_>, entries: &mut Vec<Entry>) {
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
