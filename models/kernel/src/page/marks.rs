//! Elements marked as the author, a date or the licence of something, collected during the walk.
//!
//! | name | an element with | value |
//! |---|---|---|
//! | `itemprop:NAME` | an `itemprop` or `property` of [`PROPERTIES`] | `content`, `datetime` or text |
//! | `rel:author` | `rel=author` | text |
//! | `class:author`, `class:date` | such a word in its `class` | text, for dates one in its `title`
//! |
//! | `class:updated` | a word for a change in its `class` | text, or a date in its `title` |
//! | `class:event` | words for an event and a date in its `class` | text, or a date in its `title` |
//! | `part` | inline, in a heading of the first level | text |
//! | `time` | a `time` with a `datetime` or a `title` | this |
//! | `license` | a link with `rel=license`, or to Creative Commons | address |
//!
//! In a text a line feed marks where an element begins or ends.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::attributes::Name;
use super::tags;
use super::tree::{Node, NodeKind};

/// Most marks kept per page; articles have up to a dozen, forums one or two per post.
const MAX_MARKS: usize = 64;
/// Most per name: a list of suggested articles leaves room for later names.
const MAX_REPEATS: usize = 16;
/// Longer texts describe an author instead of naming one.
const MAX_VALUE_BYTES: usize = 256;
/// Nodes below an element that are visited for its text.
const MAX_NODES: usize = 48;

const PROPERTIES: [&str; 10] = [
    "author",
    "creator",
    "datepublished",
    "datecreated",
    "datemodified",
    "headline",
    "keywords",
    "license",
    "startdate",
    "enddate",
];
static CREATIVE_COMMONS: LazyLock<Finder<'_>> =
    LazyLock::new(|| Finder::new("creativecommons.org/"));

/// The mark in the attributes of an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    #[default]
    None,
    Property(&'static str),
    RelAuthor,
    ClassAuthor,
    ClassDate,
    ClassUpdated,
    ClassEvent,
    License,
    /// A part of a headline, such as its kicker or the number of its comments.
    Part,
}

impl Mark {
    /// Of the `pubdate` that `time` had before `itemprop`.
    pub const PUBLICATION: Self = Self::Property("datepublished");

    /// The stronger of two marks of one element.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        if self.rank() >= other.rank() {
            self
        } else {
            other
        }
    }

    fn is_of_date(self) -> bool {
        match self {
            Self::ClassDate | Self::ClassUpdated | Self::ClassEvent => true,
            Self::Property(name) => name.contains("date"),
            _ => false,
        }
    }

    fn rank(self) -> u8 {
        match self {
            Self::None | Self::Part => 0,
            Self::ClassDate => 1,
            Self::ClassUpdated => 2,
            Self::ClassEvent => 3,
            Self::ClassAuthor => 4,
            Self::RelAuthor => 5,
            Self::Property(_) => 6,
            Self::License => 7,
        }
    }

    fn name(self) -> (&'static str, &'static str) {
        match self {
            Self::None => ("", ""),
            Self::Property(name) => ("itemprop:", name),
            Self::RelAuthor => ("rel:", "author"),
            Self::ClassAuthor => ("class:", "author"),
            Self::ClassDate => ("class:", "date"),
            Self::ClassUpdated => ("class:", "updated"),
            Self::ClassEvent => ("class:", "event"),
            Self::License => ("", "license"),
            Self::Part => ("", "part"),
        }
    }

    /// The mark of an `itemprop`, or of the local part of a `property`.
    #[must_use]
    pub fn of_property(value: &[u8]) -> Self {
        value
            .split(u8::is_ascii_whitespace)
            .find_map(|word| {
                let local = word.rsplit(|&byte| byte == b':' || byte == b'/').next()?;
                // Drupal writes `property="dc:date dc:created"`
                let is_created = [&b"dc:created"[..], b"dcterms:created", b"dc:issued"];
                if is_created
                    .iter()
                    .any(|name| word.eq_ignore_ascii_case(name))
                {
                    return Some("datecreated");
                }
                PROPERTIES
                    .into_iter()
                    .find(|name| local.eq_ignore_ascii_case(name.as_bytes()))
            })
            .map_or(Self::None, Self::Property)
    }

    /// The mark of a `rel`.
    #[must_use]
    pub fn of_rel(value: &[u8]) -> Self {
        let words = value.split(u8::is_ascii_whitespace);
        words.fold(Self::None, |mark, word| {
            if word.eq_ignore_ascii_case(b"author") {
                mark.or(Self::RelAuthor)
            } else if word.eq_ignore_ascii_case(b"license") {
                mark.or(Self::License)
            } else {
                mark
            }
        })
    }

    /// The mark of a link's address.
    #[must_use]
    pub fn of_address(value: &[u8]) -> Self {
        let is_licence = |start: &[u8]| {
            value.starts_with(start)
                && CREATIVE_COMMONS.find(value).is_some_and(|at| {
                    let rest = value[at..].get(20..).unwrap_or_default();
                    rest.starts_with(b"licenses/") || rest.starts_with(b"publicdomain/")
                })
        };
        if is_licence(b"http") || is_licence(b"//") {
            Self::License
        } else {
            Self::None
        }
    }
}

