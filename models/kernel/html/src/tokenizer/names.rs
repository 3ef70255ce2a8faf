//! Names of attributes that are indexed during tokenization.

use super::scan::first_bytes;
use crate::tag::lowered;

/// Attribute names whose values the tokenizer records, so that a reader of many elements does not
/// read each tag again.
pub struct Names {
    slots: [Slot; SLOTS],
    spelled: &'static [&'static str],
}

#[derive(Clone, Copy, Default)]
struct Slot {
    first: u64,
    /// 0 in a free slot.
    length: u8,
    number: u8,
}

const SLOT_BITS: u32 = 8;
const SLOTS: usize = 1 << SLOT_BITS;
/// At most this share of the slots is used, which keeps searches short.
const MAX_NAMES: usize = SLOTS / 2;

impl Names {
    /// Names in lower case, each of 1 to 255 bytes. The number of a name is its place.
    ///
    /// # Panics
    /// There are more than 128 names, or a name has no bytes or too many.
    #[must_use]
    pub fn new(spelled: &'static [&'static str]) -> Self {
        assert!(spelled.len() <= MAX_NAMES, "at most 128 names");
        let mut slots = [Slot::default(); SLOTS];
        for (number, name) in (0..).zip(spelled) {
            let name = name.as_bytes();
            assert!((1..256).contains(&name.len()), "names of 1 to 255 bytes");
            let first = first_bytes(name, 0, name.len());
            let mut at = slot_of(first, name.len());
            while slots[at].length != 0 {
                at = (at + 1) % SLOTS;
            }
            let length = name.len() as u8;
            slots[at] = Slot {
                first,
                length,
                number,
            };
        }
        Self { slots, spelled }
    }

    /// The number of the name in `input[start..end]`, in any case of letters.
    #[inline(always)]
    pub(super) fn number(&self, input: &[u8], start: usize, end: usize) -> Option<u8> {
        let length = end - start;
        let first = lowered(first_bytes(input, start, length));
        let mut at = slot_of(first, length);
        loop {
            let slot = self.slots[at];
            if slot.length == 0 {
                return None;
            }
            if slot.first == first && usize::from(slot.length) == length {
                let name = self.spelled[usize::from(slot.number)].as_bytes();
                if length <= 8 || name.eq_ignore_ascii_case(&input[start..end]) {
                    return Some(slot.number);
                }
            }
            at = (at + 1) % SLOTS;
        }
    }
}

#[inline(always)]
fn slot_of(first: u64, length: usize) -> usize {
    let mixed = (first ^ (length as u64) << 56).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> (64 - SLOT_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_case_and_others_are_not() {
        let names = Names::new(&["class", "data-language", "href"]);
        let number = |name: &str| names.number(name.as_bytes(), 0, name.len());

        assert_eq!(number("HREF"), Some(2));
        assert_eq!(number("data-Language"), Some(1));
        for other in ["", "hre", "hrefs", "data-languages", "data-langu\0ge"] {
            assert_eq!(number(other), None, "{other}");
        }
    }
}
