//! Compare cleaned text with gold text: longest common subsequence, edit distance, aligned
//! characters.
//!
//! The first two are bit-parallel: one machine word holds 64 cells of a dynamic programming row, so
//! a page of 20,000 tokens against a gold text of 5,000 takes about a millisecond.

pub mod align;
mod edit;
mod lcs;
mod pattern;
mod segment;

pub use edit::edit_distance;
pub use lcs::{lcs_length, lcs_pairs};

/// The most cells (length x length) of one comparison: about a minute of work.
pub const MAX_CELLS: u64 = 1 << 40;

/// Two sequences are too long to compare: the product of their lengths exceeds [`MAX_CELLS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong {
    pub left: usize,
    pub right: usize,
}

fn check(left: &[u32], right: &[u32]) -> Result<(), TooLong> {
    if (left.len() as u64).saturating_mul(right.len() as u64) > MAX_CELLS {
        return Err(TooLong {
            left: left.len(),
            right: right.len(),
        });
    }
    Ok(())
}

/// Length of the common beginning, and of the common end of the rest.
fn common_ends(left: &[u32], right: &[u32]) -> (usize, usize) {
    let start = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    let (left, right) = (&left[start..], &right[start..]);
    let end = left
        .iter()
        .rev()
        .zip(right.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    (start, end)
}

/// Length of the common ends together, then both sequences without them, the shorter first.
fn without_common_ends<'a>(left: &'a [u32], right: &'a [u32]) -> (usize, &'a [u32], &'a [u32]) {
    let (start, end) = common_ends(left, right);
    let left = &left[start..left.len() - end];
    let right = &right[start..right.len() - end];
    if left.len() <= right.len() {
        (start + end, left, right)
    } else {
        (start + end, right, left)
    }
}
