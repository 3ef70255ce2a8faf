//! What it costs lexbor that a text node grows.
//!
//! All texts, comments and attributes of a page stand in one arena, which frees nothing before the
//! page is done. A text that follows a text without a node between them, because what stood there
//! is ignored or went elsewhere, is added to it: in place if nothing was stored since, else the
//! whole text moves to the end of the arena. A megabyte of such markup takes gigabytes.

/// Where a text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Into the open element of that number.
    Inside(u32),
    /// Before the open table of that number ("foster parenting").
    Before(u32),
    /// Between the frames of a page that has no body.
    Frames,
}

/// The growth of texts so far.
#[derive(Debug, Default)]
pub struct Growth {
    /// Bytes of texts that had to move.
    pub moved: usize,
    /// Whose text stands at the end of the arena.
    last: Option<Place>,
}

impl Growth {
    /// Something else was stored.
    pub fn stored(&mut self) {
        self.last = None;
    }

    /// `bytes` of text go to a `place` that ends with a text of `before` bytes. Returns its length.
    pub fn grow(&mut self, place: Place, before: u32, bytes: usize) -> u32 {
        if self.last != Some(place) {
            self.moved += before as usize;
        }
        self.last = Some(place);
        before.saturating_add(bytes as u32)
    }
}
