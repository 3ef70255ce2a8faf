//! What the names that authors give to elements hint at.

use super::words::{EMPTY, mix};

/// Found in the labels of containers of content, after Mozilla's Readability.
const HOPEFUL: u8 = 1;
/// Found in the labels of furniture.
const DOUBTFUL: u8 = 2;
/// Found in the labels of reader comments.
const COMMENTING: u8 = 4;

/// Parts of labels by their first letter, with what they hint at.
static PARTS: [(&[u8], u8); 50] = [
    (b"article", HOPEFUL),
    (b"body", HOPEFUL),
    (b"content", HOPEFUL),
    (b"entry", HOPEFUL),
    (b"main", HOPEFUL),
    (b"page", HOPEFUL),
    (b"post", HOPEFUL),
    (b"text", HOPEFUL),
    (b"blog", HOPEFUL),
    (b"story", HOPEFUL),
    (b"combx", DOUBTFUL),
    (b"contact", DOUBTFUL),
    (b"foot", DOUBTFUL),
    (b"masthead", DOUBTFUL),
    (b"media", DOUBTFUL),
    (b"meta", DOUBTFUL),
    (b"outbrain", DOUBTFUL),
    (b"promo", DOUBTFUL),
    (b"related", DOUBTFUL),
    (b"scroll", DOUBTFUL),
    (b"shoutbox", DOUBTFUL),
    (b"sidebar", DOUBTFUL),
    (b"sponsor", DOUBTFUL),
    (b"shopping", DOUBTFUL),
    (b"tags", DOUBTFUL),
    (b"tool", DOUBTFUL),
    (b"widget", DOUBTFUL),
    (b"nav", DOUBTFUL),
    (b"menu", DOUBTFUL),
    (b"share", DOUBTFUL),
    (b"social", DOUBTFUL),
    (b"copyright", DOUBTFUL),
    (b"breadcrumb", DOUBTFUL),
    (b"ad-", DOUBTFUL),
    (b"banner", DOUBTFUL),
    (b"header", DOUBTFUL),
    (b"login", DOUBTFUL),
    (b"subscribe", DOUBTFUL),
    (b"newsletter", DOUBTFUL),
    (b"cookie", DOUBTFUL),
    (b"popular", DOUBTFUL),
    (b"recent", DOUBTFUL),
    (b"more", DOUBTFUL),
    (b"popup", DOUBTFUL),
    (b"comment", DOUBTFUL | COMMENTING),
    (b"reply", DOUBTFUL | COMMENTING),
    (b"disqus", DOUBTFUL | COMMENTING),
    (b"respond", DOUBTFUL | COMMENTING),
    (b"discuss", DOUBTFUL | COMMENTING),
    (b"feedback", DOUBTFUL | COMMENTING),
];

/// First letters of [`PARTS`]: bit per letter from `a`.
static FIRST: u32 = first_letters();

const fn first_letters() -> u32 {
    let mut bits = 0;
    let mut at = 0;
    while at < PARTS.len() {
        bits |= 1 << (PARTS[at].0[0] - b'a');
        at += 1;
    }
    bits
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
        for (at, byte) in bytes.iter().enumerate() {
            if !byte.is_ascii_digit() {
                hints.hash = mix(hints.hash, *byte);
            }
            let letter = byte.to_ascii_lowercase().wrapping_sub(b'a');
            if letter < 26 && FIRST >> letter & 1 == 1 {
                hints.bits |= starting(&bytes[at..]);
            }
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

/// The hints of the parts that `text` starts with.
fn starting(text: &[u8]) -> u8 {
    PARTS
        .iter()
        .filter(|(part, _)| {
            text.get(..part.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(part))
        })
        .fold(0, |bits, (_, hint)| bits | hint)
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
