//! The attributes that readers of the tree use, by number.

use std::sync::LazyLock;

use super::table_role::Part;

/// Attribute names that the walk uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    Align,
    Alt,
    AriaHidden,
    Bevelled,
    Checked,
    Class,
    Close,
    ColSpan,
    ColumnAlign,
    Content,
    DataLanguage,
    DataSource,
    DataSourceSet,
    DataTex,
    DateTime,
    Display,
    Encoding,
    Height,
    Hidden,
    Href,
    HttpEquiv,
    Id,
    Inert,
    ItemProp,
    ItemType,
    Lang,
    LineThickness,
    MathVariant,
    Name,
    NoSnippet,
    Notation,
    Open,
    Property,
    PubDate,
    Rel,
    Role,
    RowSpan,
    Separators,
    Source,
    SourceSet,
    Start,
    Style,
    Title,
    Toggle,
    Type,
    Value,
    Width,
    XmlLang,
}

const COUNT: usize = 63;
// a tag's attributes are noted as bits of a number of 64 (`tree/decoded.rs`)
const _: () = assert!(COUNT <= 64);

/// The spelling of the names; the number of an attribute is its place here.
const SPELLED: [(&str, Name); COUNT] = [
    ("align", Name::Align),
    ("alt", Name::Alt),
    ("aria-expanded", Name::Toggle),
    ("aria-hidden", Name::AriaHidden),
    ("bevelled", Name::Bevelled),
    ("checked", Name::Checked),
    ("class", Name::Class),
    ("close", Name::Close),
    ("colspan", Name::ColSpan),
    ("columnalign", Name::ColumnAlign),
    ("content", Name::Content),
    ("data-actualsrc", Name::DataSource),
    ("data-bs-toggle", Name::Toggle),
    ("data-equation", Name::DataTex),
    ("data-expr", Name::DataTex),
    ("data-formula", Name::DataTex),
    ("data-katex", Name::DataTex),
    ("data-lang", Name::DataLanguage),
    ("data-language", Name::DataLanguage),
    ("data-latex", Name::DataTex),
    ("data-lazy", Name::DataSource),
    ("data-lazy-src", Name::DataSource),
    ("data-lazy-srcset", Name::DataSourceSet),
    ("data-math", Name::DataTex),
    ("data-nosnippet", Name::NoSnippet),
    ("data-original", Name::DataSource),
    ("data-original-set", Name::DataSourceSet),
    ("data-src", Name::DataSource),
    ("data-srcset", Name::DataSourceSet),
    ("data-tex", Name::DataTex),
    ("data-toggle", Name::Toggle),
    ("datetime", Name::DateTime),
    ("display", Name::Display),
    ("encoding", Name::Encoding),
    ("height", Name::Height),
    ("hidden", Name::Hidden),
    ("href", Name::Href),
    ("http-equiv", Name::HttpEquiv),
    ("id", Name::Id),
    ("inert", Name::Inert),
    ("itemprop", Name::ItemProp),
    ("itemtype", Name::ItemType),
    ("lang", Name::Lang),
    ("linethickness", Name::LineThickness),
    ("mathvariant", Name::MathVariant),
    ("name", Name::Name),
    ("notation", Name::Notation),
    ("open", Name::Open),
    ("property", Name::Property),
    ("pubdate", Name::PubDate),
    ("rel", Name::Rel),
    ("role", Name::Role),
    ("rowspan", Name::RowSpan),
    ("separators", Name::Separators),
    ("src", Name::Source),
    ("srcset", Name::SourceSet),
    ("start", Name::Start),
    ("style", Name::Style),
    ("title", Name::Title),
    ("type", Name::Type),
    ("value", Name::Value),
    ("width", Name::Width),
    ("xml:lang", Name::XmlLang),
];

static NUMBERED: [Name; COUNT] = {
    let mut names = [Name::Align; COUNT];
    let mut at = 0;
    while at < COUNT {
        names[at] = SPELLED[at].1;
        at += 1;
    }
    names
};

static SPELLINGS: [&str; COUNT] = {
    let mut spellings = [""; COUNT];
    let mut at = 0;
    while at < COUNT {
        spellings[at] = SPELLED[at].0;
        at += 1;
    }
    spellings
};

/// The attributes that the parser indexes in each tag.
pub static READ: LazyLock<winnow_html::Names> =
    LazyLock::new(|| winnow_html::Names::new(&SPELLINGS));

impl Name {
    /// The name for the parser's number.
    #[inline]
    #[must_use]
    pub fn numbered(number: u8) -> Self {
        NUMBERED[usize::from(number)]
    }

    /// The name with this spelling, in any case, if it is in use.
    #[must_use]
    pub fn spelled(name: &[u8]) -> Option<Self> {
        let mut known = SPELLED.iter();
        let found = known.find(|(spelled, _)| spelled.as_bytes().eq_ignore_ascii_case(name));
        found.map(|(_, name)| *name)
    }
}

/// Whether a `style` attribute hides its element.
///
/// Declarations are read in order and later ones win, as in CSS. Comments and escapes are not
/// parsed, so a page that uses them for hiding stays visible.
#[must_use]
pub fn is_hiding(style: &[u8]) -> bool {
    display(style).is_hidden
}

