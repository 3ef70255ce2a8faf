//! What the names that authors give to elements hint at.

mod parts;

use super::words::{EMPTY, mix};
use std::sync::LazyLock;

/// Found in the labels of containers of content.
const HOPEFUL: u8 = 1;
/// Found in the labels of furniture.
const DOUBTFUL: u8 = 2;
/// Found in the labels of reader comments.
const COMMENTING: u8 = 4;

/// Parts of labels with what they hint at: those of English, and what authors elsewhere write for
/// them. None but English ones stand in usual English labels.
static PARTS: LazyLock<Parts> = LazyLock::new(|| {
    Parts::of(&[
        (HOPEFUL, parts::HOPEFUL),
        (DOUBTFUL, parts::DOUBTFUL),
        (DOUBTFUL | COMMENTING, parts::COMMENTING),
    ])
});

/// A part of a label in small letters, and what it hints at.
type Part = (&'static [u8], u8);

/// Parts of labels by their first two letters.
struct Parts {
    /// For each two letters (see [`pair`]) the number of their group, 0 where there is none.
    groups: [u16; 1 << (2 * LETTER_BITS)],
    /// Parts that begin with the same two letters.
    parts: Vec<Vec<Part>>,
}

const LETTER_BITS: usize = 5;

impl Parts {
    /// The words of each text, with the hint that they give.
    fn of(texts: &[(u8, &'static str)]) -> Self {
        let mut groups = [0; 1 << (2 * LETTER_BITS)];
        let mut parts = vec![Vec::new()];
        for (hint, text) in texts {
            for part in text.split_ascii_whitespace().map(str::as_bytes) {
                let group = &mut groups[pair(letter(part[0]), letter(part[1]))];
                if *group == 0 {
                    *group = parts.len() as u16;
                    parts.push(Vec::new());
                }
                parts[usize::from(*group)].push((part, *hint));
            }
        }
        Self { groups, parts }
    }

    /// The hints of those parts of a group that `text` starts with.
    fn starting(&self, group: u16, text: &[u8]) -> u8 {
        self.parts[usize::from(group)]
            .iter()
            .filter(|(part, _)| {
                text.get(..part.len())
                    .is_some_and(|head| head.eq_ignore_ascii_case(part))
            })
            .fold(0, |bits, (_, hint)| bits | hint)
    }
}

/// The place of a letter in the alphabet, from 1; 0 for what is none.
#[inline]
fn letter(byte: u8) -> usize {
    let place = usize::from(byte.to_ascii_lowercase().wrapping_sub(b'a' - 1));
    if place <= 26 { place } else { 0 }
}

#[inline]
fn pair(first: usize, second: usize) -> usize {
    first << LETTER_BITS | second
}

/// What a label says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    bits: u8,
    /// Hash of the label without its digits, so that `post-12` and `post-13` are the same.
    pub hash: u32,
    pub is_labelled: bool,
}

impl Hints {
    /// Reads a label: `class` and `id`, joined by a blank.
    #[must_use]
    pub fn of(label: &str) -> Self {
        let bytes = label.as_bytes();
        let mut hints = Self {
            bits: 0,
            hash: EMPTY,
            is_labelled: !bytes.is_empty(),
        };
        let parts = &*PARTS;
        let mut last = 0;
        for (at, byte) in bytes.iter().enumerate() {
            if !byte.is_ascii_digit() {
                hints.hash = mix(hints.hash, *byte);
            }
            let next = letter(*byte);
            let group = parts.groups[pair(last, next)];
            if group != 0 {
                hints.bits |= parts.starting(group, &bytes[at - 1..]);
            }
            last = next;
        }
        hints
    }

    #[must_use]
    pub fn is_hopeful(self) -> bool {
        self.bits & HOPEFUL != 0
    }

    #[must_use]
    pub fn is_doubtful(self) -> bool {
        self.bits & DOUBTFUL != 0
    }

    #[must_use]
    pub fn is_commenting(self) -> bool {
        self.bits & COMMENTING != 0
    }
}

/// What `role`, `itemprop` and `itemtype` say: 2 content, 0 nothing, -1 comments, -2 furniture.
#[must_use]
pub fn semantics(role: &str) -> i8 {
    const FURNITURE: [&str; 7] = [
        "navigation",
        "banner",
        "contentinfo",
        "complementary",
        "search",
        "dialog",
        "menu",
    ];
    if role.is_empty() {
        return 0;
    }
    let role = role.to_ascii_lowercase();
    let is_main = role
        .split(' ')
        .any(|word| word == "main" || word == "article");
    if is_main || role.contains("articlebody") {
        2
    } else if FURNITURE.iter().any(|word| role.contains(word)) {
        -2
    } else if role.contains("comment") {
        -1
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_are_found_inside_longer_words_in_any_case() {
        let hints = Hints::of("MainContent commentList");

        assert!(hints.is_hopeful() && hints.is_doubtful() && hints.is_commenting());
        assert!(!Hints::of("xyz").is_hopeful());
        assert!(!Hints::of("mai").is_hopeful());
    }

    #[test]
    fn parts_of_other_languages_hint_at_what_english_ones_do() {
        let hint_at = |hints: u8, labels: &str| {
            for label in labels.split(' ') {
                assert_eq!(Hints::of(label).bits, hints, "{label}");
            }
        };
        hint_at(HOPEFUL, "ArtikelInhalt haupt contenu conteudo zhengwen");
        hint_at(
            DOUBTFUL,
            "werbung-oben Seitenleiste fil-ariane reklama rodape",
        );
        hint_at(
            DOUBTFUL | COMMENTING,
            "leserkommentare komentarze comentarios yorumlar pinglun",
        );
    }

    #[test]
    fn english_labels_hold_no_parts_of_other_languages() {
        let labels = [
            "compartment corporate document moment recommended static station material pied copied",
            "powerbi flowerbox announcement responsive occupied details stretch fluorescent habit",
            "public reactive notice wpis delta correct kiosk weight mehndi distribution rating",
        ];
        for label in labels.iter().flat_map(|labels| labels.split(' ')) {
            assert_eq!(Hints::of(label).bits, 0, "{label}");
        }
    }

    #[test]
    fn hash_leaves_digits_out() {
        assert_eq!(Hints::of("post-12").hash, Hints::of("post-345").hash);
        assert_ne!(Hints::of("post-12").hash, Hints::of("posts-12").hash);
    }

    #[test]
    fn semantics_tell_content_comments_and_furniture_apart() {
        assert_eq!(semantics("main"), 2);
        assert_eq!(semantics("https://schema.org/Comment"), -1);
        assert_eq!(semantics("Navigation"), -2);
        assert_eq!(semantics("mainEntity"), 0);
    }
}
