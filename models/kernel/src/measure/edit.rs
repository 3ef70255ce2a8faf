//! Levenshtein distance, bit-parallel in blocks (Myers 1999, Hyyro 2003).

use super::pattern::{BITS, Pattern};
use super::{TooLong, check, without_common_ends};

/// Least number of insertions, deletions and substitutions that turn `left` into `right`.
pub fn edit_distance(left: &[u32], right: &[u32]) -> Result<usize, TooLong> {
    check(left, right)?;
    let (_, short, long) = without_common_ends(left, right);
    if short.is_empty() {
        return Ok(long.len());
    }
    let pattern = Pattern::new(short);
    let mut limit = (long.len() - short.len()).max(long.len() / 8) + BITS;
    loop {
        let distance = within_band(&pattern, short.len(), long, limit);
        if distance <= limit || limit >= long.len() {
            return Ok(distance);
        }
        limit *= 2;
    }
}

/// The distance if it is at most `limit`, else a number above the distance (Ukkonen 1985).
///
/// A path of cost `limit` stays within a band around the diagonal; cells outside the band are taken
/// as one more than their neighbour inside, which is never too small.
fn within_band(pattern: &Pattern, short_len: usize, long: &[u32], limit: usize) -> usize {
    let surplus = long.len() - short_len;
    let (above, below) = (limit.midpoint(surplus), limit.saturating_sub(surplus) / 2);
    let last_block = pattern.words() - 1;
    let mut column = vec![
        Deltas {
            plus: u64::MAX,
            minus: 0
        };
        pattern.words()
    ];
    let mut matches = vec![0; pattern.words()];
    // the block at the lower edge, and the value of its last cell
    let mut edge = 0;
    let mut value = short_len.min(BITS);
    for (j, symbol) in long.iter().enumerate() {
        while edge < ((j + below) / BITS).min(last_block) {
            edge += 1;
            value += short_len.min((edge + 1) * BITS) - edge * BITS;
        }
        let first = (j.saturating_sub(above) / BITS).min(edge);
        pattern.load(*symbol, &mut matches);
        let last_bit = if edge == last_block {
            1 << ((short_len - 1) % BITS)
        } else {
            1 << (BITS - 1)
        };
        let (up, down) = advance(&mut column[first..=edge], &matches[first..=edge], last_bit);
        value = value + usize::from(up) - usize::from(down);
    }
    value
}

/// 64 vertical differences of a column: bits of +1 and bits of -1.
#[derive(Clone, Copy)]
struct Deltas {
    plus: u64,
    minus: u64,
}

/// Advance the column by one symbol; return whether its last cell grew or shrank by one.
fn advance(column: &mut [Deltas], matches: &[u64], last_bit: u64) -> (bool, bool) {
    // the first row counts the symbols so far, and the band never starts too low: +1 enters from
    // above
    let (mut enters_plus, mut enters_minus) = (true, false);
    let mut last = (false, false);
    for (deltas, matched) in column.iter_mut().zip(matches) {
        let Deltas { plus, minus } = *deltas;
        let zero_or_match = matched | minus;
        let matched = matched | u64::from(enters_minus);
        let diagonal = (((matched & plus).wrapping_add(plus)) ^ plus) | matched;
        let right_plus = minus | !(diagonal | plus);
        let right_minus = plus & diagonal;
        last = (right_plus & last_bit != 0, right_minus & last_bit != 0);
        let shifted_plus = right_plus << 1 | u64::from(enters_plus);
        let shifted_minus = right_minus << 1 | u64::from(enters_minus);
        (enters_plus, enters_minus) = (right_plus >> 63 == 1, right_minus >> 63 == 1);
        deltas.plus = shifted_minus | !(zero_or_match | shifted_plus);
        deltas.minus = shifted_plus & zero_or_match;
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(left: &[u32], right: &[u32]) -> usize {
        let mut above: Vec<usize> = (0..=right.len()).collect();
        for (i, a) in left.iter().enumerate() {
            let mut row = vec![i + 1];
            for (j, b) in right.iter().enumerate() {
                let replaced = above[j] + usize::from(a != b);
                row.push(replaced.min(above[j + 1] + 1).min(row[j] + 1));
            }
            above = row;
        }
        above[right.len()]
    }

    fn text(words: &str) -> Vec<u32> {
        words.chars().map(u32::from).collect()
    }

    #[test]
    fn known_distances_hold() {
        for (left, right, expected) in [
            ("kitten", "sitting", 3),
            ("", "abc", 3),
            ("abc", "abc", 0),
            ("flaw", "lawn", 2),
        ] {
            assert_eq!(edit_distance(&text(left), &text(right)), Ok(expected));
        }
    }

    #[test]
    fn distance_equals_the_quadratic_programme_when_blocks_carry() {
        let mut state: u64 = 7;
        let mut next = |kinds: u32| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) as u32 % kinds
        };
        for (n, m, kinds) in [
            (63, 64, 2),
            (64, 65, 3),
            (129, 200, 4),
            (300, 40, 90),
            (256, 256, 2),
        ] {
            for _ in 0..8 {
                let left: Vec<u32> = (0..n).map(|_| next(kinds)).collect();
                let right: Vec<u32> = (0..m).map(|_| next(kinds)).collect();
                assert_eq!(edit_distance(&left, &right), Ok(reference(&left, &right)));
            }
        }
    }

    #[test]
    fn distance_is_that_of_a_path_beyond_the_first_band() {
        let left: Vec<u32> = (0..1000).collect();
        let right: Vec<u32> = (400..1000).chain(0..400).collect();

        assert_eq!(edit_distance(&left, &right), Ok(800));
    }

    #[test]
    fn distance_equals_the_quadratic_programme_when_the_band_leaves_cells_out() {
        for (every, shift) in [(7, 0), (50, 3), (400, 90), (3, 0)] {
            let left: Vec<u32> = (0..3000u32).map(|i| i * i % 97).collect();
            let mut right: Vec<u32> = left[shift..].to_vec();
            right
                .iter_mut()
                .step_by(every)
                .for_each(|symbol| *symbol += 1);
            right.drain(1000..1000 + shift);
            assert_eq!(edit_distance(&left, &right), Ok(reference(&left, &right)));
        }
    }
}
