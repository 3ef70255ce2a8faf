//! Ranges of the input.

/// A range of the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// The range from `start` to `end`, which are at most `u32::MAX`.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        Self {
            start: start as u32,
            end: end as u32,
        }
    }

    /// Whether the range has no bytes.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// The bytes of the range; empty if it is outside of this input.
    #[must_use]
    pub fn of(self, input: &[u8]) -> &[u8] {
        input
            .get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }
}
