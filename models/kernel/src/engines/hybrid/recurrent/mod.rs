//! A small recurrent network that reads the blocks of a page in both directions.
//!
//! It reads the blocks in order, and the page as a whole through a learned weighted mean. Trees
//! then use its output around a block. The two make different errors, so the mean of their log-odds
//! is better than either (`lab/train/hybrid/recurrent.py`).

#[cfg(avx512)]
mod avx512;
mod embedding;
mod layer;
mod units;

use super::context::Context;
use super::forest::{log_odds, sigmoid};
use super::reader::{Damage, Reader};
use super::rows::{LANES, Rows};
#[cfg(target_arch = "x86_64")]
use crate::processor;
use embedding::Embedding;
use layer::{Column, Layer, dot, weights};
pub use units::STATE;
use units::{GATES, State, Units};

/// Columns of a row that are used.
pub const READ: usize = 96;
/// Outputs of the first layer.
pub const INPUT: usize = 48;
/// Outputs of the layer before the last.
pub const JOINT: usize = 48;
/// Values of the states of both directions.
const BOTH: usize = 2 * STATE;
/// Outputs of the input projection: the gates of both directions, and a share of the last layer.
const PROJECTED: usize = 2 * GATES + JOINT;
/// Longest window of blocks that is read in one pass; longer pages are cut into equal parts.
pub const WINDOW: usize = 704;

/// Trees judge blocks whose probability is farther than this from 0 and from 1.
pub const SURE: f32 = 0.02;

/// The outputs of the first layer for a row.
pub type Inputs = [f32; INPUT];

/// Whether trees judge a block to which the network gives this probability.
#[must_use]
pub fn is_unsure(probability: f32) -> bool {
    probability > SURE && probability < 1.0 - SURE
}

/// The network of a parameter file.
pub struct Network {
    /// Its weight relative to the trees, 0 to 1.
    share: f32,
    /// The columns that are used, and the scale of each.
    columns: [(u8, f32); READ],
    input: Layer,
    input_bias: Inputs,
    projection: Layer,
    projection_bias: [f32; PROJECTED],
    units: [Units; 2],
    attention: [f32; BOTH],
    joint: Layer,
    whole: Vec<[f32; JOINT]>,
    output: [f32; JOINT],
    output_bias: f32,
    embedding: Embedding,
}

impl Network {
    /// Reads a network for this number of columns.
    ///
    /// # Errors
    /// [`Damage`] if the bytes end too soon, or a number is out of range.
    pub fn read(reader: &mut Reader<'_>, columns: usize) -> Result<Self, Damage> {
        let share = reader.f32()?;
        if !(0.0..=1.0).contains(&share) {
            return Err(Damage::Range("share"));
        }
        let mut read = [(0, 0.0); READ];
        for (column, _) in &mut read {
            *column = reader.u8()?;
            if usize::from(*column) >= columns {
                return Err(Damage::Range("column"));
            }
        }
        for (_, scale) in &mut read {
            *scale = reader.f32()?;
            if !(scale.is_finite() && *scale > 0.0) {
                return Err(Damage::Range("scale"));
            }
        }
        let input = weights(reader, READ * INPUT)?;
        let input_bias = array(reader)?;
        let projection = weights(reader, INPUT * PROJECTED)?;
        let projection_bias = array(reader)?;
        let units = [
            weights(reader, STATE * GATES)?,
            weights(reader, STATE * GATES)?,
        ];
        let attention = array(reader)?;
        let joint = weights(reader, BOTH * JOINT)?;
        let whole = (0..BOTH).map(|_| array(reader)).collect::<Result<_, _>>()?;
        Ok(Self {
            share,
            columns: read,
            input: Layer::new(&input, INPUT),
            input_bias,
            projection: Layer::new(&projection, PROJECTED),
            projection_bias,
            units: units.map(|weights| Units::new(&weights)),
            attention,
            joint: Layer::new(&joint, JOINT),
            whole,
            output: array(reader)?,
            output_bias: weights(reader, 1)?[0],
            embedding: Embedding::read(reader)?,
        })
    }

