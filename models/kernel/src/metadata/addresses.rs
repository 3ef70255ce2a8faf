//! Addresses that a page declares, made absolute.

use super::lines::is_longer;
use super::placeholders::is_missing;
use crate::page::addresses::Base;
use crate::page::text::is_invisible;

const MAX_CHARS: usize = 2048;
/// A web address.
#[derive(Clone, Copy, Debug, Default)]
pub struct Address<'a> {
    authority: &'a str,
    /// The path after the host, without query.
    pub path: &'a str,
    query: &'a str,
}

/// Parameters that identify a page on sites without readable paths: `/?p=123`.
const ITEMS: [&str; 12] = [
    "p",
    "page_id",
    "id",
    "article",
    "article_id",
    "aid",
    "story",
    "post",
    "t",
    "topic",
    "tid",
    "nid",
];

impl<'a> Address<'a> {
    /// The parts of an absolute web address; empty for any other text.
    #[must_use]
    pub fn of(url: &'a str) -> Self {
        let Some((scheme, rest)) = url.split_once("://") else {
            return Self::default();
        };
        if !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https") {
            return Self::default();
        }
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, rest) = rest.split_at(end);
        let rest = rest.find('#').map_or(rest, |end| &rest[..end]);
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        Self {
            authority,
            path,
            query,
        }
    }

    /// Whether this is the front page of a web site.
    ///
    /// Addresses of other kinds (`file:`, `s3:`, `urn:`) are never front pages.
    #[must_use]
    pub fn is_front(self) -> bool {
        let names_item = |parameter: &str| {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            ITEMS.contains(&name) && value.starts_with(|sign: char| sign.is_ascii_digit())
        };
        !self.authority.is_empty()
            && matches!(self.path, "" | "/")
            && !self.query.split('&').any(names_item)
    }

    /// Whether this is only for the computer that made the page.
    #[must_use]
    pub fn is_local(self) -> bool {
        let host = self.host();
        let is_name = host == "localhost" || host.ends_with(".localhost");
        is_name || matches!(host.as_str(), "127.0.0.1" | "0.0.0.0" | "[::1]")
    }

    /// The host and the port, unchanged.
    fn place(self) -> (&'a str, &'a str) {
        let place = self.authority.rsplit('@').next().unwrap_or_default();
        let after_brackets = place.rfind(']').map_or(0, |end| end + 1);
        match place[after_brackets..].rfind(':') {
            Some(colon) => {
                let at = after_brackets + colon;
                (&place[..at], &place[at + 1..])
            }
            None => (place, ""),
        }
    }

    /// The host in lower case, without `www.`; empty if there is none.
    #[must_use]
    pub fn host(self) -> String {
        let host = self.place().0.to_lowercase();
        host.strip_prefix("www.").unwrap_or(&host).to_owned()
    }

    fn is_of_web(self) -> bool {
        let (host, port) = self.place();
        let is_number = host.starts_with('[') && host.ends_with(']');
        let is_host = !host.is_empty() && (is_number || !host.contains(['[', ']', ':']));
        is_host && (port.is_empty() || port.parse::<u16>().is_ok_and(|port| port > 0))
    }
}

/// The base of a page's references: its own address, unless its `base` changes it.
#[must_use]
pub fn base_of(url: &str, reference: &str) -> String {
    let stated = absolute(url, reference);
    if stated.is_empty() {
        url.to_owned()
    } else {
        stated
    }
}

/// A reference made absolute; empty if it is invalid or not a web address.
#[must_use]
pub fn absolute(base: &str, reference: &str) -> String {
    let reference = reference.trim();
    if reference.is_empty() || is_missing(reference) || is_longer(reference, MAX_CHARS) {
        return String::new();
    }
    // browsers escape the spaces of file names
    let reference = &*reference.replace(' ', "%20");
    let joined = match Base::of(base, "") {
        Some(base) => base.join(reference),
        None => Some(reference.to_owned()),
    };
    joined
        .filter(|address| Address::of(address).is_of_web() && !address.contains(is_unfit))
        .unwrap_or_default()
}

/// White space, and characters that make an address look like another one: invisible ones and
/// changes of direction.
fn is_unfit(character: char) -> bool {
    character.is_whitespace()
        || is_invisible(character)
        || matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_absolute_and_of_the_web() {
        let base = base_of("https://a.b/news/bees", "");
        for (reference, expected) in [
            ("/bees", "https://a.b/bees"),
            ("bienen/größe (1)", "https://a.b/news/bienen/größe%20(1)"),
            (" bees  1.jpg\n", "https://a.b/news/bees%20%201.jpg"),
            ("{{ page.url }}", ""),
            ("{bees}", "https://a.b/news/{bees}"),
            ("/bienen/größe", "https://a.b/bienen/größe"),
            ("http://o.c", "http://o.c"),
            ("http://u:p@[::1]:80/x", "http://u:p@[::1]:80/x"),
            ("javascript:x", ""),
            ("undefined", ""),
            ("undefined-bees", "https://a.b/news/undefined-bees"),
            ("mailto:a@b.c", ""),
            ("http://[bad", ""),
            ("http://a.b:99999/", ""),
            ("http://a.b:0/", ""),
            ("http://:80/", ""),
            ("/a\u{202e}b", ""),
            ("/a\u{1}b", ""),
            ("", ""),
        ] {
            assert_eq!(absolute(&base, reference), expected, "{reference}");
        }
        assert_eq!(absolute(&base, &"x".repeat(MAX_CHARS + 1)), "");
        assert_eq!(absolute("", "/bees"), "");
        assert_eq!(absolute("", "http://a.b/c"), "http://a.b/c");
        assert_eq!(base_of("https://a.b/c", "/d/"), "https://a.b/d/");
        assert_eq!(base_of("https://a.b/c", "http://a.b:x/"), "https://a.b/c");
    }

    #[test]
    fn an_address_has_a_host_and_a_path() {
        let parts = |url| (Address::of(url).host(), Address::of(url).path);
        assert_eq!(
            parts("HTTPS://u@WWW.A.b:8/c/d?e/f#g"),
            ("a.b".to_owned(), "/c/d")
        );
        assert_eq!(parts("https://a.b"), ("a.b".to_owned(), ""));
        assert_eq!(parts("a.b/c"), (String::new(), ""));
    }
}
