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

/// Whether a text, decoded as windows-1252, is Hungarian of windows-1250: its letters are the same,
/// except `ő` and `ű`, which are read as `õ` and `û`. Estonian and Portuguese, which have `õ` too,
/// have other vowels next to it.
#[must_use]
pub fn is_hungarian(text: &[u8]) -> bool {
    let start = first_beyond_ascii(text).unwrap_or(text.len());
    let signs = characters(WINDOWS_1252);
    let (mut all, mut acute, mut umlauts, mut own) = (0, 0, 0, 0);
    for byte in &text[start..text.len().min(start + MAX_READ)] {
        let Some(&sign) = byte
            .checked_sub(0x80)
            .and_then(|at| signs.get(usize::from(at)))
        else {
            continue;
        };
        all += usize::from(sign.is_alphabetic());
        match sign {
            'á' | 'é' | 'í' | 'ó' | 'ú' | 'Á' | 'É' | 'Í' | 'Ó' | 'Ú' => acute += 1,
            'ö' | 'ü' | 'Ö' | 'Ü' => umlauts += 1,
            'õ' | 'û' | 'Õ' | 'Û' => own += 1,
            _ => {}
        }
    }
    let is_most = (acute + umlauts + own) * 16 >= all * 15;
    all >= LEAST_LETTERS && is_most && umlauts > 0 && own > 0 && acute > umlauts
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

    #[test]
    fn hungarian_is_told_from_languages_with_the_same_letters() {
        let is_hungarian_as = |text: &str, label: &str| {
            let encoding = Encoding::for_label(label.as_bytes()).unwrap();
            is_hungarian(&encoding.encode(text).0)
        };
        let text = "A komp naponta kétszer indul a régi mólóról, és a fedélzet többnyire üres; \
            az őszi viharok kétszer is széttörték a kikötőhelyeket.";

        assert!(is_hungarian_as(text, "windows-1250"));
        assert!(is_hungarian_as(text, "iso-8859-2"));
        for text in [
            "Não é só opinião: as ações põem à prova as opções e lições de Müller, além de três nações.",
            "Õhtul jõuab laev sadamasse, kui tuul ei ole väga tugev; öösel sõidab ta külla.",
            "Größere Gruppen müssen früh da sein; Señor Peñón fährt über Köln.",
            "Où est l’île sûre du goût? Août, dû, mûr, bûche, brûlé, sûreté, flûte, piqûre.",
            "El niño comió piñas en el jardín; será así también allá, según él y Müller.",
        ] {
            assert!(!is_hungarian_as(text, "windows-1252"), "{text}");
        }
    }
}
