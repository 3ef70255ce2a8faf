//! The networks of feature version 2: columns of a page to the label of each block.

use super::chain::{Node, Pair, agree, best_labels};
use super::columns::Columns;
use super::convolution::{Convolution, Padded};

/// Scores of a block: its two labels, then the pairs 00, 01, 10, 11 with the next block.
pub const SCORES: usize = 6;
/// Share of a page's text below which its content is almost empty.
const LEAST_CONTENT: f64 = 0.05;
/// Step by which the scores of label 1 then grow, until there is more.
const LESS: [f32; 7] = [0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0];

/// One convolution over the blocks, stride 1, zeros beyond the page.
pub struct Layer {
    /// Blocks that one output sees, odd.
    pub width: usize,
    pub inputs: usize,
    pub filters: usize,
    /// `width * inputs` rows of `filters`, tap by tap from left to right.
    pub weights: Vec<f32>,
    pub biases: Vec<f32>,
}

/// Columns are shifted by the mean, divided by the standard deviation, and cut off at +-`limit`.
pub struct Scaling {
    pub means: Vec<f32>,
    pub deviations: Vec<f32>,
    pub limit: f32,
}

/// Additions to the scores of label 1 before a page is labelled.
pub struct Leaning {
    /// The same for every block.
    pub content_bias: f32,
    /// How strongly blocks with the same class path pull each other to one label; 0 is off.
    pub agreement: f32,
}

/// Layers with ReLU between them; the last one has [`SCORES`] filters.
struct Network {
    layers: Vec<Convolution>,
}

/// Networks with averaged scores, and the scaling of their columns.
pub struct Ensemble {
    scaling: Scaling,
    leaning: Leaning,
    members: Vec<Network>,
}

/// Why an ensemble cannot be built.
#[derive(Debug, PartialEq, Eq)]
pub struct Mismatch(pub String);

impl Layer {
    fn convolution(&self, inputs: usize) -> Result<Convolution, Mismatch> {
        let rows = self.width.checked_mul(self.inputs);
        let is_whole = self.width % 2 == 1
            && self.inputs == inputs
            && self.filters > 0
            && self.biases.len() == self.filters
            && rows.and_then(|rows| rows.checked_mul(self.filters)) == Some(self.weights.len());
        if is_whole {
            let (weights, biases) = (&self.weights, &self.biases);
            return Ok(Convolution::new(self.width, inputs, weights, biases));
        }
        Err(Mismatch(format!(
            "a layer of {} x {} x {} after {inputs} columns holds {} weights",
            self.width,
            self.inputs,
            self.filters,
            self.weights.len()
        )))
    }
}

impl Scaling {
    fn check(&self, columns: usize) -> Result<(), Mismatch> {
        if self.means.len() != columns || self.deviations.len() != columns {
            return Err(Mismatch(format!(
                "scaling of {} columns, but a block has {columns}",
                self.means.len()
            )));
        }
        let mut numbers = self
            .means
            .iter()
            .chain(&self.deviations)
            .chain([&self.limit]);
        let is_sound = numbers.all(|number| number.is_finite())
            && self.deviations.iter().all(|&deviation| deviation > 0.0)
            && self.limit > 0.0;
        if is_sound {
            return Ok(());
        }
        Err(Mismatch("scaling that is not a number".to_owned()))
    }

    /// The scaled columns, in a layout for layers that need `margin` blocks.
    fn scale(&self, mut columns: Vec<f32>, margin: usize) -> Padded {
        let width = self.means.len();
        for row in columns.chunks_exact_mut(width) {
            let scaling = self.means.iter().zip(&self.deviations);
            for (value, (mean, deviation)) in row.iter_mut().zip(scaling) {
                *value = ((*value - mean) / deviation).clamp(-self.limit, self.limit);
            }
        }
        Padded::around(columns, width, margin)
    }
}

impl Network {
    fn new(layers: &[Layer], columns: usize) -> Result<Self, Mismatch> {
        let mut inputs = columns;
        let mut made = Vec::with_capacity(layers.len());
        for layer in layers {
            made.push(layer.convolution(inputs)?);
            inputs = layer.filters;
        }
        if inputs != SCORES || layers.is_empty() {
            return Err(Mismatch(format!("{inputs} scores per block")));
        }
        Ok(Self { layers: made })
    }

