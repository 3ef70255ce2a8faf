//! Blocks with verdicts to text: the kept blocks, in plain text or Markdown.

mod escape;
mod gap;
mod grid;
mod inlined;
mod lines;
mod markdown;
mod notes;
mod numbers;
mod outline;
mod spans;
mod tex;

pub use self::inlined::Markup;
pub use self::outline::Outline;
use super::blocks::{Block, BlockTable};
use crate::text::sentences::Sentence;
use crate::text::verdict::Verdict;

/// The output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Paragraphs with a blank line between them, items and rows on lines, tabs between cells.
    Text,
    /// CommonMark with GitHub's tables.
    Markdown,
}

/// Whether dropped sentences are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dropped {
    Vanish,
    /// They are written as `<ppl 9123.4>...</ppl>`.
    Marked,
}

/// The kept text of a page, and its size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "python",
    pyo3::pyclass(frozen, get_all, skip_from_py_object, module = "winnow.models._kernel")
)]
pub struct Rendered {
    pub text: String,
    pub blocks_kept: usize,
    pub sentences_kept: usize,
    pub tokens_kept: u64,
    /// Characters of the kept sentences, without separators.
    pub chars_kept: usize,
    /// The starts of the text's units, see [`Outline`].
    pub outline: Vec<u8>,
}

/// A range of block text to write.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// Where the space before it starts; equal to `start` for the first piece of a block.
    lead: u32,
    start: u32,
    end: u32,
    /// Set for a dropped sentence that is written anyway.
    marked: Option<f32>,
}

/// The pieces of one block.
#[derive(Clone, Copy, Debug)]
pub struct Part<'page> {
    block: &'page Block,
    pieces: &'page [Piece],
}

/// Write the sentences of a page that the verdicts keep.
///
/// `verdicts` holds one code per sentence; a sentence without a code is dropped.
#[must_use]
pub fn render(
    table: &BlockTable,
    sentences: &[Sentence],
    verdicts: &[u8],
    format: Format,
    dropped: Dropped,
    markup: Markup<'_>,
) -> Rendered {
    let mut rendered = Rendered::default();
    let mut pieces = Pieces::of(sentences.len());
    let mut previous: Option<&Sentence> = None;
    let mut last_kept_block = None;
    for (index, sentence) in sentences.iter().enumerate() {
        let is_kept = verdicts.get(index) == Some(&Verdict::KEPT);
        if is_kept {
            rendered.sentences_kept += 1;
            rendered.tokens_kept += u64::from(sentence.tokens);
            rendered.blocks_kept += usize::from(last_kept_block != Some(sentence.block));
            last_kept_block = Some(sentence.block);
        }
        let before = previous.filter(|before| before.block == sentence.block);
        previous = Some(sentence);
        if is_kept || dropped == Dropped::Marked {
            pieces.add(
                sentence.block,
                Piece {
                    lead: before.map_or(sentence.start, |before| before.end),
                    start: sentence.start,
                    end: sentence.end,
                    marked: (!is_kept).then(|| sentence.perplexity()),
                },
            );
        }
    }
    pieces.write(table, format, markup, rendered)
}

/// Write the blocks that the verdicts keep; for pages without scored sentences.
///
/// `verdicts` holds one code per block; a block without a code is dropped.
#[must_use]
pub fn render_blocks(
    table: &BlockTable,
    verdicts: &[u8],
    format: Format,
    markup: Markup<'_>,
) -> Rendered {
    let mut rendered = Rendered::default();
    let mut pieces = Pieces::of(table.blocks.len());
    for (index, (block, &verdict)) in table.blocks.iter().zip(verdicts).enumerate() {
        if verdict == Verdict::KEPT {
            rendered.blocks_kept += 1;
            pieces.add(
                index as u32,
                Piece {
                    lead: block.start,
                    start: block.start,
                    end: block.end,
                    marked: None,
                },
            );
        }
    }
    pieces.write(table, format, markup, rendered)
}

/// Pieces in the order of the page, and the blocks that they belong to.
struct Pieces {
    pieces: Vec<Piece>,
    /// Block number and first piece, for each block with pieces.
    starts: Vec<(u32, usize)>,
}

impl Pieces {
    /// None yet, with room for this many.
    fn of(number: usize) -> Self {
        Self {
            pieces: Vec::with_capacity(number),
            starts: Vec::with_capacity(number),
        }
    }

    fn add(&mut self, block: u32, mut piece: Piece) {
        if self.starts.last().map(|&(last, _)| last) != Some(block) {
            self.starts.push((block, self.pieces.len()));
            piece.lead = piece.start;
        }
        self.pieces.push(piece);
    }

    fn write(
        &self,
        table: &BlockTable,
        format: Format,
        markup: Markup<'_>,
        mut rendered: Rendered,
    ) -> Rendered {
        let kept = self.pieces.iter().filter(|piece| piece.marked.is_none());
        rendered.chars_kept = kept.map(|piece| piece.text(table).chars().count()).sum();
        let ends = self.starts.iter().skip(1).map(|&(_, first)| first);
        let ends = ends.chain([self.pieces.len()]);
        let parts = self
            .starts
            .iter()
            .zip(ends)
            .filter_map(|(&(block, first), end)| {
                Some(Part {
                    block: table.blocks.get(block as usize)?,
                    pieces: self.pieces.get(first..end)?,
                })
            });
        let (text, outline) = match format {
            Format::Text => lines::write(table, parts, self.bytes()),
            Format::Markdown => markdown::write(table, markup, parts),
        };
        rendered.text = text;
        rendered.outline = outline.packed;
        rendered
    }

    /// Bytes of all pieces with their prefixes and separators.
    fn bytes(&self) -> usize {
        let each = self.pieces.iter();
        let pieces = each.map(|piece| piece.end.saturating_sub(piece.lead) as usize);
        pieces.sum::<usize>() + lines::MAX_SEPARATOR * self.starts.len()
    }
}

impl Piece {
    fn text<'page>(&self, table: &'page BlockTable) -> &'page str {
        span(table, self.start, self.end)
    }
}

fn span(table: &BlockTable, start: u32, end: u32) -> &str {
    table.text.get(start as usize..end as usize).unwrap_or("")
}

impl Part<'_> {
    /// Write the pieces unchanged through `put`; marks bypass it.
    fn write(&self, table: &BlockTable, out: &mut String, put: impl Fn(&str, &mut String)) {
        for piece in self.pieces {
            put(span(table, piece.lead, piece.start), out);
            match piece.marked {
                None => put(piece.text(table), out),
                Some(perplexity) => {
                    out.push_str(&opening(perplexity));
                    put(piece.text(table), out);
                    out.push_str(CLOSING);
                }
            }
        }
    }
}

const CLOSING: &str = "</ppl>";

fn opening(perplexity: f32) -> String {
    format!("<ppl {perplexity:.1}>")
}

#[cfg(test)]
mod tests;
