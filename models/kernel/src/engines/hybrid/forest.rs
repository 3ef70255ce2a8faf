//! Boosted trees, evaluated for sixteen rows at a time without data-dependent branches.
//!
//! After QuickScorer (Lucchese et al. 2015) in its vectorised form: a row starts with all leaves of
//! a tree as candidates. Every split whose test fails removes the leaves on its left, and the first
//! remaining leaf is the one that a walk from the root would reach. The order of splits does not
//! matter, so sixteen rows share each split.

pub mod alone;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(avx512)]
mod avx512;
mod tree;

use super::reader::{Damage, Reader};
use super::rows::{LANES, Lanes, Rows};
#[cfg(target_arch = "x86_64")]
use crate::processor;
use tree::Tree;

/// Most trees in a file.
const MAX_TREES: u32 = 4096;
/// Least distance of probabilities from 0 and 1 before they become log-odds.
pub const MARGIN: f64 = 1e-4;

/// The sum of no trees, and the number of trees that follow.
fn head(reader: &mut Reader<'_>) -> Result<(f32, u32), Damage> {
    let (bias, count) = (reader.f32()?, reader.u32()?);
    if count > MAX_TREES {
        return Err(Damage::Range("trees"));
    }
    Ok((bias, count))
}

/// A sum of trees.
pub struct Forest {
    bias: f32,
    trees: Vec<Tree>,
}

impl Forest {
    /// Reads a forest whose column numbers are below `columns`.
    ///
    /// # Errors
    /// [`Damage`] if a count, column or child is out of range.
    pub fn read(reader: &mut Reader<'_>, columns: usize) -> Result<Self, Damage> {
        let (bias, count) = head(reader)?;
        let trees = (0..count)
            .map(|_| Tree::read(reader, columns))
            .collect::<Result<_, _>>()?;
        Ok(Self { bias, trees })
    }

    /// The log-odds of every row.
    #[must_use]
    pub fn log_odds(&self, rows: &Rows) -> Vec<f32> {
        self.log_odds_where(rows, |_| true)
    }

    /// The log-odds of the selected rows; values of other rows are undefined.
    fn log_odds_where(&self, rows: &Rows, is_asked: impl Fn(usize) -> bool) -> Vec<f32> {
        let mut sums = vec![self.bias; rows.len()];
        if self.trees.is_empty() {
            return sums;
        }
        let asked: Vec<usize> = (0..rows.lanes().len())
            .filter(|sixteen| {
                let first = sixteen * LANES;
                (first..sums.len().min(first + LANES)).any(&is_asked)
            })
            .collect();
        for sixteens in asked.chunks(2) {
            match *sixteens {
                [one, other] => self.sum_of([one, other], rows, &mut sums),
                [one] => self.sum_of([one], rows, &mut sums),
                _ => {}
            }
        }
        sums
    }

    /// The log-odds of the rows of some groups of sixteen, in their places.
    fn sum_of<const N: usize>(&self, sixteens: [usize; N], rows: &Rows, sums: &mut [f32]) {
        let mut found = [[self.bias; LANES]; N];
        let lanes = sixteens.map(|sixteen| &rows.lanes()[sixteen]);
        add_all(&self.trees, lanes, &mut found);
        for (sixteen, found) in sixteens.into_iter().zip(found) {
            let places = sums.iter_mut().skip(sixteen * LANES);
            places.zip(found).for_each(|(sum, found)| *sum = found);
        }
    }

    /// The probability of every row.
    #[must_use]
    pub fn probabilities(&self, rows: &Rows) -> Vec<f32> {
        self.probabilities_where(rows, |_| true)
    }

    /// The probability of the selected rows; values of other rows are undefined.
    #[must_use]
    pub fn probabilities_where(&self, rows: &Rows, is_asked: impl Fn(usize) -> bool) -> Vec<f32> {
        let mut odds = self.log_odds_where(rows, is_asked);
        for value in &mut odds {
            *value = sigmoid(*value);
        }
        odds
    }
}

/// Probability to log-odds.
#[must_use]
pub fn log_odds(probability: f32) -> f32 {
    let margin = MARGIN as f32;
    let probability = probability.clamp(margin, 1.0 - margin);
    (probability / (1.0 - probability)).ln()
}

/// Log-odds to probability.
#[must_use]
pub fn sigmoid(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// Adds the values of all trees: the same sums in the same order on every processor.
fn add_all<const N: usize>(trees: &[Tree], lanes: [&Lanes; N], sums: &mut [[f32; LANES]; N]) {
    #[cfg(avx512)]
    if processor::has_avx512() {
        // SAFETY: the processor has the features that the function is compiled for.
        return unsafe { avx512::add_all(trees, lanes, sums) };
    }
    #[cfg(target_arch = "x86_64")]
    if processor::has_avx2() {
        // SAFETY: the processor has the features that the function is compiled for.
        return unsafe { avx2::add_all(trees, lanes, sums) };
    }
    for (lanes, sums) in lanes.into_iter().zip(sums) {
        trees.iter().for_each(|tree| tree.add(lanes, sums));
    }
}

#[cfg(test)]
mod tests;
