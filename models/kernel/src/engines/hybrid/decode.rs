//! Probabilities of a page's blocks -> verdicts.

use crate::engines::page_type::{ByPageType, PageType};

/// Factor of the threshold of documentation: signatures, terms and code look like boilerplate.
pub const OF_DOCUMENTATION: f64 = 0.6;

/// Parameters that turn the probabilities of a page into verdicts.
///
/// For an article users want only the article. For other pages they want most of the content, so
/// there the threshold is the one with the best expected F1, times a factor.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// The threshold of articles.
    pub article: f32,
    /// The factor of the best threshold of other pages.
    pub other: f32,
}

/// The blocks in decreasing order of probability; equal ones in page order.
#[must_use]
pub fn falling(probabilities: &[f32]) -> Vec<u32> {
    // the bits of non-negative floats sort like the numbers
    let key = |(block, p): (u32, &f32)| u64::from(!p.to_bits()) << u32::BITS | u64::from(block);
    let mut keys: Vec<u64> = (0..).zip(probabilities).map(key).collect();
    keys.sort_unstable();
    keys.into_iter().map(|key| key as u32).collect()
}

/// The threshold that maximises the expected F1 of a page.
///
/// If `probabilities` are right and blocks are kept in decreasing `order`, the expected F1 of a
/// prefix is `2 E / (kept + E_all)`; the best set keeps the blocks above half of the best F1
/// (Lipton, Elkan and Naryanaswamy 2014, theorem 1).
#[must_use]
pub fn best_threshold(order: &[u32], probabilities: &[f32], weights: &[f32]) -> f32 {
    let all: f32 = probabilities.iter().zip(weights).map(|(p, w)| p * w).sum();
    let (mut expected, mut kept, mut best) = (0.0, 0.0, 0.0_f32);
    for at in order {
        let (p, weight) = (probabilities[*at as usize], weights[*at as usize]);
        expected += p * weight;
        kept += weight;
        best = best.max(2.0 * expected / (kept + all).max(f32::MIN_POSITIVE));
    }
    best / 2.0
}

/// The threshold of a page, given the probabilities of its `types`.
#[must_use]
pub fn threshold(cut: Cut, types: &ByPageType, probabilities: &[f32], weights: &[f32]) -> f32 {
    let article = types[PageType::Article as usize];
    let other = cut.other * best_threshold(&falling(probabilities), probabilities, weights);
    let usual = article * cut.article + (1.0 - article) * other;
    usual * (1.0 - types[PageType::Documentation as usize] * (1.0 - OF_DOCUMENTATION as f32))
}

/// The block to keep if none is above the threshold: the likeliest, weighted by length.
#[must_use]
pub fn fallback(probabilities: &[f32], weights: &[f32]) -> Option<usize> {
    let gain = |at: usize| probabilities[at] * weights[at].min(50.0);
    (0..probabilities.len()).max_by(|a, b| gain(*a).total_cmp(&gain(*b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_threshold_is_half_of_the_best_expected_f1() {
        // given one sure block and one of even odds, of the same length
        let probabilities = [1.0, 0.5];
        let weights = [10.0, 10.0];
        // keeping the first: 2*10/(10+15) = 0.8; both: 2*15/(20+15) = 0.857
        let threshold = best_threshold(&falling(&probabilities), &probabilities, &weights);

        assert!((threshold - 15.0 / 35.0).abs() < 1e-6);
    }

    #[test]
    fn a_page_that_is_half_of_two_types_has_a_threshold_between_theirs() {
        let cut = Cut {
            article: 0.48,
            other: 1.0,
        };
        let of = |article: f32, documentation: f32| {
            let mut types = [0.0; PageType::COUNT];
            types[PageType::Article as usize] = article;
            types[PageType::Documentation as usize] = documentation;
            // the threshold of best expected F1 of one sure block is 0.5
            threshold(cut, &types, &[1.0], &[10.0])
        };
        let pairs = [
            (of(1.0, 0.0), 0.48),
            (of(0.0, 0.0), 0.5),
            (of(0.5, 0.0), 0.49),
            (of(0.0, 1.0), 0.3),
            (of(0.5, 0.5), 0.49 * 0.8),
        ];

        for (found, expected) in pairs {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
    }

    #[test]
    fn the_fallback_is_likely_first_and_long_up_to_a_bound() {
        assert_eq!(fallback(&[0.9, 0.5], &[1.0, 10.0]), Some(1));
        assert_eq!(fallback(&[0.5, 0.1], &[60.0, 1000.0]), Some(0));
    }

    #[test]
    fn best_threshold_is_a_number_when_nothing_is_expected() {
        assert_eq!(best_threshold(&[0, 1], &[0.0, 0.0], &[1.0, 1.0]), 0.0);
        assert_eq!(best_threshold(&[], &[], &[]), 0.0);
    }

    #[test]
    fn fallback_prefers_the_longer_of_equally_likely_blocks() {
        assert_eq!(fallback(&[0.2, 0.2, 0.1], &[2.0, 30.0, 30.0]), Some(1));
        assert_eq!(fallback(&[], &[]), None);
    }
}
