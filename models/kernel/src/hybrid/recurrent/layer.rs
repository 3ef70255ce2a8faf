//! Sums of weighted values for sixteen blocks at a time, and what becomes of them.

use crate::hybrid::reader::{Damage, Reader};
use crate::hybrid::rows::LANES;

/// Outputs that are added up side by side: four times sixteen sums stay in registers.
const PANEL: usize = 4;
/// Beyond it the fraction below is further from 1 than the function is.
const MOST: f32 = 4.97;
/// Largest weight that is read: no sum of any layer can become infinite.
const LARGEST: f32 = 1e4;

/// One value of sixteen blocks.
pub type Values = [f32; LANES];

/// A layer in which every output sees all inputs.
pub struct Layer {
    /// The weights of four outputs, a row an input.
    panels: Vec<Vec<[f32; PANEL]>>,
}

impl Layer {
    /// `weights` has a row of `outputs` numbers for each input; outputs are a multiple of four.
    #[must_use]
    pub fn new(weights: &[f32], outputs: usize) -> Self {
        let panel = |first: usize| {
            let rows = weights.chunks_exact(outputs);
            rows.map(|row| std::array::from_fn(|at| row[first + at]))
                .collect()
        };
        Self {
            panels: (0..outputs).step_by(PANEL).map(panel).collect(),
        }
    }

    /// Gives the sums of all outputs to `take`, in their order.
    #[inline(always)]
    pub fn apply(&self, inputs: &[Values], mut take: impl FnMut(usize, Values)) {
        for (number, panel) in self.panels.iter().enumerate() {
            let mut sums = [[0.0; LANES]; PANEL];
            for (values, weights) in inputs.iter().zip(panel) {
                for (sums, weight) in sums.iter_mut().zip(weights) {
                    for (sum, value) in sums.iter_mut().zip(values) {
                        *sum += value * weight;
                    }
                }
            }
            for (at, sums) in sums.into_iter().enumerate() {
                take(PANEL * number + at, sums);
            }
        }
    }
}

/// The hyperbolic tangent to four digits, as a fraction of polynomials (its continued fraction,
/// cut off after x^7): the same bits on every processor, and eight at a time where there are such
/// registers.
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

/// So many weights.
///
/// # Errors
/// [`Damage`] when the bytes end too soon, or one is too large or no number.
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
        let (inputs, outputs) = (5, 8);
        let weight = |input: usize, output: usize| (input * 7 + output * 3) as f32 % 11.0 - 5.0;
        let weights: Vec<f32> = (0..inputs * outputs)
            .map(|at| weight(at / outputs, at % outputs))
            .collect();
        let value = |input: usize, lane: usize| (input + 2 * lane) as f32 - 3.0;
        let values: Vec<Values> = (0..inputs)
            .map(|input| std::array::from_fn(|lane| value(input, lane)))
            .collect();
        let mut found = Vec::new();

        Layer::new(&weights, outputs).apply(&values, |output, sums| {
            assert_eq!(output, found.len());
            found.push(sums);
        });

        assert_eq!(found.len(), outputs);
        for (output, sums) in found.iter().enumerate() {
            for (lane, sum) in sums.iter().enumerate() {
                let expected: f32 = (0..inputs)
                    .map(|input| value(input, lane) * weight(input, output))
                    .sum();
                assert_eq!(*sum, expected);
            }
        }
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
