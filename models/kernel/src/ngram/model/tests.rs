//! Files with correct checksums and wrong contents: refused, or usable without a panic.

use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::*;
use crate::ngram::file::layout::HEADER_BYTES;
use crate::ngram::punkt::parameters::{Lists, table};
use crate::ngram::score::{Scorer, push_keys};
use crate::ngram::tokens::Tokeniser;
use crate::ngram::train::counter::{Counter, Plan};
use crate::ngram::train::{Attachments, Choice, train};
use crate::page::blocks::{Block, BlockTable};
use crate::text::hash::mix;
use crate::text::verdict::Verdict;

const TEXT: &str =
    "Dr. No met the bees. The bees met Dr. No! \"Who?\" asked Mr. J. Bach, e.g. 3.14.";
const FORGERIES: usize = 1500;

/// The path of a file for this test, removed when the test ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let name = format!("winnow-{}-{name}.winnow", std::process::id());
        Self(std::env::temp_dir().join(name))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn a_model(order: usize, target: &Path) -> Vec<u8> {
    a_model_of(Tokeniser::Folded, order, target)
}

fn a_model_of(tokeniser: Tokeniser, order: usize, target: &Path) -> Vec<u8> {
    let punkt = table(&Lists {
        abbreviations: vec!["dr".into(), "mr".into(), "e.g".into()],
        collocations: vec![("j".into(), "bach".into())],
        starters: vec!["the".into()],
        orthography: vec![("the".into(), 0b111_1110)],
    });
    let plan = Plan {
        order,
        tokeniser,
        hold_out: 0,
        folder: std::env::temp_dir(),
    };
    let mut counter = Counter::new(plan, punkt).unwrap();
    counter.feed(TEXT.as_bytes()).unwrap();
    let choice = Choice {
        weights: Some([[0.9, 0.0, 0.0], [0.3, 0.6, 0.0], [0.2, 0.3, 0.4]][order - 1]),
        min_counts: [1; 3],
        min_gain: 0.0,
    };
    let attachments = Attachments {
        provenance: b"{}",
        punkt_lists: b"A\tdr\n",
    };
    train(counter, &choice, attachments, target).unwrap();
    std::fs::read(target).unwrap()
}

fn seal(file: &mut [u8]) {
    let payload = xxh3_64(&file[HEADER_BYTES..]);
    file[24..32].copy_from_slice(&payload.to_le_bytes());
    let header = xxh3_64(&file[..HEADER_BYTES - 8]);
    file[HEADER_BYTES - 8..HEADER_BYTES].copy_from_slice(&header.to_le_bytes());
}

fn a_page(text: &str) -> BlockTable {
    let block = Block {
        end: text.len() as u32,
        ..Block::default()
    };
    BlockTable {
        text: text.into(),
        blocks: vec![block],
        ..BlockTable::default()
    }
}

/// Scores a page in every way, and returns whether each sentence has a probability.
fn is_of_use(model: &Model) -> bool {
    let page = a_page(TEXT);
    let mut scorer = Scorer::new(model);
    let sentences = scorer.score(&page);
    let again = scorer.score_again(&page, &sentences);
    let (first, second) = scorer.score_twice(&page, model);
    let hits = scorer.explain(TEXT);
    let kept = vec![Verdict::KEPT; sentences.sentences.len()];
    let figures = sentences.quantiles(&kept, &[0.0, 0.5, 1.0]);
    figures.iter().all(|perplexity| *perplexity >= 1.0)
        && again.sentences == sentences.sentences
        && first.sentences == sentences.sentences
        && second.sentences == sentences.sentences
        && hits.iter().all(|hit| hit.log2_prob <= 0.0)
}

