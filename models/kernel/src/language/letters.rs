//! The letters of a text by script, and the languages of each script.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::page::encodings::first_beyond_ascii;
use crate::unicode::is_letter;

/// A language in a script other than Latin is accepted if this share of the letters is its own: the
/// rest are names, code, and quotations in English.
const LEAST_SHARE: f64 = 0.25;
/// Latin letters appear in texts of every language, so a language in Latin letters needs most.
const LEAST_LATIN_SHARE: f64 = 0.5;
/// Share of kana among kana and Han from which a text is Japanese. Running text has .4 to .6,
/// headlines .2, Chinese text with Japanese names less than .05.
const LEAST_KANA_SHARE: f64 = 0.1;

/// A script, with the languages that are written in it.
#[derive(Debug, PartialEq, Eq)]
struct Script {
    /// Ranges of characters, first and last.
    ranges: &'static [(char, char)],
    /// Whether an undeclared text in the script is in the first language.
    tells: bool,
    /// Letters of English with as much content as one character.
    weight: u32,
    languages: &'static [&'static str],
}

const fn one(ranges: &'static [(char, char)], languages: &'static [&'static str]) -> Script {
    Script {
        ranges,
        tells: true,
        weight: 1,
        languages,
    }
}

const fn many(ranges: &'static [(char, char)], languages: &'static [&'static str]) -> Script {
    Script {
        ranges,
        tells: false,
        weight: 1,
        languages,
    }
}

const LATIN: usize = 0;
const KANA: usize = 1;
const HAN: usize = 2;

/// Latin has no list: its languages are all that are missing for other scripts, and [`ALSO_LATIN`].
const SCRIPTS: [Script; 37] = [
    many(
        &[
            ('A', 'Z'),
            ('a', 'z'),
            ('\u{aa}', '\u{2af}'),
            ('\u{1e00}', '\u{1eff}'),
            ('\u{2c60}', '\u{2c7f}'),
            ('\u{a722}', '\u{a7ff}'),
            ('\u{fb00}', '\u{fb06}'),
            ('\u{ff21}', '\u{ff5a}'),
        ],
        &[],
    ),
    Script {
        weight: 2,
        ..one(
            &[('\u{3041}', '\u{30ff}'), ('\u{ff66}', '\u{ff9d}')],
            &["ja", "ain", "ryu"],
        )
    },
    Script {
        weight: 3,
        ..one(
            &[
                ('\u{3100}', '\u{312f}'),
                ('\u{3400}', '\u{4dbf}'),
                ('\u{4e00}', '\u{9fff}'),
                ('\u{f900}', '\u{faff}'),
                ('\u{20000}', '\u{323af}'),
            ],
            &["zh", "yue", "wuu", "nan", "hak", "gan", "lzh", "cmn", "ja"],
        )
    },
    one(
        &[('\u{370}', '\u{3ff}'), ('\u{1f00}', '\u{1fff}')],
        &["el", "grc"],
    ),
    many(
        &[('\u{400}', '\u{52f}'), ('\u{1c80}', '\u{1c8f}')],
        &[
            "ru", "uk", "bg", "be", "sr", "mk", "kk", "ky", "mn", "tg", "tt", "ba", "cv", "os",
            "ce", "av", "ab", "cu", "kv", "uz", "az", "tk", "ug", "ku", "sah", "udm", "mhr", "mrj",
            "myv", "mdf", "inh", "kbd", "ady", "krc", "kum", "lez", "lbe", "xal", "bua", "tyv",
            "alt", "koi", "rue", "crh", "gag", "mo", "sh", "cnr", "bs", "nog", "dar", "kjh", "rom",
        ],
    ),
    one(
        &[('\u{531}', '\u{588}'), ('\u{fb13}', '\u{fb17}')],
        &["hy", "hyw", "xcl"],
    ),
    many(
        &[('\u{5d0}', '\u{5f2}'), ('\u{fb1d}', '\u{fb4f}')],
        &["he", "yi", "lad", "arc", "jrb", "jpr"],
    ),
    many(
        &[
            ('\u{620}', '\u{6ff}'),
            ('\u{750}', '\u{77f}'),
            ('\u{8a0}', '\u{8ff}'),
            ('\u{fb50}', '\u{fdff}'),
            ('\u{fe70}', '\u{fefc}'),
        ],
        &[
            "ar", "fa", "ur", "ps", "ckb", "ku", "ug", "sd", "arz", "ary", "apc", "pnb", "pa",
            "ks", "az", "azb", "kk", "ky", "uz", "tk", "ms", "ha", "bal", "glk", "mzn", "lrc",
            "prs", "skr", "lki", "sdh", "bqi", "khw", "haz", "dcc",
        ],
    ),
    one(&[('\u{710}', '\u{74f}')], &["syr", "syc", "arc", "aii"]),
    one(&[('\u{780}', '\u{7b1}')], &["dv"]),
    one(&[('\u{7ca}', '\u{7f5}')], &["nqo"]),
    many(
        &[('\u{900}', '\u{97f}'), ('\u{a8e0}', '\u{a8ff}')],
        &[
            "hi", "mr", "ne", "sa", "bho", "mai", "kok", "gom", "new", "awa", "doi", "brx", "sat",
            "ks", "sd", "mag", "raj", "hne", "pi", "bh", "anp", "mwr",
        ],
    ),
    one(
        &[('\u{980}', '\u{9ff}')],
        &["bn", "as", "mni", "bpy", "syl"],
    ),
    one(&[('\u{a01}', '\u{a76}')], &["pa"]),
    one(&[('\u{a81}', '\u{aff}')], &["gu", "kfr"]),
    one(&[('\u{b01}', '\u{b7f}')], &["or"]),
    one(&[('\u{b82}', '\u{bff}')], &["ta"]),
    one(&[('\u{c00}', '\u{c7f}')], &["te", "gon"]),
    one(&[('\u{c80}', '\u{cff}')], &["kn", "tcy", "kfa"]),
    one(&[('\u{d00}', '\u{d7f}')], &["ml"]),
    one(&[('\u{d81}', '\u{df4}')], &["si", "pi"]),
    one(&[('\u{e01}', '\u{e5b}')], &["th", "nod", "tts", "sou"]),
    one(&[('\u{e81}', '\u{edf}')], &["lo"]),
    one(&[('\u{f00}', '\u{fff}')], &["bo", "dz", "lbj"]),
    one(
        &[('\u{1000}', '\u{109f}'), ('\u{a9e0}', '\u{a9fe}')],
        &["my", "shn", "mnw", "ksw", "kar", "rki", "kht", "blk"],
    ),
    one(
        &[
            ('\u{10a0}', '\u{10ff}'),
            ('\u{1c90}', '\u{1cbf}'),
            ('\u{2d00}', '\u{2d2d}'),
        ],
        &["ka", "xmf", "sva", "lzz"],
    ),
    Script {
        weight: 2,
        ..one(
            &[
                ('\u{1100}', '\u{11ff}'),
                ('\u{3131}', '\u{318e}'),
                ('\u{ac00}', '\u{d7fb}'),
            ],
            &["ko"],
        )
    },
    one(
        &[
            ('\u{1200}', '\u{139f}'),
            ('\u{2d80}', '\u{2dde}'),
            ('\u{ab01}', '\u{ab2e}'),
        ],
        &["am", "ti", "tig", "gez", "byn"],
    ),
    one(
        &[('\u{13a0}', '\u{13fd}'), ('\u{ab70}', '\u{abbf}')],
        &["chr"],
    ),
    one(&[('\u{1401}', '\u{167f}')], &["iu", "cr", "oj", "nsk"]),
    one(
        &[('\u{1780}', '\u{17df}'), ('\u{19e0}', '\u{19ff}')],
        &["km"],
    ),
    one(&[('\u{1820}', '\u{18aa}')], &["mn", "mvf", "mnc"]),
    one(&[('\u{1c5a}', '\u{1c7d}')], &["sat"]),
    one(
        &[('\u{2d30}', '\u{2d6f}')],
        &["zgh", "ber", "tzm", "shi", "kab", "rif"],
    ),
    one(&[('\u{a000}', '\u{a48c}')], &["ii"]),
    one(&[('\u{a980}', '\u{a9c0}')], &["jv"]),
    one(&[('\u{1e900}', '\u{1e943}')], &["ff"]),
];

/// Languages of other scripts that are written in Latin letters too.
const ALSO_LATIN: [&str; 26] = [
    "sr", "bs", "sh", "cnr", "az", "uz", "tk", "tt", "kk", "ku", "crh", "gag", "mo", "ms", "ha",
    "ff", "jv", "kab", "ber", "shi", "rif", "cr", "oj", "iu", "rom", "lad",
];

/// The number of a text's letters in each script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letters {
    weights: [u32; SCRIPTS.len()],
    total: u32,
}

impl Letters {
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut letters = Self {
            weights: [0; SCRIPTS.len()],
            total: 0,
        };
        let plain = text.bytes().filter(u8::is_ascii_alphabetic).count() as u32;
        letters.total = plain;
        letters.weights[LATIN] = plain;
        let mut last = LATIN;
        for sign in beyond_ascii(text).filter(|&sign| is_letter(sign)) {
            // most letters are in the same script as the previous one
            let found = if is_of(sign, last) {
                Some(last)
            } else {
                (0..SCRIPTS.len()).find(|&script| is_of(sign, script))
            };
            let weight = found.map_or(1, |script| SCRIPTS[script].weight);
            letters.total += weight;
            if let Some(script) = found {
                letters.weights[script] += weight;
                last = script;
            }
        }
        letters
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Whether enough letters are letters of a language. A language that no script lists is assumed
    /// to be in Latin letters.
    #[must_use]
    pub fn are_of(&self, language: &str) -> bool {
        let scripts = scripts_of(language);
        let own = (0..).zip(self.weights).skip(LATIN + 1);
        let own: u32 = own
            .filter(|(script, _)| scripts >> script & 1 == 1)
            .map(|(_, weight)| weight)
            .sum();
        is_latin(scripts) && self.share(self.weights[LATIN]) >= LEAST_LATIN_SHARE
            || self.share(own) > LEAST_SHARE
    }

    /// Whether the script with the most letters is used for a language.
    #[must_use]
    pub fn are_mostly_of(&self, language: &str) -> bool {
        match self.main() {
            Some(LATIN) => is_latin(scripts_of(language)) && self.are_of(language),
            Some(script) => scripts_of(language) >> script & 1 == 1,
            None => false,
        }
    }

    /// The only language of the script with the most letters; empty for a script of several.
    #[must_use]
    pub fn language(&self) -> &'static str {
        match self.main().map(|script| &SCRIPTS[script]) {
            Some(script) if script.tells => script.languages[0],
            _ => "",
        }
    }

    /// The script with the most letters; kana means Japanese text, which is mostly Han.
    fn main(&self) -> Option<usize> {
        let script = (0..SCRIPTS.len())
            .rev()
            .max_by_key(|&at| self.weights[at])?;
        let (kana, han) = (self.weights[KANA], self.weights[HAN]);
        let asian = f64::from(kana + han);
        if self.weights[script] == 0 {
            None
        } else if kana + han > self.weights[script] || matches!(script, KANA | HAN) {
            let is_japanese = f64::from(kana) >= LEAST_KANA_SHARE * asian;
            Some(if is_japanese { KANA } else { HAN })
        } else {
            Some(script)
        }
    }

    fn share(&self, weight: u32) -> f64 {
        f64::from(weight) / f64::from(self.total.max(1))
    }
}

