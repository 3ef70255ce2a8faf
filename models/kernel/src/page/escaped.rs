//! Text that was escaped for HTML twice -> escaped once: `&amp;nbsp;`, `captain&amp;#39;s`.

use memchr::memchr_iter;

/// Longest name of a reference, with its number sign.
const MAX_NAME: usize = 8;
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

/// Text of a page, decoded once: what it was before it was escaped again; `None` for texts without
/// references, and if nothing says that the page was escaped twice. `page` are all texts.
pub fn escaped_once<'t>(
    texts: &[&str],
    page: impl Iterator<Item = &'t str>,
) -> Option<Vec<Option<String>>> {
    let mut says = Says::default();
    for text in texts {
        for (at, name) in references(text) {
            says.read(text, at, name);
        }
    }
    if !says.that_it_was_escaped(|| is_about_it(page)) {
        return None;
    }
    Some(texts.iter().map(|text| decoded(text)).collect())
}

/// A text with its references decoded; `None` if it has none.
fn decoded(text: &str) -> Option<String> {
    let mut once = String::with_capacity(text.len());
    let mut from = 0;
    for (at, name) in references(text) {
        let end = at + 1 + name.len() + 1;
        once.push_str(text.get(from..at)?);
        once.push_str(&htmlize::unescape(text.get(at..end)?));
        from = end;
    }
    once.push_str(text.get(from..)?);
    (from > 0).then_some(once)
}

/// The places and names of the references in a text.
fn references(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let places = memchr_iter(b'&', text.as_bytes());
    places.filter_map(|at| Some((at, reference(text.get(at + 1..)?)?)))
}

/// What the escaped references of a page say.
#[derive(Default)]
struct Says {
    /// References that touch a word, references without one, and signs between words.
    in_words: usize,
    alone: usize,
    signs: usize,
}

impl Says {
    fn read(&mut self, text: &str, at: usize, reference: &str) {
        let after = text.get(at + 1 + reference.len() + 1..);
        let (before, after) = (text.get(..at).unwrap_or(""), after.unwrap_or(""));
        let is_of_word = |sign: Option<char>| sign.is_some_and(char::is_alphanumeric);
        let touches = is_of_word(before.chars().next_back()) || is_of_word(after.chars().next());
        if reference == "amp" {
            let (before, after) = (before.trim_ascii_end(), after.trim_ascii_start());
            let is_between =
                is_of_word(before.chars().next_back()) && is_of_word(after.chars().next());
            self.signs += usize::from(is_between);
        } else if SIGNS.contains(&reference) {
            self.signs += usize::from(touches && reference == "quot");
        } else if touches {
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

/// The name of a reference, after its sign.
fn reference(rest: &str) -> Option<&str> {
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

fn is_about_it<'t>(mut page: impl Iterator<Item = &'t str>) -> bool {
    page.any(|text| {
        let text = text.to_ascii_lowercase();
        SUBJECTS.iter().any(|subject| text.contains(subject))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn once(texts: &[&str]) -> Option<String> {
        let found = escaped_once(texts, texts.iter().copied())?;
        let both = texts.iter().zip(found);
        Some(
            both.map(|(text, once)| once.unwrap_or((*text).to_owned()))
                .collect(),
        )
    }

    #[test]
    fn text_that_was_escaped_again_is_as_before() {
        for (texts, expected) in [
            (&["The captain&#39;s boat"][..], "The captain's boat"),
            (&["the pier&nbsp;and&nbsp;"], "the pier\u{a0}and\u{a0}"),
            (&["caf&eacute;s in HTML"], "caf\u{e9}s in HTML"),
            (&["&ldquo;Go&rdquo;"], "\u{201c}Go\u{201d}"),
            (&["Fish &amp; chips"], "Fish & chips"),
            (&["&lt;b&gt; &#x2019;s", "; a&b"], "<b> \u{2019}s; a&b"),
        ] {
            assert_eq!(once(texts).as_deref(), Some(expected), "{texts:?}");
        }
    }

    #[test]
    fn other_text_stays() {
        for texts in [
            &["Fish & chips", "R&D; x &"][..],
            &["The entity &nbsp; is a space, &eacute; a letter."],
            &["&rsquo;", "&lsquo;"],
            &["In HTML, write &amp; and &lt;."],
            &["a&b; c&section; d&;"],
            &["<b>no tag</b> &amp; R&D"],
        ] {
            assert_eq!(once(texts), None, "{texts:?}");
        }
    }
}
