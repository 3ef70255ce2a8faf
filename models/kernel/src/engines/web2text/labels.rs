//! Labels of the leaves of the collapsed DOM to labels of the blocks of the page.

use super::cdom::{Cdom, collapse, is_blank};
use super::columns::{Columns, columns};
use super::counts::uniform;
use super::dom::{Row, body_of, rows_of};
use super::network::Ensemble;
use crate::engines::judgement::Judgement;
use crate::page::runs::run_length;
use crate::page::tree::Node;
use crate::page::walk::{NO_BLOCK, Recorded, Walked, walk};

/// The collapsed DOM of a page; empty without a `body`.
#[must_use]
pub fn cdom_of(root: Node<'_>) -> Cdom<'_> {
    collapse(&page_rows(root, false))
}

fn page_rows(root: Node<'_>, with_noscript: bool) -> Vec<Row<'_>> {
    let body = body_of(root);
    body.map(|body| rows_of(body, with_noscript))
        .unwrap_or_default()
}

/// Cut a page into blocks and label each as content or not.
///
/// The networks label text nodes, and a block can hold several: the label of most of its characters
/// counts. A block whose text is missing in the collapsed DOM has the label of the previous one. If
/// a page of `markup_bytes` has very many texts, that applies to all but the longest text of each
/// run. The elements are `recorded` if hidden blocks and those in `noscript` are needed.
#[must_use]
pub fn labelled_blocks(
    root: Node<'_>,
    markup_bytes: usize,
    recorded: Recorded,
    ensemble: &Ensemble,
) -> (Walked, Judgement) {
    let walked = walk(
        root,
        Recorded {
            texts: true,
            ..recorded
        },
    );
    let mut rows = page_rows(root, recorded.elements);
    keep_longest_of_runs(&mut rows, markup_bytes);
    let cdom = collapse(&rows);
    // the block of each leaf, and the leaf's share of it: empty where no block has it
    let shares: Vec<(usize, usize)> = cdom
        .blocks
        .iter()
        .map(|&row| {
            let leaf = &cdom.nodes[row as usize];
            match walked.block_of_text.get(leaf.text_node as usize) {
                Some(&block) if block != NO_BLOCK => {
                    (block as usize, leaf.text.trim_ascii().len().max(1))
                }
                _ => (0, 0),
            }
        })
        .collect();
    let lengths: Vec<usize> = shares.iter().map(|&(_, length)| length).collect();
    let labels = ensemble.labels_of_page(columns(cdom), &lengths);
    let mut votes = vec![0i64; walked.table.blocks.len()];
    for ((block, length), label) in shares.into_iter().zip(labels) {
        if let Some(vote) = votes.get_mut(block) {
            let weight = length as i64;
            *vote += if label == 1 { weight } else { -weight };
        }
    }
    let mut is_content = false;
    let judgement = Judgement::of_content(votes.into_iter().map(|vote| {
        if vote != 0 {
            is_content = vote > 0;
        }
        is_content
    }));
    (walked, judgement)
}

/// Empty all but the longest text of each run of texts that share a label.
fn keep_longest_of_runs(rows: &mut [Row<'_>], markup_bytes: usize) {
    // there are at most as many texts as rows
    if run_length(rows.len(), markup_bytes) == 1 {
        return;
    }
    let mut texts: Vec<&mut &[u8]> = rows
        .iter_mut()
        .map(|row| &mut row.text)
        .filter(|text| !is_blank(text))
        .collect();
    let run = run_length(texts.len(), markup_bytes);
    for run in texts.chunks_mut(run) {
        let longest = (0..run.len()).max_by_key(|at| run[*at].len());
        for (at, text) in run.iter_mut().enumerate() {
            if Some(at) != longest {
                **text = &[];
            }
        }
    }
}

/// The texts of the leaves as they are aligned with gold text, and their columns.
#[must_use]
pub fn leaves_of(root: Node<'_>) -> (Vec<String>, Columns) {
    let cdom = cdom_of(root);
    let texts = cdom
        .blocks
        .iter()
        .map(|&row| uniform(cdom.nodes[row as usize].text));
    (texts.collect(), columns(cdom))
}
