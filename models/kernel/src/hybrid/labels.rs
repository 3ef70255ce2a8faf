//! What the names that authors give to elements hint at.

use super::words::{EMPTY, mix};

/// Found in the labels of containers of content, after Mozilla's Readability.
const HOPEFUL: u8 = 1;
/// Found in the labels of furniture.
const DOUBTFUL: u8 = 2;
/// Found in the labels of reader comments.
const COMMENTING: u8 = 4;

/// Parts of labels, sorted by their first letter, with what they hint at.
static PARTS: [(&[u8], u8); 50] = [
    (b"article", HOPEFUL),
    (b"ad-", DOUBTFUL),
    (b"body", HOPEFUL),
    (b"blog", HOPEFUL),
    (b"breadcrumb", DOUBTFUL),
    (b"banner", DOUBTFUL),
    (b"content", HOPEFUL),
    (b"combx", DOUBTFUL),
    (b"contact", DOUBTFUL),
    (b"copyright", DOUBTFUL),
    (b"cookie", DOUBTFUL),
    (b"comment", DOUBTFUL | COMMENTING),
    (b"disqus", DOUBTFUL | COMMENTING),
    (b"discuss", DOUBTFUL | COMMENTING),
    (b"entry", HOPEFUL),
    (b"foot", DOUBTFUL),
    (b"feedback", DOUBTFUL | COMMENTING),
    (b"header", DOUBTFUL),
    (b"login", DOUBTFUL),
    (b"main", HOPEFUL),
    (b"masthead", DOUBTFUL),
    (b"media", DOUBTFUL),
    (b"meta", DOUBTFUL),
    (b"menu", DOUBTFUL),
    (b"more", DOUBTFUL),
    (b"nav", DOUBTFUL),
    (b"newsletter", DOUBTFUL),
    (b"outbrain", DOUBTFUL),
    (b"page", HOPEFUL),
    (b"post", HOPEFUL),
    (b"promo", DOUBTFUL),
    (b"popular", DOUBTFUL),
    (b"popup", DOUBTFUL),
    (b"related", DOUBTFUL),
    (b"recent", DOUBTFUL),
    (b"reply", DOUBTFUL | COMMENTING),
    (b"respond", DOUBTFUL | COMMENTING),
    (b"story", HOPEFUL),
    (b"scroll", DOUBTFUL),
    (b"shoutbox", DOUBTFUL),
    (b"sidebar", DOUBTFUL),
    (b"sponsor", DOUBTFUL),
    (b"shopping", DOUBTFUL),
    (b"share", DOUBTFUL),
    (b"social", DOUBTFUL),
    (b"subscribe", DOUBTFUL),
    (b"text", HOPEFUL),
    (b"tags", DOUBTFUL),
    (b"tool", DOUBTFUL),
    (b"widget", DOUBTFUL),
];

/// Where the parts with each first letter begin in [`PARTS`], and behind `z` where they end.
static BEGIN: [usize; 27] = {
    let mut begin = [PARTS.len(); 27];
    let mut at = PARTS.len();
    let mut letter = 26;
    while letter > 0 {
        letter -= 1;
        while at > 0 && PARTS[at - 1].0[0] - b'a' >= letter as u8 {
            at -= 1;
        }
        begin[letter] = at;
    }
    begin
};

/// A bit for each letter that stands second in a part, by its first letter: few labels get further.
static SECOND: [u32; 26] = {
    let mut second = [0; 26];
    let mut at = 0;
    while at < PARTS.len() {
        let part = PARTS[at].0;
        second[(part[0] - b'a') as usize] |= 1 << (part[1] - b'a');
        at += 1;
    }
    second
};

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
            let (first, next) = (letter(Some(byte)), letter(bytes.get(at + 1)));
            if next < 26 && SECOND.get(first).is_some_and(|bits| bits >> next & 1 == 1) {
                let parts = &PARTS[BEGIN[first]..BEGIN[first + 1]];
                hints.bits |= starting(&bytes[at..], parts);
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

/// The place of a letter in the alphabet; 26 or more for what is none.
fn letter(byte: Option<&u8>) -> usize {
    let small = byte.map_or(0, u8::to_ascii_lowercase);
    usize::from(small.wrapping_sub(b'a'))
}

/// The hints of those of `parts` that `text` starts with.
fn starting(text: &[u8], parts: &[(&[u8], u8)]) -> u8 {
    parts
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
