//! 13.2.6 Tree construction: tokens to the tree.
//!
//! [`TreeBuilder`] is the state of the standard's algorithm. Each module adds the methods of one
//! section:
//!
//! | module | section |
//! |---|---|
//! | `open_elements` | 13.2.4.2 The stack of open elements, 13.2.6.3 implied end tags |
//! | `formatting_elements` | 13.2.4.3 The list of active formatting elements |
//! | `insertion` | 13.2.6.1 Creating and inserting nodes |
//! | `raw_text` | 13.2.6.2 Parsing elements that contain only text, 13.2.6.4.8 "text" |
//! | `modes` | 13.2.6.4 The rules for parsing tokens in HTML content, one module per mode |
//! | `adoption_agency` | 13.2.6.4.7, the algorithm for end tags of formatting elements |
//! | `foreign_content` | 13.2.6.5 The rules for parsing tokens in foreign content |
//! | `characters` | white space and NUL in texts |
//! | `self_closing`, `shadow_roots`, `streamed_parts` | [`Options`] that differ from the standard |

mod adoption_agency;
mod characters;
mod foreign_content;
mod formatting_elements;
mod insertion;
mod modes;
mod open_elements;
mod raw_text;
mod self_closing;
mod shadow_roots;
mod streamed_parts;

use std::collections::HashMap;

use memchr::memchr;

use crate::tag::{self, Tag};
use crate::tokenizer::{Names, TagToken, Token, Tokenizer};
use crate::tree::{self, Id, Kind, Node, Tree};
use crate::{Limits, Options, Refusal};
use characters::Text;
use formatting_elements::Entry;
use modes::Mode;
use open_elements::{Counts, Open};

/// Build the tree of a page as the standard defines it.
///
/// The input is a string, so the caller handles invalid UTF-8 and lone surrogates: the encoding
/// standard replaces them by U+FFFD, as [`String::from_utf8_lossy`] does.
///
/// # Errors
/// The page passes a limit.
pub fn parse<'i>(input: &'i str, limits: &Limits) -> Result<Tree<'i>, Refusal> {
    parse_into(input, limits, Options::default(), None, Vec::new())
}

/// Build the tree of a page with options. `names` are the attributes to index in [`Tree::read`].
/// The tree is made in the memory of `nodes`, which an earlier tree may have left.
///
/// # Errors
/// The page passes a limit.
pub fn parse_into<'i>(
    input: &'i str,
    limits: &Limits,
    options: Options,
    names: Option<&'i Names>,
    nodes: Vec<Node>,
) -> Result<Tree<'i>, Refusal> {
    if input.len() > limits.bytes.min(u32::MAX as usize) {
        return Err(Refusal::TooLarge);
    }
    let tokens = Tokenizer::new(input.as_bytes(), names);
    let mut builder = TreeBuilder::new(Tree::new(input, nodes), tokens, limits, options);
    builder.run()?;
    builder.tree.read = builder.tokens.read;
    Ok(builder.tree)
}

/// The state of tree construction.
struct TreeBuilder<'i> {
    tree: Tree<'i>,
    tokens: Tokenizer<'i>,
    limits: Limits,
    options: Options,
    /// The limit that was passed.
    refusal: Option<Refusal>,

    /// The insertion mode.
    mode: Mode,
    /// The stack of open elements.
    open: Vec<Open>,
    counts: Counts,
    /// The list of active formatting elements.
    formatting: Vec<Entry>,
    /// The stack of template insertion modes: one per open `template`.
    template_modes: Vec<Mode>,
    /// The head element pointer.
    head: Id,
    /// The form element pointer.
    form: Id,
    /// Whether foster parenting is enabled.
    fosters: bool,
    /// The frameset-ok flag.
    frameset_ok: bool,
    /// Whether the next token is ignored if it is a line feed.
    skips_line_feed: bool,

    /// Numbers of element names that are unknown to HTML.
    unknown: HashMap<Vec<u8>, Tag>,
    has_nul: bool,
    in_noscript: bool,
    has_closed_title: bool,
    /// Whether the page declares XHTML.
    is_xhtml: bool,
    /// The place of the first end tag of each raw text element after the last one that closes
    /// itself, or the maximum.
    raw_text_ends: [usize; self_closing::RAW_TEXT.len()],
    /// Whether the current start tag closes itself, so that its element is empty.
    is_empty_element: bool,
    /// The mode after the open `noframes`, with [`Options::parses_noframes`].
    mode_after_noframes: Option<Mode>,
    /// The `template` elements that stand for streamed parts, with their names.
    placeholders: Vec<(Id, &'i [u8])>,
}

