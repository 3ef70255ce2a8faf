//! A model in memory shared by all processes: its file, mapped read-only and checked.

use std::fs::File;
use std::ops::{Range, RangeInclusive};
use std::path::Path;
use std::sync::OnceLock;

use memmap2::{Advice, Mmap};

use super::codebook;
use super::file::facts::{LOG2_RANGE, ModelFacts, Smoothing};
use super::file::layout::{Layout, Section};
use super::file::quantiles::Quantiles;
use super::filter::Filter;
use super::punkt::listed::Listed;
use super::punkt::parameters::Parameters;
use super::table::{CODES, Table};
use crate::text::hash::Keys;

/// The range of a backoff weight, as log2: weights of ARPA files can be above 1.
pub const BACKOFF_RANGE: RangeInclusive<f32> = -120.0..=120.0;
const PAGE_BYTES: usize = 4096;

/// An open model. Cheap to share between threads; look-ups use `views`.
#[derive(Debug)]
pub struct Model {
    map: Mmap,
    layout: Layout,
    pub facts: ModelFacts,
    ngrams: Range<usize>,
    backoffs: Range<usize>,
    punkt: Range<usize>,
    /// Scores of the text that was held out of the model's corpus.
    pub quantiles: Quantiles,
    aids: OnceLock<Aids>,
}

/// Data for look-ups that the file does not hold, built at the first one, so that a process that never uses a
/// model allocates no memory for it.
#[derive(Debug)]
struct Aids {
    codebook: Box<[f32; CODES]>,
    backoff_codebook: Option<Box<[f32; CODES]>>,
    filter: Option<Filter>,
    abbreviations: Listed,
}

/// The codebook of a missing section.
const NO_VALUES: [f32; CODES] = [0.0; CODES];

/// The result for one token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Order of the n-gram that was used; 0 for a token not seen in training.
    pub order: u32,
    /// log2 P(token | history), at most 0.
    pub log2_prob: f32,
}

/// A table and the values of its codes.
#[derive(Clone, Copy)]
pub struct Values<'m> {
    table: Table<'m>,
    filter: Option<&'m Filter>,
    codebook: &'m [f32; CODES],
}

impl Values<'_> {
    /// Prefetches the data for the look-up of a key; a small table is in a cache already.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        if self.filter.is_none() {
            self.table.prefetch(key);
        }
    }

    /// The value listed for a key.
    #[inline]
    #[must_use]
    pub fn get(&self, key: u64) -> Option<f32> {
        if self.filter.is_some_and(|filter| !filter.passes(key)) {
            return None;
        }
        self.value(key)
    }

    /// The order of the longest listed of the first `ORDER` n-grams, shortest first, and its value.
    ///
    /// The filter is checked without a branch, which would be mispredicted for every other token.
    /// Inlined, because the sum of a sentence waits for the result, and a result in memory is
    /// slower.
    #[inline(always)]
    #[must_use]
    pub fn longest<const ORDER: usize>(&self, keys: &Keys) -> Option<(u32, f32)> {
        let listed = |at: usize| Some((at as u32 + 1, self.value(keys[at])?));
        let Some(filter) = self.filter else {
            return (0..ORDER).rev().find_map(listed);
        };
        let bit = |at: usize| u32::from(filter.passes(keys[at])) << at;
        let mut passing = (0..ORDER).fold(0, |bits, at| bits | bit(at));
        while passing != 0 {
            let at = passing.ilog2();
            let found = listed(at as usize % ORDER);
            if found.is_some() {
                return found;
            }
            passing ^= 1 << at;
        }
        None
    }

    #[inline]
    fn value(&self, key: u64) -> Option<f32> {
        let code = self.table.get(key)?;
        Some(self.codebook[usize::from(code) % CODES])
    }
}

impl Model {
    /// Maps a model file and checks it: header, checksum of every byte, sections.
    ///
    /// The file must not be rewritten in place while it is open (replace it by renaming a new one
    /// over it, as `Writer` does).
    pub fn open(path: &Path) -> Result<Self, String> {
        let refused = |why: String| format!("{}: {why}", path.display());
        let metadata = std::fs::metadata(path).map_err(|error| refused(error.to_string()))?;
        if !metadata.is_file() {
            return Err(refused("not a file".into()));
        }
        if metadata.len() == 0 {
            return Err(refused("not a Winnow model".into())); // an empty file cannot be mapped
        }
        let file = File::open(path).map_err(|error| refused(error.to_string()))?;
        // SAFETY: the map is read-only, and models are replaced by renaming, never rewritten; every
        // value read from it is checked where it is used, for any bytes.
        let map = unsafe { Mmap::map(&file) }.map_err(|error| refused(error.to_string()))?;
        Self::of(map).map_err(refused)
    }

