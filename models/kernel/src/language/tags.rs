//! The subtags of pages and models for the languages of the detector.

use whatlang::Lang;

/// The BCP 47 primary subtag of a language: the two letters of ISO 639-1.
#[must_use]
pub fn subtag(language: Lang) -> &'static str {
    match language {
        Lang::Epo => "eo",
        Lang::Eng => "en",
        Lang::Rus => "ru",
        Lang::Cmn => "zh",
        Lang::Spa => "es",
        Lang::Por => "pt",
        Lang::Ita => "it",
        Lang::Ben => "bn",
        Lang::Fra => "fr",
        Lang::Deu => "de",
        Lang::Ukr => "uk",
        Lang::Kat => "ka",
        Lang::Ara => "ar",
        Lang::Hin => "hi",
        Lang::Jpn => "ja",
        Lang::Heb => "he",
        Lang::Yid => "yi",
        Lang::Pol => "pl",
        Lang::Amh => "am",
        Lang::Jav => "jv",
        Lang::Kor => "ko",
        Lang::Nob => "nb",
        Lang::Dan => "da",
        Lang::Swe => "sv",
        Lang::Fin => "fi",
        Lang::Tur => "tr",
        Lang::Nld => "nl",
        Lang::Hun => "hu",
        Lang::Ces => "cs",
        Lang::Ell => "el",
        Lang::Bul => "bg",
        Lang::Bel => "be",
        Lang::Mar => "mr",
        Lang::Kan => "kn",
        Lang::Ron => "ro",
        Lang::Slv => "sl",
        Lang::Hrv => "hr",
        Lang::Srp => "sr",
        Lang::Mkd => "mk",
        Lang::Lit => "lt",
        Lang::Lav => "lv",
        Lang::Est => "et",
        Lang::Tam => "ta",
        Lang::Vie => "vi",
        Lang::Urd => "ur",
        Lang::Tha => "th",
        Lang::Guj => "gu",
        Lang::Uzb => "uz",
        Lang::Pan => "pa",
        Lang::Aze => "az",
        Lang::Ind => "id",
        Lang::Tel => "te",
        Lang::Pes => "fa",
        Lang::Mal => "ml",
        Lang::Ori => "or",
        Lang::Mya => "my",
        Lang::Nep => "ne",
        Lang::Sin => "si",
        Lang::Khm => "km",
        Lang::Tuk => "tk",
        Lang::Aka => "ak",
        Lang::Zul => "zu",
        Lang::Sna => "sn",
        Lang::Afr => "af",
        Lang::Lat => "la",
        Lang::Slk => "sk",
        Lang::Cat => "ca",
        Lang::Tgl => "tl",
        Lang::Hye => "hy",
        Lang::Cym => "cy",
    }
}

/// Wrong codes in pages: withdrawn ones, codes of countries, and the one of Norwegian, which nearly
/// always means Bokmål.
const ALIASES: [(&str, &str); 19] = [
    ("iw", "he"),
    ("in", "id"),
    ("ji", "yi"),
    ("jw", "jv"),
    ("cn", "zh"),
    ("jp", "ja"),
    ("kr", "ko"),
    ("gr", "el"),
    ("cz", "cs"),
    ("ua", "uk"),
    ("by", "be"),
    ("dk", "da"),
    ("vn", "vi"),
    ("ir", "fa"),
    ("il", "he"),
    ("us", "en"),
    ("gb", "en"),
    ("ger", "de"),
    ("no", "nb"),
];

/// Languages in Latin letters that the detector mistakes for others: for them the declaration of a
/// page counts. Codes of countries, such as `se` and `br`, are left out.
const UNDETECTED: [&str; 44] = [
    "an", "ast", "bm", "bs", "ceb", "co", "eu", "ext", "fj", "fo", "fur", "fy", "ga", "gd", "gl",
    "gn", "gv", "ha", "haw", "ht", "ig", "is", "kl", "lb", "lg", "mg", "mi", "ms", "mt", "nds",
    "nn", "ny", "oc", "qu", "rm", "rw", "sc", "scn", "sm", "so", "sq", "su", "sw", "yo",
];

/// Whether the detector returns another language for a page in this one.
///
/// Languages listed for another script only need to be missing in the detector: `letters` knows
/// their codes.
#[must_use]
pub fn is_undetected(language: &str, is_listed: bool) -> bool {
    UNDETECTED.contains(&language)
        || is_listed && !Lang::all().iter().any(|&lang| subtag(lang) == language)
}

/// The normalised primary subtag of a language tag: `pt` for `pt-BR` and `por`.
///
/// Declarations may be anything, so only two or three letters count.
#[must_use]
pub fn primary_subtag(tag: &str) -> String {
    let subtag = tag.split(['-', '_']).next().unwrap_or_default();
    let subtag = subtag.trim().to_lowercase();
    let is_letters = subtag.bytes().all(|byte| byte.is_ascii_alphabetic());
    if !is_letters || !matches!(subtag.len(), 2 | 3) {
        return String::new();
    }
    let alias = ALIASES.iter().find(|(alias, _)| *alias == subtag);
    if let Some((_, language)) = alias {
        return (*language).to_owned();
    }
    Lang::from_code(subtag.as_str()).map_or(subtag, |language| self::subtag(language).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_detector_has_and_what_nobody_knows_is_not_undetected() {
        assert!(is_undetected("gl", false) && is_undetected("nn", false));
        assert!(is_undetected("kk", true) && is_undetected("ps", true));
        assert!(!is_undetected("pt", false) && !is_undetected("uk", true));
        assert!(!is_undetected("xx", false) && !is_undetected("fil", false));
        assert!(
            UNDETECTED
                .iter()
                .all(|name| Lang::all().iter().all(|&lang| subtag(lang) != *name))
        );
    }

    #[test]
    fn subtags_are_two_or_three_letters() {
        for (tag, subtag) in [
            ("pt-BR", "pt"),
            ("pl_PL", "pl"),
            (" EN ", "en"),
            ("fil", "fil"),
            ("deu", "de"),
            ("tha-TH", "th"),
            ("iw-IL", "he"),
            ("cn", "zh"),
            ("e", ""),
            ("engl", ""),
            ("<&>", ""),
            ("é1", ""),
            ("", ""),
        ] {
            assert_eq!(primary_subtag(tag), subtag, "{tag}");
        }
    }

    #[test]
    fn every_language_has_two_letters_of_its_own() {
        let mut subtags: Vec<&str> = Lang::all().iter().copied().map(subtag).collect();
        subtags.sort_unstable();
        subtags.dedup();
        assert_eq!(subtags.len(), Lang::all().len());
        assert!(subtags.iter().all(|subtag| subtag.len() == 2));
    }
}
