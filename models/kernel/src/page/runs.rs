//! How many neighbouring texts are judged as one: what bounds the cost of pages of tiny texts.
//!
//! Judging a text takes the same work whether it is a letter or a paragraph. Where there are more
//! than pages for readers have, neighbours share a judgement.

/// So many texts of a page are judged one by one, however short its markup.
const LEAST: usize = 1024;
/// And one for so many bytes of markup.
const BYTES: usize = 32;

/// How many neighbours share a judgement: 1 unless the texts are many and tiny.
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
