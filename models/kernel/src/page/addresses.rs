//! References of a page -> absolute addresses that are safe in Markdown.

use super::text::is_invisible;

/// Longest returned address, in bytes.
const MAX_BYTES: usize = 4096;

/// The base address for references.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    scheme: String,
    authority: String,
    path: String,
    query: String,
}

impl Base {
    /// The base of a page: its own address, unless the `reference` of a `<base>` changes it.
    ///
    /// `None` for a page without a web address, unless the reference is absolute.
    #[must_use]
    pub fn of(url: &str, reference: &str) -> Option<Self> {
        let own = Self::parse(url);
        let stated = match &own {
            Some(own) if !reference.is_empty() => own.resolve(reference),
            _ => absolute(&cleaned(reference)),
        };
        stated.and_then(|url| Self::parse(&url)).or(own)
    }

    fn parse(url: &str) -> Option<Self> {
        let (scheme, rest) = web(url)?;
        let rest = rest.split('#').next()?;
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        (!authority.is_empty()).then(|| Self {
            scheme,
            authority: authority.to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
        })
    }

    /// Length of the prefix that precedes a relative reference.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.authority.len() + self.path.len()
    }

    /// The absolute address of a reference, `None` unless it is a web or mail address.
    #[must_use]
    pub fn resolve(&self, reference: &str) -> Option<String> {
        self.join(reference).and_then(|url| written(&url))
    }

    /// The same with the page's characters, so it may be unsafe in Markdown.
    #[must_use]
    pub fn join(&self, reference: &str) -> Option<String> {
        let reference = cleaned(reference);
        if reference.is_empty() {
            return None;
        }
        if scheme_end(&reference).is_some() {
            return unescaped(&reference);
        }
        let Self {
            scheme,
            authority,
            path,
            query,
        } = self;
        if let Some(rest) = reference.strip_prefix("//") {
            return unescaped(&format!("{scheme}://{rest}"));
        }
        let (before, fragment) = split(&reference, '#');
        let (to, asked) = split(before, '?');
        let path = if to.is_empty() {
            path.clone()
        } else if to.starts_with('/') {
            without_dots(to)
        } else {
            let folder = path.rfind('/').map_or("/", |at| &path[..=at]);
            without_dots(&format!("{folder}{to}"))
        };
        let query = match (to.is_empty() && asked.is_empty(), query.as_str()) {
            (true, "") => String::new(),
            (true, query) => format!("?{query}"),
            (false, _) => asked.to_owned(),
        };
        Some(format!("{scheme}://{authority}{path}{query}{fragment}"))
    }
}

/// The address of an absolute reference, `None` if it is relative or has another scheme.
#[must_use]
pub fn absolute(reference: &str) -> Option<String> {
    unescaped(reference).and_then(|url| written(&url))
}

fn unescaped(reference: &str) -> Option<String> {
    if let Some((scheme, rest)) = web(reference) {
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, rest) = rest.split_at(end);
        if authority.is_empty() {
            return None;
        }
        let (before, fragment) = split(rest, '#');
        let (path, query) = split(before, '?');
        let path = without_dots(path);
        return Some(format!("{scheme}://{authority}{path}{query}{fragment}"));
    }
    let box_at = scheme_end(reference).filter(|&end| {
        let scheme = &reference[..end];
        scheme.eq_ignore_ascii_case("mailto") && reference[end..].contains('@')
    })?;
    Some(format!("mailto{}", &reference[box_at..]))
}

/// The scheme, in lower case, and the rest after `//` of a web address.
fn web(url: &str) -> Option<(String, &str)> {
    let end = scheme_end(url)?;
    let scheme = url[..end].to_ascii_lowercase();
    let rest = url[end + 1..].strip_prefix("//")?;
    matches!(scheme.as_str(), "http" | "https").then_some((scheme, rest))
}

/// The position of the colon after a scheme.
fn scheme_end(reference: &str) -> Option<usize> {
    let end = reference.find(':')?;
    let mut scheme = reference[..end].bytes();
    let is_scheme = scheme
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic())
        && scheme.all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_scheme.then_some(end)
}

