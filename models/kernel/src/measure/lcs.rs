//! Longest common subsequence, bit-parallel (Hyyro 2004), with alignment.
//!
//! The row after symbol j of `right` has a zero bit at i where LCS(left[..=i], right[..=j])
//! exceeds LCS(left[..i], right[..=j]) by one.

use super::pattern::{BITS, Pattern};
use super::{TooLong, check, common_ends, without_common_ends};

/// Rows kept for tracing an alignment back; larger problems are halved first (Hirschberg 1975).
const MAX_ROWS_BYTES: usize = 64 << 20;

/// Length of the longest common subsequence of two sequences of symbols.
pub fn lcs_length(left: &[u32], right: &[u32]) -> Result<usize, TooLong> {
    check(left, right)?;
    let (common, short, long) = without_common_ends(left, right);
    let row = last_row(short, long);
    Ok(common
        + row
            .iter()
            .map(|word| word.count_zeros() as usize)
            .sum::<usize>())
}

/// One longest common subsequence, as increasing pairs of positions (left, right).
pub fn lcs_pairs(left: &[u32], right: &[u32]) -> Result<Vec<(usize, usize)>, TooLong> {
    check(left, right)?;
    let mut pairs = Vec::new();
    align(left, right, (0, 0), MAX_ROWS_BYTES, &mut pairs);
    Ok(pairs)
}

fn align(
    left: &[u32],
    right: &[u32],
    origin: (usize, usize),
    max_bytes: usize,
    pairs: &mut Vec<(usize, usize)>,
) {
    let (start, end) = common_ends(left, right);
    let (left_end, right_end) = (left.len() - end, right.len() - end);
    pairs.extend((0..start).map(|i| (origin.0 + i, origin.1 + i)));
    let inner = (origin.0 + start, origin.1 + start);
    align_inner(
        &left[start..left_end],
        &right[start..right_end],
        inner,
        max_bytes,
        pairs,
    );
    pairs.extend((0..end).map(|i| (origin.0 + left_end + i, origin.1 + right_end + i)));
}

fn align_inner(
    left: &[u32],
    right: &[u32],
    origin: (usize, usize),
    max_bytes: usize,
    pairs: &mut Vec<(usize, usize)>,
) {
    if left.is_empty() || right.is_empty() {
        return;
    }
    let rows_bytes = left
        .len()
        .div_ceil(BITS)
        .saturating_mul(right.len())
        .saturating_mul(8);
    if right.len() == 1 || rows_bytes <= max_bytes {
        pairs.extend(
            walk_back(left, right)
                .into_iter()
                .map(|(i, j)| (origin.0 + i, origin.1 + j)),
        );
        return;
    }
    let middle = right.len() / 2;
    let cut = best_cut(left, &right[..middle], &right[middle..]);
    align(&left[..cut], &right[..middle], origin, max_bytes, pairs);
    align(
        &left[cut..],
        &right[middle..],
        (origin.0 + cut, origin.1 + middle),
        max_bytes,
        pairs,
    );
}

/// Where to cut `left` so that its halves have most in common with `first` and `second`.
fn best_cut(left: &[u32], first: &[u32], second: &[u32]) -> usize {
    let reversed = |symbols: &[u32]| symbols.iter().rev().copied().collect::<Vec<_>>();
    let before = prefix_lengths(left, first);
    let after = prefix_lengths(&reversed(left), &reversed(second));
    (0..=left.len())
        .max_by_key(|cut| before[*cut] + after[left.len() - cut])
        .unwrap_or(0)
}

/// LCS of every prefix of `left`, the empty one first, with the whole of `right`.
fn prefix_lengths(left: &[u32], right: &[u32]) -> Vec<usize> {
    let row = last_row(left, right);
    let mut lengths = Vec::with_capacity(left.len() + 1);
    let mut length = 0;
    lengths.push(length);
    for position in 0..left.len() {
        length += usize::from(!is_set(&row, position));
        lengths.push(length);
    }
    lengths
}

fn last_row(left: &[u32], right: &[u32]) -> Vec<u64> {
    let pattern = Pattern::new(left);
    let mut row = vec![u64::MAX; pattern.words()];
    let mut matches = vec![0; pattern.words()];
    for symbol in right {
        pattern.load(*symbol, &mut matches);
        step(&mut row, &matches);
    }
    row
}