impl<'i> TreeBuilder<'i> {
    fn new(tree: Tree<'i>, tokens: Tokenizer<'i>, limits: &Limits, options: Options) -> Self {
        let has_nul = memchr(0, tree.input).is_some();
        let limits = Limits {
            depth: limits.depth.min(u32::MAX as usize),
            nodes: limits.nodes.min(u32::MAX as usize),
            ..*limits
        };
        Self {
            tree,
            tokens,
            limits,
            options,
            refusal: None,
            mode: Mode::Initial,
            open: Vec::with_capacity(64),
            counts: Counts::NONE,
            formatting: Vec::new(),
            template_modes: Vec::new(),
            head: 0,
            form: 0,
            fosters: false,
            frameset_ok: true,
            skips_line_feed: false,
            unknown: HashMap::new(),
            has_nul,
            in_noscript: false,
            has_closed_title: false,
            is_xhtml: false,
            raw_text_ends: [0; self_closing::RAW_TEXT.len()],
            is_empty_element: false,
            mode_after_noframes: None,
            placeholders: Vec::new(),
        }
    }

    fn run(&mut self) -> Result<(), Refusal> {
        loop {
            let allows_cdata = self.is_in_foreign() || self.options.is_xml || self.is_xhtml;
            match self.tokens.next(allows_cdata) {
                Token::Text(span) => self.text(Text { span, flags: 0 }),
                Token::CData(span) => {
                    let flags = tree::RAW;
                    self.text(Text { span, flags });
                }
                Token::Start(tag) => self.start_tag(tag),
                Token::End(tag) => self.end_tag(tag),
                Token::Comment(span) => self.comment(span),
                Token::Doctype(span) => self.doctype(span),
                Token::Eof => {
                    self.stop_parsing();
                    self.place_streamed_parts();
                    return self.refusal.map_or(Ok(()), Err);
                }
            }
            if let Some(refusal) = self.refusal {
                return Err(refusal);
            }
        }
    }

    #[inline(always)]
    fn start_tag(&mut self, mut tag: TagToken) {
        self.number_name(&mut tag);
        self.in_noscript |= tag.tag == tag::NOSCRIPT && self.options.noscript_ends_raw_text;
        if tag.is_self_closing && self.closes_itself(&tag) {
            self.empty_element(&tag);
        } else {
            self.start(&tag);
        }
    }

    #[inline(always)]
    fn end_tag(&mut self, mut tag: TagToken) {
        self.number_name(&mut tag);
        self.in_noscript &= tag.tag != tag::NOSCRIPT;
        self.end(&tag);
    }

    /// Give a number to a name that is unknown to HTML.
    #[inline(always)]
    fn number_name(&mut self, tag: &mut TagToken) {
        self.skips_line_feed = false;
        if tag.tag == tag::UNKNOWN {
            tag.tag = self.unknown_name(tag);
        }
    }

    #[cold]
    fn unknown_name(&mut self, tag: &TagToken) -> Tag {
        let name = tag.name.of(self.tree.input).to_ascii_lowercase();
        if let Some(&known) = self.unknown.get(&name) {
            return known;
        }
        if self.tree.names.len() >= crate::limits::MAX_NAMES {
            self.refuse(Refusal::TooManyNames);
            return tag::UNKNOWN;
        }
        let number = (tag::COUNT + self.tree.names.len()) as Tag;
        self.tree.names.push(tag.name);
        self.unknown.insert(name, number);
        number
    }

    /// Whether the current node is an element of SVG or MathML.
    #[inline(always)]
    fn is_in_foreign(&self) -> bool {
        self.open.last().is_some_and(|open| open.kind != Kind::Html)
    }

    /// Count steps; see [`Limits::steps`].
    #[inline(always)]
    fn count(&mut self, steps: usize) {
        self.tree.steps += steps as u64;
        if self.tree.steps > self.limits.steps {
            self.refuse(Refusal::TooManySteps);
        }
    }

    #[cold]
    fn refuse(&mut self, refusal: Refusal) {
        self.refusal.get_or_insert(refusal);
    }
}
