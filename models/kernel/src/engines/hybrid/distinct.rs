//! The distinct words of a block, found without sorting.

/// Slots of the table: four per word.
const SLOTS: usize = 1 << SLOT_BITS;
const SLOT_BITS: u32 = 10;
/// Most words of a block for which the table is used.
const MOST: usize = SLOTS / 4;
/// Slots probed for one word: only words chosen to collide need more.
const PROBES: usize = 8;

/// A table of words that is cleared for each block without cost; it falls back to sorting.
pub struct Distinct {
    /// The number of the block, then the word.
    slots: Box<[u64; SLOTS]>,
    block: u64,
}

impl Distinct {
    #[must_use]
    pub fn new() -> Self {
        Self {
            slots: Box::new([0; SLOTS]),
            block: 0,
        }
    }

    /// Keeps one of each word, in any order.
    pub fn keep_one_of_each(&mut self, words: &mut Vec<u32>) {
        self.block += 1 << 32;
        if words.len() <= MOST {
            // kept words move to the front; whether a word is new is unpredictable, so there is no
            // branch
            let mut kept = 0;
            let has_place = (0..words.len()).all(|at| {
                let word = words[at];
                words[kept] = word;
                let is_new = self.add(word);
                kept += usize::from(is_new == Some(true));
                is_new.is_some()
            });
            if has_place {
                return words.truncate(kept);
            }
        }
        words.sort_unstable();
        words.dedup();
    }

    /// Adds a word and returns whether it is new; `None` if there is no free slot.
    #[inline]
    fn add(&mut self, word: u32) -> Option<bool> {
        let home = (word.wrapping_mul(0x9e37_79b9) >> (u32::BITS - SLOT_BITS)) as usize;
        let wanted = self.block | u64::from(word);
        for at in home..home + PROBES {
            let slot = &mut self.slots[at % SLOTS];
            let is_new = *slot < self.block;
            if is_new | (*slot == wanted) {
                *slot = wanted;
                return Some(is_new);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(mut words: Vec<u32>) -> Vec<u32> {
        words.sort_unstable();
        words.dedup();
        words
    }

    #[test]
    fn one_of_each_word_stays_block_after_block() {
        let mut distinct = Distinct::new();
        for block in 0..40_u32 {
            let words: Vec<u32> = (0..block * 13).map(|word| word * word % 97).collect();

            let mut found = words.clone();
            distinct.keep_one_of_each(&mut found);

            assert!(found.len() <= 97);
            assert_eq!(sorted(found), sorted(words), "{block}");
        }
    }

    #[test]
    fn words_chosen_to_collide_are_told_apart_all_the_same() {
        let home = |word: u32| word.wrapping_mul(0x9e37_79b9) >> (u32::BITS - SLOT_BITS);
        let words: Vec<u32> = (0..60_000).filter(|&word| home(word) == 5).collect();
        assert!(words.len() > PROBES);
        let mut twice = [words.clone(), words.clone()].concat();

        Distinct::new().keep_one_of_each(&mut twice);

        assert_eq!(sorted(twice), words);
    }
}
