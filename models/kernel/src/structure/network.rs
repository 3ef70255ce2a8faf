//! The networks of feature version 2: columns of a page to the label of each block.

use super::chain::{Node, Pair, agree, best_labels};
use super::columns::Columns;

/// Scores of a block: its two labels, then the pairs 00, 01, 10, 11 with the next block.
pub const SCORES: usize = 6;

/// One convolution over the blocks, stride 1, zeros beyond the page.
pub struct Layer {
    /// Blocks that one output sees, odd.
    pub width: usize,
    pub inputs: usize,
    pub filters: usize,
    /// `width * inputs` rows of `filters`, the taps one below the other from left to right.
    pub weights: Vec<f32>,
    pub biases: Vec<f32>,
}

/// Layers with ReLU between them; the last one has [`SCORES`] filters.
pub struct Network {
    pub layers: Vec<Layer>,
}

/// Networks whose scores are averaged, with the scaling that their columns need.
pub struct Ensemble {
    /// Columns are moved by the mean, divided by the spread, and cut off at +-`limit`.
    pub means: Vec<f32>,
    pub spreads: Vec<f32>,
    pub limit: f32,
    /// Added to the score of label 1 of every block.
    pub content_bias: f32,
    /// How much blocks with the same class path pull each other to one label; 0 is not at all.
    pub agreement: f32,
    pub members: Vec<Network>,
}

/// Why an ensemble cannot be built.
#[derive(Debug, PartialEq, Eq)]
pub struct Mismatch(pub String);

impl Layer {
    fn check(&self, inputs: usize) -> Result<(), Mismatch> {
        let rows = self.width.checked_mul(self.inputs);
        let is_whole = self.width % 2 == 1
            && self.inputs == inputs
            && self.filters > 0
            && self.biases.len() == self.filters
            && rows.and_then(|rows| rows.checked_mul(self.filters)) == Some(self.weights.len());
        if is_whole {
            return Ok(());
        }
        Err(Mismatch(format!(
            "a layer of {} x {} x {} after {inputs} columns holds {} weights",
            self.width,
            self.inputs,
            self.filters,
            self.weights.len()
        )))
    }

    /// `values` has a row of `inputs` a block; the result one of `filters`.
    fn apply(&self, values: &[f32], blocks: usize) -> Vec<f32> {
        let mut out = Vec::with_capacity(blocks * self.filters);
        for _ in 0..blocks {
            out.extend_from_slice(&self.biases);
        }
        let reach = self.width / 2;
        for (block, row) in out.chunks_exact_mut(self.filters).enumerate() {
            for tap in 0..self.width {
                // the block under a tap, moved by `reach` so that it is never negative
                let Some(seen) = (block + tap).checked_sub(reach) else {
                    continue;
                };
                let start = seen * self.inputs;
                let Some(inputs) = values.get(start..start + self.inputs) else {
                    continue;
                };
                let taps = self
                    .weights
                    .chunks_exact(self.filters)
                    .skip(tap * self.inputs);
                for (&value, weights) in inputs.iter().zip(taps) {
                    // most hidden values are zero after ReLU
                    if value != 0.0 {
                        add_scaled(row, weights, value);
                    }
                }
            }
        }
        out
    }
}

fn add_scaled(row: &mut [f32], weights: &[f32], value: f32) {
    for (sum, weight) in row.iter_mut().zip(weights) {
        *sum += value * weight;
    }
}

impl Network {
    fn scores(&self, columns: &[f32], blocks: usize) -> Vec<f32> {
        let mut values: Option<Vec<f32>> = None;
        for layer in &self.layers {
            if let Some(hidden) = &mut values {
                hidden.iter_mut().for_each(|value| *value = value.max(0.0));
            }
            values = Some(layer.apply(values.as_deref().unwrap_or(columns), blocks));
        }
        values.unwrap_or_default()
    }
}

