//! Sets of element names.

use super::tags::Tag;

/// A set of element names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TagSet([u64; 4]);

impl TagSet {
    pub const NONE: Self = Self([0; 4]);

    #[must_use]
    pub const fn of(names: &[Tag]) -> Self {
        let mut set = Self([0; 4]);
        let mut at = 0;
        while at < names.len() {
            set.0[(names[at] >> 6) as usize] |= 1 << (names[at] & 63);
            at += 1;
        }
        set
    }

    #[must_use]
    pub fn has(self, tag: Tag) -> bool {
        self.0[usize::from(tag >> 6)] >> (tag & 63) & 1 == 1
    }

    /// Whether the sets have a name in common.
    #[must_use]
    pub fn meets(self, other: Self) -> bool {
        self.0
            .iter()
            .zip(other.0)
            .any(|(&left, right)| left & right != 0)
    }

    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}