fn walk_back(left: &[u32], right: &[u32]) -> Vec<(usize, usize)> {
    let rows = all_rows(left, right);
    let words = left.len().div_ceil(BITS);
    let row_after = |j: usize| &rows[j * words..(j + 1) * words];
    let mut pairs = Vec::new();
    let (mut i, mut j) = (left.len(), right.len());
    while i > 0 && j > 0 {
        if is_set(row_after(j - 1), i - 1) {
            i -= 1;
        } else if j > 1 && !is_set(row_after(j - 2), i - 1) {
            j -= 1;
        } else {
            (i, j) = (i - 1, j - 1);
            pairs.push((i, j));
        }
    }
    pairs.reverse();
    pairs
}

fn all_rows(left: &[u32], right: &[u32]) -> Vec<u64> {
    let pattern = Pattern::new(left);
    let mut rows = Vec::with_capacity(pattern.words() * right.len());
    let mut row = vec![u64::MAX; pattern.words()];
    let mut matches = vec![0; pattern.words()];
    for symbol in right {
        pattern.load(*symbol, &mut matches);
        step(&mut row, &matches);
        rows.extend_from_slice(&row);
    }
    rows
}

/// V' = (V + (V & M)) | (V & !M), with the carry passed from word to word.
fn step(row: &mut [u64], matches: &[u64]) {
    let mut carry = false;
    for (word, matched) in row.iter_mut().zip(matches) {
        let (sum, over) = word.overflowing_add(*word & matched);
        let (sum, over_carry) = sum.overflowing_add(u64::from(carry));
        carry = over || over_carry;
        *word = sum | (*word & !matched);
    }
}

fn is_set(row: &[u64], position: usize) -> bool {
    row[position / BITS] >> (position % BITS) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::MAX_CELLS;

    fn reference(left: &[u32], right: &[u32]) -> usize {
        let mut above = vec![0; right.len() + 1];
        for a in left {
            let mut row = vec![0; right.len() + 1];
            for (j, b) in right.iter().enumerate() {
                row[j + 1] = if a == b {
                    above[j] + 1
                } else {
                    row[j].max(above[j + 1])
                };
            }
            above = row;
        }
        above[right.len()]
    }

    fn symbols(length: usize, kinds: u32, seed: u64) -> Vec<u32> {
        let mut state = seed;
        let mut next = || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) as u32 % kinds
        };
        (0..length).map(|_| next()).collect()
    }

    fn assert_alignment(left: &[u32], right: &[u32], pairs: &[(usize, usize)]) {
        assert_eq!(pairs.len(), reference(left, right));
        assert!(pairs.iter().all(|(i, j)| left[*i] == right[*j]));
        assert!(pairs.windows(2).all(|w| w[0].0 < w[1].0 && w[0].1 < w[1].1));
    }

    #[test]
    fn lcs_equals_the_quadratic_programme_on_random_sequences() {
        for (n, m, kinds) in [
            (0, 5, 3),
            (1, 1, 1),
            (64, 64, 4),
            (65, 130, 3),
            (300, 200, 40),
        ] {
            for seed in 0..8 {
                let (left, right) = (symbols(n, kinds, seed), symbols(m, kinds, seed + 99));
                assert_eq!(lcs_length(&left, &right), Ok(reference(&left, &right)));
                assert_alignment(&left, &right, &lcs_pairs(&left, &right).unwrap_or_default());
            }
        }
    }

    #[test]
    fn an_alignment_stays_longest_when_memory_forces_halving() {
        let (left, right) = (symbols(200, 7, 1), symbols(150, 7, 2));
        let mut pairs = Vec::new();

        align(&left, &right, (0, 0), 64, &mut pairs);

        assert_alignment(&left, &right, &pairs);
    }

    #[test]
    fn a_comparison_beyond_the_limit_is_refused() {
        let long = vec![1; 1 << 20];
        let longer = vec![2; (MAX_CELLS >> 20) as usize + 1];

        assert_eq!(
            lcs_length(&long, &longer),
            Err(TooLong {
                left: long.len(),
                right: longer.len()
            })
        );
    }
}
