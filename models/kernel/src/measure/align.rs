//! Positions of the characters of a cleaned text in the text of a page.
//!
//! Anchors of ten characters that occur once fix most of the alignment; the open segments between
//! two matches are aligned by dynamic programming. Matches never cross.

use std::cell::OnceCell;

use super::segment::{Letter, align_segment};

const ANCHOR: usize = 10;
/// Work limit: cells of all open segments together (about a minute on one core).
const MAX_CELLS: u64 = 1 << 34;

/// The open segments of two texts have more cells than the limit.
#[derive(Debug, PartialEq, Eq)]
pub struct TooLarge {
    pub cells: u64,
}

/// Half-open spans of equal length that match character by character.
#[derive(Clone, Copy)]
struct Run {
    source: usize,
    cleaned: usize,
    len: usize,
}

/// For every character of `source` the index of its character in `cleaned`, or `None`.
///
/// # Errors
/// [`TooLarge`]: the texts are long and have too little in common.
pub fn align(source: &str, cleaned: &str) -> Result<Vec<Option<usize>>, TooLarge> {
    let source: Vec<Letter> = source.chars().map(Letter::new).collect();
    let cleaned: Vec<Letter> = cleaned.chars().map(Letter::new).collect();
    let mut runs = anchored_runs(&source, &cleaned);
    runs.push(Run {
        source: source.len(),
        cleaned: cleaned.len(),
        len: 0,
    });
    check_size(&runs)?;
    let mut positions = vec![None; source.len()];
    let (mut i, mut j) = (0, 0);
    for run in runs {
        align_segment(&source[i..run.source], &cleaned[j..run.cleaned], |a, b| {
            positions[i + a] = Some(j + b);
        });
        for step in 0..run.len {
            positions[run.source + step] = Some(run.cleaned + step);
        }
        (i, j) = (run.source + run.len, run.cleaned + run.len);
    }
    Ok(positions)
}

fn check_size(runs: &[Run]) -> Result<(), TooLarge> {
    let (mut i, mut j, mut cells) = (0, 0, 0u64);
    for run in runs {
        let (open_source, open_cleaned) = (run.source - i, run.cleaned - j);
        cells = cells.saturating_add((open_source as u64).saturating_mul(open_cleaned as u64));
        (i, j) = (run.source + run.len, run.cleaned + run.len);
    }
    if cells > MAX_CELLS {
        return Err(TooLarge { cells });
    }
    Ok(())
}

/// One pass over the cleaned text. An anchor before the last match invalidates that match and
/// itself.
fn anchored_runs(source: &[Letter], cleaned: &[Letter]) -> Vec<Run> {
    let windows = UniqueWindows::new(source);
    let mut runs: Vec<Run> = Vec::new();
    let mut at = 0;
    while at + ANCHOR <= cleaned.len() {
        let Some(found) = windows.find(&cleaned[at..at + ANCHOR]) else {
            at += 1;
            continue;
        };
        let last = runs.last().copied().unwrap_or(Run {
            source: 0,
            cleaned: 0,
            len: 0,
        });
        if found >= last.source + last.len {
            let run = extend(source, cleaned, last, found, at);
            at = run.cleaned + run.len;
            runs.push(run);
        } else {
            if found <= last.source {
                runs.pop();
            }
            at += 1;
        }
    }
    runs
}

fn extend(source: &[Letter], cleaned: &[Letter], last: Run, found: usize, at: usize) -> Run {
    let right = source[found..]
        .iter()
        .zip(&cleaned[at..])
        .take_while(|(a, b)| a.agrees(**b))
        .count();
    let left = source[last.source + last.len..found]
        .iter()
        .rev()
        .zip(cleaned[last.cleaned + last.len..at].iter().rev())
        .take_while(|(a, b)| a.agrees(**b))
        .count();
    Run {
        source: found - left,
        cleaned: at - left,
        len: left + right,
    }
}

/// Windows of the source that occur once: unchanged, and without white space.
struct UniqueWindows<'a> {
    source: &'a [Letter],
    dense: Vec<Letter>,
    exact: Windows,
    /// By length 0..=10: windows of `dense`, sorted on first use.
    stripped: [OnceCell<Windows>; ANCHOR + 1],
}

impl<'a> UniqueWindows<'a> {
    fn new(source: &'a [Letter]) -> Self {
        Self {
            source,
            dense: without_white(source).collect(),
            exact: Windows::new(source, ANCHOR),
            stripped: Default::default(),
        }
    }

    fn find(&self, piece: &[Letter]) -> Option<usize> {
        let position = self.exact.only(piece)?;
        let found = self.source.get(position..)?.iter();
        if !found.zip(piece).all(|(a, b)| a.raw == b.raw) {
            return None;
        }
        let dense: Vec<Letter> = without_white(piece).collect();
        let len = dense.len();
        if len == 0 {
            return None;
        }
        let windows = self.stripped.get(len)?;
        let windows = windows.get_or_init(|| Windows::new(&self.dense, len));
        windows.only(&dense).and(Some(position))
    }
}

fn without_white(letters: &[Letter]) -> impl Iterator<Item = Letter> {
    letters.iter().copied().filter(|letter| !letter.is_white)
}

/// All windows of one length as sorted 64-bit keys.
struct Windows {
    /// (key, position), sorted.
    rows: Vec<(u64, u32)>,
}

impl Windows {
    fn new(letters: &[Letter], len: usize) -> Self {
        let mut rows: Vec<(u64, u32)> = letters
            .windows(len)
            .zip(0..)
            .map(|(window, position)| (key(window), position))
            .collect();
        rows.sort_unstable();
        Self { rows }
    }

    /// The position of a window that occurs exactly once.
    fn only(&self, window: &[Letter]) -> Option<usize> {
        let wanted = key(window);
        let first = self.rows.partition_point(|row| row.0 < wanted);
        let &(found, position) = self.rows.get(first)?;
        let again = self.rows.get(first + 1).is_some_and(|row| row.0 == wanted);
        (found == wanted && !again).then_some(position as usize)
    }
}

/// A 64-bit hash of up to ten characters; a collision can cost an anchor, never invent one.
fn key(window: &[Letter]) -> u64 {
    let mut hash = 0u64;
    for letter in window {
        hash = (hash ^ u64::from(u32::from(letter.raw))).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash ^= hash >> 29;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_cleaned_text_between_boilerplate() {
        let source = "Home Login\nThe committee met on Monday.\nContact";
        let positions = align(source, "The committee met on Monday.").unwrap_or_default();
        let matched: String = source
            .chars()
            .zip(&positions)
            .filter_map(|(letter, position)| position.map(|_| letter))
            .collect();
        assert_eq!(matched, "The committee met on Monday.");
    }

    #[test]
    fn refuses_texts_beyond_the_work_limit() {
        let source = "a".repeat(1 << 18);
        let cleaned = "b".repeat(1 << 17);
        assert_eq!(align(&source, &cleaned), Err(TooLarge { cells: 1 << 35 }));
    }
}
