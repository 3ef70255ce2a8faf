//! Matrix products for several blocks at a time, and activation functions.

use crate::engines::hybrid::reader::{Damage, Reader};

/// Outputs computed together, for [`SIDE`] blocks: twelve registers of sums, two of weights and one
/// of a value fit in the sixteen registers of a processor.
const PANEL: usize = 2 * LANES;
/// Sums of a register.
const LANES: usize = 8;
/// Most blocks that share one load of the weights.
pub const SIDE: usize = 6;
/// Beyond it the rational function below is too far from 1.
const MOST: f32 = 4.97;
/// Largest accepted weight: no sum of any layer can become infinite.
const LARGEST: f32 = 1e4;

/// One value for each of the outputs computed together.
type Panel = [[f32; LANES]; PANEL / LANES];

/// A layer in which every output sees all inputs.
pub struct Layer {
    /// The weights of a panel of outputs, a row per input.
    panels: Vec<Vec<Panel>>,
}

impl Layer {
    /// `weights` has a row of `outputs` numbers for each input; outputs are a multiple of 16.
    #[must_use]
    pub fn new(weights: &[f32], outputs: usize) -> Self {
        let panel = |first: usize| {
            let rows = weights.chunks_exact(outputs);
            rows.map(|row| panel_at(&row[first..])).collect()
        };
        Self {
            panels: (0..outputs).step_by(PANEL).map(panel).collect(),
        }
    }

    /// Adds the products of inputs and weights to the outputs of blocks; `inputs` yields one input
    /// of all blocks at a time.
    ///
    /// Products are added with one rounding (fused multiply-add): the same bits everywhere, but
    /// slow on processors without this instruction (x86 before 2013).
    #[inline(always)]
    pub fn add<const BLOCKS: usize, const OUTPUTS: usize>(
        &self,
        inputs: impl Iterator<Item = [f32; BLOCKS]> + Clone,
        outputs: &mut [[f32; OUTPUTS]; BLOCKS],
    ) {
        for (number, panel) in self.panels.iter().enumerate() {
            let first = PANEL * number;
            let mut sums = [[[0.0; LANES]; PANEL / LANES]; BLOCKS];
            for (sums, outputs) in sums.iter_mut().zip(outputs.iter()) {
                *sums = panel_at(&outputs[first..]);
            }
            for (values, weights) in inputs.clone().zip(panel) {
                for (sums, value) in sums.iter_mut().zip(&values) {
                    for (sums, weights) in sums.iter_mut().zip(weights) {
                        for (sum, weight) in sums.iter_mut().zip(weights) {
                            *sum = value.mul_add(*weight, *sum);
                        }
                    }
                }
            }
            for (sums, outputs) in sums.iter().zip(outputs.iter_mut()) {
                outputs[first..first + PANEL].copy_from_slice(sums.as_flattened());
            }
        }
    }

    /// The same for any number of blocks, a row of inputs each.
    #[inline(always)]
    pub fn add_rows<const INPUTS: usize, const OUTPUTS: usize>(
        &self,
        inputs: &[[f32; INPUTS]],
        outputs: &mut [[f32; OUTPUTS]],
    ) {
        for (rows, outputs) in inputs.chunks(SIDE).zip(outputs.chunks_mut(SIDE)) {
            if let (Some(rows), Some(sums)) = (rows.first_chunk(), outputs.first_chunk_mut()) {
                self.add_side(rows, sums);
                continue;
            }
            // sums for the rows after the last one are ignored
            let (mut all, mut sums) = ([[0.0; INPUTS]; SIDE], [[0.0; OUTPUTS]; SIDE]);
            all[..rows.len()].copy_from_slice(rows);
            sums[..rows.len()].copy_from_slice(outputs);
            self.add_side(&all, &mut sums);
            outputs.copy_from_slice(&sums[..rows.len()]);
        }
    }

    #[inline(always)]
    fn add_side<const INPUTS: usize, const OUTPUTS: usize>(
        &self,
        rows: &[[f32; INPUTS]; SIDE],
        sums: &mut [[f32; OUTPUTS]; SIDE],
    ) {
        let input = |at: usize| std::array::from_fn(|block| rows[block][at]);
        self.add((0..INPUTS).map(input), sums);
    }
}