    /// The margin that the first layer needs.
    fn reach(&self) -> usize {
        self.layers.first().map_or(0, Convolution::reach)
    }

    /// The scores of all blocks, [`SCORES`] each.
    fn scores(&self, columns: &Padded) -> Option<Padded> {
        let mut values: Option<Padded> = None;
        let reaches = self.layers.iter().skip(1).map(Convolution::reach);
        for (layer, margin) in self.layers.iter().zip(reaches.chain([0])) {
            if let Some(hidden) = &mut values {
                let hidden = hidden.blocks_mut().iter_mut();
                hidden.for_each(|value| *value = value.max(0.0));
            }
            values = Some(layer.apply(values.as_ref().unwrap_or(columns), margin));
        }
        values
    }
}

impl Ensemble {
    /// Check that everything fits together, so that scoring cannot fail.
    ///
    /// # Errors
    /// [`Mismatch`]: the first part that does not fit `columns` columns.
    pub fn new(
        scaling: Scaling,
        leaning: Leaning,
        members: &[Vec<Layer>],
        columns: usize,
    ) -> Result<Self, Mismatch> {
        scaling.check(columns)?;
        if !(leaning.content_bias.is_finite() && leaning.agreement.is_finite()) {
            return Err(Mismatch("a bias that is no number".to_owned()));
        }
        if members.is_empty() {
            return Err(Mismatch("no network".to_owned()));
        }
        let networks = members.iter().map(|layers| Network::new(layers, columns));
        Ok(Self {
            members: networks.collect::<Result<_, _>>()?,
            scaling,
            leaning,
        })
    }

    /// The averaged scores of each block; `columns` is row by row.
    #[must_use]
    pub fn scores(&self, columns: Vec<f32>) -> Vec<[f32; SCORES]> {
        let margin = self.members.iter().map(Network::reach).max().unwrap_or(0);
        let mut totals = vec![[0.0; SCORES]; columns.len() / self.scaling.means.len()];
        let scaled = self.scaling.scale(columns, margin);
        for scores in self.members.iter().filter_map(|each| each.scores(&scaled)) {
            for (total, row) in totals.iter_mut().zip(scores.blocks().chunks_exact(SCORES)) {
                for (sum, score) in total.iter_mut().zip(row) {
                    *sum += score / self.members.len() as f32;
                }
            }
        }
        totals
    }

    /// The label of each block, 1 for content.
    #[must_use]
    pub fn labels(&self, columns: Columns) -> Vec<u8> {
        self.labels_by(&self.scores(columns.rows), &columns.class_paths, 0.0)
    }

    /// The same; if almost nothing would be content, all scores are raised step by step.
    ///
    /// `lengths` are the lengths of the blocks' texts, 0 for hidden blocks.
    #[must_use]
    pub fn labels_of_page(&self, columns: Columns, lengths: &[usize]) -> Vec<u8> {
        let scores = self.scores(columns.rows);
        let least = lengths.iter().sum::<usize>() as f64 * LEAST_CONTENT;
        let mut labels = Vec::new();
        for less in LESS {
            labels = self.labels_by(&scores, &columns.class_paths, less);
            let content = labels.iter().zip(lengths).filter(|(label, _)| **label == 1);
            if content.map(|(_, length)| *length).sum::<usize>() as f64 >= least {
                break;
            }
        }
        labels
    }

    fn labels_by(&self, scores: &[[f32; SCORES]], class_paths: &[u64], less: f32) -> Vec<u8> {
        let bias = self.leaning.content_bias + less;
        let mut nodes: Vec<Node> = scores
            .iter()
            .map(|row| [f64::from(row[0]), f64::from(row[1] + bias)])
            .collect();
        let pairs: Vec<Pair> = scores
            .iter()
            .map(|row| [row[2], row[3], row[4], row[5]].map(f64::from))
            .collect();
        if self.leaning.agreement != 0.0 {
            let agreement = f64::from(self.leaning.agreement);
            agree(&mut nodes, &pairs, class_paths, agreement);
        }
        best_labels(&nodes, &pairs)
    }
}

#[cfg(test)]
mod tests;
