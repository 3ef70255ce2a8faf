//! Whether a sample fits a model: the limits of pages in the model's language.

use super::letters::Letters;
use crate::ngram::file::facts::ModelFacts;
use crate::text::sentences::SentenceTable;

/// The limits of a sample in the language of a model, of which one or both hold.
///
/// Beyond both, the page is in another language; beyond one, the detector decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// -log2 P of the sample / tokens.
    pub bits_per_token: f64,
    /// Unknown tokens / tokens.
    pub oov_rate: f64,
}

const fn limits(bits_per_token: f64, oov_rate: f64) -> Limits {
    Limits {
        bits_per_token,
        oov_rate,
    }
}

/// Midway between the pages in the language and those in others, on the training part of the DAnIEL
/// pages: `python -m winnow.lab.measure.languages fits` prints both. English pages of shops and
/// forums are less like prose (over all sets the middle is at 16.3 and 0.27), but German and
/// French, which none of the sets contain, are nearer to English than Polish is: the limits are in
/// between.
///
/// Models of other languages have limits relative to their own held-out text, like the middle of
/// these five. The first values are for models without held-out text.
pub const LIMITS: [(&str, Limits); 5] = [
    ("en", limits(15.0, 0.2)),
    ("el", limits(13.7, 0.35)),
    ("pl", limits(15.7, 0.22)),
    ("ru", limits(16.6, 0.23)),
    ("zh", limits(14.0, 0.08)),
];

/// The most that the bits of a page may exceed the bits of the model's held-out text.
const BEYOND_HELD_OUT: Limits = limits(5.5, 0.2);
/// A sample clearly fits if it stays below the limit by this many bits per token, and has at most
/// this share of the unknown tokens that the limit allows: of lines of 200 characters 98 % in the
/// language do, 3 % in the nearest one, and none in others.
const CLEAR_BITS: f64 = 2.0;
const CLEAR_OOV: f64 = 0.75;
/// Bits of an unknown token when models of one script are compared: more than any known word has,
/// for vocabularies of all sizes.
const UNKNOWN_BITS: f64 = 26.0;
/// Bits of the whole sample by which the best model must be better than the next, for each factor
/// of two in the odds of its language: words of one text are not independent evidence.
const BITS_OF_ODDS: f64 = 6.0;

impl Limits {
    /// The limits of a language's model.
    #[must_use]
    pub fn of(language: &str, facts: &ModelFacts) -> Self {
        let own = LIMITS.iter().find(|(name, _)| *name == language);
        if let Some((_, limits)) = own {
            return *limits;
        }
        if facts.held_out_tokens == 0 {
            return LIMITS[0].1;
        }
        let tokens = facts.held_out_tokens as f64;
        limits(
            BEYOND_HELD_OUT.bits_per_token - facts.held_out_log2 / tokens,
            BEYOND_HELD_OUT.oov_rate + facts.held_out_oov as f64 / tokens,
        )
    }
}

/// A model for a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Its number among the models.
    pub model: usize,
    /// BCP 47 primary subtag of the page if known, else empty.
    pub language: String,
    /// Whether the page is in the language of the model.
    pub fits: bool,
    /// Whether the detector is not needed, if the page declares the language.
    pub is_sure: bool,
    /// Whether hardly any other language is possible.
    pub is_clear: bool,
    /// Bits per token of the sample minus the limit of the model. Models of little text have higher
    /// values for their own language; the limits make them comparable.
    pub surprise: f64,
    /// Bits of the sample, comparable between models of one script; infinite for letters that the
    /// model does not read.
    pub bits: f64,
    /// Certainty that the page is in the language, 0 to 1: 1 if its script decides, else from the
    /// model's bits or from the detector; 0 if the page only declares it.
    pub score: f64,
}

impl Choice {
    /// Judges a model of a language by the sample that it scored; `otherwise` is the language of
    /// the page if the model does not fit.
    ///
    /// Scores alone are not enough: a word model finds no unknown tokens in letters that it does
    /// not read, and box-drawing characters are likely for a model of Chinese.
    #[must_use]
    pub fn judged(
        model: usize,
        model_language: &str,
        facts: &ModelFacts,
        letters: &Letters,
        scored: &SentenceTable,
        otherwise: &str,
    ) -> Self {
        let limits = Limits::of(model_language, facts);
        let tokens = scored.tokens().max(1) as f64;
        let surprise = -scored.log2_prob() / tokens - limits.bits_per_token;
        let is_written = letters.are_of(model_language);
        let is_likely = is_written && surprise <= 0.0;
        let oov_rate = scored.oov() as f64 / tokens;
        let is_known = is_written && oov_rate <= limits.oov_rate;
        let fits = is_likely || is_known;
        let unknown_bits = UNKNOWN_BITS + f64::from(facts.unknown_log2);
        Self {
            model,
            language: (if fits { model_language } else { otherwise }).to_owned(),
            fits,
            is_sure: is_likely && is_known,
            is_clear: is_written
                && surprise <= -CLEAR_BITS
                && oov_rate <= CLEAR_OOV * limits.oov_rate,
            surprise,
            bits: if is_written {
                scored.oov() as f64 * unknown_bits - scored.log2_prob()
            } else {
                f64::INFINITY
            },
            score: if fits {
                1.0 / (1.0 + 2.0_f64.powf(surprise))
            } else {
                0.0
            },
        }
    }

    /// The better one of two models of one script: the one with fewer bits, less certain by the
    /// difference to the other.
    ///
    /// If both are equally good, the first one wins: it was declared.
    #[must_use]
    pub fn or_better(self, new: Self) -> Self {
        let (mut best, other) = if self.bits <= new.bits {
            (self, new)
        } else {
            (new, self)
        };
        if other.fits {
            let odds = 2.0_f64.powf((best.bits - other.bits) / BITS_OF_ODDS);
            best.score = best.score.min(1.0 / (1.0 + odds));
        }
        best
    }