/// The first values as a panel.
#[inline(always)]
fn panel_at(values: &[f32]) -> Panel {
    let mut panel = [[0.0; LANES]; PANEL / LANES];
    let values = &values[..PANEL];
    for (lanes, values) in panel.iter_mut().zip(values.chunks_exact(LANES)) {
        lanes.copy_from_slice(values);
    }
    panel
}

/// The sum of products, in eight partial sums.
#[inline(always)]
#[must_use]
pub fn dot<const COUNT: usize>(left: &[f32; COUNT], right: &[f32; COUNT]) -> f32 {
    let mut sums = [0.0; LANES];
    for (left, right) in left.chunks_exact(LANES).zip(right.chunks_exact(LANES)) {
        for ((sum, left), right) in sums.iter_mut().zip(left).zip(right) {
            *sum = f32::mul_add(*left, *right, *sum);
        }
    }
    sums.iter().sum()
}

/// The hyperbolic tangent to four digits, as a fraction of polynomials (its continued fraction, cut
/// off after x^7): the same bits on every processor, and vectorised where possible.
#[inline(always)]
#[must_use]
pub fn tanh(value: f32) -> f32 {
    let value = value.clamp(-MOST, MOST);
    let square = value * value;
    let above = value * (135_135.0 + square * (17_325.0 + square * (378.0 + square)));
    let below = 135_135.0 + square * (62_370.0 + square * (3_150.0 + square * 28.0));
    above / below
}

/// The logistic function, by [`tanh`].
#[inline(always)]
#[must_use]
pub fn logistic(value: f32) -> f32 {
    0.5 + 0.5 * tanh(0.5 * value)
}

/// Reads this many weights.
///
/// # Errors
/// [`Damage`] if the bytes end too soon, or a weight is too large or not a number.
pub fn weights(reader: &mut Reader<'_>, count: usize) -> Result<Vec<f32>, Damage> {
    let weight = |_| {
        let value = reader.f32()?;
        if value.abs() <= LARGEST {
            Ok(value)
        } else {
            Err(Damage::Range("weight"))
        }
    };
    (0..count).map(weight).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_definition() {
        const INPUTS: usize = 5;
        const OUTPUTS: usize = 2 * PANEL;
        let weight = |input: usize, output: usize| (input * 7 + output * 3) as f32 % 11.0 - 5.0;
        let weights: Vec<f32> = (0..INPUTS * OUTPUTS)
            .map(|at| weight(at / OUTPUTS, at % OUTPUTS))
            .collect();
        let value = |block: usize, input: usize| (input + 2 * block) as f32 - 3.0;
        for blocks in [0, 1, SIDE, SIDE + 1] {
            let row = |block: usize| std::array::from_fn(|input| value(block, input));
            let inputs: Vec<[f32; INPUTS]> = (0..blocks).map(row).collect();
            let mut outputs = vec![[0.5; OUTPUTS]; blocks];

            Layer::new(&weights, OUTPUTS).add_rows(&inputs, &mut outputs);

            for (block, outputs) in outputs.iter().enumerate() {
                for (output, sum) in outputs.iter().enumerate() {
                    let products =
                        (0..INPUTS).map(|input| value(block, input) * weight(input, output));
                    assert_eq!(*sum, 0.5 + products.sum::<f32>());
                }
            }
        }
    }

    #[test]
    fn a_product_of_rows_is_the_sum_of_all_products() {
        let left: [f32; 24] = std::array::from_fn(|at| at as f32);
        let right: [f32; 24] = std::array::from_fn(|at| 1.0 - at as f32);

        assert_eq!(dot(&left, &right), 276.0 - 4324.0);
    }

    #[test]
    fn fractions_are_near_their_functions_everywhere() {
        for step in -4000..=4000 {
            let value = step as f32 / 100.0;

            assert!((tanh(value) - value.tanh()).abs() < 2e-4, "{value}");
            let expected = 1.0 / (1.0 + (-value).exp());
            assert!((logistic(value) - expected).abs() < 1e-4, "{value}");
        }
    }

    #[test]
    fn weights_that_are_too_large_or_no_numbers_are_refused() {
        for value in [f32::INFINITY, -1.1 * LARGEST, f32::NAN] {
            let bytes = value.to_le_bytes();
            assert!(weights(&mut Reader::new(&bytes), 1).is_err());
        }
        assert_eq!(weights(&mut Reader::new(&[0; 4]), 1), Ok(vec![0.0]));
        assert_eq!(weights(&mut Reader::new(&[0; 4]), 2), Err(Damage::Length));
    }
}
