//! Facts about the path of elements from the root, folded once per element.
//!
//! A block reads them at its own element at any depth. If several elements of a path qualify, the
//! innermost counts.

use super::landmarks::Landmarks;
use super::outline::{NO_NODE, Outline};
use super::tree::{NodeFacts, REPEATED, with_blocks};
use crate::engines::hints::Hints;

/// Reference elements of a page.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// The best container.
    Top,
    /// The element with the largest text.
    Biggest,
    Headline,
}

/// Facts of a path: an element and all above it. An index is [`NO_NODE`] if there is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathFacts {
    /// Labelled elements: their number, the two innermost, and the two outermost.
    pub labels: u16,
    pub inner_labels: [u32; 2],
    pub outer_labels: [u32; 2],
    /// Elements whose labels hint at content, and at boilerplate.
    pub positive_hints: u16,
    pub negative_hints: u16,
    /// Labelled elements up to the first that hints at boilerplate, and at comments, inclusive.
    pub labels_to_negative: Option<u16>,
    pub labels_to_comments: Option<u16>,
    pub semantic_max: i8,
    pub semantic_min: i8,
    pub best_score: f32,
    /// Repeated siblings: the nearest one, and the one whose siblings have the most text.
    pub near_repeated: u32,
    pub most_repeated: u32,
    /// Elements up to the first with a quarter, and with a half, of the prose; 0 if there is none.
    pub levels_to_quarter: u16,
    pub levels_to_half: u16,
    /// By [`Target`]: the nearest element that contains both.
    common: [u32; 3],
}

/// The facts above the root.
const NOWHERE: PathFacts = PathFacts {
    labels: 0,
    inner_labels: [NO_NODE; 2],
    outer_labels: [NO_NODE; 2],
    positive_hints: 0,
    negative_hints: 0,
    labels_to_negative: None,
    labels_to_comments: None,
    semantic_max: 0,
    semantic_min: 0,
    best_score: -9.0,
    near_repeated: NO_NODE,
    most_repeated: NO_NODE,
    levels_to_quarter: 0,
    levels_to_half: 0,
    common: [NO_NODE; 3],
};

/// By [`Target`]: its node, [`NO_NODE`] if the page has none.
#[must_use]
pub fn targets(page: &Outline<'_>, top: u32, landmarks: &Landmarks) -> [u32; 3] {
    let node_of = |block: usize| page.spans[block].node;
    let headline = landmarks.headline.map_or(NO_NODE, node_of);
    [top, node_of(landmarks.biggest), headline]
}

/// Facts of the paths to all nodes that contain blocks, in order; `prose_chars` is the page's.
#[must_use]
pub fn fold(
    page: &Outline<'_>,
    nodes: &[NodeFacts],
    targets: [u32; 3],
    prose_chars: f32,
) -> Vec<PathFacts> {
    let mut paths = vec![NOWHERE; with_blocks(nodes).count()];
    // each element on the path to a target is the nearest one that contains both
    for (target, node) in targets.into_iter().enumerate() {
        for index in page.path(node) {
            paths[nodes[index as usize].place as usize].common[target] = index;
        }
    }
    let prose = prose_chars.max(1.0);
    for (index, facts) in with_blocks(nodes) {
        let parent = nodes.get(page.nodes[index].parent as usize);
        let mut path = parent.map_or(NOWHERE, |parent| paths[parent.place as usize]);
        path.add_hints(index as u32, facts.label.hints);
        path.add_scores(facts);
        path.add_repeated(index as u32, nodes);
        let holds = |least: f32| facts.prose_chars as f32 >= least * prose;
        path.levels_to_quarter = levels_to(holds(0.25), path.levels_to_quarter);
        path.levels_to_half = levels_to(holds(0.5), path.levels_to_half);
        let marked = &mut paths[facts.place as usize];
        for (common, own) in path.common.iter_mut().zip(marked.common) {
            *common = if own == NO_NODE { *common } else { own };
        }
        *marked = path;
    }
    paths
}

/// Elements up to the first that qualifies, given the value of the parent; 0 if none does.
fn levels_to(holds: bool, above: u16) -> u16 {
    match above {
        _ if holds => 1,
        0 => 0,
        levels => levels + 1,
    }
}

impl PathFacts {
    /// The nearest element that contains both the end of the path and a target, if there is a
    /// target.
    #[must_use]
    pub fn common(&self, target: Target) -> u32 {
        self.common[target as usize]
    }

