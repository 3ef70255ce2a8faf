//! Matrix products for several blocks at a time, and activation functions.

#[cfg(avx512)]
use super::avx512;
use crate::engines::hybrid::reader::{Damage, Reader};
use crate::engines::hybrid::rows;
use crate::processor::{LANES, Line};

/// Most blocks that share one load of the weights: with a line of outputs, twelve registers of sums,
/// two of weights and one of a value fit in the sixteen of AVX2.
const SIDE: usize = 6;
/// Partial sums of a product of two rows.
const PARTS: usize = 8;
/// Beyond it the rational function below is too far from 1.
const MOST: f32 = 4.97;
/// Largest accepted weight: no sum of any layer can become infinite.
const LARGEST: f32 = 1e4;

/// The values of sixteen blocks for an input; those after the sixteenth fill the last side.
pub type Column = [f32; rows::LANES.next_multiple_of(SIDE)];

/// A layer in which every output sees all inputs.
pub struct Layer {
    /// The weights of a line of outputs, for each input.
    panels: Vec<Vec<Line>>,
}

impl Layer {
    /// `weights` has a row of `outputs` numbers for each input; outputs are a multiple of 16.
    #[must_use]
    pub fn new(weights: &[f32], outputs: usize) -> Self {
        let panel = |first: usize| {
            let rows = weights.chunks_exact(outputs);
            rows.map(|row| Line::of(&row[first..first + LANES]))
                .collect()
        };
        Self {
            panels: (0..outputs).step_by(LANES).map(panel).collect(),
        }
    }

    /// Adds the products of inputs and weights to the outputs of blocks; `inputs` yields one input
    /// of all blocks at a time.
    ///
    /// Products are added with one rounding (fused multiply-add): the same bits everywhere, but
    /// slow on processors without this instruction (x86 before 2013).
    #[inline(always)]
    fn add<const BLOCKS: usize, const OUTPUTS: usize>(
        &self,
        inputs: impl Iterator<Item = [f32; BLOCKS]> + Clone,
        outputs: &mut [[f32; OUTPUTS]; BLOCKS],
    ) {
        for (number, panel) in self.panels.iter().enumerate() {
            let first = LANES * number;
            let mut sums = [Line::ZEROS.0; BLOCKS];
            for (sums, outputs) in sums.iter_mut().zip(outputs.iter()) {
                *sums = Line::of(&outputs[first..first + LANES]).0;
            }
            for (values, weights) in inputs.clone().zip(panel) {
                for (sums, value) in sums.iter_mut().zip(&values) {
                    for (sums, weights) in sums.iter_mut().zip(&weights.0) {
                        for (sum, weight) in sums.iter_mut().zip(weights) {
                            *sum = value.mul_add(*weight, *sum);
                        }
                    }
                }
            }
            for (sums, outputs) in sums.iter().zip(outputs.iter_mut()) {
                outputs[first..first + LANES].copy_from_slice(sums.as_flattened());
            }
        }
    }

    /// The same for any number of blocks. `WIDE` needs AVX-512.
    #[inline(always)]
    pub fn add_all<const WIDE: bool, const OUTPUTS: usize>(
        &self,
        inputs: impl Inputs,
        outputs: &mut [[f32; OUTPUTS]],
    ) {
        #[cfg(avx512)]
        if WIDE {
            for (number, outputs) in outputs.chunks_mut(avx512::SIDE).enumerate() {
                let places = inputs.places(number * avx512::SIDE);
                if let Some(sums) = outputs.first_chunk_mut() {
                    // SAFETY: the caller has seen that the processor has AVX-512, and a block has
                    // an input for each line of a panel.
                    unsafe { avx512::add(&self.panels, places, sums) };
                    continue;
                }
                let mut sums = side_of(outputs);
                // SAFETY: as above.
                unsafe { avx512::add(&self.panels, places, &mut sums) };
                outputs.copy_from_slice(&sums[..outputs.len()]);
            }
            return;
        }
        for (number, outputs) in outputs.chunks_mut(SIDE).enumerate() {
            let values = inputs.values::<SIDE>(number * SIDE);
            if let Some(sums) = outputs.first_chunk_mut() {
                self.add(values, sums);
                continue;
            }
            let mut sums = side_of(outputs);
            self.add(values, &mut sums);
            outputs.copy_from_slice(&sums[..outputs.len()]);
        }
    }
}

