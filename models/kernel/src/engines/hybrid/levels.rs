//! Steps from element to element.

use super::context::Context;
use super::outline::NO_NODE;
use super::paths::Target;
use super::tree::NodeFacts;

impl Context<'_, '_> {
    /// The nodes that hold blocks, with their indices: those on the path of any block.
    pub fn with_blocks(&self) -> impl Iterator<Item = (usize, &NodeFacts)> {
        let nodes = self.nodes.iter().enumerate();
        nodes.filter(|(_, facts)| facts.blocks > 0)
    }

    /// Levels from the node of a block up to one above or at it.
    #[must_use]
    pub fn levels_to(&self, block: usize, above: &NodeFacts) -> f32 {
        f32::from(self.own(block).depth - above.depth)
    }

    /// The nearest node that holds a block and a target, which the page has.
    #[must_use]
    pub fn shared(&self, block: usize, target: Target) -> &NodeFacts {
        &self.nodes[self.own_path(block).common(target) as usize]
    }

    /// Levels from the node of a block up to the nearest that holds another block too.
    #[must_use]
    pub fn levels_up(&self, from: usize, to: usize) -> f32 {
        let common = self.common(self.page.spans[from].node, self.page.spans[to].node);
        self.levels_to(from, &self.nodes[common as usize])
    }

    /// The node so many levels above another, or the first node.
    #[must_use]
    pub fn above(&self, node: u32, levels: usize) -> &NodeFacts {
        let mut at = node;
        for _ in 0..levels {
            match self.page.nodes[at as usize].parent {
                NO_NODE => break,
                parent => at = parent,
            }
        }
        &self.nodes[at as usize]
    }

    /// A node and all above it, from the inside out.
    pub fn path(&self, node: u32) -> impl Iterator<Item = (u32, &NodeFacts)> {
        let mut at = node;
        std::iter::from_fn(move || {
            let index = at;
            let facts = self.nodes.get(index as usize)?;
            at = self.page.nodes[index as usize].parent;
            Some((index, facts))
        })
    }

    /// The nearest node above or at both.
    #[must_use]
    pub fn common(&self, a: u32, b: u32) -> u32 {
        let (mut a, mut b) = (a, b);
        while a != b {
            // parents stand before their children: the later of two is never above the earlier
            if a > b {
                a = self.page.nodes[a as usize].parent;
            } else {
                b = self.page.nodes[b as usize].parent;
            }
        }
        a
    }
}
