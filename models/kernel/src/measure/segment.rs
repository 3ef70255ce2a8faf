//! Dynamic programming over one open segment: source characters against cleaned characters.

/// A character with the properties that the scores need.
#[derive(Clone, Copy, Debug)]
pub struct Letter {
    pub raw: char,
    /// Lower case if that is one character, else the character itself.
    pub folded: char,
    pub is_white: bool,
    pub is_word: bool,
}

impl Letter {
    #[must_use]
    pub fn new(raw: char) -> Self {
        let mut lower = raw.to_lowercase();
        let folded = match (lower.next(), lower.next()) {
            (Some(only), None) => only,
            _ => raw,
        };
        Self {
            raw,
            folded,
            is_white: raw.is_whitespace(),
            is_word: raw.is_alphanumeric(),
        }
    }

    /// Equal except for case; any white space equals any other.
    #[must_use]
    pub fn agrees(self, other: Self) -> bool {
        self.folded == other.folded || (self.is_white && other.is_white)
    }
}

const EXACT_WORD: i32 = 3;
const EQUAL: i32 = 1;
const SKIP_CLEANED: i32 = -6;
const OPEN_GAP: i32 = -2;
/// Choices kept at a time: rows between two checkpoints are computed again during the traceback.
const CHOICE_CELLS: usize = 1 << 24;

#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Choice {
    SkipSource,
    SkipCleaned,
    Match,
}

/// Best score of a pair of prefixes, and whether it ends inside a gap of the source.
#[derive(Clone, Copy)]
struct Cell {
    score: i32,
    in_gap: bool,
}

fn match_score(source: Letter, cleaned: Letter) -> Option<i32> {
    if source.raw == cleaned.raw && source.is_word {
        Some(EXACT_WORD)
    } else if source.folded == cleaned.folded {
        Some(EQUAL)
    } else if source.is_white && cleaned.is_white {
        Some(0)
    } else {
        None
    }
}

/// Turn the row of the prefix without `source` into the row with it; `choices` gets one entry per
/// cell.
fn next_row(row: &mut [Cell], source: Letter, cleaned: &[Letter], choices: &mut [Choice]) {
    let Some((first, rest)) = row.split_first_mut() else {
        return;
    };
    let mut diagonal = *first;
    *first = Cell {
        score: 0,
        in_gap: true,
    };
    let mut left = *first;
    for ((cell, &letter), choice) in rest.iter_mut().zip(cleaned).zip(choices) {
        let above = *cell;
        let skip_source = above.score + if above.in_gap { 0 } else { OPEN_GAP };
        let skip_cleaned = left.score + if letter.is_white { 0 } else { SKIP_CLEANED };
        *choice = Choice::SkipSource;
        let mut best = Cell {
            score: skip_source,
            in_gap: true,
        };
        if skip_cleaned > skip_source {
            *choice = Choice::SkipCleaned;
            best = Cell {
                score: skip_cleaned,
                in_gap: left.in_gap,
            };
        }
        let matched = match_score(source, letter).map(|bonus| diagonal.score + bonus);
        if let Some(score) = matched.filter(|&score| score > best.score) {
            *choice = Choice::Match;
            best = Cell {
                score,
                in_gap: false,
            };
        }
        *cell = best;
        left = best;
        diagonal = above;
    }
}

fn row_without_source(cleaned: usize) -> Vec<Cell> {
    let mut row = Vec::with_capacity(cleaned + 1);
    let mut score = 0;
    for _ in 0..=cleaned {
        row.push(Cell {
            score,
            in_gap: true,
        });
        score -= 1;
    }
    row
}

/// Match `source` with `cleaned`, maximising the score; `matched(i, j)` is called from the end
/// to the front for every pair. Memory grows with the square root of the cells.
pub fn align_segment(source: &[Letter], cleaned: &[Letter], mut matched: impl FnMut(usize, usize)) {
    if source.is_empty() || cleaned.is_empty() {
        return;
    }
    let width = cleaned.len();
    let stride = (CHOICE_CELLS / width).max(source.len().isqrt()).max(1);
    let checkpoints = checkpoint_rows(source, cleaned, stride);
    let mut choices = vec![Choice::SkipSource; width * stride.min(source.len())];
    let mut j = width;
    for (block, start) in checkpoints.into_iter().rev() {
        let mut row = start;
        let rows = source.iter().skip(block * stride).take(stride);
        let mut height = 0;
        for (&letter, line) in rows.zip(choices.chunks_exact_mut(width)) {
            next_row(&mut row, letter, cleaned, line);
            height += 1;
        }
        while height > 0 && j > 0 {
            match choices[(height - 1) * width + j - 1] {
                Choice::SkipSource => height -= 1,
                Choice::SkipCleaned => j -= 1,
                Choice::Match => {
                    height -= 1;
                    j -= 1;
                    matched(block * stride + height, j);
                }
            }
        }
    }
}

/// The rows at which each block of `stride` source characters starts, with the block's number.
fn checkpoint_rows(
    source: &[Letter],
    cleaned: &[Letter],
    stride: usize,
) -> Vec<(usize, Vec<Cell>)> {
    let mut row = row_without_source(cleaned.len());
    let mut scratch = vec![Choice::SkipSource; cleaned.len()];
    let mut kept = vec![(0, row.clone())];
    let whole_blocks = (source.len() - 1) / stride;
    for (block, letters) in source.chunks(stride).take(whole_blocks).enumerate() {
        for &letter in letters {
            next_row(&mut row, letter, cleaned, &mut scratch);
        }
        kept.push((block + 1, row.clone()));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(source: &str, cleaned: &str) -> Vec<(usize, usize)> {
        let source: Vec<Letter> = source.chars().map(Letter::new).collect();
        let cleaned: Vec<Letter> = cleaned.chars().map(Letter::new).collect();
        let mut found = Vec::new();
        align_segment(&source, &cleaned, |i, j| found.push((i, j)));
        found.reverse();
        found
    }

    #[test]
    fn matches_the_cleaned_text_inside_the_source() {
        assert_eq!(pairs("xxabcxx", "abc"), [(2, 0), (3, 1), (4, 2)]);
    }

    #[test]
    fn ignores_case_and_kind_of_white_space() {
        assert_eq!(pairs("A\tB", "a b"), [(0, 0), (1, 1), (2, 2)]);
    }

    #[test]
    fn a_text_longer_than_the_choices_kept_is_matched_across_checkpoints() {
        let cleaned: String = (0..1200)
            .map(|i| ['a', 'b', 'c', 'd'][i * i % 97 % 4])
            .collect();
        let (head, tail) = cleaned.split_at(600);
        let source = format!("{head}{}{tail}", ".".repeat(15_000));

        let expected: Vec<_> = (0..600).map(|i| (i, i)).collect();
        let behind = (600..1200).map(|i| (i + 15_000, i));
        assert_eq!(
            pairs(&source, &cleaned),
            [expected, behind.collect()].concat()
        );
    }

    #[test]
    fn an_empty_side_matches_nothing() {
        assert!(pairs("", "abc").is_empty());
        assert!(pairs("abc", "").is_empty());
    }
}
