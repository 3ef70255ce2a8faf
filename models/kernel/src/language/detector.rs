//! The language of a text from a detector of scripts and character trigrams.

use whatlang::detect;

use super::tags;

/// The detector's result for a page.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Guess {
    /// BCP 47 primary subtag; empty for a page without letters.
    pub language: &'static str,
    /// The detector's certainty, 0 to 1.
    pub confidence: f64,
}

/// Guesses the language of a text, which should be short: the cost grows with its length.
#[must_use]
pub fn guess(text: &str) -> Guess {
    detect(text).map_or_else(Guess::default, |info| Guess {
        language: tags::subtag(info.lang()),
        confidence: info.confidence(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::sample::sample;
    use crate::page::blocks::{Block, BlockTable};

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
            assert_eq!(guess(text).language, wanted, "{text}");
        }
    }

    #[test]
    fn a_text_without_letters_has_no_language() {
        for text in ["12.50 | 13:40\n—\n", ""] {
            assert_eq!(guess(text), Guess::default());
        }
    }

    #[test]
    fn prose_decides_and_not_the_menu_around_it() {
        let mut blocks = vec!["Home", "News", "About us", "Contact", "Shop", "Log in"];
        blocks.push("Die Bienen finden in der Stadt mehr Blüten als auf den Feldern ringsum.");
        assert_eq!(guess(&sample(&page(&blocks)).text).language, "de");
    }
}
