//! Merges sorted runs of a file into one sequence.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;

use super::{Combine, ENTRY_BYTES, Entry, RUN_BYTES, Runs};

/// Memory for all runs while they are merged.
const MERGE_BYTES: usize = 32 << 20;

/// The part of a run that is read and not yet merged.
struct Head {
    rest: Range<u64>,
    buffer: Vec<u8>,
    at: usize,
}

/// Merges runs into one sorted sequence.
pub struct Merge {
    file: File,
    heads: Vec<Head>,
    heap: BinaryHeap<Reverse<(Entry, usize)>>,
    combine: Combine,
}

impl Merge {
    pub(super) fn new(runs: Runs, combine: Combine) -> io::Result<Self> {
        let share = MERGE_BYTES / runs.ranges.len().max(1);
        let bytes = (share.clamp(ENTRY_BYTES, RUN_BYTES) / ENTRY_BYTES) * ENTRY_BYTES;
        let head = |rest: Range<u64>| Head {
            rest,
            buffer: Vec::with_capacity(bytes),
            at: 0,
        };
        let mut merge = Self {
            file: runs.file,
            heads: runs.ranges.into_iter().map(head).collect(),
            heap: BinaryHeap::new(),
            combine,
        };
        for index in 0..merge.heads.len() {
            if let Some(entry) = merge.advance(index)? {
                merge.heap.push(Reverse((entry, index)));
            }
        }
        Ok(merge)
    }

    /// The next entry of a run.
    fn advance(&mut self, index: usize) -> io::Result<Option<Entry>> {
        let head = &mut self.heads[index];
        if head.at == head.buffer.len() {
            let left = head.rest.end - head.rest.start;
            if left == 0 {
                return Ok(None);
            }
            let bytes = left.min(head.buffer.capacity() as u64);
            head.buffer.resize(bytes as usize, 0);
            self.file.read_exact_at(&mut head.buffer, head.rest.start)?;
            head.rest.start += bytes;
            head.at = 0;
        }
        let word = |at: usize| {
            let bytes = head
                .buffer
                .get(at..at + 8)
                .and_then(|eight| eight.try_into().ok());
            bytes.map_or(0, u64::from_le_bytes)
        };
        let entry = Entry {
            key: word(head.at),
            value: word(head.at + 8),
        };
        head.at += ENTRY_BYTES;
        Ok(Some(entry))
    }

    /// Takes the lowest entry off the heap and puts the next of its run in its place.
    fn pop(&mut self) -> io::Result<Option<Entry>> {
        let Some(&Reverse((entry, index))) = self.heap.peek() else {
            return Ok(None);
        };
        let next = self.advance(index)?;
        if let Some(mut top) = self.heap.peek_mut() {
            match next {
                Some(next) => *top = Reverse((next, index)),
                None => drop(PeekMut::pop(top)),
            }
        }
        Ok(Some(entry))
    }

    /// The next entry in the order of keys; entries with the same key are merged.
    pub fn next_entry(&mut self) -> io::Result<Option<Entry>> {
        let Some(mut entry) = self.pop()? else {
            return Ok(None);
        };
        while let Some(Reverse((next, _))) = self.heap.peek() {
            if next.key != entry.key {
                break;
            }
            let value = next.value;
            entry.value = (self.combine)(entry.value, value);
            self.pop()?;
        }
        Ok(Some(entry))
    }
}
