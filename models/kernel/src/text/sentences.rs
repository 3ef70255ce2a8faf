//! The table of sentences: one row per sentence of a page, with its scores.

use super::verdict::Verdict;

/// One sentence: a span of [`crate::page::blocks::BlockTable::text`] and its score.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sentence {
    /// Byte offsets into the text of the block table, half open, on character borders.
    pub start: u32,
    pub end: u32,
    /// Index of the block that contains the sentence.
    pub block: u32,
    pub tokens: u32,
    /// Tokens that are not in the model.
    pub oov: u32,
    /// Sum of log2 P(token | history) over the tokens, at most 0.
    pub log2_prob: f32,
    /// Its tokens are only counted, without scores.
    pub is_unscored: bool,
}

impl Sentence {
    /// Perplexity per token, at least 1; 0 for a sentence without tokens or score.
    #[must_use]
    pub fn perplexity(&self) -> f32 {
        if self.tokens == 0 || self.is_unscored {
            return 0.0;
        }
        (-self.log2_prob / self.tokens as f32).exp2()
    }
}

/// All sentences of a page, in the order of its blocks.
#[derive(Clone, Debug, Default)]
pub struct SentenceTable {
    pub sentences: Vec<Sentence>,
}

impl SentenceTable {
    /// The code of the verdict of each sentence: `Perplexity` above the threshold, else `Kept`.
    #[must_use]
    pub fn above(&self, threshold: f32) -> Vec<u8> {
        let verdict = |sentence: &Sentence| {
            if sentence.perplexity() > threshold {
                Verdict::Perplexity as u8
            } else {
                Verdict::KEPT
            }
        };
        self.sentences.iter().map(verdict).collect()
    }

    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.sentences
            .iter()
            .map(|sentence| u64::from(sentence.tokens))
            .sum()
    }

    #[must_use]
    pub fn oov(&self) -> u64 {
        self.sentences
            .iter()
            .map(|sentence| u64::from(sentence.oov))
            .sum()
    }

    /// Sum of log2 P over all tokens of the page.
    #[must_use]
    pub fn log2_prob(&self) -> f64 {
        self.sentences
            .iter()
            .map(|sentence| f64::from(sentence.log2_prob))
            .sum()
    }

    /// Sentences, tokens and bytes by verdict code, in the order of first occurrence; one verdict
    /// per sentence.
    #[must_use]
    pub fn by_verdict(&self, verdicts: &[u8]) -> Vec<(u8, u64, u64, u64)> {
        let mut found: Vec<(u8, u64, u64, u64)> = Vec::new();
        for (sentence, &verdict) in self.sentences.iter().zip(verdicts) {
            let known = found.iter().position(|row| row.0 == verdict);
            let place = known.unwrap_or_else(|| {
                found.push((verdict, 0, 0, 0));
                found.len() - 1
            });
            let row = &mut found[place];
            row.1 += 1;
            row.2 += u64::from(sentence.tokens);
            row.3 += u64::from(sentence.end - sentence.start);
        }
        found
    }

    /// The kept sentences, given one verdict each.
    pub fn kept(&self, verdicts: &[u8]) -> impl Iterator<Item = &Sentence> {
        let judged = self.sentences.iter().zip(verdicts);
        judged.filter_map(|(sentence, &verdict)| (verdict == Verdict::KEPT).then_some(sentence))
    }

    /// Quantiles of the perplexities of the kept sentences, interpolated linearly between two;
    /// empty if there is none. Shares outside 0-1 count as 0 or 1.
    #[must_use]
    pub fn quantiles(&self, verdicts: &[u8], shares: &[f64]) -> Vec<f64> {
        let mut sorted: Vec<f32> = self.kept(verdicts).map(Sentence::perplexity).collect();
        if sorted.is_empty() {
            return Vec::new();
        }
        sorted.sort_unstable_by(f32::total_cmp);
        let last = sorted.len() - 1;
        let quantile = |share: &f64| {
            let at = share.clamp(0.0, 1.0) * last as f64;
            let (below, part) = (at.floor() as usize, at.fract());
            let value = |index: usize| f64::from(sorted[index.min(last)]);
            value(below) + part * (value(below + 1) - value(below))
        };
        shares.iter().map(quantile).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEPT: u8 = Verdict::KEPT;
    const PERPLEXITY: u8 = Verdict::Perplexity as u8;

    fn table(perplexities: &[f32]) -> SentenceTable {
        let sentence = |&perplexity: &f32| Sentence {
            tokens: 2,
            oov: 1,
            log2_prob: -2.0 * perplexity.log2(),
            ..Sentence::default()
        };
        SentenceTable {
            sentences: perplexities.iter().map(sentence).collect(),
        }
    }

    #[test]
    fn verdicts_follow_the_threshold() {
        assert_eq!(
            table(&[8.0, 64.0, 16.0]).above(16.0),
            [KEPT, PERPLEXITY, KEPT]
        );
    }

    #[test]
    fn sentences_tokens_and_bytes_are_counted_by_verdict_in_the_order_they_come() {
        let mut table = table(&[1.0; 4]);
        table.sentences[2].end = 7;
        assert_eq!(
            table.by_verdict(&[3, KEPT, 3, 255]),
            [(3, 2, 4, 7), (KEPT, 1, 2, 0), (255, 1, 2, 0)]
        );
        assert!(SentenceTable::default().by_verdict(&[]).is_empty());
    }

    #[test]
    fn totals_and_quantiles() {
        let table = table(&[4.0, 64.0, 1.0, 2.0]);
        assert_eq!(
            (table.tokens(), table.oov(), table.log2_prob()),
            (8, 4, -18.0)
        );
        assert_eq!(
            table.quantiles(&[KEPT, PERPLEXITY, KEPT, KEPT], &[0.0, 0.25, 0.5, 1.0, 7.0]),
            [1.0, 1.5, 2.0, 4.0, 4.0]
        );
        assert!(table.quantiles(&[PERPLEXITY; 4], &[0.5]).is_empty());
    }
}
