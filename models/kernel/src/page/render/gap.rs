//! The dropped blocks between two kept ones, and the images among them that are written.
//!
//! An image goes with the dropped text around it, but not with its caption.

use crate::page::blocks::{Block, BlockTable, Kind};
use crate::page::inline::{Image, Inline};
use crate::page::tags;

/// Most elements around a block that are checked.
const MOST_LEVELS: usize = 6;

/// The text between two kept blocks.
pub struct Gap {
    pub start: u32,
    pub end: u32,
    /// Where its text other than captions starts and ends, if there is any.
    others: Option<(u32, u32)>,
    /// Whether there are kept blocks before and after it.
    has_before: bool,
    has_after: bool,
}

impl Gap {
    pub fn of(
        table: &BlockTable,
        inline: &Inline,
        before: Option<&Block>,
        after: Option<&Block>,
    ) -> Self {
        let start = before.map_or(0, |before| before.end + 1);
        let end = after.map_or(table.text.len() as u32, |after| after.start);
        let first = table.blocks.partition_point(|block| block.start < start);
        let dropped = table.blocks[first..]
            .iter()
            .take_while(|block| block.start < end);
        // a dropped line below an image in the text is its caption
        let is_inside =
            before.is_some_and(|before| before.kind != Kind::Heading) && after.is_some();
        let is_other = |block: &&Block| {
            let is_below = || is_inside && block.link_chars == 0 && is_below_image(inline, block);
            !is_in_figure(table, block) && !is_below()
        };
        let mut others = dropped.filter(is_other);
        let from = others.next();
        let others = from.map(|from| (from.start, others.last().unwrap_or(from).end));
        Self {
            start,
            end,
            others,
            has_before: before.is_some(),
            has_after: after.is_some(),
        }
    }

    /// Whether an image in it is written: only captions separate it from the kept blocks, or, for a
    /// figure, from one of them.
    pub fn holds(&self, image: &Image) -> bool {
        self.others.is_none_or(|(first, end)| {
            let is_after_kept = self.has_before && image.at <= first;
            let is_before_kept = self.has_after && image.at > end;
            image.is_figure && (is_after_kept || is_before_kept)
        })
    }
}

/// Whether a block is a caption, or other text of a figure.
fn is_in_figure(table: &BlockTable, block: &Block) -> bool {
    let around = std::iter::successors(Some(block.path), |path| table.paths.parent(*path));
    let mut tags = around.take(MOST_LEVELS).map(|path| table.paths.tag(path));
    block.kind == Kind::Caption || tags.any(|tag| tag == tags::FIGURE)
}

fn is_below_image(inline: &Inline, block: &Block) -> bool {
    let images = inline.images_of(block.start, block.start.saturating_add(1));
    images.iter().any(|image| !is_first_in(image, block))
}

/// Whether an image is the first content of an item, cell or similar block.
pub fn is_first_in(image: &Image, block: &Block) -> bool {
    image.at == block.start && image.group == block.group && block.group > 0
}
