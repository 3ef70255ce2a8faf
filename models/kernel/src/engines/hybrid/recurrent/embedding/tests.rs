//! Words compared with their definition, and files that are truncated or out of order.

use super::*;
use crate::engines::hybrid::outline::Outline;
use crate::engines::hybrid::words::hash;
use crate::engines::hybrid::{labels, synthetic};

/// Rows for the words of the sample pages, with different vectors.
fn words() -> Vec<u32> {
    let mut words: Vec<u32> = ["the", "roof", "glass", "committee", "imprint", "as"]
        .map(hash)
        .to_vec();
    for label in ["card", "content", "sidebar"] {
        labels::read(label, |word| words.push(word));
    }
    words.sort_unstable();
    words
}

fn steps(word: u32, value: usize) -> i8 {
    ((word as usize >> 3) + 31 * value) as i8
}

fn bytes(words: &[u32], step: f32) -> Vec<u8> {
    let mut bytes = (words.len() as u32).to_le_bytes().to_vec();
    bytes.extend(step.to_le_bytes());
    for word in words {
        bytes.extend(word.to_le_bytes());
        bytes.extend((0..INPUT).flat_map(|value| steps(*word, value).to_le_bytes()));
    }
    bytes
}

/// The sum of the known words divided by the square root of their number.
fn expected(known: &[u32], step: f32, words: &[u32]) -> Vec<f32> {
    let words: Vec<u32> = words
        .iter()
        .copied()
        .filter(|word| known.contains(word))
        .collect();
    let root = (words.len().max(1) as f32).sqrt();
    let of = |value: usize| words.iter().map(move |word| f32::from(steps(*word, value)));
    (0..INPUT)
        .map(|value| step * of(value).sum::<f32>() / root)
        .collect()
}

#[test]
fn inputs_depend_on_the_words_of_blocks_and_of_the_labels_above_them() {
    let (known, step) = (words(), 0.01);
    let embedding = Embedding::read(&mut Reader::new(&bytes(&known, step))).unwrap();
    let mut in_both = 0;
    for seed in 0..60 {
        let page = synthetic::page(seed);
        let context = Context::of(&page);
        let mut found = vec![[0.5; INPUT]; page.spans.len()];

        embedding.add(&context, &mut found);

        for (block, found) in found.iter().enumerate() {
            let text = expected(&known, step, context.first_words(block));
            let mut of_labels = Vec::new();
            for node in page.path(page.spans[block].node) {
                labels::read(page.nodes[node as usize].label, |word| of_labels.push(word));
            }
            let labels = expected(&known, step, &of_labels);
            for ((found, text), labels) in found.iter().zip(text).zip(labels) {
                assert!((found - (0.5 + text + labels)).abs() < 1e-4, "{seed}");
                in_both += usize::from(text != 0.0 && labels != 0.0);
            }
        }
    }
    assert!(in_both > 1000, "{in_both}");
}

#[test]
fn only_the_first_words_of_a_block_are_told() {
    let text = ["roof"; 50].join(" ");
    let mut page = Outline::of_body();
    page.spans.push(Default::default());
    page.spans[0].text = &text;

    assert_eq!(Context::of(&page).first_words(0), [hash("roof"); 40]);
}

#[test]
fn files_cut_off_or_out_of_order_are_refused() {
    let whole = bytes(&words(), 0.5);
    for end in 0..whole.len() {
        let found = Embedding::read(&mut Reader::new(&whole[..end])).err();
        assert_eq!(found, Some(Damage::Length));
    }

    for words in [[7, 7], [8, 7]] {
        let found = Embedding::read(&mut Reader::new(&bytes(&words, 0.5))).err();
        assert_eq!(found, Some(Damage::Range("word")));
    }
    let found = Embedding::read(&mut Reader::new(&bytes(&[7], f32::INFINITY))).err();
    assert_eq!(found, Some(Damage::Range("weight")));
    assert!(Embedding::read(&mut Reader::new(&bytes(&[], 0.0))).is_ok());
}
