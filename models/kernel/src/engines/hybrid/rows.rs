//! The features of a page's blocks in the layout that the forests read.

use super::sink::Sink;

/// Columns of a row: a power of two, so that a byte is always a column.
pub const COLUMNS: usize = 256;
/// Rows judged together: their columns fill half of a first-level cache.
pub const LANES: usize = 16;
/// Most rows in memory, of a kilobyte each: a page of more blocks is judged part by part.
pub const HELD: usize = 4096;

/// The features of one block.
pub type Row = [f32; COLUMNS];
/// Sixteen rows, column after column: a cache line each.
#[repr(align(64))]
pub struct Lanes(pub [[f32; LANES]; COLUMNS]);

/// The features of a page's blocks in the forests' layout; zeros at first.
pub struct Rows {
    lanes: Vec<Lanes>,
    rows: usize,
}

impl Rows {
    /// Creates this many rows.
    #[must_use]
    pub fn zeros(rows: usize) -> Self {
        let mut zeros = Self {
            lanes: Vec::new(),
            rows: 0,
        };
        zeros.resize(rows);
        zeros
    }

    /// A writer of the columns of a row, from `first` on.
    #[must_use]
    pub fn columns(&mut self, row: usize, first: usize) -> Columns<'_> {
        Columns {
            lanes: &mut self.lanes[row / LANES],
            lane: row % LANES,
            at: first,
        }
    }

    /// Resizes to `count` rows; existing values are kept.
    pub fn resize(&mut self, rows: usize) {
        self.rows = rows;
        let lanes = rows.div_ceil(LANES);
        // written in place, because passing a value would copy its 16 kB
        self.lanes
            .resize_with(lanes, || Lanes([[0.0; LANES]; COLUMNS]));
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The rows in groups of sixteen; values after the last row are undefined.
    #[must_use]
    pub fn lanes(&self) -> &[Lanes] {
        &self.lanes
    }

    /// All rows, one by one.
    pub fn iter(&self) -> impl Iterator<Item = Row> + '_ {
        (0..self.rows).map(|row| self.lanes[row / LANES].0.map(|column| column[row % LANES]))
    }
}

/// Writes the columns of a row in order.
pub struct Columns<'rows> {
    lanes: &'rows mut Lanes,
    lane: usize,
    at: usize,
}

impl Sink for Columns<'_> {
    #[inline]
    fn put(&mut self, _name: &'static str, value: f32) {
        self.lanes.0[self.at % COLUMNS][self.lane % LANES] = value;
        self.at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_they_were_written_whatever_their_lane() {
        let mut rows = Rows::zeros(LANES + 2);
        for row in 0..rows.len() {
            rows.columns(row, 3).put("", row as f32);
        }

        let read: Vec<Row> = rows.iter().collect();

        assert_eq!(rows.lanes().len(), 2);
        for (row, columns) in read.iter().enumerate() {
            assert_eq!(columns[2..5], [0.0, row as f32, 0.0]);
        }
    }
}
