//! Synthetic pages for tests: trees of all shapes, with labels, roles, repeated siblings and prose.

use super::outline::{Node, Outline, Span};
use super::tag::Tag;

const LABELS: [&str; 7] = ["card", "", "post content", "", "sidebar", "comment", "x"];
const ROLES: [&str; 7] = ["", "", "main", "", "navigation", "", "comment"];
const TAGS: [Tag; 7] = [
    Tag::Div,
    Tag::P,
    Tag::Section,
    Tag::Li,
    Tag::H2,
    Tag::Nav,
    Tag::Article,
];
const TEXTS: [&str; 5] = [
    "",
    "Imprint",
    "A roof of glass",
    "The committee met on Monday, as it does.",
    "Three masons, who had come from the valley, worked on the roof of glass for a whole summer, \
     and nobody in the market has heard a word of them since the last of the panes was in place.",
];

/// The next of a sequence of numbers, below `bound` (Knuth's MMIX generator).
fn draw(state: &mut u64, bound: usize) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % bound
}

/// A page of at least one block; different seeds give different pages.
pub fn page(seed: u64) -> Outline<'static> {
    let mut state = seed;
    let mut page = Outline::of_body();
    page.title = TEXTS[1 + draw(&mut state, 2)];
    let nodes = 1 + draw(&mut state, 90);
    // fewer branches with depth, and fewer kinds than siblings, so that siblings repeat
    let branches = 1 + draw(&mut state, 20);
    let kinds = 1 + draw(&mut state, TAGS.len());
    for index in 1..nodes {
        let back = 1 + draw(&mut state, branches.min(index));
        page.nodes.push(Node {
            parent: (index - back) as u32,
            tag: TAGS[draw(&mut state, kinds)],
            label: LABELS[draw(&mut state, kinds)],
            role: ROLES[draw(&mut state, kinds)],
            ..Node::default()
        });
    }
    let texts = 1 + draw(&mut state, TEXTS.len());
    for _ in 0..=draw(&mut state, 2 * nodes) {
        let text = TEXTS[draw(&mut state, texts)];
        page.spans.push(Span {
            node: draw(&mut state, nodes) as u32,
            text,
            link_chars: [0, text.len() as u32][draw(&mut state, 2)],
            links: 0,
        });
    }
    page
}
