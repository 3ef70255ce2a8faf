//! The attributes that the walk reads, known by lexbor's numbers instead of by their names.

use super::lexbor::{Attribute, KNOWN_NAMES, Node};

/// Attribute names that mean something to the walk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Name {
    #[default]
    Else,
    Align,
    Alt,
    Class,
    ColSpan,
    Content,
    DataLanguage,
    DataSource,
    DateTime,
    NoSnippet,
    Hidden,
    Href,
    HttpEquiv,
    Id,
    ItemProp,
    ItemType,
    Lang,
    Name,
    Open,
    Property,
    Rel,
    Role,
    RowSpan,
    Source,
    Start,
    Style,
    Type,
    Value,
    XmlLang,
}

const CACHE: usize = 64;

/// Names by lexbor's number: fixed for names that lexbor knows, learnt for the others.
pub struct Names {
    seen: [(usize, Name); CACHE],
}

impl Default for Names {
    fn default() -> Self {
        Self {
            seen: [(0, Name::Else); CACHE],
        }
    }
}

impl Names {
    /// The name of an attribute.
    #[inline]
    pub fn name(&mut self, attribute: Attribute<'_>) -> Name {
        let id = attribute.name_id();
        if id < KNOWN_NAMES {
            return known(id);
        }
        // the numbers of other names are addresses, so the low bits say nothing
        let slot = &mut self.seen[(id >> 4) % CACHE];
        if slot.0 != id {
            *slot = (id, spelled(attribute.unknown_name()));
        }
        slot.1
    }

    /// The value of the first attribute of a node with one of `names`, if it has any.
    pub fn value<'tree>(&mut self, node: Node<'tree>, names: &[Name]) -> Option<&'tree [u8]> {
        node.attributes()
            .find(|attribute| names.contains(&self.name(*attribute)))
            .map(Attribute::value)
    }
}

/// Numbers from `lexbor/dom/interfaces/attr_const.h`.
fn known(id: usize) -> Name {
    match id {
        0x04 => Name::Align,
        0x06 => Name::Alt,
        0x0b => Name::Class,
        0x10 => Name::Content,
        0x1d => Name::Href,
        0x20 => Name::HttpEquiv,
        0x21 => Name::Id,
        0x23 => Name::Lang,
        0x32 => Name::Rel,
        0x3d => Name::Source,
        0x3e => Name::Style,
        0x43 => Name::Type,
        _ => Name::Else,
    }
}

/// Whether a reader of the tree looks at an attribute of this name, in any case of letters.
#[must_use]
pub fn is_read(name: &[u8]) -> bool {
    let mut lower = [0; MOST_BYTES];
    let Some(lower) = lower.get_mut(..name.len()) else {
        return false;
    };
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    spelled(lower) != Name::Else
}

/// Bytes of the longest name that is read.
const MOST_BYTES: usize = 14;

fn spelled(name: &[u8]) -> Name {
    match name {
        b"align" => Name::Align,
        b"alt" => Name::Alt,
        b"class" => Name::Class,
        b"colspan" => Name::ColSpan,
        b"content" => Name::Content,
        b"data-lang" | b"data-language" => Name::DataLanguage,
        b"data-src" | b"data-original" | b"data-lazy-src" => Name::DataSource,
        b"data-nosnippet" => Name::NoSnippet,
        b"datetime" => Name::DateTime,
        b"hidden" => Name::Hidden,
        b"href" => Name::Href,
        b"http-equiv" => Name::HttpEquiv,
        b"id" => Name::Id,
        b"itemprop" => Name::ItemProp,
        b"itemtype" => Name::ItemType,
        b"lang" => Name::Lang,
        b"name" => Name::Name,
        b"open" => Name::Open,
        b"property" => Name::Property,
        b"rel" => Name::Rel,
        b"role" => Name::Role,
        b"rowspan" => Name::RowSpan,
        b"src" => Name::Source,
        b"start" => Name::Start,
        b"style" => Name::Style,
        b"type" => Name::Type,
        b"value" => Name::Value,
        b"xml:lang" => Name::XmlLang,
        _ => Name::Else,
    }
}

/// Whether a `style` attribute hides its element.
///
/// Declarations are read in order and later ones win, as in CSS; comments and escapes are not
/// understood, so a page that hides the hiding stays visible.
#[must_use]
pub fn is_hiding(style: &[u8]) -> bool {
    let mut gone = false;
    let mut invisible = false;
    for declaration in style.split(|&byte| byte == b';') {
        let Some(colon) = declaration.iter().position(|&byte| byte == b':') else {
            continue;
        };
        let property = declaration[..colon].trim_ascii();
        let value = value_of(&declaration[colon + 1..]);
        if property.eq_ignore_ascii_case(b"display") {
            gone = value.eq_ignore_ascii_case(b"none");
        } else if property.eq_ignore_ascii_case(b"visibility") {
            invisible = value.eq_ignore_ascii_case(b"hidden");
        }
    }
    gone || invisible
}

/// A value without `!important` and white space around it.
fn value_of(text: &[u8]) -> &[u8] {
    text.split(|&byte| byte == b'!')
        .next()
        .unwrap_or(text)
        .trim_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_read_are_told_in_any_case() {
        for name in ["class", "DATA-NoSnippet", "xml:lang", "HREF"] {
            assert!(is_read(name.as_bytes()), "{name}");
        }
        for name in [
            "",
            "onclick",
            "data-nosnippets",
            "data-nosnippet-behind",
            "class\0",
        ] {
            assert!(!is_read(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn names_that_lexbor_numbers_are_read_by_their_spelling_too() {
        let spellings = [
            "align",
            "alt",
            "class",
            "content",
            "href",
            "http-equiv",
            "id",
            "lang",
            "rel",
            "src",
            "style",
            "type",
        ];
        let by_number: Vec<Name> = (0..KNOWN_NAMES).map(known).collect();
        let numbered = by_number.into_iter().filter(|name| *name != Name::Else);

        let by_spelling = spellings.map(|name| spelled(name.as_bytes()));

        assert_eq!(numbered.collect::<Vec<_>>(), by_spelling);
    }

    #[test]
    fn a_style_hides_when_it_says_so_in_any_spelling() {
        for style in [
            "display:none",
            " DISPLAY : None ; color: red",
            "color:red;display:none!important",
            "visibility: hidden",
            "display:block;display:none",
        ] {
            assert!(is_hiding(style.as_bytes()), "{style}");
        }
    }

    #[test]
    fn a_style_does_not_hide_when_it_says_something_else() {
        for style in [
            "",
            "display:block",
            "display:none;display:block",
            "x-display:none",
            "display",
            "content:'display:none'",
        ] {
            assert!(!is_hiding(style.as_bytes()), "{style}");
        }
    }
}
