//! Letters of the languages written in windows-1252.

use encoding_rs::WINDOWS_1252;

use super::encodings::{characters, first_beyond_ascii};

/// The letters beyond ASCII of each language, in lower case.
const LANGUAGES: [&str; 13] = [
    "àâæçèéêëîïôœùûüÿ",
    "äöüßéà",
    "áéíóúñüç",
    "áàâãçéêíóôõúü",
    "àèéìíîòóùú",
    "äáàâéèêëïíöóôüúû",
    "åäöéàü",
    "åæøéäöòó",
    "áæðéíóöúýþ",
    "áæðíóøúý",
    "àçèéíïòóúü",
    "äöõüšžå",
    "âêîôŵŷáéíóúàèìòùïöëñç",
];
/// Fewer letters have no meaning.
const LEAST_LETTERS: usize = 8;
/// Of eight letters beyond ASCII, at least this many belong to the language of the text.
const OWN_OF_EIGHT: usize = 7;
/// Bytes of a text that are checked.
const MAX_READ: usize = 1 << 16;

/// Whether a text, decoded as windows-1252, has letters that no language of this charset has
/// together: `øíká` and `pøedmìtù` are Czech in another one.
#[must_use]
pub fn is_of_no_language(text: &[u8]) -> bool {
    let start = first_beyond_ascii(text).unwrap_or(text.len());
    let mut counts = [0; 128];
    for byte in &text[start..text.len().min(start + MAX_READ)] {
        if !byte.is_ascii() {
            counts[usize::from(byte & 0x7F)] += 1;
        }
    }
    let mut all = 0;
    let mut own = [0; LANGUAGES.len()];
    for (sign, count) in characters(WINDOWS_1252).into_iter().zip(counts) {
        if count == 0 || !sign.is_alphabetic() || matches!(sign, 'ª' | 'º' | 'µ') {
            continue;
        }
        all += count;
        // each has one lower-case letter
        let letter = sign.to_lowercase().next().unwrap_or(sign);
        for (own, language) in own.iter_mut().zip(LANGUAGES) {
            *own += count * usize::from(language.contains(letter));
        }
    }
    let most = own.into_iter().max().unwrap_or_default();
    all >= LEAST_LETTERS && most * 8 < all * OWN_OF_EIGHT
}

#[cfg(test)]
mod tests {
    use encoding_rs::Encoding;

    use super::*;

    fn is_of_none(text: &str, label: &str) -> bool {
        let encoding = Encoding::for_label(label.as_bytes()).unwrap();
        is_of_no_language(&encoding.encode(text).0)
    }

    #[test]
    fn letters_of_other_charsets_do_not_stand_together_in_a_western_language() {
        for (text, label) in [
            (
                "Příští týden se pojede častěji, protože přijíždějí žáci ze škol.",
                "windows-1250",
            ),
            (
                "Kışın rüzgâr dinene kadar bekler, çünkü iskelenin sığınağı yoktur.",
                "windows-1254",
            ),
            (
                "Žiemą laivas laukia uoste, kol nurims vėjas, nes čia pučia iš šiaurės.",
                "windows-1257",
            ),
            (
                "Ziemā kuģis gaida ostā, līdz vējš norimst, jo nav aizvēja ūdenī.",
                "windows-1257",
            ),
        ] {
            assert!(is_of_none(text, label), "{text}");
        }
    }

    #[test]
    fn texts_of_western_languages_have_their_own_letters() {
        for text in [
            "L’été, le garçon où naïve élève prépare à Noël un œuf là-bas; ça a été gâté.",
            "Größere Gruppen müssen früh da sein, für die Fähre zählt jede Übernachtung.",
            "El niño comió piñas en el jardín mañana; será así también allá, según él.",
            "A educação não é só informação: são opções, canções, atenção à língua e pão.",
            "Í vetur bíður skipið í höfninni þar til vindinn lægir, því þar er ekkert skjól.",
            "Färjan går två gånger om dagen; på vintern väntar båten på bättre väder där.",
            "Skibet går på øen når vinden løjer af; så må æbler på båden være sødere.",
        ] {
            assert!(!is_of_none(text, "windows-1252"), "{text}");
        }
        assert!(!is_of_none("pøed mìtù", "windows-1252"));
    }
}
