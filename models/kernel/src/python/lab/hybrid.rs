//! Glue for `engines::hybrid`: functions for its training.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::engines::hybrid::confidence;
use crate::engines::hybrid::context::Context;
use crate::engines::hybrid::model::{Policy, block_rows, header};
use crate::engines::hybrid::neighbourhood::Neighbourhood;
use crate::engines::hybrid::outline::Outline;
use crate::engines::hybrid::rows::{COLUMNS, Rows, Writer};
use crate::engines::hybrid::{features, neighbourhood, page_features, roles, templates};
use crate::engines::page_type::PageType;
use crate::python::blocks::PyBlocks;
use crate::python::convert::Packed;
use crate::python::engines::{HybridModel, check_elements};

/// Names of the features of a block, of its neighbourhood, and of a page.
#[pyfunction]
pub fn hybrid_feature_names() -> (Vec<&'static str>, Vec<&'static str>, Vec<&'static str>) {
    (
        features::names(),
        neighbourhood::names(),
        page_features::names(),
    )
}

/// The first bytes of a parameter file.
#[pyfunction]
pub fn hybrid_header(payload: &[u8]) -> Packed<u8> {
    Packed(header::of_parameters(payload))
}

/// The names of the confidence features.
#[pyfunction]
pub fn hybrid_confidence_names() -> Vec<&'static str> {
    confidence::names()
}

/// The first bytes of a confidence file.
#[pyfunction]
pub fn hybrid_confidence_header(payload: &[u8]) -> Packed<u8> {
    Packed(confidence::header(payload))
}

/// The confidence features of a page's verdicts; empty for a page without blocks.
#[pyfunction]
pub fn hybrid_confidence_features(
    py: Python<'_>,
    model: &HybridModel,
    page: Py<PyBlocks>,
) -> PyResult<Packed<f32>> {
    check_elements(std::slice::from_ref(&page))?;
    let page = page.get();
    let row = py.detach(|| model.0.confidence_row(&page.table, Policy::default()));
    let columns = confidence::names().len();
    Ok(row.map_or_else(Packed::default, |row| Packed(row[..columns].to_vec())))
}

/// Calls `read` with the facts of a page; not for a page without blocks.
fn read<T: Default>(blocks: &PyBlocks, read: impl FnOnce(&Context<'_, '_>) -> T) -> T {
    let page = Outline::of(&blocks.table);
    if page.spans.is_empty() {
        return T::default();
    }
    read(&Context::of(&page))
}

fn packed(rows: &Rows, columns: usize) -> Packed<f32> {
    let mut numbers = Vec::with_capacity(rows.len() * columns);
    for row in rows.iter() {
        numbers.extend_from_slice(&row[..columns]);
    }
    Packed(numbers)
}

/// The features of every block, row after row.
#[pyfunction]
pub fn hybrid_block_features(blocks: &PyBlocks) -> Packed<f32> {
    read(blocks, |page| {
        packed(&block_rows(page), features::names_count())
    })
}

/// The role of every block, a byte each.
#[pyfunction]
pub fn hybrid_roles(blocks: &PyBlocks) -> Packed<u8> {
    read(blocks, |page| {
        let roles = (0..page.blocks()).map(|block| roles::role(page, block) as u8);
        Packed(roles.collect())
    })
}

/// The buckets of the words of a page and its labels, each once.
#[pyfunction]
pub fn hybrid_page_words(blocks: &PyBlocks) -> Packed<u32> {
    read(blocks, |page| {
        page.words.buckets().iter().copied().collect()
    })
}

/// Counts and hashes of words, block after block.
type Words = (Packed<u32>, Packed<u32>);

/// The words of the text of every block, and the words of the labels of all elements around it.
#[pyfunction]
pub fn hybrid_block_words(blocks: &PyBlocks) -> (Words, Words) {
    let (mut text, mut labels) = (Words::default(), Words::default());
    let add = |words: &[u32], (counts, hashes): &mut Words| {
        counts.0.push(words.len() as u32);
        hashes.0.extend_from_slice(words);
    };
    read(blocks, |page| {
        for (block, span) in page.page.spans.iter().enumerate() {
            add(page.first_words(block), &mut text);
            let mut words = Vec::new();
            for node in page.page.path(span.node) {
                let label = page.nodes[node as usize].label;
                words.extend(page.labels.words_of(label.number));
            }
            add(&words, &mut labels);
        }
    });
    (text, labels)
}

/// The template and the words of every block.
#[pyfunction]
pub fn hybrid_templates(blocks: &PyBlocks) -> (Packed<u32>, Packed<f32>) {
    read(blocks, |page| {
        let found = (0..page.blocks()).map(|block| templates::template(page, block));
        (found.collect(), page.weights.iter().copied().collect())
    })
}

/// The probabilities of every block, lowered for doubtful bylines and captions.
#[pyfunction]
pub fn hybrid_doubted(blocks: &PyBlocks, probabilities: Vec<f32>) -> PyResult<Packed<f32>> {
    check_count(blocks, &probabilities)?;
    Ok(read(blocks, |page| {
        let mut probabilities = probabilities;
        roles::Conventions::default().doubt(page, &mut probabilities);
        Packed(probabilities)
    }))
}

fn check_count(blocks: &PyBlocks, probabilities: &[f32]) -> PyResult<()> {
    let (count, found) = (blocks.table.blocks.len(), probabilities.len());
    if count > 0 && count == found {
        return Ok(());
    }
    let message = format!("{found} probabilities for {count} blocks");
    Err(PyValueError::new_err(message))
}

/// The neighbourhood features of every block, and the page features, for given probabilities.
#[pyfunction]
pub fn hybrid_neighbourhood_features(
    blocks: &PyBlocks,
    probabilities: Vec<f32>,
) -> PyResult<(Packed<f32>, Packed<f32>)> {
    check_count(blocks, &probabilities)?;
    Ok(read(blocks, |page| {
        let around = Neighbourhood::of(page, &probabilities);
        let mut rows = Rows::new(probabilities.len());
        for block in 0..probabilities.len() {
            around.write(block, &mut rows.columns(block, 0));
        }
        let mut row = [0.0; COLUMNS];
        let scores = [0.0; PageType::COUNT];
        page_features::write(page, &probabilities, &scores, &mut Writer(&mut row, 0));
        (
            packed(&rows, neighbourhood::names().len()),
            Packed(row[..page_features::names().len()].to_vec()),
        )
    }))
}