    /// The first layer's sums for the words of all blocks; columns are added later.
    #[must_use]
    pub fn read_words(&self, context: &Context<'_, '_>) -> Vec<Inputs> {
        let mut inputs = vec![self.input_bias; context.blocks()];
        #[cfg(target_arch = "x86_64")]
        if processor::has_avx2() {
            // SAFETY: the processor has the features that the function is compiled for.
            unsafe { self.add_words_avx2(context, &mut inputs) };
            return inputs;
        }
        self.embedding.add(context, &mut inputs);
        inputs
    }

    /// Adds up words, compiled for registers of sixteen lanes.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn add_words_avx2(&self, context: &Context<'_, '_>, inputs: &mut [Inputs]) {
        self.embedding.add(context, inputs);
    }

    /// Adds the columns of rows to the inputs of their blocks: the same sums in the same order on
    /// every processor, as in all later steps.
    pub fn read_rows(&self, rows: &Rows, inputs: &mut [Inputs]) {
        #[cfg(avx512)]
        if processor::has_avx512() {
            // SAFETY: the processor has the features that the function is compiled for.
            return unsafe { self.read_rows_avx512(rows, inputs) };
        }
        #[cfg(target_arch = "x86_64")]
        if processor::has_avx2() {
            // SAFETY: the processor has the features that the function is compiled for.
            return unsafe { self.read_rows_avx2(rows, inputs) };
        }
        self.read_rows_anywhere::<false>(rows, inputs);
    }

    /// The log-odds of all blocks of a page, from their inputs.
    #[must_use]
    pub fn log_odds(&self, inputs: &[Inputs]) -> Vec<f32> {
        let parts = inputs.len().div_ceil(WINDOW);
        let cut = |part: usize| inputs.len() * part / parts;
        let windows = (0..parts).map(|part| &inputs[cut(part)..cut(part + 1)]);
        windows.flat_map(|window| self.odds(window)).collect()
    }

    /// Changes the trees' probabilities to the mean of both.
    pub fn mix(&self, odds: &[f32], probabilities: &mut [f32]) {
        for (value, odds) in probabilities.iter_mut().zip(odds) {
            *value = sigmoid((1.0 - self.share) * log_odds(*value) + self.share * odds);
        }
    }

    /// The same, compiled for registers of eight lanes and sums of products.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn read_rows_avx2(&self, rows: &Rows, inputs: &mut [Inputs]) {
        self.read_rows_anywhere::<false>(rows, inputs);
    }

    /// The same, compiled for registers of sixteen lanes.
    #[cfg(avx512)]
    #[target_feature(enable = "avx512f")]
    unsafe fn read_rows_avx512(&self, rows: &Rows, inputs: &mut [Inputs]) {
        self.read_rows_anywhere::<true>(rows, inputs);
    }

    #[inline(always)]
    fn read_rows_anywhere<const WIDE: bool>(&self, rows: &Rows, inputs: &mut [Inputs]) {
        let mut squeezed: [Column; READ] = [[0.0; size_of::<Column>() / size_of::<f32>()]; READ];
        for (lanes, inputs) in rows.lanes().iter().zip(inputs.chunks_mut(LANES)) {
            for (values, (column, scale)) in squeezed.iter_mut().zip(&self.columns) {
                for (value, raw) in values.iter_mut().zip(&lanes.0[usize::from(*column)]) {
                    *value = raw / (raw.abs() + scale);
                }
            }
            self.input.add_all::<WIDE, INPUT>(&squeezed, inputs);
            for value in inputs.as_flattened_mut() {
                *value = value.max(0.0);
            }
        }
    }

    /// The log-odds of the blocks of one window.
    fn odds(&self, inputs: &[Inputs]) -> Vec<f32> {
        #[cfg(avx512)]
        if processor::has_avx512() {
            // SAFETY: the processor has the features that the function is compiled for.
            return unsafe { self.odds_avx512(inputs) };
        }
        #[cfg(target_arch = "x86_64")]
        if processor::has_avx2() {
            // SAFETY: the processor has the features that the function is compiled for.
            return unsafe { self.odds_avx2(inputs) };
        }
        self.odds_anywhere::<false>(inputs)
    }

    /// The same, compiled for registers of eight lanes and sums of products.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn odds_avx2(&self, inputs: &[Inputs]) -> Vec<f32> {
        self.odds_anywhere::<false>(inputs)
    }

    /// The same, compiled for registers of sixteen lanes.
    #[cfg(avx512)]
    #[target_feature(enable = "avx512f")]
    unsafe fn odds_avx512(&self, inputs: &[Inputs]) -> Vec<f32> {
        self.odds_anywhere::<true>(inputs)
    }

    #[inline(always)]
    fn odds_anywhere<const WIDE: bool>(&self, inputs: &[Inputs]) -> Vec<f32> {
        let mut projected = vec![self.projection_bias; inputs.len()];
        self.projection
            .add_all::<WIDE, PROJECTED>(inputs, &mut projected);
        let states = self.states::<WIDE>(&projected);
        let whole = self.whole_of(&states);
        let mut joint = Vec::with_capacity(projected.len());
        for projected in &projected {
            let mut sums: [f32; JOINT] = whole;
            for (sum, projected) in sums.iter_mut().zip(&projected[2 * GATES..]) {
                *sum += projected;
            }
            joint.push(sums);
        }
        self.joint.add_all::<WIDE, JOINT>(&states[..], &mut joint);
        let mut odds = Vec::with_capacity(joint.len());
        for values in &mut joint {
            for value in values.iter_mut() {
                *value = value.max(0.0);
            }
            odds.push(self.output_bias + dot(values, &self.output));
        }
        odds
    }

    /// The states of both directions after every block.
    #[inline(always)]
    fn states<const WIDE: bool>(&self, projected: &[[f32; PROJECTED]]) -> Vec<[f32; BOTH]> {
        let mut states = vec![[0.0; BOTH]; projected.len()];
        let (mut there, mut back): (State, State) = ([0.0; STATE], [0.0; STATE]);
        let [onward, backward] = &self.units;
        // both directions in one loop: a step waits for its predecessor, not for the other
        // direction
        for first in 0..projected.len() {
            let last = projected.len() - 1 - first;
            there = onward.step::<WIDE>(&there, &projected[first]);
            back = backward.step::<WIDE>(&back, &projected[last][GATES..]);
            states[first][..STATE].copy_from_slice(&there);
            states[last][STATE..].copy_from_slice(&back);
        }
        states
    }

    /// The contribution of the whole window to the layer before the last.
    #[inline(always)]
    fn whole_of(&self, states: &[[f32; BOTH]]) -> [f32; JOINT] {
        let mut scores = Vec::with_capacity(states.len());
        for state in states {
            scores.push(dot(state, &self.attention));
        }
        let most = scores.iter().copied().fold(f32::MIN, f32::max);
        let mut mean = [0.0; BOTH];
        let mut sum = 0.0;
        for (state, score) in states.iter().zip(scores) {
            let share = (score - most).exp();
            sum += share;
            for (mean, value) in mean.iter_mut().zip(state) {
                *mean += share * value;
            }
        }
        let mut whole = [0.0; JOINT];
        for (value, weights) in mean.iter().zip(&self.whole) {
            for (whole, weight) in whole.iter_mut().zip(weights) {
                *whole += value / sum * weight;
            }
        }
        whole
    }
}

fn array<const N: usize>(reader: &mut Reader<'_>) -> Result<[f32; N], Damage> {
    let mut values = [0.0; N];
    values.copy_from_slice(&weights(reader, N)?);
    Ok(values)
}

#[cfg(test)]
mod tests;
