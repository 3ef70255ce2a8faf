//! N-grams with probabilities computed by another program -> a model file.

use std::path::Path;

use super::listing::Listing;
use super::{Attachments, TrainError};
use crate::ngram::backoff;
use crate::ngram::file::facts::{LOG2_RANGE, MAX_ORDER, ModelFacts, Smoothing};
use crate::ngram::file::layout::Section;
use crate::ngram::file::writer::Writer;
use crate::ngram::model::BACKOFF_RANGE;
use crate::ngram::tokens::Tokeniser;
use crate::text::hash::{self, START};

/// Other programs' words for the start of a sentence and for all unknown words.
pub const START_WORD: &str = "<s>";
pub const UNKNOWN_WORD: &str = "<unk>";

/// Collects n-grams in any order.
pub struct Importer {
    tokeniser: Tokeniser,
    ngrams: Listing,
    backoffs: Listing,
    listed: [u64; MAX_ORDER],
}

impl Importer {
    /// An importer that spills into `folder`.
    pub fn new(tokeniser: Tokeniser, folder: &Path) -> Result<Self, TrainError> {
        Ok(Self {
            tokeniser,
            ngrams: Listing::new(folder)?,
            backoffs: Listing::new(folder)?,
            listed: [0; MAX_ORDER],
        })
    }

    /// Lists an n-gram: log2 P of its last word after the others, and log2 of its weight as a
    /// history (0 for none). Returns false, and lists nothing, if one of the words is not the
    /// normal form of one token, because no text contains it.
    pub fn add(&mut self, words: &[String], log2: f32, weight: f32) -> Result<bool, TrainError> {
        let known = LOG2_RANGE.contains(&log2) && BACKOFF_RANGE.contains(&weight);
        if !known || !(1..=MAX_ORDER).contains(&words.len()) {
            return Err(TrainError::Refused(format!(
                "n-gram of {} words, log2 probability {log2}, log2 weight {weight}",
                words.len()
            )));
        }
        let keys: Option<Vec<u64>> = words.iter().map(|word| self.key(word)).collect();
        let key = match keys.as_deref() {
            Some(&[word]) => word,
            Some(&[first, second]) => hash::bigram(first, second),
            Some(&[first, second, third]) => hash::trigram(hash::bigram(first, second), third),
            _ => return Ok(false),
        };
        if weight != 0.0 {
            self.backoffs.push(key, weight)?;
        }
        if key != START && key != backoff::unknown() {
            self.listed[words.len() - 1] += 1;
            self.ngrams.push(key, log2)?;
        }
        Ok(true)
    }

    fn key(&self, word: &str) -> Option<u64> {
        match word {
            START_WORD => Some(START),
            UNKNOWN_WORD => Some(backoff::unknown()),
            _ => match self.tokeniser.normalised(word).as_slice() {
                [token] if token == word => Some(hash::token(word.as_bytes())),
                _ => None,
            },
        }
    }

    /// Writes the model. `facts` gives the order, the smoothing and dependent values.
    pub fn write(
        self,
        facts: ModelFacts,
        punkt: &[u8],
        attachments: Attachments<'_>,
        target: &Path,
    ) -> Result<ModelFacts, TrainError> {
        let orders = 1..=MAX_ORDER as u32;
        if !orders.contains(&facts.order) || !LOG2_RANGE.contains(&facts.unknown_log2) {
            return Err(TrainError::Refused(format!(
                "order {}, log2 probability {} of unknown tokens",
                facts.order, facts.unknown_log2
            )));
        }
        if self.ngrams.count() == 0 {
            return Err(TrainError::Refused(
                "there is no n-gram of valid tokens".into(),
            ));
        }
        let facts = ModelFacts {
            tokeniser: self.tokeniser,
            listed: self.listed,
            ..facts
        };
        let mut writer = Writer::create(target)?;
        super::write_head(&mut writer, &facts, punkt, attachments)?;
        self.ngrams
            .write(&mut writer, Section::Codebook, Section::Ngrams)?;
        if facts.smoothing == Smoothing::Backoff {
            self.backoffs
                .write(&mut writer, Section::BackoffCodebook, Section::Backoffs)?;
        }
        writer.finish()?;
        Ok(facts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn importer() -> Importer {
        Importer::new(Tokeniser::Folded, &std::env::temp_dir()).unwrap()
    }

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn words_that_no_text_has_are_left_out() {
        let mut importer = importer();
        for (text, expected) in [
            ("the", true),
            ("<s> the", true),
            ("the <unk> end", true),
            ("The", false),
            ("the e-mail", false),
            ("</s>", false),
        ] {
            assert_eq!(importer.add(&words(text), -1.0, 0.0).unwrap(), expected);
        }
        assert_eq!(importer.listed, [1, 1, 1]);
    }

    #[test]
    fn values_that_no_model_has_are_refused() {
        let mut importer = importer();
        for (text, log2, weight) in [
            ("a", 0.5, 0.0),
            ("a", f32::NAN, 0.0),
            ("a", -1.0, f32::INFINITY),
            ("a b c d", -1.0, 0.0),
        ] {
            assert!(importer.add(&words(text), log2, weight).is_err());
        }
        assert!(importer.add(&[], -1.0, 0.0).is_err());
    }
}
