//! Choose the language model for a page: declared, detected, or the best fit.

use std::iter::once;

use super::detector::guess;
use super::fit::Choice;
use super::kin::{are_kin, kin_of};
use super::letters::{Letters, is_listed, share_script};
use super::sample::sample;
use super::tags::{is_undetected, primary_subtag};
use crate::metadata::declared_language;
use crate::ngram::model::Model;
use crate::ngram::score::Scorer;
use crate::page::blocks::BlockTable;
use crate::text::sentences::SentenceTable;

/// From this certainty on, a detected language without a model is accepted; else the page's
/// declaration, or the model.
const SURE: f64 = 0.5;
/// From this certainty on, the detector overrides the model of the declared language, if that knows
/// only the words.
const CERTAIN: f64 = 0.9;

/// Facts about a page before a model scores it.
#[derive(Clone, Copy)]
struct Read<'p> {
    sample: &'p BlockTable,
    letters: &'p Letters,
    /// The declared language; empty if there is none or the sample lacks its letters.
    declared: &'p str,
}

/// An open model and the language of its text, empty if unknown.
#[derive(Clone, Copy)]
pub struct LanguageModel<'m> {
    pub model: &'m Model,
    pub language: &'m str,
}

/// Chooses among models, and scores in shared buffers; at most one model per language.
pub struct Chooser<'m> {
    models: &'m [LanguageModel<'m>],
    /// By model, once it was tried.
    scorers: Vec<Option<Scorer<'m>>>,
}