/// A mark with its place and value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marked {
    pub name: String,
    pub value: String,
    /// Order of the block in which its text begins, or of the next one.
    pub block: u32,
    /// Start of its own text in the text of the page, in bytes.
    pub at: u32,
}

/// Start of an element: the block in which its text begins, or the next one, and the byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub block: u32,
    pub at: u32,
}

/// The marks of a page.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    found: Vec<Marked>,
}

impl Marks {
    /// Keep a mark; empty, too long or excess ones are left out.
    pub fn add(&mut self, mark: Mark, node: Node<'_>, place: Place) {
        if self.found.len() >= MAX_MARKS {
            return;
        }
        let (prefix, name) = mark.name();
        let is_property = matches!(mark, Mark::Property(_));
        let mut value = Vec::new();
        if mark == Mark::License || mark == Mark::Property("license") {
            value.extend_from_slice(node.value(&[Name::Href]).unwrap_or_default());
        } else if is_property || node.tag() == tags::TIME {
            let said = node.value(&[Name::Content]);
            let said = said.or_else(|| node.value(&[Name::DateTime]));
            value.extend_from_slice(said.unwrap_or_default());
        }
        if value.is_empty() && mark.is_of_date() {
            let title = node.value(&[Name::Title]).unwrap_or_default();
            if title.first().is_some_and(u8::is_ascii_digit) {
                value.extend_from_slice(title);
            }
        }
        if value.is_empty() && mark != Mark::License {
            let named = if matches!(mark, Mark::Property("author" | "creator")) {
                name_within(node)
            } else {
                None
            };
            let named = named.unwrap_or(node);
            write_text(named, &mut value);
            if value.is_empty() && named.tag() == tags::META {
                value.extend_from_slice(named.value(&[Name::Content]).unwrap_or_default());
            }
        }
        self.keep(prefix, name, &value, place);
    }

    /// Keep the `datetime` of a `time`.
    pub fn time(&mut self, value: &[u8], place: Place) {
        self.keep("", "time", value, place);
    }

    fn keep(&mut self, prefix: &str, name: &str, value: &[u8], place: Place) {
        let value = value.trim_ascii();
        if value.is_empty() || value.len() > MAX_VALUE_BYTES || self.found.len() >= MAX_MARKS {
            return;
        }
        let name = [prefix, name].concat();
        if self.found.iter().filter(|mark| mark.name == name).count() < MAX_REPEATS {
            self.found.push(Marked {
                name,
                value: String::from_utf8_lossy(value).into_owned(),
                block: place.block,
                at: place.at,
            });
        }
    }

    /// All of them in document order.
    #[must_use]
    pub fn all(&self) -> &[Marked] {
        &self.found
    }
}

/// The element below another one that `itemprop` marks as its name.
fn name_within<'a>(root: Node<'a>) -> Option<Node<'a>> {
    let mut node = root;
    for _ in 0..MAX_NODES {
        let next = node.first_child().or_else(|| {
            let mut at = node;
            while at != root {
                if let Some(next) = at.next() {
                    return Some(next);
                }
                at = at.parent()?;
            }
            None
        });
        node = next?;
        if node.value(&[Name::ItemProp]) == Some(b"name") {
            return Some(node);
        }
    }
    None
}

