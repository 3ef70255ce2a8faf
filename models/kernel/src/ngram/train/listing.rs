//! N-grams with their final values -> the sections of a model file.

use std::io;
use std::path::Path;

use super::TrainError;
use super::spill::{Entry, Sorter};
use crate::ngram::codebook::Codebook;
use crate::ngram::file::layout::Section;
use crate::ngram::file::writer::Writer;
use crate::ngram::table::builder::{BuildError, Builder, buckets_for};

/// Collects keys and values in any order, limited only by the disk.
pub struct Listing {
    sorter: Sorter<Entry>,
    lowest: f32,
    highest: f32,
    count: u64,
}

impl Listing {
    pub fn new(folder: &Path) -> io::Result<Self> {
        Ok(Self {
            // two n-grams with one key: the first value in order is kept
            sorter: Sorter::new(folder, |first, _| first)?,
            lowest: f32::INFINITY,
            highest: f32::NEG_INFINITY,
            count: 0,
        })
    }

    /// Adds an n-gram and its value, a log2.
    pub fn push(&mut self, key: u64, value: f32) -> io::Result<()> {
        self.lowest = self.lowest.min(value);
        self.highest = self.highest.max(value);
        self.count += 1;
        self.sorter.push(Entry {
            key,
            value: u64::from(value.to_bits()),
        })
    }

    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Writes the codebook and the table as two sections.
    pub fn write(
        self,
        to: &mut Writer,
        codebook: Section,
        table: Section,
    ) -> Result<(), TrainError> {
        let codes = if self.count == 0 {
            Codebook::over(0.0, 0.0)
        } else {
            Codebook::over(self.lowest, self.highest)
        };
        to.section(codebook, &codes.to_bytes())?;
        to.begin(table)?;
        let crowded = |error| match error {
            BuildError::Write(error) => TrainError::Io(error),
            BuildError::Crowded => TrainError::Refused("keys too uneven for a table".into()),
        };
        let write = |bucket: &[u8]| to.write(bucket);
        let mut builder = Builder::new(buckets_for(self.count), write).map_err(crowded)?;
        let mut sorted = self.sorter.sorted()?;
        while let Some(entry) = sorted.next_entry()? {
            let value = f32::from_bits(entry.value as u32);
            builder
                .push(entry.key, codes.code(value))
                .map_err(crowded)?;
        }
        builder.finish().map_err(crowded)?;
        Ok(())
    }
}
