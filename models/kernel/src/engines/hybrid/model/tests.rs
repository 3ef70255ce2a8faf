//! Verdicts of comments, and pages judged part by part.

use super::*;
use crate::engines::hybrid::synthetic;

const SHIPPED: &[u8] = include_bytes!("../../../../../data/hybrid.bin");

#[test]
fn comments_are_kept_or_dropped_whatever_their_content_when_so_asked() {
    let (content, comment) = ([0.9, 0.1, 0.9, 0.1], [0.9, 0.9, 0.1, 0.1]);
    let codes = |comments| verdicts(&content, &comment, 0.5, comments);
    let [kept, dropped, other] = [Verdict::Kept, Verdict::Comment, Verdict::Boilerplate];

    assert_eq!(codes(Convention::Auto), [kept, dropped, kept, other]);
    assert_eq!(codes(Convention::Keep), [kept, kept, kept, other]);
    assert_eq!(codes(Convention::Drop), [dropped, dropped, kept, other]);
}

#[test]
fn a_page_judged_part_by_part_has_the_same_judgement() {
    let model = Model::read(SHIPPED).unwrap();
    let (mut judged, mut parted) = (0, 0);
    for seed in 0..30 {
        let page = synthetic::page(seed);
        for comments in [Convention::Auto, Convention::Keep, Convention::Drop] {
            let policy = Policy {
                comments,
                ..Policy::default()
            };
            let whole = model.judge_holding(HELD, &page, policy, |_, _| ());
            for held in [16, 40] {
                let parts = model.judge_holding(held, &page, policy, |_, _| ());

                assert_eq!(parts.verdicts, whole.verdicts, "{seed} {held} {comments:?}");
                assert_eq!(parts.probabilities, whole.probabilities);
                assert_eq!(parts.page_types, whole.page_types);
                judged += 1;
                parted += usize::from(page.spans.len() > held);
            }
        }
    }
    assert!(2 * parted > judged, "{parted} of {judged} in parts");
}

#[test]
fn trees_judge_only_where_the_network_is_unsure() {
    let judged_by = |bias: f32| {
        let bytes = [bias.to_le_bytes(), [0; 4]].concat();
        let trees = Forest::read(&mut Reader::new(&bytes), 0).unwrap();
        let model = Model {
            trees,
            ..Model::read(SHIPPED).unwrap()
        };
        move |page: &Outline<'_>| {
            let mut odds = Vec::new();
            let judgement = model.judge_holding(HELD, page, Policy::default(), |judged, _| {
                odds = judged.odds.to_vec();
            });
            (judgement.probabilities, odds)
        }
    };
    let (content, other) = (judged_by(9.0), judged_by(-9.0));
    let mut unsure = [0; 2];
    for seed in 0..30 {
        let page = synthetic::page(seed);

        let ((content, odds), (other, _)) = (content(&page), other(&page));

        for ((content, other), odds) in content.iter().zip(other).zip(odds) {
            let is_open = is_unsure(sigmoid(odds));
            assert_eq!(*content != other, is_open, "{seed} {odds}");
            unsure[usize::from(is_open)] += 1;
        }
    }
    assert!(unsure.iter().all(|blocks| *blocks > 0), "{unsure:?}");
}
