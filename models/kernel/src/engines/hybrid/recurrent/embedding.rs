//! What single words add to what the first layer makes of a block: those of its text, and those of
//! the labels of its element and of all above it.

use super::super::context::Context;
use super::super::lexicon::label_words;
use super::super::outline::{NO_NODE, Node};
use super::super::reader::{Damage, Reader};
use super::layer::weights;
use super::{INPUT, Inputs};
use crate::ngram::table::prefetch;

/// What one word adds, in whole steps.
type Row = [i8; INPUT];

/// The words that training saw on several sites.
pub struct Embedding {
    step: f32,
    rows: Vec<Row>,
    places: Places,
}

/// Where the rows of words stand: a table of a power of two slots, at most half full. A word stands
/// in the first free slot from its own on; pages choose what is asked for, but not what is there.
struct Places {
    /// Words, and the numbers of their rows from 1 on; 0 is a free slot.
    slots: Vec<(u32, u32)>,
    shift: u32,
}

/// What several words add; beyond 16 bits it adds no more.
#[derive(Clone, Copy)]
struct Sum {
    steps: [i16; INPUT],
    words: u32,
}

impl Embedding {
    /// Reads a count, the value of a step, and so many rows in rising order of the word.
    ///
    /// # Errors
    /// [`Damage`] when the bytes end too soon, or words are out of order.
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

    /// Adds to the inputs of all blocks what their words say.
    #[inline(always)]
    pub fn add(&self, context: &Context<'_, '_>, inputs: &mut [Inputs]) {
        let mut path = Path {
            embedding: self,
            nodes: &context.page.nodes,
            sums: Vec::new(),
            missing: Vec::new(),
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

    /// Finds the rows of the words of a block before it is read, and asks for them and for the slots
    /// of the words of the one behind it: hardly any word stands in a near cache.
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

    /// The more words, the less each adds: their sum over the root of their number.
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

    /// The slot of a word, or the free one where it would stand.
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

    /// Where the search for a word begins.
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

/// Sums over the labels from the root down to one element, the last that was asked for.
struct Path<'a> {
    embedding: &'a Embedding,
    nodes: &'a [Node<'a>],
    sums: Vec<(u32, Sum)>,
    missing: Vec<u32>,
}

impl Path<'_> {
    /// The sum of an element: fast when the last one was near.
    #[inline(always)]
    fn sum(&mut self, node: u32) -> Sum {
        let mut at = node;
        loop {
            match self.sums.last() {
                Some((last, _)) if *last == at => break,
                // those above an element stand before it
                Some((last, _)) if *last > at => {
                    self.sums.pop();
                }
                _ if at == NO_NODE => break,
                _ => {
                    self.missing.push(at);
                    at = self.nodes[at as usize].parent;
                }
            }
        }
        let mut sum = self.sums.last().map_or(Sum::NOTHING, |(_, sum)| *sum);
        while let Some(node) = self.missing.pop() {
            let label = self.nodes[node as usize].label;
            label_words(label, |word| {
                if let Some(row) = self.embedding.places.of_word(word) {
                    sum.add(&self.embedding.rows[row]);
                }
            });
            self.sums.push((node, sum));
        }
        sum
    }
}

#[cfg(test)]
mod tests;
