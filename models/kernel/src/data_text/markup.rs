//! Texts from page data to markup: some are markup, some are escaped markup, most are plain text.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use crate::metadata::patterns::pattern;
use crate::page::text::is_invisible;

/// A tag that people use in text, opening or closing.
static TAG: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)</?(?:p|br|div|section|article|span|a|b|i|u|em|strong|small|sub|sup|code|pre|h[1-6]",
        r"|[uod]l|li|d[td]|blockquote|figure|figcaption|img|table|t[rdh]|hr)",
        r#"(?:\s+[\w:@.-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s<>"']+))?)*\s*/?>"#
    ))
});

/// A text from page data, classified.
#[derive(Clone, Debug)]
pub struct Piece<'a> {
    text: Cow<'a, str>,
    is_markup: bool,
}

impl<'a> Piece<'a> {
    /// Classify a text.
    #[must_use]
    pub fn of(text: &'a str) -> Self {
        if TAG.is_match(text) {
            return Self {
                text: Cow::Borrowed(text),
                is_markup: true,
            };
        }
        if text.contains("&lt;") {
            let unescaped = htmlize::unescape(text);
            if TAG.is_match(&unescaped) {
                return Self {
                    text: unescaped,
                    is_markup: true,
                };
            }
        }
        Self {
            text: Cow::Borrowed(text),
            is_markup: false,
        }
    }

    /// The text as readers see it.
    #[must_use]
    pub fn of_shown(text: String) -> Self {
        Self {
            text: Cow::Owned(text),
            is_markup: false,
        }
    }

    /// The number of its characters without tags.
    #[must_use]
    pub fn chars(&self) -> usize {
        let tags: usize = if self.is_markup {
            let tags = TAG.find_iter(&self.text);
            tags.map(|tag| tag.as_str().chars().count()).sum()
        } else {
            0
        };
        self.text.trim().chars().count().saturating_sub(tags)
    }

    /// Its text without tags.
    pub fn plain(&self) -> Cow<'_, str> {
        if self.is_markup {
            TAG.replace_all(&self.text, " ")
        } else {
            Cow::Borrowed(&self.text)
        }
    }

    fn write(&self, out: &mut String) {
        if self.is_markup {
            out.push_str("<div>");
            out.extend(self.text.chars().filter(|&sign| !is_invisible(sign)));
            out.push_str("</div>\n");
            return;
        }
        for line in self.text.lines().filter(|line| !line.trim().is_empty()) {
            out.push_str("<p>");
            for sign in line.trim().chars().filter(|&sign| !is_invisible(sign)) {
                // references are decoded, because data has them too: `&nbsp;` is not a word
                match sign {
                    '<' => out.push_str("&lt;"),
                    '>' => out.push_str("&gt;"),
                    other => out.push(other),
                }
            }
            out.push_str("</p>\n");
        }
    }
}

/// An article made of these texts.
#[must_use]
pub fn article(pieces: &[Piece<'_>]) -> String {
    let mut out = String::from("\n<main><article>\n");
    for piece in pieces {
        piece.write(&mut out);
    }
    out.push_str("</article></main>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_stays_and_everything_else_is_escaped() {
        for (text, inside, chars) in [
            ("A\n\nB & C", "<p>A</p>\n<p>B & C</p>\n", 8),
            ("<p>A</p>", "<div><p>A</p></div>\n", 1),
            (
                "&lt;p class=x&gt;A&lt;/p&gt;",
                "<div><p class=x>A</p></div>\n",
                1,
            ),
            ("if a<b & b>c", "<p>if a&lt;b & b&gt;c</p>\n", 12),
            ("a\u{0}b <script>", "<p>ab &lt;script&gt;</p>\n", 12),
        ] {
            let piece = Piece::of(text);
            let markup = article(std::slice::from_ref(&piece));

            assert_eq!(
                markup,
                format!("\n<main><article>\n{inside}</article></main>\n")
            );
            assert_eq!(piece.chars(), chars, "{text}");
        }
    }
}
