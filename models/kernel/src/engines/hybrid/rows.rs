//! The features of a page's blocks in the layout that the forests read.

use std::cell::RefCell;

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

/// Most groups of sixteen rows that a thread keeps for its next page: a megabyte.
const KEPT: usize = 64;
/// A page has rows of all blocks, and of blocks with a template.
const SPARES: usize = 2;

thread_local! {
    static SPARE: RefCell<Vec<Vec<Lanes>>> = const { RefCell::new(Vec::new()) };
}

/// The features of a page's blocks in the forests' layout; columns that were not written have any
/// values.
pub struct Rows {
    lanes: Vec<Lanes>,
    rows: usize,
}

impl Rows {
    /// Creates this many rows, in memory that this thread had before.
    #[must_use]
    pub fn new(rows: usize) -> Self {
        let mut new = Self {
            lanes: SPARE.with_borrow_mut(Vec::pop).unwrap_or_default(),
            rows: 0,
        };
        new.resize(rows);
        new
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
        let lanes = rows.div_ceil(LANES).max(self.lanes.len());
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
        &self.lanes[..self.rows.div_ceil(LANES)]
    }

    /// All rows, one by one.
    pub fn iter(&self) -> impl Iterator<Item = Row> + '_ {
        (0..self.rows).map(|row| self.lanes[row / LANES].0.map(|column| column[row % LANES]))
    }
}

impl Drop for Rows {
    fn drop(&mut self) {
        let lanes = std::mem::take(&mut self.lanes);
        SPARE.with_borrow_mut(|spare| {
            if lanes.len() <= KEPT && spare.len() < SPARES {
                spare.push(lanes);
            }
        });
    }
}

/// Writes the columns of one row, in order from a first one on.
pub struct Writer<'row>(pub &'row mut Row, pub usize);

impl Sink for Writer<'_> {
    #[inline]
    fn put(&mut self, _name: &'static str, value: f32) {
        self.0[self.1 % COLUMNS] = value;
        self.1 += 1;
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
        let mut rows = Rows::new(LANES + 2);
        for row in 0..rows.len() {
            rows.columns(row, 3).fill(&["", ""], row as f32);
        }

        let read: Vec<Row> = rows.iter().collect();

        assert_eq!(rows.lanes().len(), 2);
        for (row, columns) in read.iter().enumerate() {
            assert_eq!(columns[3..5], [row as f32; 2]);
        }
    }

    #[test]
    fn rows_of_few_blocks_have_the_memory_of_the_rows_before_them() {
        for (count, held) in [(KEPT * LANES, KEPT), (KEPT * LANES + 1, 1)] {
            SPARE.take();
            drop(Rows::new(count));
            let after = Rows::new(2);

            assert_eq!(after.lanes.len(), held);
            assert_eq!((after.lanes().len(), after.iter().count()), (1, 2));
        }
    }
}
