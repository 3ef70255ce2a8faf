//! Positions of each symbol in a sequence, as rows of bits.

use std::collections::HashMap;

/// Bits in a machine word.
pub const BITS: usize = u64::BITS as usize;

enum Row {
    /// Offset of the row in `dense`.
    Dense(usize),
    Positions(Vec<usize>),
}

/// A sequence, indexed by symbol. At most 4 bytes of rows per position and word are kept: only
/// frequent symbols have a stored row, other rows are built from the positions.
pub struct Pattern {
    words: usize,
    dense: Vec<u64>,
    rows: HashMap<u32, Row>,
}

impl Pattern {
    pub fn new(symbols: &[u32]) -> Self {
        let words = symbols.len().div_ceil(BITS);
        let mut positions: HashMap<u32, Vec<usize>> = HashMap::new();
        for (position, symbol) in symbols.iter().enumerate() {
            positions.entry(*symbol).or_default().push(position);
        }
        let mut dense = Vec::new();
        let rows = positions
            .into_iter()
            .map(|(symbol, positions)| (symbol, Self::row(positions, words, &mut dense)))
            .collect();
        Self { words, dense, rows }
    }

    /// Words in a row of bits.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Write the row of `symbol` into `row`, which has [`Self::words`] words.
    pub fn load(&self, symbol: u32, row: &mut [u64]) {
        match self.rows.get(&symbol) {
            Some(Row::Dense(offset)) => {
                row.copy_from_slice(&self.dense[*offset..offset + self.words])
            }
            Some(Row::Positions(positions)) => {
                row.fill(0);
                set(row, positions);
            }
            None => row.fill(0),
        }
    }

    /// More positions than a quarter of the words: then at most 256 symbols have a stored row.
    fn row(positions: Vec<usize>, words: usize, dense: &mut Vec<u64>) -> Row {
        if positions.len() <= words / 4 {
            return Row::Positions(positions);
        }
        let offset = dense.len();
        dense.resize(offset + words, 0);
        set(&mut dense[offset..], &positions);
        Row::Dense(offset)
    }
}

fn set(row: &mut [u64], positions: &[usize]) {
    for position in positions {
        row[position / BITS] |= 1 << (position % BITS);
    }
}
