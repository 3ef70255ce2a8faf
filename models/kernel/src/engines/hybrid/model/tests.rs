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
