//! A bit for every abbreviation and collocation: tells most words that are part of none without a
//! look into the parameters, which lie far from the processor for all their orthography.

/// Bits, so that a word that is not listed passes once in thirty for the 500 of English.
const BITS: u64 = 1 << 14;
const WORDS: usize = (BITS / u64::BITS as u64) as usize;

/// The keys of abbreviations and collocations.
#[derive(Clone, Debug)]
pub struct Listed(Box<[u64; WORDS]>);

impl Listed {
    /// A bit for each of these keys.
    #[must_use]
    pub fn of(keys: impl Iterator<Item = u64>) -> Self {
        let mut listed = Self(Box::new([0; WORDS]));
        for key in keys {
            let (word, bit) = place(key);
            listed.0[word] |= bit;
        }
        listed
    }

    /// Whether a key may be one of them; it is not when this is false.
    #[inline]
    #[must_use]
    pub fn passes(&self, key: u64) -> bool {
        let (word, bit) = place(key);
        self.0[word] & bit != 0
    }
}

/// The word and the bit of it that stand for a key: of the part that the parameters keep.
#[inline]
fn place(key: u64) -> (usize, u64) {
    let number = (key >> 8) % BITS;
    let word = (number / u64::from(u64::BITS)) as usize;
    (word, 1 << (number % u64::from(u64::BITS)))
}
