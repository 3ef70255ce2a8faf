//! A model file with correct checksums and any contents: refused, or every sentence has a
//! probability.

#![no_main]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use _kernel::ngram::file::layout::HEADER_BYTES;
use _kernel::ngram::model::Model;
use _kernel::ngram::punkt::parameters::{Lists, table};
use _kernel::ngram::score::Scorer;
use _kernel::ngram::tokens::Tokeniser;
use _kernel::ngram::train::counter::{Counter, Plan};
use _kernel::ngram::train::{Attachments, Choice, train};
use _kernel::page::blocks::{Block, BlockTable};
use _kernel::text::verdict::Verdict;
use libfuzzer_sys::fuzz_target;
use winnow_kernel_fuzz::edits::edited;
use xxhash_rust::xxh3::xxh3_64;

const TEXT: &str = "Dr. No met the bees. \"Who?\" asked Mr. J. Bach, e.g. 3.14. Пчёлы! 蜂。";

static FILE: LazyLock<PathBuf> =
    LazyLock::new(|| std::env::temp_dir().join(format!("fuzz-{}.winnow", std::process::id())));
static MODELS: LazyLock<[Vec<u8>; 3]> = LazyLock::new(|| [1, 2, 3].map(a_model));

/// The smallest model of an order.
fn a_model(order: usize) -> Vec<u8> {
    let punkt = table(&Lists {
        abbreviations: vec!["dr".into(), "mr".into(), "e.g".into()],
        collocations: vec![("j".into(), "bach".into())],
        starters: vec!["the".into()],
        orthography: vec![("the".into(), 0b111_1110)],
    });
    let plan = Plan {
        order,
        tokeniser: Tokeniser::Folded,
        hold_out: 0,
        folder: std::env::temp_dir(),
    };
    let mut counter = Counter::new(plan, punkt).expect("the folder can be written");
    counter.feed(TEXT.as_bytes()).expect("a text");
    let choice = Choice {
        weights: Some([[0.9, 0.0, 0.0], [0.3, 0.6, 0.0], [0.2, 0.3, 0.4]][order - 1]),
        min_counts: [1; 3],
        min_gain: 0.0,
    };
    let attachments = Attachments {
        provenance: b"{}",
        punkt_lists: b"A\tdr\n",
    };
    train(counter, &choice, attachments, &FILE).expect("a model");
    fs::read(&*FILE).expect("the model is written")
}

fn seal(file: &mut [u8]) {
    let Some((header, payload)) = file.split_at_mut_checked(HEADER_BYTES) else {
        return;
    };
    let bytes = (HEADER_BYTES + payload.len()) as u64;
    header[16..24].copy_from_slice(&bytes.to_le_bytes());
    header[24..32].copy_from_slice(&xxh3_64(payload).to_le_bytes());
    let sum = xxh3_64(&header[..HEADER_BYTES - 8]);
    header[HEADER_BYTES - 8..].copy_from_slice(&sum.to_le_bytes());
}

fuzz_target!(|input: &[u8]| {
    let Some((&order, edits)) = input.split_first() else {
        return;
    };
    let mut file = edited(&MODELS[usize::from(order) % 3], edits);
    seal(&mut file);
    // another name each time: a mapped file must not be written
    fs::remove_file(&*FILE).ok();
    fs::write(&*FILE, &file).expect("the folder can be written");
    if let Ok(model) = Model::open(Path::new(&*FILE)) {
        check_scores(&model);
    }
});

fn check_scores(model: &Model) {
    let page = BlockTable {
        text: TEXT.into(),
        blocks: vec![Block {
            end: TEXT.len() as u32,
            ..Block::default()
        }],
        ..BlockTable::default()
    };
    let mut scorer = Scorer::new(model);
    let sentences = scorer.score(&page);
    assert_eq!(
        scorer.score_again(&page, &sentences).sentences,
        sentences.sentences
    );
    let (first, second) = scorer.score_twice(&page, model);
    assert_eq!(first.sentences, sentences.sentences);
    assert_eq!(second.sentences, sentences.sentences);
    let kept = vec![Verdict::KEPT; sentences.sentences.len()];
    let perplexities = sentences.quantiles(&kept, &[0.0, 0.5, 1.0]);
    assert!(perplexities.iter().all(|perplexity| *perplexity >= 1.0));
    assert!(scorer.explain(TEXT).iter().all(|hit| hit.log2_prob <= 0.0));
}
