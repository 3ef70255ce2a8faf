//! Punkt's learned parameters: an open-addressing table of keys, used directly in the file.
//!
//! A slot is a u64, little-endian: 56 bits of the key of a type (or of a pair of types), 8 bits
//! of flags. Zero is an empty slot.

use super::listed::Listed;
use crate::text::hash;

/// The orthographic contexts in which a type was seen: bits of NLTK's `_ORTHO_MAP`.
pub const INITIAL_UPPER: u8 = 1 << 1;
pub const MIDDLE_UPPER: u8 = 1 << 2;
pub const UNKNOWN_UPPER: u8 = 1 << 3;
pub const INITIAL_LOWER: u8 = 1 << 4;
pub const MIDDLE_LOWER: u8 = 1 << 5;
pub const UNKNOWN_LOWER: u8 = 1 << 6;
pub const ANY_UPPER: u8 = INITIAL_UPPER | MIDDLE_UPPER | UNKNOWN_UPPER;
pub const ANY_LOWER: u8 = INITIAL_LOWER | MIDDLE_LOWER | UNKNOWN_LOWER;
/// The type is an abbreviation (for a pair: it is a collocation).
pub const ABBREVIATION: u8 = 1;
/// The type often starts sentences.
pub const STARTER: u8 = 1 << 7;

const ORTHOGRAPHY: u8 = ANY_UPPER | ANY_LOWER;
const SLOT: usize = 8;
/// Most slots that a look-up reads; the writer doubles the table until this holds.
const MAX_PROBE: usize = 64;

/// The parameters in the form of NLTK's trainer.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    pub abbreviations: Vec<String>,
    pub collocations: Vec<(String, String)>,
    pub starters: Vec<String>,
    /// Type and its orthographic contexts.
    pub orthography: Vec<(String, u8)>,
}

/// A view of the table; any bytes make one, and look-ups never read outside of them.
#[derive(Clone, Copy, Debug)]
pub struct Parameters<'a> {
    slots: &'a [u8],
    listed: Option<&'a Listed>,
}

fn pair(first: &str, second: &str) -> u64 {
    hash::bigram(
        hash::token(first.as_bytes()),
        hash::token(second.as_bytes()),
    )
}

fn home(key: u64, slots: usize) -> usize {
    ((u128::from(key) * slots as u128) >> 64) as usize
}

/// The part of a key in a slot; never 0, so that no used slot looks empty.
fn kept(key: u64) -> u64 {
    (key & !0xff).max(0x100)
}

impl<'a> Parameters<'a> {
    /// A view of `bytes`; bytes after the last whole slot are ignored.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            slots: bytes,
            listed: None,
        }
    }

    /// The same view with the result of `listed` for these bytes: look-ups are faster.
    #[must_use]
    pub fn with(self, listed: &'a Listed) -> Self {
        Self {
            listed: Some(listed),
            ..self
        }
    }

    /// The abbreviations and collocations of the table.
    #[must_use]
    pub fn listed(&self) -> Listed {
        let slots = self.slots.chunks_exact(SLOT);
        let slots = slots.map(|slot| slot.try_into().map_or(0, u64::from_le_bytes));
        Listed::of(slots.filter(|&slot| slot as u8 & ABBREVIATION != 0))
    }

    fn is_listed(&self, key: u64) -> bool {
        self.listed.is_none_or(|listed| listed.passes(kept(key)))
            && self.flags(key) & ABBREVIATION != 0
    }

    fn flags(&self, key: u64) -> u8 {
        let slots = self.slots.len() / SLOT;
        let wanted = kept(key);
        let mut at = home(key, slots);
        for _ in 0..MAX_PROBE.min(slots) {
            let Some(slot) = self.slots.get(at * SLOT..at * SLOT + SLOT) else {
                return 0;
            };
            let slot = u64::from_le_bytes(slot.try_into().unwrap_or_default());
            if slot & !0xff == wanted {
                return slot as u8;
            }
            if slot == 0 {
                return 0;
            }
            at = if at + 1 == slots { 0 } else { at + 1 };
        }
        0
    }

    /// All flags of a type.
    #[must_use]
    pub fn of(&self, type_: &str) -> u8 {
        self.flags(hash::token(type_.as_bytes()))
    }

    /// Whether a type is an abbreviation.
    #[must_use]
    pub fn abbreviates(&self, type_: &str) -> bool {
        self.is_listed(hash::token(type_.as_bytes()))
    }

    /// Whether the first type, which ends in a full stop, belongs together with the second.
    #[must_use]
    pub fn collocated(&self, first: &str, second: &str) -> bool {
        self.is_listed(pair(first, second))
    }
}

