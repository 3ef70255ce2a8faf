//! How many adjacent texts are judged as one: limits the cost of pages with tiny texts.
//!
//! Judging takes the same work for a letter and for a paragraph. If a page has more texts than
//! usual, adjacent ones share a judgement.

/// This many texts of a page are judged one by one, for markup of any length.
const LEAST: usize = 1024;
/// And one more for this many bytes of markup.
const BYTES: usize = 32;

/// How many adjacent texts share a judgement: 1 unless the texts are many and tiny.
#[must_use]
pub fn run_length(texts: usize, markup_bytes: usize) -> usize {
    texts.div_ceil(LEAST.max(markup_bytes / BYTES)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_share_a_judgement_only_where_they_are_many_and_tiny() {
        assert_eq!(run_length(0, 0), 1);
        assert_eq!(run_length(1024, 4096), 1);
        assert_eq!(run_length(1025, 4096), 2);
        assert_eq!(run_length(31_250, 1_000_000), 1);
        assert_eq!(run_length(250_000, 1_000_000), 8);
    }
}
