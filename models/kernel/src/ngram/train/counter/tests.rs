//! Counts of lines that are split over chunks.

use super::*;

fn counter(order: usize, hold_out: u64) -> Counter {
    let folder = std::env::temp_dir();
    let plan = Plan {
        order,
        tokeniser: Tokeniser::Folded,
        hold_out,
        folder,
    };
    Counter::new(plan, Vec::new()).unwrap()
}

fn counts(counter: Counter) -> Vec<(Vec<u32>, u64)> {
    let order = counter.plan.order as u32;
    let mut sorted = counter.ngrams.sorted().unwrap();
    let mut all = Vec::new();
    while let Some(entry) = sorted.next_entry().unwrap() {
        let numbers = (0..order).rev().map(|at| unpacked(entry.key, at)).collect();
        all.push((numbers, entry.value));
    }
    all
}

#[test]
fn chunks_may_cut_lines_anywhere() {
    let text = "a b é. A b\nb c\n\nlast".as_bytes();
    let mut whole = counter(2, 0);
    whole.feed(text).unwrap();
    whole.flush().unwrap();
    let expected = counts(whole);
    assert_eq!(expected.len(), 8);
    for size in 1..7 {
        let mut cut = counter(2, 0);
        for chunk in text.chunks(size) {
            cut.feed(chunk).unwrap();
        }
        cut.flush().unwrap();
        assert_eq!(counts(cut), expected);
    }
}

#[test]
fn trigrams_of_a_history_sum_to_its_count() {
    let mut counter = counter(3, 0);
    counter.feed(b"a b\na b c\n").unwrap();
    let all = counts(counter);
    let of = |history: &[u32]| -> u64 {
        all.iter()
            .filter(|(numbers, _)| numbers.starts_with(history))
            .map(|(_, n)| n)
            .sum()
    };
    assert_eq!(
        (of(&[START, START]), of(&[3, 4]), of(&[START, 3])),
        (2, 2, 2)
    );
}

#[test]
fn held_out_lines_are_not_counted() {
    let mut counter = counter(1, 128);
    for _ in 0..128 {
        counter.feed(b"x y\n").unwrap();
    }
    assert_eq!(counter.vocabulary.tokens(), 2 * (128 - 1));
    assert_eq!(counter.held_out.len(), 3);
}

#[test]
fn a_line_without_end_stays_within_its_bound() {
    let mut counter = counter(1, 0);
    for _ in 0..50 {
        counter.feed(&[b'x'; 100_000]).unwrap();
        assert!(counter.pending.len() <= MAX_LINE_BYTES);
    }
    counter.flush().unwrap();
    assert_eq!(counter.vocabulary.tokens(), 5);
}
