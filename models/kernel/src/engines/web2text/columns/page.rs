//! Values computed once per page, node or paragraph, for the columns of all blocks.

use crate::engines::web2text::cdom::CdomNode;
use crate::engines::web2text::context::{Context, Repeats};
use crate::engines::web2text::counts::CHARS;
use crate::engines::web2text::extractors::{Containers, Stretch, stretches};
use crate::engines::web2text::spans::{Amounts, Full, Spans};
use crate::page::tags;
use crate::page::tagset::TagSet;

const HEADINGS: TagSet = TagSet::of(&[tags::H1, tags::H2, tags::H3, tags::H4, tags::H5, tags::H6]);
/// The share of a hint that remains one node further down.
const HINT_DECAY: f32 = 0.7;
const FAR: usize = 50;

/// The values computed once per page, node or paragraph.
pub struct Page<'tree> {
    pub context: Context<'tree>,
    pub nodes: Vec<NodeColumns>,
    pub paragraphs: Vec<Full>,
    pub body: Amounts,
    pub body_columns: Full,
    pub texts: Vec<Repeats>,
    pub class_path_keys: Vec<u64>,
    pub class_paths: Vec<Repeats>,
    pub tag_paths: Vec<Repeats>,
    pub stretches: [Stretch; 3],
    pub containers: Containers,
    /// Blocks since the last heading, at most [`FAR`].
    pub since_heading: Vec<usize>,
}

#[derive(Clone, Copy)]
pub struct NodeColumns {
    /// For the text below; zeros for a leaf, where it is not used.
    pub text: Full,
    /// Share of the page's characters.
    pub share: f32,
    pub above: TagSet,
    /// Positive, negative, comment: 1 for a hint of the node itself, less further down.
    pub hints: [f32; 3],
}

impl<'tree> Page<'tree> {
    pub fn new(context: Context<'tree>) -> Self {
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
        node.hints.is_positive(),
        node.hints.is_negative(),
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