/// A reference as browsers read it: without tabs, line feeds and the controls at its ends, and with
/// slashes instead of backslashes in its path.
fn cleaned(reference: &str) -> String {
    let trimmed = reference.trim_matches(|c: char| c <= ' ');
    let mut cleaned: String = trimmed.chars().filter(|c| !"\t\n\r".contains(*c)).collect();
    if cleaned.contains('\\') && scheme_end(&cleaned).is_none_or(|_| web(&cleaned).is_some()) {
        let end = cleaned.find(['?', '#']).unwrap_or(cleaned.len());
        let path = cleaned[..end].replace('\\', "/");
        cleaned.replace_range(..end, &path);
    }
    cleaned
}

/// A text split at a sign, which goes to the second part.
fn split(text: &str, sign: char) -> (&str, &str) {
    text.split_at(text.find(sign).unwrap_or(text.len()))
}

fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path
        .split('/')
        .skip(usize::from(path.starts_with('/')))
        .peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match segment {
            ".." | "." => {
                if segment == ".." {
                    kept.pop();
                }
                if is_last {
                    kept.push("");
                }
            }
            _ => kept.push(segment),
        }
    }
    if path.is_empty() {
        return String::new();
    }
    format!("/{}", kept.join("/"))
}

/// An address with every character escaped that ends it in Markdown, or could be read as markup.
fn written(url: &str) -> Option<String> {
    if url.len() > MAX_BYTES {
        return None;
    }
    let mut out = String::with_capacity(url.len());
    for (at, sign) in url.char_indices() {
        if is_unseen(sign) || sign.is_whitespace() || "<>\"`\\^{}|()$".contains(sign) {
            let mut bytes = [0; 4];
            for byte in sign.encode_utf8(&mut bytes).bytes() {
                out.push('%');
                out.extend([byte >> 4, byte & 15].map(|half| char::from(HEX[usize::from(half)])));
            }
        } else if sign == '&' && is_reference(&url[at + 1..]) {
            out.push_str("&amp;");
        } else {
            out.push(sign);
        }
    }
    Some(out)
}

/// Controls, and characters that make an address look like another one.
fn is_unseen(sign: char) -> bool {
    sign.is_control() || is_invisible(sign) || matches!(sign, '\u{61c}' | '\u{200e}' | '\u{200f}')
}

const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// Whether the text after an ampersand makes it a character reference.
#[must_use]
pub fn is_reference(rest: &str) -> bool {
    let name = rest.strip_prefix('#').unwrap_or(rest);
    let name = name.trim_start_matches(|character: char| character.is_ascii_alphanumeric());
    name.len() < rest.len() && name.starts_with(';')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_made_absolute_as_browsers_do() {
        let base = Base::of("https://a.b/c/d?e#f", "");
        let resolve = |reference: &str| base.as_ref().and_then(|base| base.resolve(reference));
        for (reference, expected) in [
            ("g", "https://a.b/c/g"),
            ("./g/../h", "https://a.b/c/h"),
            ("../../../g", "https://a.b/g"),
            ("/g?h", "https://a.b/g?h"),
            ("?h", "https://a.b/c/d?h"),
            ("#h", "https://a.b/c/d?e#h"),
            ("//g/h", "https://g/h"),
            ("HTTP://g", "http://g"),
            (" \tg\n h ", "https://a.b/c/g%20h"),
            ("\\g\\h?\\", "https://a.b/g/h?%5C"),
            ("mailto:a@b", "mailto:a@b"),
            ("a(b)<c>", "https://a.b/c/a%28b%29%3Cc%3E"),
            ("..", "https://a.b/"),
            (".", "https://a.b/c/"),
        ] {
            assert_eq!(resolve(reference).as_deref(), Some(expected), "{reference}");
        }
        for reference in [
            "",
            " ",
            "javascript:x",
            "JaVa\tScript:x",
            "data:a,b",
            "http:",
            "http://",
            "x:y",
            "mailto:x",
        ] {
            assert_eq!(resolve(reference), None, "{reference}");
        }
    }

    #[test]
    fn a_page_may_state_its_base() {
        let resolve = |url, base| Base::of(url, base).and_then(|base| base.resolve("x"));
        assert_eq!(
            resolve("https://a.b/c", "/d/e").as_deref(),
            Some("https://a.b/d/x")
        );
        assert_eq!(
            resolve("", "https://a.b/d/").as_deref(),
            Some("https://a.b/d/x")
        );
        assert_eq!(resolve("", "/d/"), None);
        assert_eq!(resolve("https://a.b", "").as_deref(), Some("https://a.b/x"));
    }
}