    /// The better one of models of two scripts: the one that fits when the other does not, else the
    /// one with fewer bits.
    ///
    /// On a page in two scripts each model has the words of the other one as unknown tokens.
    #[must_use]
    pub fn or_better_across_scripts(self, new: Self) -> Self {
        let stays = if self.fits == new.fits {
            self.surprise <= new.surprise
        } else {
            self.fits
        };
        if stays { self } else { new }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::sentences::Sentence;

    /// A sample of 100 tokens.
    fn choice(language: &str, bits: f32, oov: u32, text: &str) -> Choice {
        let sentence = Sentence {
            tokens: 100,
            oov,
            log2_prob: -100.0 * bits,
            ..Sentence::default()
        };
        let scored = SentenceTable {
            sentences: vec![sentence],
        };
        let facts = facts(0.0);
        Choice::judged(0, language, &facts, &Letters::of(text), &scored, "de")
    }

    fn facts(held_out_log2: f64) -> ModelFacts {
        ModelFacts {
            unknown_log2: -22.0,
            held_out_tokens: u64::from(held_out_log2 < 0.0) * 1000,
            held_out_oov: 50,
            held_out_log2,
            ..ModelFacts::default()
        }
    }

    #[test]
    fn a_sample_fits_below_one_limit_is_sure_below_both_and_clear_well_below() {
        let shown = |choice: Choice| (choice.fits, choice.is_sure, choice.language);
        let (yes, no) = ("en".to_owned(), "de".to_owned());
        assert_eq!(
            shown(choice("en", 12.0, 9, "bees")),
            (true, true, yes.clone())
        );
        let is_clear = |bits: f32, oov: u32| choice("en", bits, oov, "bees").is_clear;
        assert!(is_clear(12.0, 9) && !is_clear(13.5, 9) && !is_clear(12.0, 16));
        assert_eq!(
            shown(choice("en", 15.5, 9, "bees")),
            (true, false, yes.clone())
        );
        assert_eq!(shown(choice("en", 12.0, 50, "bees")), (true, false, yes));
        assert_eq!(shown(choice("en", 15.5, 50, "bees")), (false, false, no));
    }

    #[test]
    fn the_score_falls_with_the_surprise_and_is_a_half_at_the_limit() {
        assert!((choice("en", 15.0, 9, "bees").score - 0.5).abs() < 1e-12);
        assert!((choice("en", 12.0, 9, "bees").score - 8.0 / 9.0).abs() < 1e-12);
        assert!(choice("en", 20.0, 50, "bees").score.abs() < 1e-12);
    }

    #[test]
    fn limits_are_measured_or_follow_from_held_out_text_or_are_those_of_english() {
        assert_eq!(Limits::of("pl", &facts(-9e3)), limits(15.7, 0.22));
        assert_eq!(Limits::of("da", &facts(-9e3)), limits(14.5, 0.25));
        assert_eq!(Limits::of("xx", &facts(0.0)), limits(15.0, 0.2));
        assert!((choice("xx", 14.0, 0, "bees").surprise + 1.0).abs() < 1e-12);
    }

    #[test]
    fn an_unknown_word_costs_the_same_in_all_models() {
        assert!((choice("xx", 14.0, 50, "bees").bits - 1600.0).abs() < 1e-9);
    }

    #[test]
    fn text_in_other_letters_never_fits() {
        assert!(!choice("ru", 5.0, 0, "const [bees] = ──── 蜂").fits);
        assert!(choice("ru", 5.0, 0, "пчёлы, City of Bees").fits);
        assert!(choice("el", 5.0, 0, "μέλισσες").fits);
        assert!(choice("zh", 5.0, 0, "蜂").fits);
        assert!(!choice("zh", 5.0, 0, "────").fits);
        assert!(!choice("en", 5.0, 0, "ผึ้งในเมืองหลวง of bees").fits);
        assert!(!choice("en", 5.0, 0, "12.50 | 13:40").fits);
    }

    #[test]
    fn the_better_one_fits_or_has_fewer_bits() {
        let (low, high) = (choice("en", 12.0, 0, "bees"), choice("en", 14.0, 0, "bees"));
        let (bad, worse) = (
            choice("en", 16.0, 50, "bees"),
            choice("en", 18.0, 50, "bees"),
        );
        for (old, new, best) in [
            (&low, &high, &low),
            (&high, &low, &low),
            (&bad, &low, &low),
            (&low, &bad, &low),
            (&bad, &worse, &bad),
        ] {
            let found = old.clone().or_better(new.clone());
            assert_eq!((found.bits, found.fits), (best.bits, best.fits));
        }
    }

    #[test]
    fn of_two_scripts_the_one_is_better_that_fits_or_is_surprised_less() {
        let text = "ab вг";
        let russian = choice("ru", 16.0, 50, text); // within its limit of bits
        for other in [choice("en", 14.9, 70, text), choice("en", 16.0, 30, text)] {
            assert_eq!(
                russian.clone().or_better_across_scripts(other.clone()),
                russian
            );
            assert_eq!(other.or_better_across_scripts(russian.clone()), russian);
        }
    }

    #[test]
    fn a_close_second_makes_less_sure() {
        let (best, near) = (
            choice("en", 12.0, 0, "bees"),
            choice("en", 12.06, 0, "bees"),
        );
        let far = choice("en", 14.0, 0, "bees");
        let score = |other: &Choice| best.clone().or_better(other.clone()).score;
        assert!((score(&near) - 2.0 / 3.0).abs() < 0.01);
        assert!((score(&far) - best.score).abs() < 1e-9);
    }
}
