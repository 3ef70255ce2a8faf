//! Labels of the elements around a block that may name its role.

use super::context::Context;
use super::outline::NO_NODE;

/// Elements whose labels may name the role of a block, and the most characters in them.
const LEVELS: usize = 3;
const LABELLED_CHARS: u32 = 700;

/// Whether the label of the block's element names the role, or the label of one around it with
/// little more text.
pub fn is_labelled(context: &Context<'_, '_>, block: usize, says: impl Fn(usize) -> bool) -> bool {
    let node = context.page.spans[block].node;
    let path = context.page.path(node).take(LEVELS);
    path.take_while(|node| *node != NO_NODE)
        .map(|node| node as usize)
        .any(|node| context.nodes[node].chars <= LABELLED_CHARS && says(node))
}
