//! One bit for every abbreviation and collocation: rejects most other words without a look-up in
//! the parameters, which are too large for a near cache.

/// Bits, so that one in thirty unlisted words passes with the 500 of English.
const BITS: u64 = 1 << 14;
const WORDS: usize = (BITS / u64::BITS as u64) as usize;

/// The keys of abbreviations and collocations.
#[derive(Clone, Debug)]
pub struct Listed(Box<[u64; WORDS]>);

impl Listed {
    /// A filter with a bit for each of these keys.
    #[must_use]
    pub fn of(keys: impl Iterator<Item = u64>) -> Self {
        let mut listed = Self(Box::new([0; WORDS]));
        for key in keys {
            let (word, bit) = place(key);
            listed.0[word] |= bit;
        }
        listed
    }

    /// Whether a key may be one of them; if false, it is not.
    #[inline]
    #[must_use]
    pub fn passes(&self, key: u64) -> bool {
        let (word, bit) = place(key);
        self.0[word] & bit != 0
    }
}

/// The word and the bit of a key, from the part that the parameters keep.
#[inline]
fn place(key: u64) -> (usize, u64) {
    let number = (key >> 8) % BITS;
    let word = (number / u64::from(u64::BITS)) as usize;
    (word, 1 << (number % u64::from(u64::BITS)))
}
