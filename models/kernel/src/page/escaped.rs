//! Text that was escaped for HTML twice -> escaped once: `&amp;nbsp;`, `captain&amp;#39;s`.

use memchr::memmem;
use winnow_html::tag::{self, Tag};
use winnow_html::tokenizer::{Span, Token, Tokenizer};

use super::prescan::RAW_TEXT;

/// Longest name of a reference, with its number sign.
const MAX_NAME: usize = 8;
/// The start of a reference that was escaped, and the part of it that is too much.
const ESCAPED: &str = "&amp;";
/// References that do not say more than that a sign was escaped.
const SIGNS: [&str; 4] = ["amp", "lt", "gt", "quot"];
/// Names of other references, in addition to letters with accents.
const NAMES: [&str; 26] = [
    "nbsp", "apos", "lsquo", "rsquo", "ldquo", "rdquo", "sbquo", "bdquo", "laquo", "raquo",
    "ndash", "mdash", "hellip", "bull", "middot", "copy", "reg", "trade", "euro", "pound", "deg",
    "times", "szlig", "AElig", "aelig", "shy",
];
const ACCENTS: [&str; 8] = [
    "acute", "grave", "circ", "uml", "tilde", "cedil", "ring", "slash",
];
/// Words of pages that explain references, in lower case.
const SUBJECTS: [&str; 10] = [
    "html",
    "xml",
    "entit",
    "escap",
    "encod",
    "ampersand",
    "markup",
    "php",
    "javascript",
    "url",
];
/// Elements whose text is code.
const CODE: [Tag; 5] = [tag::CODE, tag::PRE, tag::KBD, tag::SAMP, tag::TT];

/// The markup before its text was escaped again; `None` if nothing says that it was.
#[must_use]
pub fn escaped_once(markup: &str) -> Option<String> {
    let mut found = memmem::find_iter(markup.as_bytes(), ESCAPED);
    found.find(|at| reference(markup, *at).is_some())?;
    let texts = texts_of(markup.as_bytes());
    let mut found = Vec::new();
    let mut says = Says::default();
    for text in texts.iter().filter_map(|span| part(markup, *span)) {
        for at in memmem::find_iter(text.1.as_bytes(), ESCAPED) {
            if let Some(reference) = reference(text.1, at) {
                says.read(text.1, at, reference);
                found.push(text.0 + at);
            }
        }
    }
    if found.is_empty() || !says.that_it_was_escaped(|| is_about_it(markup, &texts)) {
        return None;
    }
    let mut once = String::with_capacity(markup.len());
    let mut from = 0;
    for at in found {
        // the sign stays, and stands for the start of the reference
        once.push_str(markup.get(from..=at)?);
        from = at + ESCAPED.len();
    }
    once.push_str(markup.get(from..)?);
    Some(once)
}

/// What the escaped references of a page say.
#[derive(Default)]
struct Says {
    /// References that touch a word, references without one, and signs.
    in_words: usize,
    alone: usize,
    signs: usize,
}

impl Says {
    fn read(&mut self, text: &str, at: usize, reference: &str) {
        let after = at + ESCAPED.len() + reference.len() + 1;
        let is_of_word = |sign: Option<char>| sign.is_some_and(char::is_alphanumeric);
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let after = text.get(after..).and_then(|text| text.chars().next());
        if SIGNS.contains(&reference) {
            self.signs += 1;
        } else if is_of_word(before) || is_of_word(after) {
            self.in_words += 1;
        } else {
            self.alone += 1;
        }
    }

    /// Texts about references name them alone: "the entity &nbsp; is a space".
    fn that_it_was_escaped(&self, is_about_it: impl FnOnce() -> bool) -> bool {
        self.in_words > self.alone || self.in_words + self.signs > 0 && !is_about_it()
    }
}

