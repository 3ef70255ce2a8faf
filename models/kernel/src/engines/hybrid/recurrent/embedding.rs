//! Word vectors added to the first layer of a block: for the words of its text, and for the words
//! in labels of its element and of all elements above.

use super::super::context::Context;
use super::super::outline::NO_NODE;
use super::super::reader::{Damage, Reader};
use super::layer::weights;
use super::{INPUT, Inputs};
use crate::ngram::table::prefetch;

/// The vector of one word, in integer steps.
type Row = [i8; INPUT];

/// The words that occurred on several sites of the training data.
pub struct Embedding {
    step: f32,
    rows: Vec<Row>,
    places: Places,
}

/// The rows of words, by hash: a table with a power of two of slots, at most half full, with open
/// addressing. The keys come from training, so pages cannot force collisions.
struct Places {
    /// Words, and the numbers of their rows from 1 on; 0 is a free slot.
    slots: Vec<(u32, u32)>,
    shift: u32,
}

/// The sum of several word vectors, saturating at 16 bits.
#[derive(Clone, Copy)]
struct Sum {
    steps: [i16; INPUT],
    words: u32,
}

impl Embedding {
    /// Reads a count, the step size, and this many rows in ascending order of the word.
    ///
    /// # Errors
    /// [`Damage`] if the bytes end too soon, or words are out of order.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, Damage> {
        let count = reader.u32()?;
        let step = weights(reader, 1)?[0];
        let (mut words, mut rows) = (Vec::new(), Vec::new());
        for _ in 0..count {
            let word = reader.u32()?;
            if words.last().is_some_and(|last| *last >= word) {
                return Err(Damage::Range("word"));
            }
            let mut row = [0; INPUT];
            for steps in &mut row {
                *steps = reader.i8()?;
            }
            words.push(word);
            rows.push(row);
        }
        Ok(Self {
            step,
            rows,
            places: Places::of(&words),
        })
    }

    /// Adds the word vectors of all blocks to the inputs.
    #[inline(always)]
    pub fn add(&self, context: &Context<'_, '_>, inputs: &mut [Inputs]) {
        let mut path = Path {
            embedding: self,
            context,
            sums: Vec::new(),
            missing: Vec::new(),
            known: vec![None; context.labels.count()],
            rows: Vec::new(),
        };
        let (mut rows, mut next) = (Vec::new(), Vec::new());
        self.ask(context, 0, &mut rows);
        for (block, inputs) in inputs.iter_mut().enumerate() {
            self.ask(context, block + 1, &mut next);
            let mut text = Sum::NOTHING;
            for row in rows.drain(..) {
                text.add(&self.rows[row]);
            }
            std::mem::swap(&mut rows, &mut next);
            self.give(&text, inputs);
            self.give(&path.sum(context.page.spans[block].node), inputs);
        }
    }

    /// Looks up the rows of a block's words before they are needed, and prefetches them and the
    /// slots of the next block's words: most words are outside the near caches.
    #[inline(always)]
    fn ask(&self, context: &Context<'_, '_>, block: usize, rows: &mut Vec<usize>) {
        if block + 1 < context.blocks() {
            for word in context.first_words(block + 1) {
                prefetch(self.places.home_of(*word));
            }
        }
        if block < context.blocks() {
            for word in context.first_words(block) {
                if let Some(row) = self.places.of_word(*word) {
                    prefetch(self.rows[row].as_ptr().cast());
                    rows.push(row);
                }
            }
        }
    }

    /// The sum is divided by the square root of the number of words.
    #[inline(always)]
    fn give(&self, sum: &Sum, inputs: &mut Inputs) {
        if sum.words > 0 {
            let step = self.step / (sum.words as f32).sqrt();
            for (input, steps) in inputs.iter_mut().zip(&sum.steps) {
                *input += step * f32::from(*steps);
            }
        }
    }
}

impl Places {
    fn of(words: &[u32]) -> Self {
        let size = (2 * words.len()).next_power_of_two().max(2);
        let mut places = Self {
            slots: vec![(0, 0); size],
            shift: u32::BITS - size.ilog2(),
        };
        for (row, word) in (1..).zip(words) {
            let at = places.slot_of(*word);
            places.slots[at] = (*word, row);
        }
        places
    }

    /// The slot of a word, or the free slot where it would be.
    #[inline(always)]
    fn slot_of(&self, word: u32) -> usize {
        let mut at = self.first_slot(word);
        loop {
            let (other, row) = self.slots[at];
            if row == 0 || other == word {
                return at;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    #[inline(always)]
    fn first_slot(&self, word: u32) -> usize {
        (word.wrapping_mul(0x9e37_79b1) >> self.shift) as usize
    }

    /// The first slot of the search for a word.
    #[inline(always)]
    fn home_of(&self, word: u32) -> *const u8 {
        (&raw const self.slots[self.first_slot(word)]).cast()
    }

    /// The number of the row of a word, if it has one.
    #[inline(always)]
    fn of_word(&self, word: u32) -> Option<usize> {
        let (_, row) = self.slots[self.slot_of(word)];
        (row as usize).checked_sub(1)
    }
}

impl Sum {
    const NOTHING: Self = Self {
        steps: [0; INPUT],
        words: 0,
    };

    #[inline(always)]
    fn add(&mut self, row: &Row) {
        self.words += 1;
        for (sum, steps) in self.steps.iter_mut().zip(row) {
            *sum = sum.saturating_add(i16::from(*steps));
        }
    }
}

/// Sums over the labels from the root to one element; keeps the last path.
struct Path<'a> {
    embedding: &'a Embedding,
    context: &'a Context<'a, 'a>,
    sums: Vec<(u32, Sum)>,
    missing: Vec<u32>,
    /// The range in `rows` of each label that was read, by its number.
    known: Vec<Option<(usize, usize)>>,
    rows: Vec<usize>,
}

impl Path<'_> {
    /// The sum for an element: fast if the previous one was near.
    #[inline(always)]
    fn sum(&mut self, node: u32) -> Sum {
        let mut at = node;
        loop {
            match self.sums.last() {
                Some((last, _)) if *last == at => break,
                // the elements above come before it
                Some((last, _)) if *last > at => {
                    self.sums.pop();
                }
                _ if at == NO_NODE => break,
                _ => {
                    self.missing.push(at);
                    at = self.context.page.nodes[at as usize].parent;
                }
            }
        }
        let mut sum = self.sums.last().map_or(Sum::NOTHING, |(_, sum)| *sum);
        while let Some(node) = self.missing.pop() {
            let (first, end) = self.rows_of(self.context.nodes[node as usize].label.number);
            for row in &self.rows[first..end] {
                sum.add(&self.embedding.rows[*row]);
            }
            self.sums.push((node, sum));
        }
        sum
    }

    /// The range of the rows of a label's words.
    #[inline(always)]
    fn rows_of(&mut self, label: u32) -> (usize, usize) {
        let Self {
            embedding,
            context,
            rows,
            known,
            ..
        } = self;
        *known[label as usize].get_or_insert_with(|| {
            let first = rows.len();
            let words = context.labels.words_of(label).iter();
            rows.extend(words.filter_map(|word| embedding.places.of_word(*word)));
            (first, rows.len())
        })
    }
}

#[cfg(test)]
mod tests;