impl Ensemble {
    /// Make sure that everything fits together, so that scoring cannot fail.
    ///
    /// # Errors
    /// [`Mismatch`]: names the first thing that does not fit `columns` columns.
    pub fn check(self, columns: usize) -> Result<Self, Mismatch> {
        if self.means.len() != columns || self.spreads.len() != columns {
            return Err(Mismatch(format!(
                "scaling of {} columns, and a block has {columns}",
                self.means.len()
            )));
        }
        let numbers = self.means.iter().chain(&self.spreads);
        if !numbers
            .chain([&self.limit, &self.content_bias, &self.agreement])
            .all(|number| number.is_finite())
            || self.spreads.iter().any(|&spread| spread <= 0.0)
            || self.limit <= 0.0
        {
            return Err(Mismatch("scaling that is no number".to_owned()));
        }
        if self.members.is_empty() {
            return Err(Mismatch("no network".to_owned()));
        }
        for network in &self.members {
            let mut inputs = columns;
            for layer in &network.layers {
                layer.check(inputs)?;
                inputs = layer.filters;
            }
            if inputs != SCORES {
                return Err(Mismatch(format!("{inputs} scores a block")));
            }
        }
        Ok(self)
    }

    /// The averaged scores of each block; `columns` is row by row.
    #[must_use]
    pub fn scores(&self, columns: &[f32]) -> Vec<[f32; SCORES]> {
        let width = self.means.len();
        let blocks = columns.len() / width.max(1);
        let mut scaled = Vec::with_capacity(columns.len());
        for row in columns.chunks_exact(width) {
            let scaling = self.means.iter().zip(&self.spreads);
            scaled.extend(row.iter().zip(scaling).map(|(value, (mean, spread))| {
                ((value - mean) / spread).clamp(-self.limit, self.limit)
            }));
        }
        let mut totals = vec![[0.0; SCORES]; blocks];
        for network in &self.members {
            let scores = network.scores(&scaled, blocks);
            for (total, row) in totals.iter_mut().zip(scores.chunks_exact(SCORES)) {
                for (sum, score) in total.iter_mut().zip(row) {
                    *sum += score / self.members.len() as f32;
                }
            }
        }
        totals
    }

    /// The label of each block, 1 for content.
    #[must_use]
    pub fn labels(&self, columns: &Columns) -> Vec<u8> {
        let scores = self.scores(&columns.rows);
        let mut nodes: Vec<Node> = scores
            .iter()
            .map(|row| [f64::from(row[0]), f64::from(row[1] + self.content_bias)])
            .collect();
        let pairs: Vec<Pair> = scores
            .iter()
            .map(|row| [row[2], row[3], row[4], row[5]].map(f64::from))
            .collect();
        if self.agreement != 0.0 {
            let agreement = f64::from(self.agreement);
            agree(&mut nodes, &pairs, &columns.class_paths, agreement);
        }
        best_labels(&nodes, &pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(width: usize, inputs: usize, filters: usize, weights: &[f32]) -> Layer {
        Layer {
            width,
            inputs,
            filters,
            weights: weights.to_vec(),
            biases: vec![0.0; filters],
        }
    }

    #[test]
    fn a_wide_layer_sees_its_neighbours_and_zeros_beyond_the_page() {
        let sum = layer(3, 1, 1, &[1.0, 10.0, 100.0]);
        assert_eq!(sum.apply(&[1.0, 2.0, 3.0], 3), [210.0, 321.0, 32.0]);
    }

    #[test]
    fn an_ensemble_that_does_not_fit_is_refused() {
        let ensemble = Ensemble {
            means: vec![0.0; 2],
            spreads: vec![1.0; 2],
            limit: 4.0,
            content_bias: 0.0,
            agreement: 0.0,
            members: vec![Network {
                layers: vec![layer(1, 2, 3, &[0.0; 6])],
            }],
        };
        assert_eq!(
            ensemble.check(2).err(),
            Some(Mismatch("3 scores a block".to_owned()))
        );
    }
}