/// The name of the reference that was escaped at a place.
fn reference(text: &str, at: usize) -> Option<&str> {
    let rest = text.get(at + ESCAPED.len()..)?;
    let end = rest
        .bytes()
        .take(MAX_NAME + 1)
        .position(|byte| byte == b';')?;
    let name = rest.get(..end)?;
    let is_number = |digits: &str| match digits.strip_prefix(['x', 'X']) {
        Some(digits) => !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
        None => !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()),
    };
    let is_letter = || {
        let accent = name.strip_prefix(|letter: char| letter.is_ascii_alphabetic());
        accent.is_some_and(|accent| ACCENTS.contains(&accent))
    };
    let is_one = name.strip_prefix('#').is_some_and(is_number)
        || SIGNS.contains(&name)
        || NAMES.contains(&name)
        || is_letter();
    is_one.then_some(name)
}

/// The start of a span and its text.
fn part(markup: &str, span: Span) -> Option<(usize, &str)> {
    let text = markup.get(span.start as usize..span.end as usize)?;
    Some((span.start as usize, text))
}

/// The texts between the tags, except of code, and the titles.
fn texts_of(markup: &[u8]) -> Vec<Span> {
    let mut texts = Vec::new();
    let mut tokens = Tokenizer::new(markup, None);
    let mut code = 0_u32;
    loop {
        match tokens.next(false) {
            Token::Eof => return texts,
            Token::Text(text) if code == 0 => texts.push(text),
            Token::Start(found) if RAW_TEXT.contains(&found.tag) => {
                let raw = tokens.raw_text(found.tag);
                if found.tag == tag::TITLE {
                    texts.push(raw);
                }
            }
            Token::Start(found) if CODE.contains(&found.tag) => code += 1,
            Token::End(found) if CODE.contains(&found.tag) => code = code.saturating_sub(1),
            _ => {}
        }
    }
}

fn is_about_it(markup: &str, texts: &[Span]) -> bool {
    let has_subject = |text: &str| {
        let text = text.to_ascii_lowercase();
        let mut subjects = SUBJECTS.iter();
        subjects.any(|subject| memmem::find(text.as_bytes(), subject.as_bytes()).is_some())
    };
    texts
        .iter()
        .filter_map(|span| part(markup, *span))
        .any(|(_, text)| has_subject(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_was_escaped_again_is_as_before() {
        for (markup, expected) in [
            ("<p>The captain&amp;#39;s boat", "<p>The captain&#39;s boat"),
            ("the pier&amp;nbsp;and&amp;nbsp;", "the pier&nbsp;and&nbsp;"),
            ("caf&amp;eacute;s in HTML", "caf&eacute;s in HTML"),
            ("<b>&amp;ldquo;Go&amp;rdquo;</b>", "<b>&ldquo;Go&rdquo;</b>"),
            (
                "<title>Fish &amp;amp; chips</title>",
                "<title>Fish &amp; chips</title>",
            ),
            ("&amp;lt;b&amp;gt; &amp;#x2019;s", "&lt;b&gt; &#x2019;s"),
            (
                "It&amp;#8217;s <code>&amp;nbsp;</code> <i title='&amp;nbsp;'>a</i>",
                "It&#8217;s <code>&amp;nbsp;</code> <i title='&amp;nbsp;'>a</i>",
            ),
        ] {
            assert_eq!(escaped_once(markup).as_deref(), Some(expected), "{markup}");
        }
    }

    #[test]
    fn other_text_stays() {
        for markup in [
            "Fish &amp; chips",
            "<p>The entity &amp;nbsp; is a space, &amp;eacute; a letter.",
            "<td>&amp;rsquo;<td>&amp;lsquo;",
            "In HTML, write &amp;amp; and &amp;lt;.",
            "<pre>&amp;amp; it&amp;#39;s</pre><script>'it&amp;#39;s'</script>",
            "<a href='?a&amp;amp;b'>a&amp;b; c&amp;section; d&amp;;</a>",
            "R&amp;D; x &amp;",
        ] {
            assert_eq!(escaped_once(markup), None, "{markup}");
        }
    }
}
