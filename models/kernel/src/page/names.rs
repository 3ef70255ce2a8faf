//! The names of elements and attributes of a page: how many there are, and which are read.
//!
//! Lexbor keeps names that it does not know in a hash table of 128 lists and a known hash
//! function, so looking one up may take as many steps as there are names.

use std::collections::HashSet;

use super::attributes::is_read;
use crate::ngram::hash::load;

const CACHE: usize = 256;
/// Names of most pages.
const MANY: usize = 56;

/// Distinct names seen so far, spelled as in the markup.
#[derive(Clone, Debug)]
pub struct Names<'text> {
    /// The last name seen in each slot, and whether it is read as one of an attribute: pages repeat
    /// few names.
    cache: [Seen<'text>; CACHE],
    names: HashSet<&'text [u8]>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Seen<'text> {
    /// The first eight bytes of the name, zero beyond its end.
    eight: u64,
    name: &'text [u8],
    is_read: bool,
}

impl Default for Names<'_> {
    fn default() -> Self {
        Self {
            cache: [Seen::default(); CACHE],
            names: HashSet::with_capacity(MANY),
        }
    }
}

impl<'text> Names<'text> {
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Take in the name `text[start..end]`; true if attributes of this name are read.
    /// `start <= end <= text.len()`.
    #[inline]
    pub fn add(&mut self, text: &'text [u8], start: usize, end: usize) -> bool {
        let name = &text[start..end];
        let eight = load(text, start, end);
        let seen = &mut self.cache[slot(eight, name)];
        let is_same = seen.eight == eight
            && seen.name.len() == name.len()
            && (name.len() <= 8 || seen.name[8..] == name[8..]);
        if !is_same {
            *seen = Seen {
                eight,
                name,
                is_read: is_read(name),
            };
            self.names.insert(name);
        }
        seen.is_read
    }
}

/// A slot by length, first and last bytes.
#[inline]
fn slot(eight: u64, name: &[u8]) -> usize {
    let last = name.last().copied().map_or(0, u64::from);
    let mixed = (eight ^ last << 56).wrapping_add(name.len() as u64);
    (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - CACHE.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_counts_once_even_when_others_push_it_out_of_its_slot() {
        let words: Vec<String> = (0..2000)
            .map(|number| format!("n{}", number % 500))
            .collect();
        let mut names = Names::default();
        for word in &words {
            names.add(word.as_bytes(), 0, word.len());
        }

        assert_eq!(names.len(), 500);
    }
}