/// Separator where an element begins or ends, until white space is normalised.
const BORDER: u8 = 0x1f;

/// Write the text below an element, nothing if it is long; elements separate words.
fn write_text(root: Node<'_>, out: &mut Vec<u8>) {
    let mut node = root;
    for _ in 0..MAX_NODES {
        let text: &[u8] = match node.kind() {
            NodeKind::Text => node.text(),
            _ => &[BORDER],
        };
        // checked before it is copied: each element around a long text may be a mark
        if out.len() + text.len() > 4 * MAX_VALUE_BYTES {
            break;
        }
        out.extend_from_slice(text);
        let is_silent = node.is_html() && matches!(node.tag(), tags::SCRIPT | tags::STYLE);
        if let (Some(child), false) = (node.first_child(), is_silent) {
            node = child;
            continue;
        }
        loop {
            if node == root {
                squeeze(out);
                return;
            }
            if let Some(next) = node.next() {
                node = next;
                break;
            }
            match node.parent() {
                Some(parent) => node = parent,
                None => return squeeze(out),
            }
        }
    }
    out.clear();
}

/// Replace every run of white space by one space, or by a line feed if there is a border in it.
fn squeeze(text: &mut Vec<u8>) {
    let mut end = 0;
    for at in 0..text.len() {
        let byte = text[at];
        let space = match byte {
            BORDER => b'\n',
            _ if byte.is_ascii_whitespace() => b' ',
            _ => {
                text[end] = byte;
                end += 1;
                continue;
            }
        };
        match end.checked_sub(1).map(|last| text[last]) {
            None | Some(b'\n') => {}
            Some(b' ') => text[end - 1] = space,
            Some(_) => {
                text[end] = space;
                end += 1;
            }
        }
    }
    text.truncate(end);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_say_what_an_element_is() {
        for (mark, wanted) in [
            (Mark::of_property(b"name AUTHOR"), Mark::Property("author")),
            (
                Mark::of_property(b"schema:datePublished"),
                Mark::Property("datepublished"),
            ),
            (Mark::of_property(b"authority"), Mark::None),
            (Mark::of_rel(b"nofollow Author"), Mark::RelAuthor),
            (Mark::of_rel(b"license"), Mark::License),
            (Mark::of_rel(b"tag"), Mark::None),
            (
                Mark::of_address(b"https://creativecommons.org/licenses/by/4.0/"),
                Mark::License,
            ),
            (
                Mark::of_address(b"https://creativecommons.org/"),
                Mark::None,
            ),
            (
                Mark::of_address(b"/?https://creativecommons.org/licenses/by/"),
                Mark::None,
            ),
        ] {
            assert_eq!(mark, wanted);
        }
    }

    #[test]
    fn a_name_is_kept_sixteen_times_and_crowds_no_other_out() {
        let mut marks = Marks::default();
        let place = |block| Place { block, at: 0 };
        for block in 0..MAX_REPEATS as u32 + 1 {
            marks.time(b" 2024 ", place(block));
        }
        marks.keep("rel:", "author", b"Ann", place(7));
        marks.keep("rel:", "author", b" ", place(7));
        marks.keep("rel:", "author", &[b'v'; MAX_VALUE_BYTES + 1], place(7));

        assert_eq!(marks.all().len(), MAX_REPEATS + 1);
        assert_eq!(marks.all()[0].value, "2024");
        assert_eq!(marks.all().last().map(|mark| mark.block), Some(7));
    }

    #[test]
    fn white_space_is_uniform_and_borders_are_line_feeds() {
        for (text, expected) in [
            (
                &b"\x1f \x1fAnn \t\n Bee\x1f, \x1f"[..],
                &b"Ann Bee\n,\n"[..],
            ),
            (b"a \x1f b", b"a\nb"),
            (b" \x1f ", b""),
        ] {
            let mut text = text.to_vec();
            squeeze(&mut text);
            assert_eq!(text, expected);
        }
    }
}