/// The characters of a text that are not ASCII.
fn beyond_ascii(text: &str) -> impl Iterator<Item = char> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.bytes().next()?.is_ascii() {
            rest = &rest[first_beyond_ascii(rest.as_bytes())?..];
        }
        let mut signs = rest.chars();
        let sign = signs.next()?;
        rest = signs.as_str();
        Some(sign)
    })
}

fn is_of(sign: char, script: usize) -> bool {
    let mut ranges = SCRIPTS[script].ranges.iter();
    ranges.any(|&(first, last)| (first..=last).contains(&sign))
}

/// The scripts of every language of a list, a bit each by their numbers.
static LISTED: LazyLock<HashMap<&str, u64>> = LazyLock::new(|| {
    let mut listed = HashMap::new();
    for (number, script) in SCRIPTS.iter().enumerate() {
        for language in script.languages {
            *listed.entry(*language).or_default() |= 1 << number;
        }
    }
    for language in ALSO_LATIN {
        *listed.entry(language).or_default() |= 1 << LATIN;
    }
    listed
});

/// The scripts of a language, a bit each.
fn scripts_of(language: &str) -> u64 {
    LISTED.get(language).copied().unwrap_or(1 << LATIN)
}

/// Whether a language belongs to a script with a list.
#[must_use]
pub fn is_listed(language: &str) -> bool {
    LISTED.contains_key(language)
}

