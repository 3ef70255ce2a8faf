//! The names of elements and attributes of a page: how many there are, and which are read.
//!
//! Lexbor keeps names that it does not know in a hash table of 128 lists and a known hash
//! function, so looking one up may take as many steps as there are names.

use std::collections::HashSet;

use super::attributes::is_read;

const CACHE: usize = 256;

/// Distinct names seen so far, spelled as in the markup.
#[derive(Clone, Debug)]
pub struct Names<'text> {
    /// The last name seen in each slot, and whether it is read as one of an attribute: pages repeat
    /// few names.
    cache: [(&'text [u8], bool); CACHE],
    names: HashSet<&'text [u8]>,
}

impl Default for Names<'_> {
    fn default() -> Self {
        Self {
            cache: [(&[], false); CACHE],
            names: HashSet::new(),
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

    /// Take in a name; true if attributes of this name are read.
    #[inline]
    pub fn add(&mut self, name: &'text [u8]) -> bool {
        let slot = &mut self.cache[slot(name)];
        if slot.0 != name {
            *slot = (name, is_read(name));
            self.names.insert(name);
        }
        slot.1
    }
}

/// A slot by length, first and last bytes.
#[inline]
fn slot(name: &[u8]) -> usize {
    let byte = |at: usize| name.get(at).copied().map_or(0, usize::from);
    let last = byte(name.len().wrapping_sub(1));
    let middle = byte(name.len() / 2);
    (name.len() * 37 + byte(0) * 5 + middle * 11 + last * 67) % CACHE
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
            names.add(word.as_bytes());
        }

        assert_eq!(names.len(), 500);
    }
}
