//! A batch of pages to judged ones: choose a model for each page, score its sentences, and apply
//! the rule of one engine.

use std::sync::Arc;

use super::contrast;
use super::hybrid::model::{Model as HybridModel, Policy};
use super::judgement::Judgement;
use crate::language::choice::{Chooser, LanguageModel};
use crate::ngram::model::Model;
use crate::page::blocks::{BlockTable, Kind};
use crate::text::sentences::{Sentence, SentenceTable};
use crate::text::verdict::Verdict;

/// The rule of an engine.
#[derive(Clone, Copy)]
pub enum Rule<'r> {
    /// Drops each sentence above a threshold. Pages in a language without a model are kept whole: a
    /// model would score every sentence as unlikely. No other page becomes empty either, unless
    /// there is one threshold for all languages.
    Perplexity(&'r Thresholds),
    /// The first language model against a boilerplate model, for pages in all languages.
    Contrast {
        boilerplate: &'r Model,
        parameters: &'r contrast::Parameters,
    },
    Hybrid {
        model: &'r HybridModel,
        policy: Policy,
    },
    /// The labels given while the tree of the page existed; without labels the page is kept whole.
    Labelled,
}

/// Perplexities above which a sentence is dropped.
#[derive(Clone, Debug, PartialEq)]
pub struct Thresholds {
    /// For languages that are not listed.
    pub otherwise: f64,
    pub by_language: Vec<(String, f64)>,
}

/// A perplexity above which sentences of prose are dropped, even if the rule keeps them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ceiling {
    /// The same for all languages.
    Perplexity(f32),
    /// This quantile of the held-out sentences of the page's own model.
    Quantile(f64),
}

/// A page cut into blocks.
#[derive(Clone, Copy)]
pub struct CutPage<'p> {
    pub table: &'p BlockTable,
    /// The engine's result, if it was computed while the tree of the page existed.
    pub labels: Option<&'p Arc<Judgement>>,
}

/// A page with scores and verdicts.
#[derive(Clone, Debug)]
pub struct JudgedPage {
    pub sentences: SentenceTable,
    /// The number of the language model that scored them.
    pub model: usize,
    /// Whether that model has the language of the page.
    pub is_known: bool,
    /// BCP 47 primary subtag of the page if known, else empty.
    pub language: String,
    /// Certainty of the language, 0 to 1.
    pub language_score: f64,
    /// The code of the verdict of each sentence.
    pub verdicts: Vec<u8>,
    /// The threshold of this page, if it differs from the engine's.
    pub threshold: Option<f64>,
    /// The engine's result for the blocks; none if it judges sentences.
    pub blocks: Option<Arc<Judgement>>,
}

/// Which sentences are scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The kept ones, and all that the engine needs.
    Kept,
    All,
}

