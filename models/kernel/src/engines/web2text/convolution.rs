//! One convolution over the blocks of a page, in tiles of outputs that fit the registers.

#[cfg(target_arch = "x86_64")]
use crate::processor;
use crate::processor::{LANES, Line};

/// Blocks whose outputs are summed together: with a line of filters, twelve registers of sums, two
/// of weights, one of a value and one of a product fit in the sixteen of AVX2.
const ROWS: usize = 6;

/// Rows of values, one per block, between rows of zeros.
pub struct Padded {
    values: Vec<f32>,
    columns: usize,
    blocks: usize,
    /// Rows of zeros before the first block; at least as many follow the last one.
    margin: usize,
}

impl Padded {
    /// Zeros everywhere. A layer can read values with a margin of its
    /// [`reach`](Convolution::reach).
    #[must_use]
    pub fn zeros(blocks: usize, columns: usize, margin: usize) -> Self {
        Self {
            values: vec![0.0; padded_rows(blocks, margin) * columns],
            columns,
            blocks,
            margin,
        }
    }

    /// Puts zeros around values without a second copy of them.
    #[must_use]
    pub fn around(mut values: Vec<f32>, columns: usize, margin: usize) -> Self {
        let (blocks, held) = (values.len() / columns, values.len());
        let (rows, before) = (padded_rows(blocks, margin), margin * columns);
        values.reserve_exact(rows * columns - held);
        values.resize(rows * columns, 0.0);
        values.copy_within(..held, before);
        values[..before].fill(0.0);
        Self {
            values,
            columns,
            blocks,
            margin,
        }
    }

    /// The values of the blocks, row by row.
    #[must_use]
    pub fn blocks(&self) -> &[f32] {
        let start = self.margin * self.columns;
        &self.values[start..start + self.blocks * self.columns]
    }

    pub fn blocks_mut(&mut self) -> &mut [f32] {
        let start = self.margin * self.columns;
        &mut self.values[start..start + self.blocks * self.columns]
    }
}

fn padded_rows(blocks: usize, margin: usize) -> usize {
    blocks.next_multiple_of(ROWS) + 2 * margin
}

/// The weights of [`LANES`] filters: one line for each value in their window.
struct Panel {
    weights: Vec<Line>,
    biases: Line,
}

/// A convolution of stride 1, its weights laid out for the tiles.
pub struct Convolution {
    width: usize,
    inputs: usize,
    filters: usize,
    panels: Vec<Panel>,
}

impl Convolution {
    /// `weights` has `width * inputs` rows of `biases.len()`, tap by tap.
    #[must_use]
    pub fn new(width: usize, inputs: usize, weights: &[f32], biases: &[f32]) -> Self {
        let filters = biases.len();
        let panels = biases.chunks(LANES).enumerate().map(|(panel, biases)| {
            let first = panel * LANES;
            let rows = weights.chunks_exact(filters);
            Panel {
                weights: rows
                    .map(|row| Line::of(&row[first..first + biases.len()]))
                    .collect(),
                biases: Line::of(biases),
            }
        });
        Self {
            width,
            inputs,
            filters,
            panels: panels.collect(),
        }
    }

    /// Blocks that an output sees on either side.
    #[must_use]
    pub fn reach(&self) -> usize {
        self.width / 2
    }

    /// The sums of all blocks; `margin` is the margin of the result.
    #[must_use]
    pub fn apply(&self, input: &Padded, margin: usize) -> Padded {
        let mut output = Padded::zeros(input.blocks, self.filters, margin);
        self.add_all(input, output.blocks_mut());
        output
    }

    /// The same sums in the same order on every processor.
    fn add_all(&self, input: &Padded, output: &mut [f32]) {
        #[cfg(target_arch = "x86_64")]
        if processor::has_avx2() {
            // SAFETY: the processor has the features that the function is compiled for.
            return unsafe { self.add_all_avx2(input, output) };
        }
        self.add_tiles(input, output);
    }

    /// The same, compiled for registers of eight lanes.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn add_all_avx2(&self, input: &Padded, output: &mut [f32]) {
        self.add_tiles(input, output);
    }

    #[inline(always)]
    fn add_tiles(&self, input: &Padded, output: &mut [f32]) {
        let seen = self.width * self.inputs;
        let before = input.margin - self.reach();
        for (tile, output) in output.chunks_mut(ROWS * self.filters).enumerate() {
            let first = before + tile * ROWS;
            // the window of a block is contiguous: its neighbours are the adjacent rows
            let rows: [&[f32]; ROWS] = std::array::from_fn(|row| {
                let start = (first + row) * self.inputs;
                &input.values[start..start + seen]
            });
            for (panel, first) in self.panels.iter().zip((0..).step_by(LANES)) {
                let sums = add_tile(rows, panel);
                for (row, sums) in output.chunks_exact_mut(self.filters).zip(sums) {
                    for (value, sum) in row.iter_mut().skip(first).zip(sums.0.as_flattened()) {
                        *value = *sum;
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn add_tile(rows: [&[f32]; ROWS], panel: &Panel) -> [Line; ROWS] {
    let mut sums = [panel.biases.0; ROWS];
    // as long as the weights, so that no index is checked inside the loop
    let rows = rows.map(|row| &row[..panel.weights.len()]);
    for (at, weights) in panel.weights.iter().enumerate() {
        for (sums, row) in sums.iter_mut().zip(rows) {
            let value = row[at];
            for (sums, weights) in sums.iter_mut().zip(&weights.0) {
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum += value * weight;
                }
            }
        }
    }
    sums.map(Line)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, one output at a time.
    fn expected(
        width: usize,
        columns: usize,
        weights: &[f32],
        biases: &[f32],
        values: &[f32],
    ) -> Vec<f32> {
        let blocks = values.len() / columns;
        let mut outputs = Vec::new();
        for block in 0..blocks {
            for (filter, bias) in biases.iter().enumerate() {
                let mut sum = *bias;
                for (at, row) in weights.chunks_exact(biases.len()).enumerate() {
                    let seen = (block + at / columns).checked_sub(width / 2);
                    let seen = seen.filter(|&seen| seen < blocks);
                    let value = seen.map_or(0.0, |seen| values[seen * columns + at % columns]);
                    sum += value * row[filter];
                }
                outputs.push(sum);
            }
        }
        outputs
    }

    fn numbers(count: usize) -> Vec<f32> {
        (0..count)
            .map(|at| ((at * 37 % 101) as f32 - 50.0) / 16.0)
            .collect()
    }

    #[test]
    fn adds_as_the_definition_whatever_the_sizes() {
        for (width, columns, filters, blocks) in [
            (1, 3, 6, 1),
            (3, 2, 8, 7),
            (5, 4, 9, 8),
            (3, 5, 24, 17),
            (7, 1, 1, 2),
        ] {
            let (weights, biases) = (numbers(width * columns * filters), numbers(filters));
            let layer = Convolution::new(width, columns, &weights, &biases);
            let values = numbers(blocks * columns);
            let input = Padded::around(values.clone(), columns, layer.reach() + 1);

            let wanted = expected(width, columns, &weights, &biases, &values);
            assert_eq!(layer.apply(&input, 2).blocks(), wanted);

            let mut portable = vec![0.0; blocks * filters];
            layer.add_tiles(&input, &mut portable);
            assert_eq!(portable, wanted);
        }
    }
}
