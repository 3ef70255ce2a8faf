//! Gated recurrent units (Cho et al. 2014, equations 5 to 8): a state passed from block to block.

#[cfg(avx512)]
use super::avx512;
use super::layer::{logistic, tanh};
use crate::processor::{LANES, Line};

/// Values of a state.
pub const STATE: usize = 16;
/// Inputs of a step: reset, update and new value for every value of the state.
pub const GATES: usize = 3 * STATE;

/// The values of a state after a block.
pub type State = [f32; STATE];
/// A value of all gates.
type Gates = [Line; GATES / LANES];

/// The weights of one direction: contributions of each value of the previous state to all gates.
pub struct Units {
    weights: Vec<Gates>,
}

impl Units {
    /// `weights` has a row of [`GATES`] numbers for each value of the state.
    #[must_use]
    pub fn new(weights: &[f32]) -> Self {
        let row = |value: usize| gates(&weights[value * GATES..]);
        Self {
            weights: (0..STATE).map(row).collect(),
        }
    }

    /// The state after a block, given its part of the input projection. `WIDE` needs AVX-512.
    #[inline(always)]
    #[must_use]
    pub fn step<const WIDE: bool>(&self, state: &State, projected: &[f32]) -> State {
        let (sums, projected) = (self.sums::<WIDE>(state), &projected[..GATES]);
        let mut after = *state;
        for (at, value) in after.iter_mut().enumerate() {
            let reset = logistic(projected[at] + sums[at]);
            let update = logistic(projected[STATE + at] + sums[STATE + at]);
            let new = tanh(projected[2 * STATE + at] + reset * sums[2 * STATE + at]);
            *value = new + update * (*value - new);
        }
        after
    }

    /// The sums of all gates at once: they fit in registers, and none waits for another.
    #[inline(always)]
    fn sums<const WIDE: bool>(&self, state: &State) -> [f32; GATES] {
        #[cfg(avx512)]
        if WIDE {
            // SAFETY: the caller has seen that the processor has AVX-512.
            return unsafe { avx512::sums(&self.weights, state) };
        }
        let mut sums = [Line::ZEROS.0; GATES / LANES];
        for (value, weights) in state.iter().zip(&self.weights) {
            for (sums, weights) in sums.iter_mut().zip(weights) {
                for (sums, weights) in sums.iter_mut().zip(&weights.0) {
                    for (sum, weight) in sums.iter_mut().zip(weights) {
                        *sum = value.mul_add(*weight, *sum);
                    }
                }
            }
        }
        let mut flat = [0.0; GATES];
        flat.copy_from_slice(sums.as_flattened().as_flattened());
        flat
    }
}

fn gates(row: &[f32]) -> Gates {
    std::array::from_fn(|line| Line::of(&row[LANES * line..LANES * (line + 1)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_that_of_the_equations() {
        let number = |at: usize| ((at * 37 % 101) as f32 - 50.0) / 100.0;
        let weights: Vec<f32> = (0..STATE * GATES).map(number).collect();
        let projected: [f32; GATES] = std::array::from_fn(|at| 3.0 * number(at + 5));
        let state: State = std::array::from_fn(|at| number(3 * at));

        let found = Units::new(&weights).step::<false>(&state, &projected);

        let sum = |column: usize| -> f32 {
            (0..STATE)
                .map(|value| state[value] * weights[value * GATES + column])
                .sum()
        };
        let logistic = |value: f32| 1.0 / (1.0 + (-value).exp());
        for (at, found) in found.into_iter().enumerate() {
            let reset = logistic(projected[at] + sum(at));
            let update = logistic(projected[STATE + at] + sum(STATE + at));
            let new = (projected[2 * STATE + at] + reset * sum(2 * STATE + at)).tanh();
            let expected = (1.0 - update) * new + update * state[at];
            assert!((found - expected).abs() < 1e-3, "{at}");
        }
    }
}