    fn add_hints(&mut self, index: u32, hints: Hints) {
        let label = u16::from(hints.is_named());
        if hints.is_named() {
            self.inner_labels = [index, self.inner_labels[0]];
            match self.outer_labels {
                [NO_NODE, _] => self.outer_labels[0] = index,
                [_, NO_NODE] => self.outer_labels[1] = index,
                _ => {}
            }
        }
        self.labels += label;
        self.positive_hints += u16::from(hints.is_positive());
        self.negative_hints += u16::from(hints.is_negative());
        let labels_to = |holds: bool, above: Option<u16>| {
            let above = if holds { Some(0) } else { above };
            above.map(|labels| labels + label)
        };
        self.labels_to_negative = labels_to(hints.is_negative(), self.labels_to_negative);
        self.labels_to_comments = labels_to(hints.is_comment(), self.labels_to_comments);
    }

    fn add_scores(&mut self, facts: &NodeFacts) {
        self.semantic_max = self.semantic_max.max(facts.semantic);
        self.semantic_min = self.semantic_min.min(facts.semantic);
        if facts.score >= self.best_score {
            self.best_score = facts.score;
        }
    }

    fn add_repeated(&mut self, index: u32, nodes: &[NodeFacts]) {
        let own = &nodes[index as usize];
        if own.siblings < REPEATED {
            return;
        }
        self.near_repeated = index;
        let most = nodes.get(self.most_repeated as usize);
        if most.is_none_or(|most| own.sibling_chars >= most.sibling_chars) {
            self.most_repeated = index;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::hybrid::context::Context;
    use crate::engines::hybrid::synthetic;

    /// Indices of the elements of a path that pass a test, from the inside out.
    fn those(path: &[(u32, &NodeFacts)], holds: impl Fn(&NodeFacts) -> bool) -> Vec<u32> {
        let found = path.iter().filter(|(_, facts)| holds(facts));
        found.map(|(index, _)| *index).collect()
    }

    /// The facts of a path, computed directly from the inside out.
    fn walked(context: &Context<'_, '_>, node: u32) -> PathFacts {
        let facts = |index: u32| (index, &context.nodes[index as usize]);
        let path: Vec<(u32, &NodeFacts)> = context.page.path(node).map(facts).collect();
        let semantics = || path.iter().map(|(_, facts)| facts.semantic).chain([0]);
        let scores = path.iter().map(|(_, facts)| facts.score);
        let levels_to = |part: f32| {
            let least = part * context.all().prose_chars.max(1.0);
            let found = path.iter().position(|(_, f)| f.prose_chars as f32 >= least);
            found.map_or(0, |level| level as u16 + 1)
        };
        let repeated = those(&path, |facts| facts.siblings >= REPEATED);
        // the last among equals is the innermost
        let chars = |index: &u32| context.nodes[*index as usize].sibling_chars;
        let most = repeated.iter().rev().copied().max_by_key(chars);
        PathFacts {
            semantic_max: semantics().max().unwrap_or(0),
            semantic_min: semantics().min().unwrap_or(0),
            best_score: scores.fold(-9.0, f32::max),
            near_repeated: repeated.first().copied().unwrap_or(NO_NODE),
            most_repeated: most.unwrap_or(NO_NODE),
            levels_to_quarter: levels_to(0.25),
            levels_to_half: levels_to(0.5),
            common: walked_common(context, node),
            ..walked_labels(&path)
        }
    }

    fn walked_labels(path: &[(u32, &NodeFacts)]) -> PathFacts {
        let labelled = those(path, |facts| facts.label.hints.is_named());
        let inner = |place: usize| labelled.get(place).copied().unwrap_or(NO_NODE);
        let outer = |place: usize| labelled.iter().rev().nth(place).copied().unwrap_or(NO_NODE);
        let labels_to = |holds: fn(Hints) -> bool| {
            let end = path
                .iter()
                .position(|(_, facts)| holds(facts.label.hints))?;
            Some(those(&path[..=end], |facts| facts.label.hints.is_named()).len() as u16)
        };
        PathFacts {
            labels: labelled.len() as u16,
            inner_labels: [inner(0), inner(1)],
            outer_labels: [outer(0), outer(1)],
            positive_hints: those(path, |facts| facts.label.hints.is_positive()).len() as u16,
            negative_hints: those(path, |facts| facts.label.hints.is_negative()).len() as u16,
            labels_to_negative: labels_to(Hints::is_negative),
            labels_to_comments: labels_to(Hints::is_comment),
            ..NOWHERE
        }
    }

    fn walked_common(context: &Context<'_, '_>, node: u32) -> [u32; 3] {
        targets(context.page, context.containers.top, &context.landmarks).map(|target| match target
        {
            NO_NODE => NO_NODE,
            target => context.page.common(node, target),
        })
    }

    #[test]
    fn folded_facts_are_those_of_a_walk_to_the_root() {
        for seed in 0..300 {
            let page = synthetic::page(seed);
            let context = Context::of(&page);

            for ((node, _), folded) in with_blocks(&context.nodes).zip(&context.paths) {
                assert_eq!(*folded, walked(&context, node as u32), "{seed} {node}");
            }
        }
    }
}