/// The outputs of at most `BLOCKS` blocks; zeros for those after the last one.
#[inline(always)]
fn side_of<const BLOCKS: usize, const OUTPUTS: usize>(
    outputs: &[[f32; OUTPUTS]],
) -> [[f32; OUTPUTS]; BLOCKS] {
    let mut sums = [[0.0; OUTPUTS]; BLOCKS];
    sums[..outputs.len()].copy_from_slice(outputs);
    sums
}

/// The inputs of blocks; those after the last block may have any.
pub trait Inputs {
    /// One input of some blocks at a time.
    fn values<const BLOCKS: usize>(
        &self,
        first: usize,
    ) -> impl Iterator<Item = [f32; BLOCKS]> + Clone;

    /// Where the inputs of some blocks begin, and the distance from one to the next.
    #[cfg(avx512)]
    fn places<const BLOCKS: usize>(&self, first: usize) -> ([*const f32; BLOCKS], usize);
}

/// A row of inputs for each block.
impl<const INPUTS: usize> Inputs for &[[f32; INPUTS]] {
    #[inline(always)]
    fn values<const BLOCKS: usize>(
        &self,
        first: usize,
    ) -> impl Iterator<Item = [f32; BLOCKS]> + Clone {
        let last = self.len() - 1;
        let rows: [&[f32; INPUTS]; BLOCKS] =
            std::array::from_fn(|block| &self[last.min(first + block)]);
        (0..INPUTS).map(move |at| std::array::from_fn(|block| rows[block][at]))
    }

    #[cfg(avx512)]
    #[inline(always)]
    fn places<const BLOCKS: usize>(&self, first: usize) -> ([*const f32; BLOCKS], usize) {
        let last = self.len() - 1;
        let rows = std::array::from_fn(|block| self[last.min(first + block)].as_ptr());
        (rows, 1)
    }
}

/// The values of all blocks for each input.
impl<const INPUTS: usize> Inputs for &[Column; INPUTS] {
    #[inline(always)]
    fn values<const BLOCKS: usize>(
        &self,
        first: usize,
    ) -> impl Iterator<Item = [f32; BLOCKS]> + Clone {
        let columns = self
            .iter()
            .map(move |values| &values[first..first + BLOCKS]);
        columns.map(|values| std::array::from_fn(|block| values[block]))
    }

    #[cfg(avx512)]
    #[inline(always)]
    fn places<const BLOCKS: usize>(&self, first: usize) -> ([*const f32; BLOCKS], usize) {
        let values = self.as_flattened();
        let columns = std::array::from_fn(|block| values[first + block..].as_ptr());
        (columns, size_of::<Column>() / size_of::<f32>())
    }
}

/// The sum of products, in eight partial sums.
#[inline(always)]
#[must_use]
pub fn dot<const COUNT: usize>(left: &[f32; COUNT], right: &[f32; COUNT]) -> f32 {
    let mut sums = [0.0; PARTS];
    for (left, right) in left.chunks_exact(PARTS).zip(right.chunks_exact(PARTS)) {
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
        const OUTPUTS: usize = 3 * LANES;
        let weight = |input: usize, output: usize| (input * 7 + output * 3) as f32 % 11.0 - 5.0;
        let weights: Vec<f32> = (0..INPUTS * OUTPUTS)
            .map(|at| weight(at / OUTPUTS, at % OUTPUTS))
            .collect();
        let value = |block: usize, input: usize| (input + 2 * block) as f32 - 3.0;
        for blocks in [0, 1, SIDE, SIDE + 1] {
            let row = |block: usize| std::array::from_fn(|input| value(block, input));
            let inputs: Vec<[f32; INPUTS]> = (0..blocks).map(row).collect();
            let mut outputs = vec![[0.5; OUTPUTS]; blocks];

            Layer::new(&weights, OUTPUTS).add_all::<false, OUTPUTS>(&inputs[..], &mut outputs);

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
