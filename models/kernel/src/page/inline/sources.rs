//! The source of an image: its address, one that a script loads, the largest of several.

use std::borrow::Cow;

use memchr::memmem;

use crate::page::attributes::Name;
use crate::page::tags;
use crate::page::tree::Node;

/// The address of an image as written in the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source<'tree> {
    pub address: Cow<'tree, [u8]>,
    pub is_placeholder: bool,
}

/// Other images of a `picture` that are checked.
const MAX_SOURCES: usize = 8;
/// Words in the names of placeholder files for pictures that load later.
const PLACEHOLDERS: [&[u8]; 9] = [
    b"placeholder",
    b"blank.",
    b"spacer.",
    b"transparent",
    b"pixel.",
    b"1x1.",
    b"lazy",
    b"loading.",
    b"loader.",
];

/// The best source of an `img`. Lazy images have a placeholder in its place.
pub fn source_of<'tree>(image: Node<'tree>) -> Option<Source<'tree>> {
    let own = image.value(&[Name::Source]).and_then(usable);
    let is_placeholder = own.is_some_and(is_placeholder);
    let late = image.value(&[Name::DataSource]).and_then(usable);
    let best = late
        .or_else(|| image.value(&[Name::DataSourceSet]).and_then(largest))
        .or_else(|| own.filter(|_| !is_placeholder))
        .or_else(|| image.value(&[Name::SourceSet]).and_then(largest))
        .or_else(|| of_picture(image));
    let best = best.map(Cow::Borrowed).or_else(|| of_script(image));
    match (best, own) {
        (Some(address), _) => Some(Source {
            address,
            is_placeholder: false,
        }),
        (None, own) => own.map(|address| Source {
            address: address.into(),
            is_placeholder,
        }),
    }
}

/// Attributes of an image without a source.
const NO_SOURCES: [&[u8]; 9] = [
    b"src",
    b"srcset",
    b"alt",
    b"title",
    b"class",
    b"id",
    b"style",
    b"usemap",
    b"longdesc",
];
/// Words in the names of attributes with an address.
const OF_SOURCES: [&[u8]; 4] = [b"src", b"lazy", b"original", b"hires"];
/// Words in the names of attributes with a smaller or another picture.
const LESSER: [&[u8]; 9] = [
    b"thumb",
    b"small",
    b"low",
    b"blur",
    b"medium",
    b"placeholder",
    b"preview",
    b"fallback",
    b"error",
];

/// The address in an attribute of a script's own, for an image without another source: the file of
/// a picture, or any address where the name says that it is one.
fn of_script<'tree>(image: Node<'tree>) -> Option<Cow<'tree, [u8]>> {
    let mut lesser = None;
    for (name, value) in image.markup_attributes() {
        let name = name.to_ascii_lowercase();
        let says = |words: &[&[u8]]| words.iter().any(|word| memmem::find(&name, word).is_some());
        if NO_SOURCES.contains(&name.as_slice()) || name.starts_with(b"on") {
            continue;
        }
        let (is_set, is_named) = (name.ends_with(b"set"), says(&OF_SOURCES));
        let address = match &value {
            Cow::Borrowed(value) => address_in(value, is_set, is_named).map(Cow::Borrowed),
            Cow::Owned(value) => {
                address_in(value, is_set, is_named).map(|address| Cow::Owned(address.to_vec()))
            }
        };
        if address.is_some() && !says(&LESSER) {
            return address;
        }
        lesser = lesser.or(address);
    }
    lesser
}

/// The address that a value is, or the largest of a set of them.
fn address_in(value: &[u8], is_set: bool, is_named: bool) -> Option<&[u8]> {
    let address = if is_set {
        largest(value)
    } else {
        usable(value)
    }?;
    let path = || std::str::from_utf8(address).is_ok_and(is_file);
    let is_absolute = || {
        [b"http".as_slice(), b"/"]
            .iter()
            .any(|start| address.starts_with(start))
    };
    let is_one =
        address.contains(&b'/') && !address.iter().any(|byte| b" \t\n\"'<>{}()".contains(byte));
    (is_one && (path() || is_named && is_absolute())).then_some(address)
}

