//! Markup to a tree.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memchr;
use winnow_html::tag;
use winnow_html::tokenizer::Span;

use super::Node;
use super::decoded::{Decoded, Entry, Id};
use crate::page::attributes::READ;
use crate::page::limits::Limits;
use crate::page::refusal::Refusal;
use crate::page::tags::{self, Tag};
use crate::text::hash::load;

/// Options for parsing a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// It is XML by its content type, where any element may close itself.
    pub is_xml: bool,
    /// The tree is for readers of text instead of the standard's: unclosed elements of damaged
    /// pages end before they contain the rest of the page, shadow roots and streamed parts are in
    /// their places, and the fallback of framesets is read.
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
            streamed_parts_in_place: self.is_repaired,
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
        let texts = decoded.join_texts(&mut parsed);
        if options.is_repaired {
            decoded.read_once(&mut parsed, texts);
        }
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
