//! Bytes of a page to its blocks: charset, tree and walk, and declared metadata, in one pass.

use std::borrow::Cow;
use std::sync::Arc;

use crate::data_text::{DataText, TEXT_SOURCES, find};
use crate::engines::judgement::Judgement;
use crate::engines::web2text::labels::labelled_blocks;
use crate::engines::web2text::network::Ensemble;
use crate::metadata::wishes::Wishes;
use crate::page::blocks::BlockTable;
use crate::page::inline::Inline;
use crate::page::limits::Limits;
use crate::page::media::Form;
use crate::page::plain::paragraphs;
use crate::page::refusal::Refusal;
use crate::page::source::Source;
use crate::page::tree::{Options, Tree};
use crate::page::walk::{Recorded, Walked, walk};

/// A page that shows fewer characters than this and hides this many times more is drawn by scripts:
/// its text is in `noscript` or in elements that a script would open. Between 500 and 1,000
/// characters and 2 and 10 times the results are equal on the training part of the development
/// pages.
const LEAST_SHOWN: usize = 1000;
const TIMES_MORE: usize = 5;

/// Which blocks of a page are read.
#[derive(Clone, Copy)]
pub enum Cut<'r> {
    /// The blocks that a reader sees at first.
    Shown,
    /// The same, or all blocks of a page that shows almost nothing.
    Uncovered,
    /// Also hidden ones and those in `noscript`, with the elements around them.
    Every,
    /// The blocks of [`Cut::Uncovered`], labelled by these networks.
    Labelled(&'r Ensemble),
}

/// Options for reading pages.
#[derive(Clone, Copy)]
pub struct Reader<'r> {
    pub cut: Cut<'r>,
    pub limits: Limits,
    /// Include inline markup.
    pub with_inline: bool,
    /// Use text that is only in the data of the page, if the page shows almost nothing.
    pub with_data_text: bool,
    /// Pages with a noindex directive give no blocks.
    pub skips_noindex: bool,
}

/// The crawler's metadata of a page; all of it may be empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct Headers<'h> {
    pub url: &'h str,
    pub content_type: &'h str,
    /// `X-Robots-Tag` headers, one per line.
    pub robots_tag: &'h str,
}

/// A page that was read.
#[derive(Clone, Debug)]
pub struct Reading {
    pub blocks: Cutting,
    /// Lower-case WHATWG name of the charset of the body.
    pub charset: &'static str,
    pub form: Form,
    /// Where the text was found, one of [`TEXT_SOURCES`].
    pub text_source: &'static str,
    pub wishes: Wishes,
}

/// The blocks of a page with results computed while the tree existed.
#[derive(Clone, Debug, Default)]
pub struct Cutting {
    pub table: BlockTable,
    pub inline: Option<Inline>,
    pub labels: Option<Arc<Judgement>>,
}

impl From<Walked> for Cutting {
    fn from(walked: Walked) -> Self {
        Self {
            table: walked.table,
            inline: walked.inline,
            labels: None,
        }
    }
}

impl Reader<'_> {
    /// Reads a page.
    ///
    /// # Errors
    /// Every reason of [`Reason`](crate::page::refusal::Reason).
    pub fn read(&self, body: &[u8], headers: Headers<'_>) -> Result<Reading, Refusal> {
        let source = Source::of(body, headers.content_type, headers.url, &self.limits)?;
        let (charset, form) = (source.charset, source.form);
        let page = match form {
            Form::Text => Page::Text(source.text),
            Form::Html => Page::Html(Parsed::of(source.text, source.is_xml, &self.limits)?),
        };
        let mut blocks = self.cut(&page);
        let wishes = Wishes::of(&blocks.table, headers.robots_tag);
        let mut text_source = TEXT_SOURCES[0];
        if self.skips_noindex && wishes.forbid_index() {
            blocks = self.cut(&Page::Text(Cow::Borrowed("")));
        } else if let Some((found, with_data)) = self.with_data(&page, &blocks.table) {
            (text_source, blocks) = (found, self.cut(&Page::Html(with_data)));
        }
        Ok(Reading {
            blocks,
            charset,
            form,
            text_source,
            wishes,
        })
    }

    fn cut(&self, page: &Page<'_>) -> Cutting {
        let page = match page {
            Page::Html(page) => page,
            Page::Text(text) => {
                return Cutting {
                    table: paragraphs(text),
                    ..Cutting::default()
                };
            }
        };
        let mut blocks = match self.cut {
            Cut::Shown => self.walked(page, false),
            Cut::Every => self.walked(page, true),
            Cut::Uncovered => {
                let shown = self.walked(page, false);
                self.uncovered(page, &shown.table).unwrap_or(shown)
            }
            Cut::Labelled(networks) => {
                let shown = self.labelled(page, false, networks);
                match self.uncovered(page, &shown.table) {
                    Some(_) => self.labelled(page, true, networks),
                    None => shown,
                }
            }
        };
        blocks.table.markup_bytes = page.markup_bytes;
        blocks
    }

    fn walked(&self, page: &Parsed<'_>, concealed: bool) -> Cutting {
        walk(page.tree.root(), self.recorded(concealed)).into()
    }

    fn labelled(&self, page: &Parsed<'_>, concealed: bool, networks: &Ensemble) -> Cutting {
        let recorded = self.recorded(concealed);
        let (walked, labels) =
            labelled_blocks(page.tree.root(), page.markup_bytes, recorded, networks);
        Cutting {
            labels: Some(Arc::new(labels)),
            ..walked.into()
        }
    }

    /// All blocks of a page that shows almost nothing.
    fn uncovered(&self, page: &Parsed<'_>, shown: &BlockTable) -> Option<Cutting> {
        let chars = shown.chars();
        if chars >= LEAST_SHOWN {
            return None;
        }
        let every = self.walked(page, true);
        (every.table.chars() > TIMES_MORE * chars).then_some(every)
    }

    fn recorded(&self, concealed: bool) -> Recorded {
        Recorded {
            elements: concealed,
            inline: self.with_inline,
            texts: false,
        }
    }

    /// The source of text that is only in page data, and the page with that text appended to its
    /// markup. None if the page shows enough, its data has not clearly more, or both together are
    /// beyond the limits.
    fn with_data<'p>(
        &self,
        page: &Page<'_>,
        shown: &BlockTable,
    ) -> Option<(&'static str, Parsed<'p>)> {
        let Page::Html(page) = page else { return None };
        let chars = shown.chars();
        if !self.with_data_text || chars >= LEAST_SHOWN {
            return None;
        }
        let DataText { source, markup } = find(page.tree.root(), chars)?;
        let bytes = page.markup_bytes + markup.len();
        self.limits.check_bytes(bytes).ok()?;
        let whole = [page.tree.markup(), &markup].concat();
        // the page itself is within the limits
        let page = Parsed::of(Cow::Owned(whole), page.is_xml, &self.limits).ok()?;
        Some((source, page))
    }
}

/// A page that is decoded and, if it has markup, parsed.
enum Page<'m> {
    Text(Cow<'m, str>),
    Html(Parsed<'m>),
}

struct Parsed<'m> {
    tree: Tree<'m>,
    markup_bytes: usize,
    is_xml: bool,
}

impl<'m> Parsed<'m> {
    fn of(markup: Cow<'m, str>, is_xml: bool, limits: &Limits) -> Result<Self, Refusal> {
        let options = Options {
            is_xml,
            is_repaired: true,
        };
        Ok(Self {
            markup_bytes: markup.len(),
            tree: Tree::of(markup, options, limits)?,
            is_xml,
        })
    }
}