/// Whether a link leads to the file of a picture.
#[must_use]
pub fn is_file(href: &str) -> bool {
    const ENDINGS: [&str; 6] = [".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif"];
    let path = href.split(['?', '#']).next().unwrap_or(href);
    let path = path.to_ascii_lowercase();
    ENDINGS.iter().any(|ending| path.ends_with(ending))
}

fn usable(address: &[u8]) -> Option<&[u8]> {
    let address = address.trim_ascii();
    let is_data = address
        .get(..5)
        .is_some_and(|start| start.eq_ignore_ascii_case(b"data:"));
    (!address.is_empty() && !is_data && address != b"#").then_some(address)
}

/// The last part of the path of an address.
pub fn file_name(address: &[u8]) -> &[u8] {
    let path = address
        .split(|&byte| byte == b'?')
        .next()
        .unwrap_or(address);
    path.rsplit(|&byte| byte == b'/').next().unwrap_or(path)
}

fn is_placeholder(address: &[u8]) -> bool {
    let name = file_name(address).to_ascii_lowercase();
    let is_drawn = [b".gif".as_slice(), b".png", b".svg"]
        .iter()
        .any(|ending| name.ends_with(ending));
    is_drawn
        && PLACEHOLDERS
            .iter()
            .any(|word| memmem::find(&name, word).is_some())
}

/// The largest of the sources in a `picture` before its image.
fn of_picture<'tree>(image: Node<'tree>) -> Option<&'tree [u8]> {
    image
        .parent()
        .filter(|parent| parent.tag() == tags::PICTURE)?;
    let before = std::iter::successors(image.previous(), |node| node.previous());
    let mut sources = before
        .take(2 * MAX_SOURCES)
        .filter(|node| node.tag() == tags::SOURCE);
    sources.find_map(|source| {
        let late = source.value(&[Name::DataSourceSet]);
        let set = late.or_else(|| source.value(&[Name::SourceSet]))?;
        largest(set)
    })
}

/// The address in a `srcset` with the largest width or density.
fn largest(set: &[u8]) -> Option<&[u8]> {
    let is_filler = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',';
    let mut best: Option<(&[u8], f64)> = None;
    let mut rest = set;
    loop {
        let start = rest.iter().position(|byte| !is_filler(byte));
        let Some(start) = start else { break };
        rest = &rest[start..];
        let end = rest.iter().position(u8::is_ascii_whitespace);
        let (address, after) = rest.split_at(end.unwrap_or(rest.len()));
        let (size, after) = if address.ends_with(b",") {
            (1.0, after)
        } else {
            let end = after.iter().position(|&byte| byte == b',');
            let (descriptor, after) = after.split_at(end.unwrap_or(after.len()));
            (size_of(descriptor), after)
        };
        let address = address.strip_suffix(b",").unwrap_or(address);
        if let Some(address) = usable(address) {
            if best.is_none_or(|(_, largest)| size > largest) {
                best = Some((address, size));
            }
        }
        rest = after;
    }
    best.map(|(address, _)| address)
}

fn size_of(descriptor: &[u8]) -> f64 {
    let text = String::from_utf8_lossy(descriptor.trim_ascii());
    text.trim_end_matches(['w', 'x', 'h'])
        .parse()
        .unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_of_a_set_is_taken() {
        for (set, address) in [
            ("a.jpg 320w, b.jpg 1200w", "b.jpg"),
            ("a.jpg, b.jpg 2x", "b.jpg"),
            ("  a,b.jpg 2x,c.jpg 1.5x ", "a,b.jpg"),
            ("data:x 3x, a.jpg", "a.jpg"),
            ("a.jpg", "a.jpg"),
        ] {
            assert_eq!(largest(set.as_bytes()), Some(address.as_bytes()), "{set}");
        }
        assert_eq!(largest(b" , ,"), None);
    }

    #[test]
    fn pictures_of_nothing_are_told_by_their_names() {
        for (address, is) in [
            ("/img/blank.gif", true),
            ("https://a.b/Placeholder.svg?x=1", true),
            ("/placeholder/cat.jpg", false),
            ("cat.png", false),
        ] {
            assert_eq!(is_placeholder(address.as_bytes()), is, "{address}");
        }
    }
}
