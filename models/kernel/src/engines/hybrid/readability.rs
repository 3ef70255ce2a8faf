//! The container chosen by a scoring like Readability's, and by what margin.
//!
//! Every text of 25 characters or more votes for its element and for the four above, with its
//! commas and its length (Arc90's Readability, 2009, in Mozilla's version).

use super::outline::{NO_NODE, Outline};
use super::tag::Tag;
use super::text::TextShape;
use super::tree::NodeFacts;

/// Shares of a vote by level: the container itself, the one above, and so on.
const VOTES: [f32; 5] = [1.0, 1.0 / 2.0, 1.0 / 6.0, 1.0 / 9.0, 1.0 / 12.0];
const LEAST_CHARS: u32 = 25;

/// The two best containers.
#[derive(Clone, Copy, Debug)]
pub struct Containers {
    /// Index of the best node, [`NO_NODE`] if no text is long enough.
    pub top: u32,
    pub top_score: f32,
    pub second_score: f32,
}

/// Computes the scores of the nodes and picks the best.
pub fn score(page: &Outline<'_>, shapes: &[TextShape], facts: &mut [NodeFacts]) -> Containers {
    let mut votes = vec![f32::NAN; facts.len()];
    for (span, shape) in page.spans.iter().zip(shapes) {
        let own = &page.nodes[span.node as usize];
        if shape.chars < LEAST_CHARS || !carries_text(own.tag) {
            continue;
        }
        let value = 1.0 + shape.commas as f32 + (shape.chars as f32 / 100.0).min(3.0);
        let inner = is_paragraph(own.tag) && own.parent != NO_NODE;
        let mut at = if inner { own.parent } else { span.node };
        facts[at as usize].paragraphs += 1;
        for part in VOTES {
            let sum = &mut votes[at as usize];
            *sum = if sum.is_nan() { 0.0 } else { *sum } + value * part;
            at = page.nodes[at as usize].parent;
            if at == NO_NODE {
                break;
            }
        }
    }
    best(&votes, facts)
}

fn best(votes: &[f32], facts: &mut [NodeFacts]) -> Containers {
    let mut found = Containers {
        top: NO_NODE,
        top_score: 0.0,
        second_score: 0.0,
    };
    for (index, (vote, node)) in votes.iter().zip(facts).enumerate() {
        if vote.is_nan() {
            continue;
        }
        let links = node.link_chars as f32 / node.chars.max(1) as f32;
        node.score = (vote + node.weight) * (1.0 - links);
        if found.top == NO_NODE || node.score > found.top_score {
            if found.top != NO_NODE {
                found.second_score = found.top_score;
            }
            found.top = index as u32;
            found.top_score = node.score;
        } else if node.score > found.second_score {
            found.second_score = node.score;
        }
    }
    found
}

fn carries_text(tag: Tag) -> bool {
    is_paragraph(tag)
        || matches!(
            tag,
            Tag::Div | Tag::Section | Tag::Article | Tag::Body | Tag::Center
        )
}

/// Elements whose text votes for the element around them.
fn is_paragraph(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::P | Tag::Pre | Tag::Blockquote | Tag::Td | Tag::Li | Tag::Dd
    )
}
