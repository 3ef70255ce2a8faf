//! What a page declares about itself: title, language, addresses, metadata, dates.
//!
//! Names of the pairs, in document order:
//!
//! | name | value |
//! |---|---|
//! | `title` | text of the first `title` element |
//! | `lang` | `lang` of the `html` element, else its `xml:lang` |
//! | `base`, `canonical`, `license`, `image_src` | `href` of the first `base`, of each `link` with that `rel` |
//! | `meta:NAME` | `content` of a `meta` with that `property`, `name` or `itemprop`, lower case |
//! | `meta:content-language` | the same of one with that `http-equiv` |
//! | `json-ld` | text of a `script` of type `application/ld+json` |

/// Most pairs kept per page, and most bytes of values.
///
/// Usual pages declare a few dozen; further ones are dropped.
pub const MAX_PAIRS: usize = 256;
pub const MAX_BYTES: usize = 1 << 18;
/// Most pairs kept per name, so that a list of products or comments leaves room for the linked data
/// after it. Their readers use the first or the last.
const MAX_REPEATS: usize = 8;
/// The same for names with one author per pair: papers have up to a few dozen.
const MAX_AUTHORS: usize = 64;
const AUTHORS: [&[u8]; 5] = [
    b"citation_author",
    b"bepress_citation_author",
    b"dc.creator",
    b"dcterms.creator",
    b"author",
];
const MAX_NAME_BYTES: usize = 64;
/// Values other than JSON-LD are names, titles, descriptions and addresses.
const MAX_VALUE_BYTES: usize = 4096;

#[derive(Clone, Copy, Debug)]
struct Pair {
    name_end: u32,
    value_end: u32,
}

/// Pairs of name and value, kept in one buffer.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    text: String,
    pairs: Vec<Pair>,
}

impl Declared {
    /// Keep a statement of the page; empty, too long or excess ones are left out.
    pub fn add(&mut self, prefix: &str, name: &[u8], value: &[u8]) {
        let value = value.trim_ascii();
        let is_short = value.len() <= MAX_VALUE_BYTES;
        if is_short && !self.is_full() && self.repeats(prefix, name) < most_repeats(name) {
            self.add_long(prefix, name, value);
        }
    }

    /// The same for a value that may use all the remaining room.
    pub fn add_long(&mut self, prefix: &str, name: &[u8], value: &[u8]) {
        let is_full = self.is_full() || self.text.len() + value.len() > MAX_BYTES;
        let name = name.trim_ascii();
        if is_full || value.is_empty() || name.len() > MAX_NAME_BYTES {
            return;
        }
        // whole attribute values of UTF-8 pages
        let (Ok(name), Ok(value)) = (std::str::from_utf8(name), std::str::from_utf8(value)) else {
            return;
        };
        self.text.push_str(prefix);
        let named = self.text.len();
        self.text.push_str(name);
        self.text[named..].make_ascii_lowercase();
        let name_end = self.text.len() as u32;
        self.text.push_str(value);
        self.pairs.push(Pair {
            name_end,
            value_end: self.text.len() as u32,
        });
    }

    fn is_full(&self) -> bool {
        self.pairs.len() >= MAX_PAIRS
    }

    /// The number of pairs with a name.
    fn repeats(&self, prefix: &str, name: &[u8]) -> usize {
        let name = name.trim_ascii();
        let mut start = 0;
        let pairs = self.pairs.iter().filter(|pair| {
            let known = self.text.as_bytes().get(start..pair.name_end as usize);
            start = pair.value_end as usize;
            known
                .and_then(|known| known.strip_prefix(prefix.as_bytes()))
                .is_some_and(|known| known.eq_ignore_ascii_case(name))
        });
        pairs.count()
    }

    /// All pairs in document order.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        let mut start = 0;
        self.pairs.iter().map(move |pair| {
            let (name_end, value_end) = (pair.name_end as usize, pair.value_end as usize);
            let name = self.text.get(start..name_end).unwrap_or_default();
            let value = self.text.get(name_end..value_end).unwrap_or_default();
            start = value_end;
            (name, value)
        })
    }
}

fn most_repeats(name: &[u8]) -> usize {
    let name = name.trim_ascii();
    if AUTHORS.iter().any(|one| name.eq_ignore_ascii_case(one)) {
        MAX_AUTHORS
    } else {
        MAX_REPEATS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(declared: &Declared) -> Vec<&str> {
        declared.pairs().map(|(name, _)| name).collect()
    }

    #[test]
    fn a_name_is_kept_eight_times_and_crowds_no_other_out() {
        let mut declared = Declared::default();
        for _ in 0..9 {
            declared.add("meta:", b" Section ", b" A ");
            declared.add("meta:", b"date", b"2024");
        }
        declared.add("canonical", b"", b"/a");

        assert_eq!(declared.pairs().next(), Some(("meta:section", "A")));
        assert_eq!(names(&declared).len(), 17);
        assert_eq!(declared.pairs().last(), Some(("canonical", "/a")));
    }

    #[test]
    fn a_name_of_authors_is_kept_as_often_as_papers_have_authors() {
        let mut declared = Declared::default();
        for number in 0..MAX_AUTHORS + 1 {
            declared.add("meta:", b"Citation_Author", number.to_string().as_bytes());
        }

        assert_eq!(names(&declared).len(), MAX_AUTHORS);
    }

    #[test]
    fn what_is_empty_or_too_long_is_left_out() {
        let mut declared = Declared::default();
        declared.add("meta:", &[b'n'; MAX_NAME_BYTES], &[b'v'; MAX_VALUE_BYTES]);
        declared.add("meta:", &[b'n'; MAX_NAME_BYTES + 1], b"v");
        declared.add("meta:", b"n", &[b'v'; MAX_VALUE_BYTES + 1]);
        declared.add("meta:", b"n", b" ");

        assert_eq!(names(&declared).len(), 1);
    }

    #[test]
    fn values_and_pairs_stay_within_their_bounds() {
        let mut declared = Declared::default();
        declared.add_long("json-ld", b"", &[b'v'; MAX_BYTES + 1]);
        assert!(names(&declared).is_empty());
        declared.add_long("json-ld", b"", &[b'v'; MAX_BYTES]);
        assert_eq!(names(&declared), ["json-ld"]);
        declared.add("title", b"", b"x");
        assert_eq!(names(&declared), ["json-ld"]);

        let mut declared = Declared::default();
        for number in 0..=MAX_PAIRS {
            declared.add("meta:", number.to_string().as_bytes(), b"x");
            declared.add_long("json-ld", b"", b"x");
        }
        assert_eq!(names(&declared).len(), MAX_PAIRS);
    }
}