impl<'m> Chooser<'m> {
    /// The first model judges pages without a declared language.
    #[must_use]
    pub fn new(models: &'m [LanguageModel<'m>]) -> Self {
        Self {
            models,
            scorers: models.iter().map(|_| None).collect(),
        }
    }

    /// The scorer of a model, by number.
    pub fn scorer(&mut self, model: usize) -> &mut Scorer<'m> {
        self.scorers[model].get_or_insert_with(|| Scorer::new(self.models[model].model))
    }

    /// Chooses a model for a page by a sample of its text.
    ///
    /// Only languages whose letters are in the sample are considered. A script of only one language
    /// decides at once. Otherwise the model of the declared language is tried, or else the first
    /// model. If the page clearly fits it, only the first model and the models of related languages
    /// are tried too; otherwise all models with its letters. Among models of one script, the one
    /// with the fewest bits wins. The detector is used too, for languages without a model, unless
    /// the model of the declared language is certain or the best one is clear. A page that fits no
    /// model keeps its declared language, else the detected one.
    pub fn choose(&mut self, page: &BlockTable) -> Choice {
        let sample = sample(page);
        let letters = Letters::of(&sample.text);
        let stated = primary_subtag(&declared_language(page));
        if letters.is_empty() {
            // digits are alike everywhere: for a page without letters the declaration counts,
            // because no word model applies
            return Choice {
                fits: false,
                ..self.known(stated, 0.0)
            };
        }
        let declared = if letters.are_of(&stated) {
            stated
        } else {
            String::new()
        };
        let script = letters.language();
        if !script.is_empty() && (declared.is_empty() || letters.are_mostly_of(&declared)) {
            let is_declared = !declared.is_empty();
            return self.known(
                if is_declared {
                    declared
                } else {
                    script.to_owned()
                },
                1.0,
            );
        }
        let own = self.model_of(&declared);
        if own.is_none() && !declared.is_empty() && !letters.are_mostly_of(&declared) {
            // no model reads its letters, and the others on the page are in quotations and code
            return self.known(declared, 0.0);
        }
        let read = Read {
            sample: &sample,
            letters: &letters,
            declared: &declared,
        };
        let first = own.unwrap_or(0);
        let scored = self.scorer(first).score(read.sample);
        let tried = self.judged(first, read, &scored);
        // texts in French and German can fit a model of English well
        let is_asked_for = own.is_some() || declared.is_empty();
        let (is_sure, is_clear) = (tried.is_sure, tried.is_clear && is_asked_for);
        let asked = (own.is_some() && is_sure).then(|| tried.clone());
        let best = self.best(read, tried, &scored, is_clear);
        let is_first = best.model == first;
        if is_asked_for && (best.is_clear || is_sure && is_first) {
            best
        } else {
            self.reconsidered(read, asked, best, is_asked_for, is_first)
        }
    }

    /// The choice for a page whose language is known without its words.
    fn known(&self, language: String, score: f64) -> Choice {
        let model = self.model_of(&language);
        Choice {
            model: model.unwrap_or(0),
            language,
            fits: model.is_some(),
            is_sure: true,
            is_clear: true,
            surprise: 0.0,
            bits: 0.0,
            score,
        }
    }

    /// Uses the detector for a page without a certain model, or without one of the declared
    /// language.
    fn reconsidered(
        &self,
        read: Read<'_>,
        asked: Option<Choice>,
        mut best: Choice,
        is_asked_for: bool,
        is_first: bool,
    ) -> Choice {
        let guess = guess(&read.sample.text);
        // a page in two languages: one of them is the declared one, and its model is sure
        if let Some(mut asked) = asked.filter(|asked| asked.language == guess.language) {
            asked.score = asked.score.max(guess.confidence);
            return asked;
        }
        let detected = self.model_of(guess.language);
        // for each language that the detector does not know it returns another one
        let is_believed = is_undetected(read.declared, is_listed(read.declared));
        let spoken = if !read.declared.is_empty() && (is_believed || guess.confidence < SURE) {
            read.declared
        } else {
            guess.language
        };
        // texts in Latin letters have names and code, which the detector mistakes for languages
        let is_unlikely = best.surprise > 0.0 || !read.letters.are_mostly_of("en");
        let is_certain = if is_first {
            guess.confidence >= CERTAIN && is_unlikely
        } else {
            // a model without a declaration is not accepted for its words alone
            guess.confidence >= SURE || !best.is_sure
        };
        let is_unknown = detected.is_none() && (!is_asked_for || is_certain);
        // the nearest model claims a language that neither models nor the detector have
        let is_kin = is_believed && are_kin(&best.language, read.declared);
        // its lower number of bits is the only support for it
        let is_alone = !is_first
            && !best.is_sure
            && best.language != guess.language
            && share_script(&best.language, guess.language)
            && !are_kin(&best.language, guess.language);
        if is_unknown || is_kin || is_alone {
            best.fits = false;
            best.score = 0.0;
        }
        if !best.fits {
            best.language = spoken.to_owned();
        }
        if best.language == guess.language {
            best.score = best.score.max(guess.confidence);
        }
        best
    }

    /// The best among the tried model and other possible ones, which look up the tokens of the
    /// first.
    fn best(
        &self,
        read: Read<'_>,
        tried: Choice,
        scored: &SentenceTable,
        is_clear: bool,
    ) -> Choice {
        let first = tried.model;
        let kin = kin_of(self.models[first].language);
        // the best of the first one's script, and the best of each other script
        let (mut best, mut others) = (tried, Vec::<Choice>::new());
        for (number, each) in self.models.iter().enumerate() {
            if let (Some(scorer), true) = (
                &self.scorers[first],
                number != first && self.is_rival(number, first, kin, read.letters, is_clear),
            ) {
                let again = scorer.again(read.sample, scored, each.model);
                let new = self.judged(number, read, &again);
                let of_script = |old: &&mut Choice| {
                    share_script(self.models[old.model].language, each.language)
                };
                match once(&mut best).chain(&mut others).find(of_script) {
                    Some(old) => *old = old.clone().or_better(new),
                    None => others.push(new),
                }
            }
        }
        others
            .into_iter()
            .fold(best, Choice::or_better_across_scripts)
    }

    /// Whether a model is tried in addition for a page, which may clearly fit the first one with its
    /// kin.
    fn is_rival(
        &self,
        number: usize,
        first: usize,
        kin: &[&str],
        letters: &Letters,
        is_clear: bool,
    ) -> bool {
        let (language, other) = (self.models[first].language, self.models[number].language);
        // English pages often declare the language of their template
        let is_near = || kin.contains(&other) || number == 0 && share_script(language, other);
        (!is_clear || is_near()) && letters.are_of(other)
    }

    fn judged(&self, model: usize, read: Read<'_>, scored: &SentenceTable) -> Choice {
        let LanguageModel {
            model: own,
            language,
        } = self.models[model];
        Choice::judged(
            model,
            language,
            &own.facts,
            read.letters,
            scored,
            read.declared,
        )
    }

    fn model_of(&self, language: &str) -> Option<usize> {
        self.models
            .iter()
            .position(|each| each.language == language)
    }
}
