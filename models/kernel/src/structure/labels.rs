//! Labels of the leaves of the collapsed DOM to labels of the blocks of the page.

use super::cdom::{Cdom, collapse};
use super::columns::{Columns, columns};
use super::counts::uniform;
use super::network::Ensemble;
use super::rows::{body_of, rows_of};
use crate::page::blocks::BlockTable;
use crate::page::lexbor::Node;
use crate::page::walk::walk_with_texts;

/// The collapsed DOM of a page; empty without a `body`.
#[must_use]
pub fn cdom_of(root: Node<'_>) -> Cdom<'_> {
    let rows = body_of(root).map(rows_of).unwrap_or_default();
    collapse(&rows)
}

/// Cut a page into blocks and say of each whether it is content.
///
/// The networks label text nodes, a block can hold several: the label of most of its characters
/// counts. A block whose text the collapsed DOM leaves out shares the label of the one before.
#[must_use]
pub fn labelled_blocks(root: Node<'_>, ensemble: &Ensemble) -> BlockTable {
    let (mut table, mut block_of) = walk_with_texts(root);
    // stands nearly in this order already: lexbor takes text from one arena after the other
    block_of.sort_unstable();
    let cdom = cdom_of(root);
    let leaves: Vec<&[u8]> = cdom
        .blocks
        .iter()
        .map(|&row| cdom.nodes[row as usize].text)
        .collect();
    let labels = ensemble.labels(&columns(cdom));
    let mut votes = vec![0i64; table.blocks.len()];
    for (leaf, label) in leaves.iter().zip(labels) {
        let address = leaf.as_ptr().addr();
        let found = block_of.binary_search_by_key(&address, |&(text, _)| text);
        let block = found.ok().and_then(|at| block_of.get(at));
        if let Some(vote) = block.and_then(|&(_, block)| votes.get_mut(block as usize)) {
            let weight = leaf.trim_ascii().len().max(1) as i64;
            *vote += if label == 1 { weight } else { -weight };
        }
    }
    let mut label = 0;
    let content = votes.into_iter().map(|vote| {
        if vote != 0 {
            label = u8::from(vote > 0);
        }
        label
    });
    table.content = Some(content.collect());
    table
}

/// The texts of the leaves as gold text is aligned with them, and their columns.
#[must_use]
pub fn leaves_of(root: Node<'_>) -> (Vec<String>, Columns) {
    let cdom = cdom_of(root);
    let texts = cdom
        .blocks
        .iter()
        .map(|&row| uniform(cdom.nodes[row as usize].text));
    (texts.collect(), columns(cdom))
}
