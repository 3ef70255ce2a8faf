//! Blocks to the language of a page, as a detector of character trigrams sees it.

pub mod sample;
mod tags;

use whatlang::{Script, detect, detect_script};

use crate::page::blocks::BlockTable;

/// What the detector makes of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Guess {
    /// BCP 47 primary subtag; empty for a page without letters.
    pub language: &'static str,
    /// How far the detector trusts its guess, 0 to 1.
    pub confidence: f64,
}

/// Guesses the language of a page from a bounded sample of its text.
#[must_use]
pub fn guess(page: &BlockTable) -> Guess {
    let text = sample::sample(page);
    let found = detect(&text);
    found.map_or_else(Guess::default, |info| Guess {
        language: tags::subtag(info.lang()),
        confidence: info.confidence(),
    })
}

/// The language of a page whose script tells it without counting trigrams: Greek, Chinese and
/// the like. Empty for scripts of many languages (Latin, Cyrillic, Arabic, Devanagari, Hebrew).
#[must_use]
pub fn by_script(page: &BlockTable) -> &'static str {
    let text = sample::sample(page);
    match detect_script(&text) {
        None
        | Some(
            Script::Latin | Script::Cyrillic | Script::Arabic | Script::Devanagari | Script::Hebrew,
        ) => "",
        Some(_) => detect(&text).map_or("", |info| tags::subtag(info.lang())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::blocks::Block;

    fn page(texts: &[&str]) -> BlockTable {
        let mut table = BlockTable::default();
        for text in texts {
            let start = table.text.len() as u32;
            table.text.push_str(text);
            table.blocks.push(Block {
                start,
                end: table.text.len() as u32,
                ..Block::default()
            });
            table.text.push('\n');
        }
        table
    }

    fn language(text: &str) -> &'static str {
        guess(&page(&[text])).language
    }

    #[test]
    fn languages_are_told_apart() {
        let texts = [
            (
                "en",
                "The bees find more flowers in the city than in the fields around it.",
            ),
            (
                "de",
                "Die Bienen finden in der Stadt mehr Blüten als auf den Feldern ringsum.",
            ),
            (
                "pl",
                "Pszczoły znajdują w mieście więcej kwiatów niż na okolicznych polach.",
            ),
            (
                "ru",
                "Пчёлы находят в городе больше цветов, чем на полях вокруг него.",
            ),
            (
                "uk",
                "Бджоли знаходять у місті більше квітів, ніж на полях довкола нього.",
            ),
            (
                "el",
                "Οι μέλισσες βρίσκουν στην πόλη περισσότερα λουλούδια.",
            ),
            ("zh", "蜜蜂在城市里找到的花比周围田野里的更多。"),
            ("ja", "ミツバチは畑よりも町の中で多くの花を見つけます。"),
            ("ar", "يجد النحل في المدينة أزهارا أكثر مما في الحقول."),
        ];
        for (wanted, text) in texts {
            assert_eq!(language(text), wanted, "{text}");
        }
    }

    #[test]
    fn a_script_of_one_language_tells_it() {
        let by_script = |text| by_script(&page(&[text]));
        assert_eq!(by_script("Οι μέλισσες"), "el");
        assert_eq!(by_script("蜜蜂在城市里"), "zh");
        assert_eq!(by_script("ミツバチは畑"), "ja");
        assert_eq!(by_script("Die Bienen"), "");
        assert_eq!(by_script("Пчёлы находят"), "");
        assert_eq!(by_script("12:30"), "");
    }

    #[test]
    fn a_page_without_letters_has_no_language() {
        assert_eq!(guess(&page(&["12.50 | 13:40", "—"])), Guess::default());
        assert_eq!(guess(&BlockTable::default()), Guess::default());
    }

    #[test]
    fn prose_decides_and_not_the_menu_around_it() {
        let mut blocks = vec!["Home", "News", "About us", "Contact", "Shop", "Log in"];
        blocks.push("Die Bienen finden in der Stadt mehr Blüten als auf den Feldern ringsum.");
        assert_eq!(guess(&page(&blocks)).language, "de");
    }
}