#[test]
fn a_forged_file_is_refused_or_scores_and_never_panics() {
    let scratch = Scratch::new("forged");
    let [mut refused, mut used] = [0, 0];
    for order in 1..=3 {
        let whole = a_model(order, &scratch.0);
        let mut seed = order as u64;
        let mut random = |below: usize| {
            seed = mix(seed.wrapping_add(1), 0x9e37_79b9_7f4a_7c15);
            (seed >> 16) as usize % below
        };
        for _ in 0..FORGERIES / 3 {
            let mut file = whole.clone();
            for _ in 0..=random(3) {
                // the header and the facts after it, or anywhere
                let at = if random(2) == 0 {
                    random(HEADER_BYTES + 256)
                } else {
                    random(file.len())
                };
                file[at] = random(256) as u8;
            }
            if random(4) == 0 {
                file.truncate(HEADER_BYTES + random(file.len() - HEADER_BYTES));
                let bytes = file.len() as u64;
                file[16..24].copy_from_slice(&bytes.to_le_bytes());
            }
            seal(&mut file);
            std::fs::write(&scratch.0, &file).unwrap();
            match Model::open(&scratch.0) {
                Ok(model) => {
                    assert!(is_of_use(&model));
                    used += 1;
                }
                Err(why) => {
                    assert!(!why.is_empty());
                    refused += 1;
                }
            }
        }
    }
    assert!(
        refused > 100 && used > 100,
        "{refused} refused, {used} used"
    );
}

#[test]
fn two_models_at_once_give_what_each_gives_alone() {
    let (one, other) = (Scratch::new("one"), Scratch::new("other"));
    a_model(3, &one.0);
    let first = Model::open(&one.0).unwrap();
    for tokeniser in [Tokeniser::Folded, Tokeniser::Cased, Tokeniser::Split] {
        a_model_of(tokeniser, 2, &other.0);
        let second = Model::open(&other.0).unwrap();
        for text in [
            "",
            TEXT,
            "They didn't meet No. Der \u{c4}rger\u{2019}s, \u{732b} a b",
        ] {
            let page = a_page(text);
            let alone = Scorer::new(&first).score(&page);

            let (scored, again) = Scorer::new(&first).score_twice(&page, &second);

            assert_eq!(scored.sentences, alone.sentences);
            let expected = Scorer::new(&second).score_again(&page, &alone);
            assert_eq!(again.sentences, expected.sentences);
        }
    }
}

#[test]
fn the_longest_ngram_is_the_first_that_is_listed_from_the_longest_down() {
    fn lengths<const ORDER: usize>(values: Values<'_>, keys: &[Keys]) -> Vec<u32> {
        let one_by_one = |keys: &Keys| {
            let mut orders = (0..ORDER).rev();
            orders.find_map(|at| Some((at as u32 + 1, values.get(keys[at])?)))
        };
        let found = keys.iter().map(|keys| {
            let longest = values.longest::<ORDER>(keys);
            assert_eq!(longest, one_by_one(keys));
            longest.map_or(0, |(order, _)| order)
        });
        found.collect()
    }
    let scratch = Scratch::new("longest");
    a_model(3, &scratch.0);
    let model = Model::open(&scratch.0).unwrap();
    let mut keys = Vec::new();
    let text = "The bees met a swarm. No bees asked Dr. No, who met wasps";
    push_keys(Tokeniser::Folded, text, 0, text.len(), &mut keys);

    let filtered = model.ngrams();
    let plain = Values {
        filter: None,
        ..filtered
    };

    assert!(filtered.filter.is_some());
    let found = lengths::<3>(filtered, &keys);
    assert_eq!(found, lengths::<3>(plain, &keys));
    assert!((0..=3).all(|order| found.contains(&order)), "{found:?}");
    assert_eq!(lengths::<2>(filtered, &keys), lengths::<2>(plain, &keys));
    assert_eq!(lengths::<1>(filtered, &keys), lengths::<1>(plain, &keys));
}

#[test]
fn a_section_beyond_the_file_or_without_alignment_is_refused() {
    let scratch = Scratch::new("sections");
    let whole = a_model(2, &scratch.0);
    for (at, value) in [(72, u64::MAX), (80, u64::MAX), (72, 513), (72, 1 << 40)] {
        let mut file = whole.clone();
        file[at..at + 8].copy_from_slice(&value.to_le_bytes());
        seal(&mut file);
        std::fs::write(&scratch.0, &file).unwrap();

        let why = Model::open(&scratch.0).unwrap_err();

        assert!(why.contains("lies outside of the file"), "{why}");
    }
}
