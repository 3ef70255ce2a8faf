//! Gated recurrent units (Cho et al. 2014, equations 5 to 8): a state that goes from block to block.

use super::layer::{logistic, tanh};

/// Values of a state.
pub const STATE: usize = 32;
/// Inputs of a step: reset, update and new value for every value of the state.
pub const GATES: usize = 3 * STATE;
/// Sums that are added up side by side.
const LANES: usize = 8;
const PANELS: usize = STATE / LANES;

/// The values of a state after a block.
pub type State = [f32; STATE];
/// One of the three gates, in panels.
type Gate = [[f32; LANES]; PANELS];

/// The weights of one direction: for each gate, what every value of the state before adds to it.
pub struct Units {
    gates: [[Gate; STATE]; 3],
}

impl Units {
    /// `weights` has a row of [`GATES`] numbers for each value of the state.
    #[must_use]
    pub fn new(weights: &[f32]) -> Self {
        let gate = |gate: usize| {
            std::array::from_fn(|value| panels(&weights[value * GATES + gate * STATE..]))
        };
        Self {
            gates: [gate(0), gate(1), gate(2)],
        }
    }

    /// The state after a block, given its part of the input projection.
    #[inline(always)]
    #[must_use]
    pub fn step(&self, state: &State, projected: &[f32]) -> State {
        // not by `map`, which would be compiled for every processor
        let [reset, update, new] = &self.gates;
        let (reset, update, new) = (sums(reset, state), sums(update, state), sums(new, state));
        let mut after = *state;
        for (at, value) in after.iter_mut().enumerate() {
            let of = |gate: &Gate| gate[at / LANES][at % LANES];
            let reset = logistic(projected[at] + of(&reset));
            let update = logistic(projected[STATE + at] + of(&update));
            let new = tanh(projected[2 * STATE + at] + reset * of(&new));
            *value = new + update * (*value - new);
        }
        after
    }
}

fn panels(row: &[f32]) -> Gate {
    std::array::from_fn(|panel| std::array::from_fn(|lane| row[panel * LANES + lane]))
}

#[inline(always)]
fn sums(weights: &[Gate; STATE], state: &State) -> Gate {
    let mut sums = [[0.0; LANES]; PANELS];
    for (value, weights) in state.iter().zip(weights) {
        for (sums, weights) in sums.iter_mut().zip(weights) {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum = value.mul_add(*weight, *sum);
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_that_of_the_equations() {
        let number = |at: usize| ((at * 37 % 101) as f32 - 50.0) / 100.0;
        let weights: Vec<f32> = (0..STATE * GATES).map(number).collect();
        let projected: Vec<f32> = (0..GATES).map(|at| 3.0 * number(at + 5)).collect();
        let state: State = std::array::from_fn(|at| number(3 * at));

        let found = Units::new(&weights).step(&state, &projected);

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
