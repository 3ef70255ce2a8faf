//! Entries that fill more than one run.

use super::*;
use crate::text::hash::mix;
use std::collections::BTreeMap;

fn all(mut merge: Merge) -> Vec<(u64, u64)> {
    let mut entries = Vec::new();
    while let Some(entry) = merge.next_entry().unwrap() {
        entries.push((entry.key, entry.value));
    }
    entries
}

#[test]
fn keys_of_many_runs_are_counted() {
    let mut sorter = Sorter::<u64>::new(&std::env::temp_dir(), |a, b| a + b).unwrap();
    sorter.buffer = Vec::with_capacity(100);
    let mut expected = BTreeMap::new();
    for n in 0..5_000_u64 {
        let key = mix(n, 0x9e37_79b9_7f4a_7c15) % 300;
        sorter.push(key).unwrap();
        *expected.entry(key).or_insert(0) += 1;
    }
    assert!(sorter.runs.ranges.len() > 10);
    assert_eq!(
        all(sorter.sorted().unwrap()),
        expected.into_iter().collect::<Vec<_>>()
    );
}

#[test]
fn an_empty_sorter_and_a_sequence_give_what_they_got() {
    let folder = std::env::temp_dir();
    assert!(
        all(Sorter::<Entry>::new(&folder, |a, _| a)
            .unwrap()
            .sorted()
            .unwrap())
        .is_empty()
    );
    let mut sequence = Sequence::new(&folder).unwrap();
    for key in 0..40_000 {
        sequence
            .push(Entry {
                key,
                value: key * 2,
            })
            .unwrap();
    }
    let read = all(sequence.read().unwrap());
    assert_eq!(read.len(), 40_000);
    assert!(read.iter().all(|&(key, value)| value == key * 2));
}
