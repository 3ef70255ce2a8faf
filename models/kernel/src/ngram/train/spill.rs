//! Sorts more entries than fit in memory: sorted runs in an unnamed file, then one merge.

mod merge;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

pub use merge::Merge;

/// Memory for entries that wait to be sorted.
const BUFFER_BYTES: usize = 48 << 20;
/// Most memory for a run that is written or merged.
const RUN_BYTES: usize = 1 << 18;
const ENTRY_BYTES: usize = 16;

/// A key and its value: 16 bytes on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    pub key: u64,
    pub value: u64,
}

/// The contents of a buffer until it is sorted: whole entries, or keys with a count of one.
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

/// Merges two entries with the same key.
pub type Combine = fn(u64, u64) -> u64;

/// Takes entries in any order and returns them in ascending order of their keys, one per key.
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
    fs::remove_file(&path)?; // in all cases no spill file outlives the process
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

/// Writes one run, whose entries arrive sorted.
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

/// Entries that arrive sorted, kept on disk to be read once more.
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

    /// The entries in their original order.
    pub fn read(mut self) -> io::Result<Merge> {
        self.file.flush()?;
        self.runs.ranges.push(0..self.runs.end);
        Merge::new(self.runs, |first, _| first)
    }
}

#[cfg(test)]
mod tests;
