//! What class and id names hint at: content, furniture or comments (word lists after Readability).

/// A set of hints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hints(u8);

const HOPEFUL: u8 = 1;
const DOUBTFUL: u8 = 2;
const COMMENT: u8 = 4;
const NAMED: u8 = 8;

/// The parts of names that start with a letter, and what they hint at.
fn parts(first: u8) -> &'static [(u8, &'static [u8])] {
    match first {
        b'a' => &[
            (DOUBTFUL, b"ad-"),
            (DOUBTFUL, b"advert"),
            (HOPEFUL, b"article"),
        ],
        b'b' => &[
            (DOUBTFUL, b"banner"),
            (HOPEFUL, b"blog"),
            (HOPEFUL, b"body"),
            (DOUBTFUL, b"breadcrumb"),
            (DOUBTFUL, b"button"),
        ],
        b'c' => &[
            (HOPEFUL, b"column"),
            (DOUBTFUL, b"comb"),
            (DOUBTFUL | COMMENT, b"comment"),
            (DOUBTFUL, b"contact"),
            (HOPEFUL, b"content"),
            (DOUBTFUL, b"cookie"),
            (DOUBTFUL, b"copyright"),
        ],
        b'd' => &[(COMMENT, b"discuss"), (COMMENT, b"disqus")],
        b'e' => &[(HOPEFUL, b"entry")],
        b'f' => &[(COMMENT, b"feedback"), (DOUBTFUL, b"foot")],
        b'h' => &[(DOUBTFUL, b"header")],
        b'l' => &[(DOUBTFUL, b"link"), (DOUBTFUL, b"login")],
        b'm' => &[
            (HOPEFUL, b"main"),
            (DOUBTFUL, b"masthead"),
            (DOUBTFUL, b"media"),
            (DOUBTFUL, b"menu"),
            (DOUBTFUL, b"meta"),
        ],
        b'n' => &[(DOUBTFUL, b"nav"), (DOUBTFUL, b"newsletter")],
        b'o' => &[(DOUBTFUL, b"outbrain")],
        b'p' => &[(HOPEFUL, b"page"), (HOPEFUL, b"post"), (DOUBTFUL, b"promo")],
        b'r' => &[
            (DOUBTFUL, b"related"),
            (COMMENT, b"reply"),
            (COMMENT, b"respond"),
        ],
        b's' => &[
            (DOUBTFUL, b"scroll"),
            (DOUBTFUL, b"share"),
            (DOUBTFUL, b"shopping"),
            (DOUBTFUL, b"shoutbox"),
            (DOUBTFUL, b"side"),
            (DOUBTFUL, b"sitemap"),
            (DOUBTFUL, b"social"),
            (DOUBTFUL, b"sponsor"),
            (HOPEFUL, b"story"),
            (DOUBTFUL, b"subscribe"),
        ],
        b't' => &[(DOUBTFUL, b"tags"), (HOPEFUL, b"text"), (DOUBTFUL, b"tool")],
        b'w' => &[(DOUBTFUL, b"widget")],
        _ => &[],
    }
}

impl Hints {
    pub const NONE: Self = Self(0);

    /// The hints of one class or id attribute.
    #[must_use]
    pub fn of(names: &[u8]) -> Self {
        if names.is_empty() {
            return Self::NONE;
        }
        let mut found = NAMED;
        for (at, first) in names.iter().enumerate() {
            for &(flags, part) in parts(first.to_ascii_lowercase()) {
                if found & flags != flags && starts_with(&names[at..], part) {
                    found |= flags;
                }
            }
        }
        Self(found)
    }

    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[must_use]
    pub const fn is_hopeful(self) -> bool {
        self.0 & HOPEFUL != 0
    }

    #[must_use]
    pub const fn is_doubtful(self) -> bool {
        self.0 & DOUBTFUL != 0
    }

    #[must_use]
    pub const fn is_comment(self) -> bool {
        self.0 & COMMENT != 0
    }

    /// The element has a class or an id.
    #[must_use]
    pub const fn is_named(self) -> bool {
        self.0 & NAMED != 0
    }
}

fn starts_with(text: &[u8], part: &[u8]) -> bool {
    text.get(..part.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_parts_of_names_whatever_their_case() {
        let hints = Hints::of(b"wide MainContent");
        assert!(hints.is_hopeful() && hints.is_named() && !hints.is_doubtful());
        assert!(Hints::of(b"post-Comments").is_comment());
    }

    #[test]
    fn an_absent_attribute_hints_at_nothing() {
        assert_eq!(Hints::of(b""), Hints::NONE);
    }
}
