//! The share of repeated text: lines, paragraphs, runs of words.

use xxhash_rust::xxh3::xxh3_64;

use super::table::Table;
use super::words::{Word, Words, chars};

/// Elements that occurred before, and their characters.
#[must_use]
pub fn repeated(elements: &[&str]) -> (usize, usize) {
    let mut seen = Table::of(elements.len());
    let mut again = (0, 0);
    for (number, element) in elements.iter().enumerate() {
        let number = number as u32;
        if seen.first(xxh3_64(element.as_bytes()), number) != number {
            again.0 += 1;
            again.1 += chars(element);
        }
    }
    again
}

/// A run of words that occurs again elsewhere.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// Its first word in the text.
    start: u32,
    /// The same for equal runs.
    number: u32,
}

/// The repeated runs of a growing number of words.
///
/// If a run occurs once, all longer runs that begin with it occur once too. So only repeated runs
/// are checked: for pairs a third of most texts.
pub struct Runs<'words> {
    order: &'words [u32],
    /// Characters before each word, and of the whole text.
    chars: Vec<usize>,
    size: usize,
    repeated: Vec<Run>,
    /// The count of the most frequent run, and its first position.
    most: (usize, usize),
}

impl<'words> Runs<'words> {
    /// The runs of one word.
    #[must_use]
    pub fn of(words: &'words Words<'_>) -> Self {
        let mut repeated = Vec::with_capacity(words.order.len());
        for (start, &number) in words.order.iter().enumerate() {
            if words.distinct[number as usize].count > 1 {
                let start = start as u32;
                repeated.push(Run { start, number });
            }
        }
        Self {
            order: &words.order,
            chars: sums(words, |word| word.chars),
            size: 1,
            repeated,
            most: (0, 0),
        }
    }

    /// Continue with runs of one word more.
    pub fn lengthen(&mut self) {
        let mut longer: Vec<Run> = Vec::with_capacity(self.repeated.len());
        let mut counts: Vec<u32> = Vec::with_capacity(self.repeated.len());
        let mut known = Table::of(self.repeated.len() / 2);
        for run in &self.repeated {
            let Some(&word) = self.order.get(run.start as usize + self.size) else {
                break;
            };
            let new = longer.len() as u32;
            let number = known.first(u64::from(run.number) << 32 | u64::from(word), new);
            longer.push(Run {
                start: run.start,
                number,
            });
            counts.push(0);
            counts[number as usize] += 1;
        }
        self.size += 1;
        self.most = (usize::from(self.order.len() >= self.size), 0);
        for (run, &count) in longer.iter().zip(&counts) {
            if count as usize > self.most.0 {
                self.most = (count as usize, run.start as usize);
            }
        }
        longer.retain(|run| counts[run.number as usize] > 1);
        self.repeated = longer;
    }

    /// Characters of all occurrences of the most frequent run, with a space between words; the
    /// first among several such runs.
    #[must_use]
    pub fn top(&self) -> usize {
        let (count, start) = self.most;
        if count == 0 {
            return 0;
        }
        (self.chars[start + self.size] - self.chars[start] + self.size - 1) * count
    }
}

/// Runs of at least five words that are equal when white space is removed, as datatrove joins the
/// words of its longer runs.
pub struct JoinedRuns {
    /// All words, joined without separators.
    joined: Vec<u8>,
    /// Bytes and characters before each word, and of the whole text.
    bytes: Vec<usize>,
    chars: Vec<usize>,
    /// The words at which a repeated run may start.
    starts: Vec<usize>,
}

impl JoinedRuns {
    /// The least words of a run.
    pub const LEAST: usize = 5;
    /// Equal runs have this many bytes in common, or are shorter.
    const BEGINNING: usize = 16;

    #[must_use]
    pub fn of(words: &Words<'_>) -> Self {
        let mut joined = Vec::with_capacity(words.text.len() + Self::BEGINNING);
        for word in words.iter() {
            joined.extend_from_slice(word.as_bytes());
        }
        joined.extend([0; Self::BEGINNING]);
        let bytes = sums(words, |word| word.text.len());
        let runs = (words.order.len() + 1).saturating_sub(Self::LEAST);
        let mut known = Table::of(runs);
        let mut is_repeated = vec![false; runs];
        for start in 0..runs {
            let beginning = &joined[bytes[start]..bytes[start] + Self::BEGINNING];
            let first = known.first(xxh3_64(beginning), start as u32) as usize;
            let is_short = bytes[start + Self::LEAST] - bytes[start] < Self::BEGINNING;
            is_repeated[start] = is_short || first < start;
            is_repeated[first] |= first < start;
        }
        Self {
            starts: (0..runs).filter(|&start| is_repeated[start]).collect(),
            chars: sums(words, |word| word.chars),
            joined,
            bytes,
        }
    }

    /// Characters of the runs of `size` words, at least [`LEAST`](Self::LEAST), that occurred
    /// before; each is counted once.
    #[must_use]
    pub fn again(&self, size: usize) -> usize {
        let mut known = Table::of(self.starts.len());
        let (mut free, mut found) = (0, 0);
        for &start in &self.starts {
            let Some(&end) = self.bytes.get(start + size) else {
                break;
            };
            if start < free {
                continue;
            }
            let run = xxh3_64(&self.joined[self.bytes[start]..end]);
            if known.first(run, start as u32) as usize != start {
                found += self.chars[start + size] - self.chars[start];
                free = start + size;
            }
        }
        found
    }
}

/// The sums of a measure before each word, and of the whole text.
fn sums(words: &Words<'_>, measure: impl Fn(&Word<'_>) -> usize) -> Vec<usize> {
    let mut sums = Vec::with_capacity(words.order.len() + 1);
    let mut before = 0;
    sums.push(before);
    for &number in &words.order {
        before += measure(&words.distinct[number as usize]);
        sums.push(before);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again(text: &str, size: usize) -> usize {
        JoinedRuns::of(&Words::of(text)).again(size)
    }

    #[test]
    fn the_most_frequent_run_counts_and_of_several_the_first() {
        for (text, size, expected) in [
            ("a b c a b c a b", 2, 9),
            ("a b c a b c a b", 3, 10),
            ("a bc def", 2, 4),
            ("a b", 3, 0),
            ("", 2, 0),
        ] {
            let words = Words::of(text);
            let mut runs = Runs::of(&words);
            for _ in 1..size {
                runs.lengthen();
            }
            assert_eq!(runs.top(), expected, "{text}");
        }
    }

    #[test]
    fn runs_that_stand_again_are_counted_once() {
        let text = "a b c d e f a b c d e f a b c d";

        assert_eq!((again(text, 5), again(text, 6), again(text, 9)), (10, 6, 9));
        assert_eq!(again("", 5), 0);
    }

    #[test]
    fn white_space_in_other_places_makes_no_other_run() {
        let text = "a bee sees all the flowers x a be esees all the flowers";

        assert_eq!((again(text, 6), again(text, 7)), (21, 0));
    }
}