/// Whether two languages are written in one script.
#[must_use]
pub fn share_script(one: &str, other: &str) -> bool {
    scripts_of(one) & scripts_of(other) != 0
}

fn is_latin(scripts: u64) -> bool {
    scripts >> LATIN & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_of_one_language_tells_it() {
        for (text, language) in [
            ("Οι μέλισσες", "el"),
            ("蜜蜂在城市里", "zh"),
            ("ミツバチは畑", "ja"),
            ("養蜂場の巣箱", "ja"),
            ("蜂 사람들은 도시의 벌을 본다", "ko"),
            ("ผึ้งในเมือง", "th"),
            ("ເຜິ້ງໃນເມືອງ", "lo"),
            ("ឃ្មុំនៅក្នុងទីក្រុង", "km"),
            ("မြို့ထဲက ပျားများ", "my"),
            ("ფუტკრები ქალაქში", "ka"),
            ("Մեղուները քաղաքում", "hy"),
            ("ንቦች በከተማ ውስጥ", "am"),
            ("நகரத்தில் தேனீக்கள்", "ta"),
            ("শহরের মৌমাছি", "bn"),
            ("བོད་ཀྱི་སྦྲང་མ", "bo"),
            ("ހުޅުމާލެ", "dv"),
        ] {
            let letters = Letters::of(text);
            assert_eq!(letters.language(), language, "{text}");
            assert!(letters.are_of(language) && letters.are_mostly_of(language));
            assert!(!letters.are_of("en") && !letters.are_mostly_of("en"));
        }
    }

    #[test]
    fn a_script_of_many_languages_tells_none() {
        for text in [
            "Die Bienen",
            "Пчёлы находят",
            "يجد النحل",
            "מוצאות הדבורים",
            "मधुमक्खियाँ",
        ] {
            assert_eq!(Letters::of(text).language(), "", "{text}");
        }
    }

    #[test]
    fn a_text_without_letters_is_of_no_language() {
        for text in ["12.50 | 13:40\n—\n", "", "⚀⚁ ────"] {
            let letters = Letters::of(text);
            assert!(letters.is_empty(), "{text}");
            assert!(!letters.are_mostly_of("en"));
        }
    }

    #[test]
    fn a_quarter_of_the_letters_is_enough_but_for_latin_ones() {
        let russian = Letters::of("пчёлы, Bees of City");
        assert!(russian.are_of("ru") && !russian.are_mostly_of("ru"));
        assert!(russian.are_of("en") && russian.are_mostly_of("en"));
        let thai = Letters::of("ผึ้งในเมืองหลวงของประเทศ Bee City Park");
        assert!(thai.are_of("th") && !thai.are_of("en") && !thai.are_of("de"));
        assert!(!Letters::of("const [bees] = ──── 蜂").are_of("zh"));
    }

    #[test]
    fn languages_of_two_scripts_are_taken_in_both() {
        assert!(Letters::of("пчеле у граду").are_of("sr"));
        assert!(Letters::of("pčele u gradu").are_of("sr"));
        assert!(!Letters::of("pčele u gradu").are_of("ru"));
        assert!(!Letters::of("pčele u gradu").are_of("th"));
    }

    #[test]
    fn languages_share_a_script_or_not() {
        assert!(share_script("en", "pl") && share_script("ru", "uk") && share_script("sr", "hr"));
        assert!(!share_script("en", "ru") && !share_script("zh", "el"));
    }

    #[test]
    fn ranges_of_scripts_do_not_overlap() {
        let mut ranges: Vec<_> = SCRIPTS.iter().flat_map(|script| script.ranges).collect();
        ranges.sort_unstable();
        assert!(ranges.windows(2).all(|pair| pair[0].1 < pair[1].0));
    }
}
