//! Feature version 2: what the network reads of each block, one row a block.

use super::cdom::{Cdom, CdomNode, TagSet};
use super::context::{Context, Repeats};
use super::counts::{CHARS, SENTENCES, WORDS};
use super::landmarks::{Containers, Stretch, stretches};
use super::logs::log_of;
use super::names::{ABOVE_TAGS, CHAIN_TAGS};
use super::spans::{Amounts, Full, Spans, brief_of};
use crate::page::tags;

const HEADINGS: TagSet = TagSet::of(&[tags::H1, tags::H2, tags::H3, tags::H4, tags::H5, tags::H6]);
/// Of a hint, what is left one node further down.
const HINT_DECAY: f32 = 0.7;
const FAR: usize = 50;

/// What the networks read of a page.
#[derive(Default)]
pub struct Columns {
    /// The columns of all blocks, row by row, each as long as [`names`](super::names::names); empty for an empty page.
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
    let mut rows = Vec::with_capacity(page.context.counts.len() * 256);
    for block in 0..page.context.counts.len() {
        page.write(block, &mut rows);
    }
    Columns {
        rows,
        class_paths: page.class_path_keys,
    }
}

/// Everything that is worked out once a page, node or paragraph.
struct Page<'tree> {
    context: Context<'tree>,
    nodes: Vec<NodeColumns>,
    paragraphs: Vec<Full>,
    body: Amounts,
    body_columns: Full,
    texts: Vec<Repeats>,
    class_path_keys: Vec<u64>,
    class_paths: Vec<Repeats>,
    tag_paths: Vec<Repeats>,
    stretches: [Stretch; 3],
    containers: Containers,
    /// Blocks since the last heading, at most [`FAR`].
    since_heading: Vec<usize>,
}

#[derive(Clone, Copy)]
struct NodeColumns {
    /// Of the text below; zeros for a leaf, for which nobody asks.
    text: Full,
    /// Share of the page's characters.
    share: f32,
    above: TagSet,
    /// Hopeful, doubtful, comment: 1 for a hint of the node's own, less further down.
    hints: [f32; 3],
}

impl<'tree> Page<'tree> {
    fn new(context: Context<'tree>) -> Self {
        let body = context.spans.all();
        let mut nodes: Vec<NodeColumns> = Vec::with_capacity(context.cdom.nodes.len());
        for node in &context.cdom.nodes {
            let columns = node_columns(node, nodes.get(node.parent as usize));
            nodes.push(columns.with_text(node, &context.spans, &body));
        }
        let paragraphs = context.paragraphs.iter();
        let class_path_keys =
            context.path_keys(|node| node.tag_key ^ node.class_key.rotate_left(32));
        let tag_path_keys = context.path_keys(|node| node.tag_key);
        Self {
            nodes,
            paragraphs: paragraphs.map(|each| each.amounts.full()).collect(),
            body_columns: body.full(),
            body,
            texts: context.repeats(context.counts.iter().map(|counts| counts.key)),
            class_paths: context.repeats(class_path_keys.iter().copied()),
            tag_paths: context.repeats(tag_path_keys.into_iter()),
            class_path_keys,
            stretches: stretches(&context),
            containers: Containers::of(&context),
            since_heading: since_heading(&context),
            context,
        }
    }

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

    /// Above the root stands the whole page.
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
                own.is_hopeful(),
                own.is_doubtful(),
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

impl NodeColumns {
    fn with_text(self, node: &CdomNode<'_>, spans: &Spans, body: &Amounts) -> Self {
        if node.is_leaf() {
            return self;
        }
        let text = spans.between(node.first_block as usize, node.end_block as usize);
        Self {
            text: text.full(),
            share: (text.get(CHARS) / body.get(CHARS)) as f32,
            ..self
        }
    }
}

fn node_columns(node: &CdomNode<'_>, above: Option<&NodeColumns>) -> NodeColumns {
    let hints = [
        node.hints.is_hopeful(),
        node.hints.is_doubtful(),
        node.hints.is_comment(),
    ];
    let inherited = above.map_or([0.0; 3], |above| above.hints);
    NodeColumns {
        text: Full::default(),
        share: 0.0,
        above: above.map_or(node.tags, |above| above.above.with(node.tags)),
        hints: std::array::from_fn(|hint| {
            if hints[hint] {
                1.0
            } else {
                inherited[hint] * HINT_DECAY
            }
        }),
    }
}

fn since_heading(context: &Context<'_>) -> Vec<usize> {
    let mut since = FAR;
    let blocks = 0..context.counts.len();
    blocks
        .map(|block| {
            let is_heading = context.node(block).tags.meets(HEADINGS);
            since = if is_heading { 0 } else { (since + 1).min(FAR) };
            since
        })
        .collect()
}

fn truth(claim: bool) -> f32 {
    f32::from(u8::from(claim))
}