/// Judges a batch of pages; the first model scores pages without a declared language.
///
/// Without a model no page is judged.
#[must_use]
pub fn judge(
    models: &[LanguageModel<'_>],
    rule: Rule<'_>,
    pages: &[CutPage<'_>],
    scope: Scope,
    ceiling: Option<Ceiling>,
) -> Vec<JudgedPage> {
    let mut chooser = Chooser::new(models);
    // the network and the n-grams are large: each is used for all pages while it is in the cache
    let blocks: Vec<_> = pages.iter().map(|page| rule.blocks(*page)).collect();
    let judged = pages.iter().zip(blocks);
    judged
        .map(|(page, blocks)| {
            let mut judged = rule.judge(&mut chooser, page.table, blocks, scope);
            if let (Some(ceiling), true) = (ceiling, judged.is_known) {
                ceiling.lower(page.table, models[judged.model].model, &mut judged);
            }
            judged
        })
        .collect()
}

impl Rule<'_> {
    /// The engine's result for the blocks of a page, without scores.
    fn blocks(self, page: CutPage<'_>) -> Option<Arc<Judgement>> {
        match self {
            Self::Hybrid { model, policy } => Some(Arc::new(model.judge(page.table, policy))),
            Self::Labelled => page.labels.cloned(),
            Self::Perplexity(_) | Self::Contrast { .. } => None,
        }
    }

    fn judge(
        self,
        chooser: &mut Chooser<'_>,
        table: &BlockTable,
        blocks: Option<Arc<Judgement>>,
        scope: Scope,
    ) -> JudgedPage {
        let choice = chooser.choose(table);
        let (number, sentences, blocks) = match self {
            Self::Contrast {
                boilerplate,
                parameters,
            } => {
                let (first, second) = chooser.scorer(0).score_twice(table, boilerplate);
                let blocks = contrast::judge(table, &first, &second, parameters);
                (0, first, Some(Arc::new(blocks)))
            }
            _ => {
                let is_asked = |block: usize| match (&blocks, scope) {
                    (Some(blocks), Scope::Kept) => blocks.of_block(block) == Verdict::KEPT,
                    _ => true,
                };
                let scorer = chooser.scorer(choice.model);
                (choice.model, scorer.score_where(table, is_asked), blocks)
            }
        };
        let is_known = choice.fits && number == choice.model;
        let threshold = match (self, &blocks) {
            (Self::Perplexity(thresholds), _) if is_known => {
                Some(thresholds.of_page(&choice.language, &sentences))
            }
            (_, Some(blocks)) => blocks.threshold.map(f64::from),
            _ => None,
        };
        let verdicts = match (&blocks, threshold) {
            (Some(blocks), _) => blocks.of_sentences(&sentences),
            (None, Some(threshold)) => sentences.above(threshold as f32),
            (None, None) => vec![Verdict::KEPT; sentences.sentences.len()],
        };
        JudgedPage {
            sentences,
            model: number,
            is_known,
            language: choice.language,
            language_score: choice.score,
            verdicts,
            threshold,
            blocks,
        }
    }
}

impl Ceiling {
    /// Drops the sentences above it; a model without quantiles has nothing above a quantile.
    fn lower(self, table: &BlockTable, model: &Model, judged: &mut JudgedPage) {
        let limit = match self {
            Self::Perplexity(limit) => limit,
            Self::Quantile(share) => model.quantiles.perplexity(share).unwrap_or(f32::INFINITY),
        };
        for (verdict, sentence) in judged.verdicts.iter_mut().zip(&judged.sentences.sentences) {
            let is_above = *verdict == Verdict::KEPT && sentence.perplexity() > limit;
            if is_above && is_prose(table, sentence) {
                *verdict = Verdict::Perplexity as u8;
            }
        }
    }
}

/// Fewest tokens for which the perplexity of a sentence is meaningful.
const LEAST_TOKENS: u32 = 8;

/// Whether a sentence is running text: long enough, and not in code, a heading, a caption or a data
/// table; in a list only with an end mark, because items are often names.
fn is_prose(table: &BlockTable, sentence: &Sentence) -> bool {
    let Some(block) = table.blocks.get(sentence.block as usize) else {
        return false;
    };
    let text = table
        .text
        .get(sentence.start as usize..sentence.end as usize);
    let ends = |text: &str| {
        let bare = text.trim_end_matches(['"', '\'', '”', '’', '»', ')', '」']);
        bare.ends_with(['.', '!', '?', '…', '。', '！', '？', '؟', '।', '۔'])
    };
    let is_running = match block.kind {
        Kind::Paragraph | Kind::Quote | Kind::Other => block.lists == 0 || text.is_some_and(ends),
        Kind::ListItem => text.is_some_and(ends),
        Kind::Heading | Kind::TableCell | Kind::Code | Kind::Caption => false,
    };
    is_running && block.table == 0 && sentence.tokens >= LEAST_TOKENS
}

impl Thresholds {
    /// The threshold of a language, but not below the likeliest sentence of the page.
    fn of_page(&self, language: &str, sentences: &SentenceTable) -> f64 {
        if self.by_language.is_empty() {
            return self.otherwise;
        }
        let own = self.by_language.iter().find(|(name, _)| name == language);
        let own = own.map_or(self.otherwise, |(_, threshold)| *threshold);
        let with_words = sentences.sentences.iter().filter(|row| row.tokens > 0);
        let least = with_words.map(Sentence::perplexity).reduce(f32::min);
        own.max(least.map_or(own, f64::from))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::ngram::score::Scorer;
    use crate::page::plain::paragraphs;
    use crate::text::sentences::Sentence;

    const ENGLISH: &str = "The bees find more flowers in the city than in the fields around it.";
    const GERMAN: &str = "Die Bienen finden in der Stadt mehr Blüten als auf den Feldern ringsum.";
    const POLISH: &str = "Po dwóch latach remontu na ulice miasta wrócił tramwaj z ławkami.";

    const STRANGE: &str = "Tramwaj ławkami miasta ulice po na wrócił remontu z latach dwóch.";

    fn shipped(language: &str) -> Model {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data");
        Model::open(&data.join(format!("{language}.winnow"))).unwrap()
    }

    fn judged(rule: Rule<'_>, texts: &[&str]) -> Vec<JudgedPage> {
        let (english, polish) = (shipped("en"), shipped("pl"));
        let models = [(&english, "en"), (&polish, "pl")];
        let models = models.map(|(model, language)| LanguageModel { model, language });
        let tables: Vec<BlockTable> = texts.iter().map(|text| paragraphs(text)).collect();
        let pages = tables.iter().map(|table| CutPage {
            table,
            labels: None,
        });
        judge(&models, rule, &pages.collect::<Vec<_>>(), Scope::Kept, None)
    }

    #[test]
    fn each_page_is_judged_by_the_threshold_of_its_language() {
        let thresholds = Thresholds {
            otherwise: 1e9,
            by_language: vec![("pl".to_owned(), 1.5)],
        };

        let found = judged(
            Rule::Perplexity(&thresholds),
            &[ENGLISH, &format!("{POLISH}\n\n{STRANGE}"), GERMAN, ""],
        );

        let shown: Vec<_> = found
            .iter()
            .map(|page| {
                (
                    page.model,
                    page.language.as_str(),
                    page.is_known,
                    page.threshold,
                )
            })
            .collect();
        assert_eq!(shown[0], (0, "en", true, Some(1e9)));
        assert_eq!((shown[1].0, shown[1].1, shown[1].2), (1, "pl", true));
        assert_eq!((shown[2].1, shown[2].2, shown[2].3), ("de", false, None));
        assert_eq!(found[0].verdicts, [Verdict::KEPT]);
        // all of it is above, so the likelier of two stays
        let likelier = found[1].sentences.sentences[0].perplexity();
        assert_eq!(shown[1].3, Some(f64::from(likelier)));
        let dropped = Verdict::Perplexity as u8;
        assert_eq!(found[1].verdicts, [Verdict::KEPT, dropped]);
        assert_eq!(found[2].verdicts, [Verdict::KEPT]);
        assert!(found[3].verdicts.is_empty());
    }

    #[test]
    fn one_threshold_for_all_languages_may_empty_a_page() {
        let thresholds = Thresholds {
            otherwise: 1.5,
            by_language: Vec::new(),
        };

        let found = judged(Rule::Perplexity(&thresholds), &[POLISH]);

        assert_eq!(found[0].threshold, Some(1.5));
        assert_eq!(found[0].verdicts, [Verdict::Perplexity as u8]);
    }

    #[test]
    fn a_ceiling_drops_strange_prose_whichever_rule_kept_it() {
        const GARBLED: &str = "Field city bees around flowers hotel cheap than the in it more.";
        let model = shipped("en");
        let models = [LanguageModel {
            model: &model,
            language: "en",
        }];
        let mut table = paragraphs(&[ENGLISH, GARBLED, GARBLED, GARBLED, GARBLED].join("\n\n"));
        table.blocks[2].kind = Kind::Heading;
        table.blocks[3].kind = Kind::Code;
        table.blocks[4].table = 1;
        let pages = [CutPage {
            table: &table,
            labels: None,
        }];
        let verdicts = |ceiling| {
            judge(&models, Rule::Labelled, &pages, Scope::Kept, ceiling)
                .remove(0)
                .verdicts
        };
        let dropped = Verdict::Perplexity as u8;
        assert_eq!(verdicts(None), [Verdict::KEPT; 5]);
        assert_eq!(
            verdicts(Some(Ceiling::Perplexity(3000.0))),
            [0, dropped, 0, 0, 0]
        );
        assert_eq!(
            verdicts(Some(Ceiling::Perplexity(1.0))),
            [dropped, dropped, 0, 0, 0]
        );
    }

    #[test]
    fn items_of_lists_go_only_as_sentences() {
        let table = paragraphs(
            "Mielikki Tuonetar Ilmatar Kalevatar Louhi Vellamo Tapio Ahti\n\nA b c d e f g h.",
        );
        let sentence = |block: u32| Sentence {
            block,
            start: table.blocks[block as usize].start,
            end: table.blocks[block as usize].end,
            tokens: 9,
            ..Sentence::default()
        };
        let mut listed = table.clone();
        for block in &mut listed.blocks {
            block.kind = Kind::ListItem;
        }
        assert!(is_prose(&table, &sentence(0)));
        assert!(!is_prose(&listed, &sentence(0)) && is_prose(&listed, &sentence(1)));
    }

    #[test]
    fn the_first_model_scores_every_page_beside_the_one_of_boilerplate() {
        let (boilerplate, english) = (shipped("boilerplate"), shipped("en"));
        let parameters = contrast::PARAMETERS;
        let rule = Rule::Contrast {
            boilerplate: &boilerplate,
            parameters: &parameters,
        };

        let found = judged(rule, &[POLISH, ENGLISH]);

        let table = paragraphs(POLISH);
        let (first, second) = Scorer::new(&english).score_twice(&table, &boilerplate);
        let blocks = contrast::judge(&table, &first, &second, &parameters);
        assert_eq!(found[0].verdicts, blocks.of_sentences(&first));
        assert_eq!(found[0].sentences.sentences, first.sentences);
        assert_eq!((found[0].model, found[0].language.as_str()), (0, "pl"));
        assert_eq!((found[0].is_known, found[1].is_known), (false, true));
    }

    #[test]
    fn labels_decide_and_a_page_without_them_stays_whole() {
        let model = shipped("en");
        let models = [LanguageModel {
            model: &model,
            language: "en",
        }];
        let table = paragraphs(&format!("{ENGLISH}\n\n{ENGLISH}"));
        let labels = Arc::new(Judgement {
            threshold: Some(0.5),
            ..Judgement::of_content([false, true].into_iter())
        });
        let pages = [Some(&labels), None].map(|labels| CutPage {
            table: &table,
            labels,
        });

        let found = judge(&models, Rule::Labelled, &pages, Scope::Kept, None);
        let all = judge(&models, Rule::Labelled, &pages, Scope::All, None);

        let boilerplate = Verdict::Boilerplate as u8;
        assert_eq!(found[0].verdicts, [boilerplate, Verdict::KEPT]);
        assert_eq!(found[0].threshold, Some(0.5));
        assert_eq!(found[1].verdicts, [Verdict::KEPT; 2]);
        assert_eq!((found[1].threshold, &found[1].blocks), (None, &None));
        let scored = Scorer::new(&model).score(&table).sentences;
        assert_eq!(all[0].sentences.sentences, scored);
        assert_eq!(found[1].sentences.sentences, scored);
        let dropped = Sentence {
            oov: 0,
            log2_prob: 0.0,
            is_unscored: true,
            ..scored[0]
        };
        assert_eq!(found[0].sentences.sentences, [dropped, scored[1]]);
        assert_eq!(dropped.perplexity(), 0.0);
    }
}
