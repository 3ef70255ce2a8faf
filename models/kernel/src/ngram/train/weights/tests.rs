//! Weights learnt from almost no text.

use super::*;

#[test]
fn weights_go_to_the_order_that_predicts() {
    let estimates: Vec<_> = (0..100)
        .map(|n| {
            if n < 90 {
                [1e-6, 1e-3, 0.5, 0.0]
            } else {
                [1e-6, 1e-3, 0.0, 0.0]
            }
        })
        .collect();
    let trained = best([0.25; 4], &estimates);
    assert!((trained[2] - 0.9).abs() < 0.01, "{trained:?}");
    assert!((trained.iter().sum::<f64>() - 1.0).abs() < 1e-9);
}

#[test]
fn chance_keeps_a_share() {
    let weights = with_chance([0.0, 0.25, 0.75, 0.0]);
    assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    assert_eq!(weights[0], MIN_CHANCE);
    assert_eq!(with_chance([0.02, 0.28, 0.7, 0.0]), [0.02, 0.28, 0.7, 0.0]);
}

#[test]
fn a_text_too_small_to_learn_from_gets_the_default_weights() {
    let vocabulary = Vocabulary::default();
    let weights = HeldOut::new(&[], &vocabulary, 1).weights(2, &vocabulary);
    assert_eq!(weights.orders, [0.28, 0.7, 0.0]);
}

#[test]
fn a_sentence_start_is_no_token_however_few_sentences_there_are() {
    let mut vocabulary = Vocabulary::default();
    vocabulary.count(&[7; 5], &mut Vec::new());
    vocabulary.count_sentence();

    let weights = HeldOut::new(&[hash::START, 7, 7], &vocabulary, 5).weights(2, &vocabulary);

    assert_eq!((weights.tokens, weights.oov), (2, 0));
}
