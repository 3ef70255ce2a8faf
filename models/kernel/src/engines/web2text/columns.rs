//! Feature version 2: the input of the network, one row per block.

mod page;

use super::cdom::Cdom;
use super::context::Context;
use super::counts::{CHARS, SENTENCES, WORDS};
use super::logs::log_of;
use super::names::{ABOVE_TAGS, CHAIN_TAGS};
use super::spans::{Full, brief_of};
use page::Page;

/// The input of the networks for one page.
#[derive(Clone, Default)]
pub struct Columns {
    /// The columns of all blocks, row by row, each as long as [`names`](super::names::names); empty
    /// for an empty page.
    pub rows: Vec<f32>,
    /// Per block: equal for blocks with the same names and classes of all elements above them.
    pub class_paths: Vec<u64>,
}

/// The columns of all blocks.
#[must_use]
pub fn columns(cdom: Cdom<'_>) -> Columns {
    if cdom.blocks.is_empty() {
        return Columns::default();
    }
    let page = Page::new(Context::new(cdom));
    let blocks = page.context.counts.len();
    let mut rows = Vec::with_capacity(256);
    page.write(0, &mut rows);
    rows.reserve_exact(rows.len() * (blocks - 1));
    for block in 1..blocks {
        page.write(block, &mut rows);
    }
    Columns {
        rows,
        class_paths: page.class_path_keys,
    }
}

impl Page<'_> {
    fn write(&self, block: usize, row: &mut Vec<f32>) {
        self.write_text(block, row);
        self.write_surroundings(block, row);
        self.write_ancestors(block, row);
        self.write_place(block, row);
        self.write_repeats(block, row);
        self.write_markup(block, row);
        for stretch in &self.stretches {
            row.extend(stretch.columns(block));
        }
        row.extend(self.containers.columns(&self.context, block));
    }

    fn write_text(&self, block: usize, row: &mut Vec<f32>) {
        let counts = &self.context.counts[block];
        row.extend(self.context.spans.between(block, block + 1).full());
        row.extend(
            [
                self.context.is_link(block),
                counts.has_copyright,
                counts.has_email,
                counts.has_url,
                counts.has_year,
                counts.ends_punctuation,
                counts.ends_question,
                counts.starts_lowercase,
                counts.ends_sentence,
                counts.ends_colon,
                counts.has_separator,
                counts.amounts[SENTENCES] > 1,
                counts.amounts[WORDS] == 0,
                counts.is_all_capitals,
            ]
            .map(truth),
        );
    }

    fn write_surroundings(&self, block: usize, row: &mut Vec<f32>) {
        let context = &self.context;
        let (at, paragraph) = (context.paragraph_of(block), context.paragraph(block));
        row.extend(self.paragraphs[at]);
        row.extend(
            [
                block == paragraph.start,
                block + 1 == paragraph.end,
                context.counts[paragraph.end - 1].ends_sentence,
                context.counts[paragraph.start].starts_lowercase,
                paragraph.has_copyright,
            ]
            .map(truth),
        );
        for near in [at.checked_sub(1), at.checked_add(1)] {
            let near = near.and_then(|near| self.paragraphs.get(near));
            row.extend(near.map_or([0.0; 7], brief_of));
        }
        for (before, after) in [(5, 6), (20, 21), (30, 0)] {
            let start = block.saturating_sub(before);
            row.extend(context.spans.between(start, block + after).brief());
        }
        row.extend(context.spans.between(block + 1, block + 31).brief());
    }

    fn write_ancestors(&self, block: usize, row: &mut Vec<f32>) {
        let context = &self.context;
        let parent = context.node(block).parent;
        row.extend(self.text_of(parent));
        row.extend(self.node_place(parent, block));
        let grandparent = context.parent_of(parent);
        row.extend(brief_of(self.text_of(grandparent)));
        row.extend(self.node_place(grandparent, block));
        row.extend(brief_of(&self.body_columns));
        row.push((context.counts.len() as f32).ln_1p());
    }

    /// The whole page is above the root.
    fn text_of(&self, node: u32) -> &Full {
        let node = self.nodes.get(node as usize);
        node.map_or(&self.body_columns, |node| &node.text)
    }

    fn node_place(&self, node: u32, block: usize) -> [f32; 4] {
        let blocks = self.context.counts.len() as f32;
        let at = node as usize;
        let (Some(above), Some(columns)) = (self.context.cdom.nodes.get(at), self.nodes.get(at))
        else {
            return [1.0, 0.0, 0.0, block as f32 / blocks];
        };
        let (start, size) = (above.first_block, above.end_block - above.first_block);
        [
            columns.share,
            start as f32 / blocks,
            truth(above.has_form),
            (block as f32 - start as f32) / size as f32,
        ]
    }

    fn write_place(&self, block: usize, row: &mut Vec<f32>) {
        let context = &self.context;
        let chars = self.body.get(CHARS);
        let before = context.spans.between(0, block).get(CHARS);
        let with = context.spans.between(0, block + 1).get(CHARS);
        let middle = ((before + with) / 2.0 / chars) as f32;
        let (index, blocks) = (block as f32, context.counts.len() as f32);
        row.extend([
            middle,
            middle * middle,
            index / blocks,
            index.ln_1p(),
            (blocks - 1.0 - index).ln_1p(),
            log_of(before) as f32,
            log_of(chars - with) as f32,
            context.node(block).depth as f32 / 10.0,
        ]);
    }

    fn write_repeats(&self, block: usize, row: &mut Vec<f32>) {
        let (blocks, chars) = (self.context.counts.len() as f64, self.body.get(CHARS));
        let (text, class, tag) = (
            self.texts[block],
            self.class_paths[block],
            self.tag_paths[block],
        );
        row.extend([truth(text.times > 1.0), truth(text.times > 10.0)]);
        row.extend(
            [
                class.times / blocks,
                log_of(class.times),
                class.chars / chars,
                log_of(class.chars / class.times),
                tag.times / blocks,
                tag.chars / chars,
                log_of(tag.chars / tag.times),
            ]
            .map(|value| value as f32),
        );
    }

    fn write_markup(&self, block: usize, row: &mut Vec<f32>) {
        let context = &self.context;
        let node = context.node(block);
        let columns = &self.nodes[context.cdom.blocks[block] as usize];
        row.extend(CHAIN_TAGS.map(|tag| truth(node.tags.has(tag))));
        row.extend(ABOVE_TAGS.map(|tag| truth(columns.above.has(tag))));
        row.extend(columns.hints);
        let own = node.hints;
        row.extend(
            [
                own.is_positive(),
                own.is_negative(),
                own.is_comment(),
                own.is_named(),
            ]
            .map(truth),
        );
        let hops = |at| (context.hops_before(at).min(8.0) / 4.0) as f32;
        row.extend([
            hops(block),
            hops(block + 1),
            truth(node.breaks_before),
            truth(node.breaks_after),
            (self.since_heading[block] as f32).ln_1p() / 3.0,
        ]);
    }
}

fn truth(claim: bool) -> f32 {
    f32::from(u8::from(claim))
}