/// Writes the table: the same lists, in any order, give the same bytes.
#[must_use]
pub fn table(lists: &Lists) -> Vec<u8> {
    let mut entries = Vec::new();
    let types = |list: &[String], flag| -> Vec<(u64, u8)> {
        list.iter()
            .map(|type_| (hash::token(type_.as_bytes()), flag))
            .collect()
    };
    entries.extend(types(&lists.abbreviations, ABBREVIATION));
    entries.extend(types(&lists.starters, STARTER));
    for (type_, contexts) in &lists.orthography {
        entries.push((hash::token(type_.as_bytes()), contexts & ORTHOGRAPHY));
    }
    for (first, second) in &lists.collocations {
        entries.push((pair(first, second), ABBREVIATION));
    }
    entries.retain(|&(_, flags)| flags != 0);
    entries.sort_unstable();
    entries.dedup_by(|later, first| {
        let same = kept(later.0) == kept(first.0);
        if same {
            first.1 |= later.1;
        }
        same
    });
    let mut slots = entries.len() * 10 / 7 + 1;
    loop {
        if let Some(table) = filled(&entries, slots) {
            return table.into_iter().flat_map(u64::to_le_bytes).collect();
        }
        slots *= 2;
    }
}

/// The table with this many slots, or None if a look-up would read more than `MAX_PROBE`.
fn filled(entries: &[(u64, u8)], slots: usize) -> Option<Vec<u64>> {
    let mut table = vec![0_u64; slots];
    for &(key, flags) in entries {
        let mut at = home(key, slots);
        let mut probe = 1;
        while table[at] != 0 {
            at = if at + 1 == slots { 0 } else { at + 1 };
            probe += 1;
            if probe > MAX_PROBE {
                return None;
            }
        }
        table[at] = kept(key) | u64::from(flags);
    }
    Some(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Lists {
        Lists {
            abbreviations: vec!["dr".into(), "e.g".into()],
            collocations: vec![("j".into(), "bach".into())],
            starters: vec!["the".into()],
            orthography: (0..500)
                .map(|n| (format!("type{n}"), 1 << (1 + n % 6)))
                .chain([("the".into(), ANY_UPPER)])
                .collect(),
        }
    }

    #[test]
    fn every_parameter_is_found_and_nothing_else() {
        let bytes = table(&some());
        let parameters = Parameters::new(&bytes);
        assert_eq!(parameters.of("dr"), ABBREVIATION);
        assert_eq!(parameters.of("the"), STARTER | ANY_UPPER);
        assert!(parameters.collocated("j", "bach"));
        assert!(!parameters.collocated("bach", "j"));
        assert!(parameters.abbreviates("e.g") && !parameters.abbreviates("the"));
        for n in 0..500 {
            assert_eq!(parameters.of(&format!("type{n}")), 1 << (1 + n % 6));
            assert_eq!(parameters.of(&format!("other{n}")), 0);
        }
    }

    #[test]
    fn the_order_of_the_lists_does_not_change_the_table() {
        let mut turned = some();
        turned.orthography.reverse();
        turned.abbreviations.reverse();
        assert_eq!(table(&some()), table(&turned));
    }

    #[test]
    fn what_is_listed_says_the_same_of_every_type() {
        let bytes = table(&some());
        let plain = Parameters::new(&bytes);
        let listed = plain.listed();
        let fast = plain.with(&listed);
        for first in ["dr", "e.g", "j", "bach", "the", "type7", "other"] {
            assert_eq!(fast.abbreviates(first), plain.abbreviates(first), "{first}");
            for second in ["dr", "j", "bach"] {
                let expected = plain.collocated(first, second);
                assert_eq!(fast.collocated(first, second), expected, "{first} {second}");
            }
        }
        let passing = (0..1000).filter(|n| listed.passes(hash::token(format!("x{n}").as_bytes())));
        assert!(passing.count() < 10);
    }

    #[test]
    fn hostile_bytes_end_every_look_up() {
        for bytes in [&[][..], &[1; 7], &[0xff; 8], &[0xff; 8 * 1000]] {
            assert_eq!(Parameters::new(bytes).of("the"), 0);
        }
    }
}
