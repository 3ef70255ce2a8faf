//! Hints from the names that authors give to elements.

use super::words::{EMPTY, mix};
use crate::engines::hints::{HYBRID, Hints};

/// The hints of an element's `class` and `id`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Label {
    pub hints: Hints,
    /// Hash of the label without its digits, so that `post-12` and `post-13` are the same.
    pub hash: u32,
}

impl Label {
    /// Reads a label: `class` and `id`, joined by a blank.
    #[must_use]
    pub fn of(label: &str) -> Self {
        let letters = label.bytes().filter(|byte| !byte.is_ascii_digit());
        Self {
            hints: HYBRID.hints(label.as_bytes()),
            hash: letters.fold(EMPTY, mix),
        }
    }
}

/// The hint of `role`, `itemprop` and `itemtype`: 2 content, 0 none, -1 comments, -2 boilerplate.
#[must_use]
pub fn semantics(role: &str) -> i8 {
    const BOILERPLATE: [&str; 7] = [
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
    } else if BOILERPLATE.iter().any(|word| role.contains(word)) {
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
    fn hash_leaves_digits_out() {
        assert_eq!(Label::of("post-12").hash, Label::of("post-345").hash);
        assert_ne!(Label::of("post-12").hash, Label::of("posts-12").hash);
    }

    #[test]
    fn semantics_tell_content_comments_and_boilerplate_apart() {
        assert_eq!(semantics("main"), 2);
        assert_eq!(semantics("https://schema.org/Comment"), -1);
        assert_eq!(semantics("Navigation"), -2);
        assert_eq!(semantics("mainEntity"), 0);
    }
}
