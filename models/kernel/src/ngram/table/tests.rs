//! Tables of invented keys; `keys` and `build` are used by other tests as well.

use super::builder::{BuildError, Builder, buckets_for};
use super::*;
use crate::text::hash::mix;

/// This many keys, spread over all numbers, in ascending order.
pub fn keys(count: u64) -> Vec<u64> {
    let mut keys: Vec<u64> = (1..=count).map(|n| mix(n, 0x9e37_79b9_7f4a_7c15)).collect();
    keys.sort_unstable();
    keys
}

/// The bytes of a table.
pub fn build(entries: &[(u64, u16)], buckets: u64) -> Result<Vec<u8>, BuildError<()>> {
    let mut bytes = Vec::new();
    let mut builder = Builder::new(buckets, |bucket: &[u8]| {
        bytes.extend_from_slice(bucket);
        Ok(())
    })?;
    for &(key, code) in entries {
        builder.push(key, code)?;
    }
    builder.finish()?;
    Ok(bytes)
}

#[test]
fn every_ngram_is_found_with_its_code() {
    let entries: Vec<_> = keys(50_000).into_iter().zip((0..1024).cycle()).collect();
    let bytes = build(&entries, buckets_for(entries.len() as u64)).unwrap();
    let table = Table::new(&bytes);
    let wrong = entries
        .iter()
        .filter(|&&(key, code)| table.get(key) != Some(code))
        .count();
    // a shared fingerprint within a bucket hides the later one: 16 * .85 / 2 / 2^22 per key
    assert!(wrong <= 3, "{wrong} of {}", entries.len());
    assert!(bytes.len() as f64 / (entries.len() as f64) < 4.72);
}

#[test]
fn overflow_of_the_last_bucket_changes_no_home() {
    let mut entries: Vec<_> = keys(1000).into_iter().map(|key| (key, 3)).collect();
    let last = (1..40).map(|n| (u64::MAX - 40 * 5000 + n * 5000, 4));
    entries.extend(last);
    let bytes = build(&entries, buckets_for(entries.len() as u64)).unwrap();
    let table = Table::new(&bytes);
    let found = |&&(key, code): &&(u64, u16)| table.get(key) == Some(code);
    assert_eq!(entries.iter().filter(found).count(), entries.len());
}

#[test]
fn false_hits_are_as_rare_as_the_fingerprint_says() {
    let entries: Vec<_> = keys(20_000).into_iter().map(|key| (key, 1)).collect();
    let bytes = build(&entries, buckets_for(entries.len() as u64)).unwrap();
    let table = Table::new(&bytes);
    let hits = (1..=2_000_000_u64)
        .filter(|&n| table.get(mix(n, 0xdead_beef_1234_5677)).is_some())
        .count();
    assert!(hits <= 20, "{hits} false hits in two million"); // 6.5 expected
}

#[test]
fn both_ways_to_compare_agree() {
    let mut state = 7_u64;
    for _ in 0..10_000 {
        let mut bucket = [0_u8; BUCKET_BYTES];
        for byte in &mut bucket {
            state = mix(state ^ 0x1234_5678_9abc_def1, 0x9e37_79b9_7f4a_7c15);
            *byte = (state >> 32) as u8 & if state & 1 == 0 { 0xff } else { 0 };
        }
        let wanted = slot_at(&bucket, (state >> 5) as usize % SLOTS) & !CODE_MASK;
        assert_eq!(
            matching(&bucket, wanted),
            matching_portably(&bucket, wanted)
        );
    }
}

#[test]
fn overflow_goes_on_to_the_next_buckets_and_is_bounded() {
    let crowded = |count: u64| -> Vec<_> { (0..count).map(|n| (n * 7 + 1, 5)).collect() };
    let bytes = build(&crowded(100), 3).unwrap();
    assert_eq!(bytes.len(), 8 * BUCKET_BYTES); // the header says three
    let table = Table::new(&bytes);
    assert!(
        crowded(100)
            .iter()
            .all(|&(key, code)| table.get(key) == Some(code))
    );
    assert!(build(&crowded(16 * 100), 3).is_err());
}

#[test]
fn hostile_bytes_end_every_look_up() {
    for bytes in [
        &[][..],
        &[9; 63],
        &[0xff; 64],
        &[0xff; 128],
        &[0xff; 64 * 200],
    ] {
        let table = Table::new(bytes);
        table.prefetch(u64::MAX);
        assert_eq!(table.get(12345), None);
    }
}