/// Whether a `style` attribute hides its element, and the part of a table that it makes of it.
#[must_use]
pub fn display(style: &[u8]) -> Display {
    let mut gone = false;
    let mut part = Part::None;
    let mut white_space = WhiteSpace::Inherited;
    let mut invisible = false;
    for declaration in style.split(|&byte| byte == b';') {
        let Some(colon) = declaration.iter().position(|&byte| byte == b':') else {
            continue;
        };
        let property = declaration[..colon].trim_ascii();
        let value = value_of(&declaration[colon + 1..]);
        if property.eq_ignore_ascii_case(b"display") {
            gone = value.eq_ignore_ascii_case(b"none");
            part = Part::of_display(value);
        } else if property.eq_ignore_ascii_case(b"visibility") {
            invisible = value.eq_ignore_ascii_case(b"hidden");
        } else if is_white_space(property) {
            white_space = WhiteSpace::of(value).unwrap_or(white_space);
        }
    }
    Display {
        is_hidden: gone || invisible,
        part,
        white_space,
    }
}

/// How a `style` attribute shows its element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Display {
    pub is_hidden: bool,
    pub part: Part,
    pub white_space: WhiteSpace,
}

/// What the style of an element makes of white space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WhiteSpace {
    #[default]
    Inherited,
    Collapsed,
    /// Line feeds end lines.
    Lines,
    /// Nothing is changed, and no line is broken.
    Kept,
    /// Its children may be lines of code.
    OfLines,
}

impl WhiteSpace {
    /// The white space of a value of CSS; `None` if it says nothing.
    fn of(value: &[u8]) -> Option<Self> {
        let is = |name: &[u8]| value.eq_ignore_ascii_case(name);
        if is(b"pre") {
            Some(Self::Kept)
        } else if LINES.iter().any(|name| is(name)) {
            Some(Self::Lines)
        } else {
            let is_collapsed = is(b"normal") || is(b"nowrap") || is(b"collapse");
            is_collapsed.then_some(Self::Collapsed)
        }
    }

    /// The white space that a word of a class names, as `whitespace-pre-wrap` does, for a class with
    /// the sign of lines.
    #[must_use]
    pub fn of_class(class: &[u8]) -> Self {
        let of_word = |word: &[u8]| {
            if KEPT_CLASSES.contains(&word) {
                return Some(Self::Kept);
            }
            let names = LINES_CLASSES.iter();
            let mut names = names.filter_map(|name| word.strip_suffix(*name));
            let is_line = names.any(|before| before.is_empty() || before.ends_with(b"-"));
            is_line.then_some(Self::Lines)
        };
        let mut words = class.split(u8::is_ascii_whitespace);
        words.find_map(of_word).unwrap_or(Self::OfLines)
    }
}

/// Values of `white-space` and `white-space-collapse` with which line feeds end lines.
const LINES: [&[u8]; 5] = [
    b"pre-wrap",
    b"pre-line",
    b"break-spaces",
    b"preserve",
    b"preserve-breaks",
];
/// Ends of class names for them, and the names for `pre`.
const LINES_CLASSES: [&[u8]; 4] = [b"pre-wrap", b"pre-line", b"prewrap", b"break-spaces"];
const KEPT_CLASSES: [&[u8]; 2] = [b"whitespace-pre", b"white-space-pre"];

fn is_white_space(property: &[u8]) -> bool {
    property
        .get(..b"white-space".len())
        .is_some_and(|name| name.eq_ignore_ascii_case(b"white-space"))
        && matches!(property.len(), 11 | 20)
}

/// Properties whose negative lengths move an element.
const MOVES: [&[u8]; 5] = [b"left", b"right", b"top", b"text-indent", b"margin-left"];

/// Whether a `style` attribute moves its element out of sight, as for screen readers.
#[must_use]
pub fn is_off_screen(style: &[u8]) -> bool {
    style.split(|&byte| byte == b';').any(|declaration| {
        let Some(colon) = declaration.iter().position(|&byte| byte == b':') else {
            return false;
        };
        let property = declaration[..colon].trim_ascii();
        let value = value_of(&declaration[colon + 1..]);
        let is = |name: &[u8]| property.eq_ignore_ascii_case(name);
        if MOVES.iter().any(|name| is(name)) {
            is_far(value)
        } else if is(b"opacity") {
            value == b"0"
        } else {
            is(b"clip") && (value.starts_with(b"rect(0") || value.starts_with(b"rect(1px"))
        }
    })
}

/// Whether a length is negative, with at least three digits.
fn is_far(value: &[u8]) -> bool {
    let digits = value.strip_prefix(b"-").unwrap_or_default();
    digits
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count()
        > 2
}

/// A value without `!important` and surrounding white space.
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
    fn names_that_are_read_are_found_in_any_case() {
        for (name, found) in [
            ("class", Some(Name::Class)),
            ("DATA-NoSnippet", Some(Name::NoSnippet)),
            ("xml:lang", Some(Name::XmlLang)),
            ("HREF", Some(Name::Href)),
            ("", None),
            ("onclick", None),
            ("data-nosnippets", None),
            ("class\0", None),
        ] {
            assert_eq!(Name::spelled(name.as_bytes()), found, "{name}");
        }
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
    fn a_style_moves_out_of_sight_when_its_element_is_far_left_clipped_or_clear() {
        for style in [
            "position:absolute;left:-9999px",
            "Text-Indent: -999em !important",
            "position: absolute; top: -10000px",
            "clip: rect(0 0 0 0)",
            "clip:rect(1px, 1px, 1px, 1px)",
            "opacity:0;height:0",
        ] {
            assert!(is_off_screen(style.as_bytes()), "{style}");
        }
        for style in [
            "",
            "left:-10px",
            "left:9999px",
            "opacity:0.5",
            "left",
            "clip:auto",
        ] {
            assert!(!is_off_screen(style.as_bytes()), "{style}");
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
