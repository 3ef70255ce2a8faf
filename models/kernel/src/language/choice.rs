//! A page to the language model that judges it: declared, detected, and one that fits.

use super::detector::{by_script, guess};
use super::fit::Choice;
use super::sample::sample;
use crate::metadata::declared_language;
use crate::ngram::model::Model;
use crate::ngram::score::Scorer;
use crate::ngram::sentences::SentenceTable;
use crate::page::blocks::BlockTable;

/// A detector this sure of a language without a model is believed; else the page itself is.
const SURE: f64 = 0.5;

/// An open model and the language of its text, empty when not known.
#[derive(Clone, Copy)]
pub struct LanguageModel<'m> {
    pub model: &'m Model,
    pub language: &'m str,
}

/// Chooses among models, and scores in the same buffers; at most one model per language.
pub struct Chooser<'m> {
    models: &'m [LanguageModel<'m>],
    scorers: Vec<Scorer<'m>>,
}

impl<'m> Chooser<'m> {
    /// The first model judges pages that declare nothing.
    #[must_use]
    pub fn new(models: &'m [LanguageModel<'m>]) -> Self {
        Self {
            models,
            scorers: models.iter().map(|each| Scorer::new(each.model)).collect(),
        }
    }

    /// What scores with the model of a number.
    pub fn scorer(&mut self, model: usize) -> &mut Scorer<'m> {
        &mut self.scorers[model]
    }

    /// Chooses a model for a page by a sample of its text.
    ///
    /// A script of one language decides. Else the model of the declared language is tried, else the
    /// first model. Only a page that does not fit it well is shown to the detector, and tried with
    /// the model of the language found; the model that the sample surprises less stays.
    pub fn choose(&mut self, page: &BlockTable) -> Choice {
        let sample = sample(page);
        let declared = primary_subtag(&declared_language(page));
        let script = by_script(&sample.text);
        let language = script.filter(|name| !name.is_empty());
        let language = language.unwrap_or(&declared);
        let model = self.model_of(language).unwrap_or(0);
        let own = self.models[model].language;
        if script.is_none_or(|script| script == own) {
            // digits are alike everywhere: a page without letters is believed
            return Choice {
                model,
                language: language.to_owned(),
                fits: own == language,
                is_sure: true,
                surprise: 0.0,
                score: if script.is_some() { 1.0 } else { 0.0 },
            };
        }
        let tried = self.judged(model, &sample, language);
        if tried.is_sure {
            tried
        } else {
            self.reconsidered(&sample, tried)
        }
    }

    /// Asks the detector about a page that its first model does not fit well.
    fn reconsidered(&mut self, sample: &BlockTable, tried: Choice) -> Choice {
        let guess = guess(&sample.text);
        let spoken = if guess.confidence >= SURE || tried.language.is_empty() {
            guess.language.to_owned()
        } else {
            tried.language.clone()
        };
        let first = tried.model;
        let detected = self.model_of(guess.language);
        let rival = detected.unwrap_or(0);
        let mut best = tried;
        if !best.fits {
            best.language.clone_from(&spoken);
        }
        for model in 0..self.models.len() {
            // a detector that confirms what does not fit well was shown two scripts on one page
            let is_rival = if rival == first {
                detected.is_some() && model != first
            } else {
                model == rival
            };
            if is_rival {
                best = best.or_better(self.judged(model, sample, &spoken));
            }
        }
        if best.language == guess.language {
            best.score = best.score.max(guess.confidence);
        }
        best
    }

    fn judged(&mut self, model: usize, sample: &BlockTable, otherwise: &str) -> Choice {
        let scored: SentenceTable = self.scorers[model].score(sample);
        let language = self.models[model].language;
        Choice::judged(model, language, &sample.text, &scored, otherwise)
    }

    fn model_of(&self, language: &str) -> Option<usize> {
        self.models
            .iter()
            .position(|each| each.language == language)
    }
}

/// `pt` for `pt-BR`; what pages declare may be anything, so only two or three letters count.
fn primary_subtag(tag: &str) -> String {
    let subtag = tag.split(['-', '_']).next().unwrap_or_default();
    let subtag = subtag.trim().to_lowercase();
    let is_letters = subtag.bytes().all(|byte| byte.is_ascii_alphabetic());
    if is_letters && matches!(subtag.len(), 2 | 3) {
        subtag
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subtags_are_two_or_three_letters() {
        for (tag, subtag) in [
            ("pt-BR", "pt"),
            ("pl_PL", "pl"),
            (" EN ", "en"),
            ("fil", "fil"),
            ("e", ""),
            ("engl", ""),
            ("<&>", ""),
            ("é1", ""),
            ("", ""),
        ] {
            assert_eq!(primary_subtag(tag), subtag, "{tag}");
        }
    }
}