    fn of(map: Mmap) -> Result<Self, String> {
        let layout = Layout::parse(&map)?;
        // one sequential read ahead instead of one page fault at a time; only advice, so a platform
        // without it is slower but correct
        let _ = map.advise(Advice::WillNeed);
        layout.verify(&map)?;
        let section = |id| layout.find(id).unwrap_or(0..0);
        let facts = ModelFacts::from_bytes(&map[section(Section::Facts)])?;
        if !codebook::is_valid(&map[section(Section::Codebook)], LOG2_RANGE) {
            return Err("corrupt: invalid codebook of log2 probabilities".into());
        }
        let has_backoffs = facts.smoothing == Smoothing::Backoff;
        if has_backoffs
            && !codebook::is_valid(&map[section(Section::BackoffCodebook)], BACKOFF_RANGE)
        {
            return Err("corrupt: invalid codebook of backoffs".into());
        }
        let ngrams = section(Section::Ngrams);
        if ngrams.is_empty() {
            return Err("corrupt: invalid table of n-grams".into());
        }
        let quantiles = Quantiles::from_bytes(&map[section(Section::Quantiles)])
            .ok_or("corrupt: invalid quantiles of held-out sentences")?;
        Ok(Self {
            facts,
            quantiles,
            ngrams,
            backoffs: section(Section::Backoffs),
            punkt: section(Section::Punkt),
            aids: OnceLock::new(),
            layout,
            map,
        })
    }

    fn aids(&self) -> &Aids {
        self.aids.get_or_init(|| {
            let values = |section| codebook::values(self.section(section));
            Aids {
                codebook: values(Section::Codebook).unwrap_or_else(|| Box::new(NO_VALUES)),
                backoff_codebook: values(Section::BackoffCodebook),
                filter: Filter::of(Table::new(&self.map[self.ngrams.clone()])),
                abbreviations: Parameters::new(&self.map[self.punkt.clone()]).listed(),
            }
        })
    }

    /// Reads every page of the file into memory and into the address space of this process, before
    /// the process reports readiness.
    pub fn read_ahead(&self) -> u64 {
        let _ = self.map.advise(Advice::WillNeed); // advice only, see `of`
        self.map
            .iter()
            .step_by(PAGE_BYTES)
            .fold(0, |sum, &byte| sum + u64::from(byte))
    }

    /// SHA-256 of the contents: the identity of the model.
    #[must_use]
    pub fn digest(&self) -> &[u8; 32] {
        &self.layout.digest
    }

    /// Bytes of the file.
    #[must_use]
    pub fn file_bytes(&self) -> usize {
        self.map.len()
    }

    /// The contents of a section; empty if the model does not have it.
    #[must_use]
    pub fn section(&self, section: Section) -> &[u8] {
        let range = self.layout.find(section).unwrap_or(0..0);
        self.map.get(range).unwrap_or_default()
    }

    /// The n-grams and their log2 probabilities.
    #[must_use]
    pub fn ngrams(&self) -> Values<'_> {
        let aids = self.aids();
        Values {
            table: Table::new(&self.map[self.ngrams.clone()]),
            filter: aids.filter.as_ref(),
            codebook: &aids.codebook,
        }
    }

    /// The histories and their log2 backoff weights; an unlisted history has 0.
    #[must_use]
    pub fn backoffs(&self) -> Values<'_> {
        Values {
            table: Table::new(&self.map[self.backoffs.clone()]),
            filter: None,
            codebook: self
                .aids()
                .backoff_codebook
                .as_deref()
                .unwrap_or(&NO_VALUES),
        }
    }

    /// Punkt's parameters; without them every full stop before a space ends a sentence.
    #[must_use]
    pub fn punkt(&self) -> Parameters<'_> {
        Parameters::new(&self.map[self.punkt.clone()]).with(&self.aids().abbreviations)
    }
}

#[cfg(test)]
mod tests;
