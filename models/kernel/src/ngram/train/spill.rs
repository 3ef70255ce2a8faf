//! Sorts more entries than memory holds: sorted runs in a file without a name, then one merge.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Memory for entries that wait to be sorted.
const BUFFER_BYTES: usize = 48 << 20;
/// Memory for all runs while they are merged, and at most for one.
const MERGE_BYTES: usize = 32 << 20;
const RUN_BYTES: usize = 1 << 18;
const ENTRY_BYTES: usize = 16;

/// A key and what belongs to it: 16 bytes on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    pub key: u64,
    pub value: u64,
}

/// What a buffer holds until it is sorted: whole entries, or keys that count one each.
pub trait Record: Copy + Ord {
    fn entry(self) -> Entry;
}

impl Record for u64 {
    fn entry(self) -> Entry {
        Entry {
            key: self,
            value: 1,
        }
    }
}

impl Record for Entry {
    fn entry(self) -> Entry {
        self
    }
}

/// Makes one entry of two with the same key.
pub type Combine = fn(u64, u64) -> u64;

/// Takes entries in any order and gives them back in the order of their keys, one a key.
pub struct Sorter<R> {
    buffer: Vec<R>,
    runs: Runs,
    combine: Combine,
}

/// Sorted runs in one file.
struct Runs {
    file: File,
    ranges: Vec<Range<u64>>,
    end: u64,
}

fn nameless_file(folder: &Path) -> io::Result<File> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let path = folder.join(format!(".winnow-{}-{number}.spill", std::process::id()));
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create_new(true)
        .open(&path)?;
    fs::remove_file(&path)?; // whatever happens, no spill file outlives the process
    Ok(file)
}

impl<R: Record> Sorter<R> {
    /// A sorter that spills into `folder`.
    pub fn new(folder: &Path, combine: Combine) -> io::Result<Self> {
        Ok(Self {
            buffer: Vec::with_capacity(BUFFER_BYTES / size_of::<R>()),
            runs: Runs {
                file: nameless_file(folder)?,
                ranges: Vec::new(),
                end: 0,
            },
            combine,
        })
    }

    #[inline]
    pub fn push(&mut self, record: R) -> io::Result<()> {
        if self.buffer.len() == self.buffer.capacity() {
            self.spill()?;
        }
        self.buffer.push(record);
        Ok(())
    }

    fn spill(&mut self) -> io::Result<()> {
        self.buffer.sort_unstable();
        let mut run = RunWriter::new(&mut self.runs)?;
        let mut records = self.buffer.iter().map(|record| record.entry());
        if let Some(mut last) = records.next() {
            for entry in records {
                if entry.key == last.key {
                    last.value = (self.combine)(last.value, entry.value);
                } else {
                    run.push(last)?;
                    last = entry;
                }
            }
            run.push(last)?;
        }
        run.finish()?;
        self.buffer.clear();
        Ok(())
    }

    /// All entries in the order of their keys.
    pub fn sorted(mut self) -> io::Result<Merge> {
        self.spill()?;
        drop(std::mem::take(&mut self.buffer));
        Merge::new(self.runs, self.combine)
    }
}

/// Writes one run, whose entries come sorted.
struct RunWriter<'a> {
    runs: &'a mut Runs,
    file: io::BufWriter<File>,
    start: u64,
}

impl<'a> RunWriter<'a> {
    fn new(runs: &'a mut Runs) -> io::Result<Self> {
        let file = io::BufWriter::with_capacity(RUN_BYTES, runs.file.try_clone()?);
        let start = runs.end;
        Ok(Self { runs, file, start })
    }

    fn push(&mut self, entry: Entry) -> io::Result<()> {
        self.file.write_all(&entry.key.to_le_bytes())?;
        self.file.write_all(&entry.value.to_le_bytes())?;
        self.runs.end += ENTRY_BYTES as u64;
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        self.runs.ranges.push(self.start..self.runs.end);
        Ok(())
    }
}

/// Entries that come sorted, kept on disk to be read once more.
pub struct Sequence {
    runs: Runs,
    file: io::BufWriter<File>,
}

impl Sequence {
    pub fn new(folder: &Path) -> io::Result<Self> {
        let file = nameless_file(folder)?;
        Ok(Self {
            file: io::BufWriter::with_capacity(RUN_BYTES, file.try_clone()?),
            runs: Runs {
                file,
                ranges: Vec::new(),
                end: 0,
            },
        })
    }

    pub fn push(&mut self, entry: Entry) -> io::Result<()> {
        self.file.write_all(&entry.key.to_le_bytes())?;
        self.file.write_all(&entry.value.to_le_bytes())?;
        self.runs.end += ENTRY_BYTES as u64;
        Ok(())
    }

    /// The entries in the order in which they came.
    pub fn read(mut self) -> io::Result<Merge> {
        self.file.flush()?;
        self.runs.ranges.push(0..self.runs.end);
        Merge::new(self.runs, |first, _| first)
    }
}

/// What is read of a run and not yet merged.
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
    fn new(runs: Runs, combine: Combine) -> io::Result<Self> {
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

    /// The next entry in the order of keys; entries with the same key are made one.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ngram::hash::mix;
    use std::collections::BTreeMap;

    fn all(mut merge: Merge) -> Vec<(u64, u64)> {
        let mut entries = Vec::new();
        while let Some(entry) = merge.next_entry().unwrap() {
            entries.push((entry.key, entry.value));
        }
        entries
    }

    #[test]
    fn keys_of_many_runs_are_counted() {
        let mut sorter = Sorter::<u64>::new(&std::env::temp_dir(), |a, b| a + b).unwrap();
        sorter.buffer = Vec::with_capacity(100);
        let mut expected = BTreeMap::new();
        for n in 0..5_000_u64 {
            let key = mix(n, 0x9e37_79b9_7f4a_7c15) % 300;
            sorter.push(key).unwrap();
            *expected.entry(key).or_insert(0) += 1;
        }
        assert!(sorter.runs.ranges.len() > 10);
        assert_eq!(
            all(sorter.sorted().unwrap()),
            expected.into_iter().collect::<Vec<_>>()
        );
    }

    #[test]
    fn an_empty_sorter_and_a_sequence_give_what_they_got() {
        let folder = std::env::temp_dir();
        assert!(
            all(Sorter::<Entry>::new(&folder, |a, _| a)
                .unwrap()
                .sorted()
                .unwrap())
            .is_empty()
        );
        let mut sequence = Sequence::new(&folder).unwrap();
        for key in 0..40_000 {
            sequence
                .push(Entry {
                    key,
                    value: key * 2,
                })
                .unwrap();
        }
        let read = all(sequence.read().unwrap());
        assert_eq!(read.len(), 40_000);
        assert!(read.iter().all(|&(key, value)| value == key * 2));
    }
}
