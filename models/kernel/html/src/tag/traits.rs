//! Properties of elements in the standard, as bits of one byte.

use super::*;

/// Bits of [`Trait`].
pub(crate) type Traits = u8;

/// Properties of an element on the stack of open elements.
pub(crate) struct Trait;

impl Trait {
    /// The standard's *special* category.
    pub const SPECIAL: Traits = 1;
    /// Ends the search for an element in scope.
    pub const SCOPE: Traits = 2;
    /// Ends the search for an element in list item scope too.
    pub const LIST: Traits = 4;
    /// Closed by *generate implied end tags*.
    pub const IMPLIED: Traits = 8;
    /// Closed by *generate all implied end tags thoroughly*.
    pub const THOROUGH: Traits = 16;
    /// Ends the search for an element in table scope.
    pub const TABLE_SCOPE: Traits = 32;
    /// Children that are not allowed in a table get a foster parent.
    pub const FOSTERING: Traits = 64;
    /// See [`Options::closes_as_xhtml`](crate::Options::closes_as_xhtml).
    pub const CLOSES_AS_XHTML: Traits = 128;
}

/// Traits of HTML elements by number.
static TRAITS: [Traits; COUNT] = traits();

/// The traits of an HTML element.
#[inline]
pub(crate) fn traits_of(tag: Tag) -> Traits {
    TRAITS.get(tag as usize).copied().unwrap_or(0)
}

/// The traits of an element of SVG or MathML.
pub(crate) fn foreign_traits(tag: Tag, is_svg: bool) -> Traits {
    let is_special = if is_svg {
        matches!(tag, FOREIGNOBJECT | DESC | TITLE)
    } else {
        matches!(tag, MI | MO | MN | MS | MTEXT | ANNOTATION_XML)
    };
    if is_special {
        Trait::SPECIAL | Trait::SCOPE
    } else {
        0
    }
}

/// Raw text elements, form controls and elements with fallback content.
const CLOSE_AS_XHTML: [Tag; 21] = [
    APPLET, AUDIO, BUTTON, CANVAS, DATALIST, IFRAME, NOEMBED, NOFRAMES, NOSCRIPT, OBJECT, OPTGROUP,
    OPTION, PLAINTEXT, SCRIPT, SELECT, STYLE, TEMPLATE, TEXTAREA, TITLE, VIDEO, XMP,
];

const fn traits() -> [Traits; COUNT] {
    let mut table = [0; COUNT];
    let special = [
        ADDRESS, APPLET, AREA, ARTICLE, ASIDE, BASE, BASEFONT, BGSOUND, BLOCKQUOTE, BODY, BR,
        BUTTON, CAPTION, CENTER, COL, COLGROUP, DD, DETAILS, DIR, DIV, DL, DT, EMBED, FIELDSET,
        FIGCAPTION, FIGURE, FOOTER, FORM, FRAME, FRAMESET, H1, H2, H3, H4, H5, H6, HEAD, HEADER,
        HGROUP, HR, HTML, IFRAME, IMG, INPUT, KEYGEN, LI, LINK, LISTING, MAIN, MARQUEE, MENU, META,
        NAV, NOEMBED, NOFRAMES, NOSCRIPT, OBJECT, OL, P, PARAM, PLAINTEXT, PRE, SCRIPT, SEARCH,
        SECTION, SELECT, SOURCE, STYLE, SUMMARY, TABLE, TBODY, TD, TEMPLATE, TEXTAREA, TFOOT, TH,
        THEAD, TITLE, TR, TRACK, UL, WBR, XMP,
    ];
    set(&mut table, &special, Trait::SPECIAL);
    let scope = [
        APPLET, CAPTION, HTML, TABLE, TD, TH, MARQUEE, OBJECT, SELECT, TEMPLATE,
    ];
    set(&mut table, &scope, Trait::SCOPE);
    set(&mut table, &[OL, UL], Trait::LIST);
    let implied = [DD, DT, LI, OPTGROUP, OPTION, P, RB, RP, RT, RTC];
    set(&mut table, &implied, Trait::IMPLIED | Trait::THOROUGH);
    set(
        &mut table,
        &[CAPTION, COLGROUP, TBODY, TD, TFOOT, TH, THEAD, TR],
        Trait::THOROUGH,
    );
    set(&mut table, &[HTML, TABLE, TEMPLATE], Trait::TABLE_SCOPE);
    set(
        &mut table,
        &[TABLE, TBODY, TFOOT, THEAD, TR],
        Trait::FOSTERING,
    );
    set(&mut table, &CLOSE_AS_XHTML, Trait::CLOSES_AS_XHTML);
    table
}

const fn set(table: &mut [Traits; COUNT], tags: &[Tag], traits: Traits) {
    let mut at = 0;
    while at < tags.len() {
        table[tags[at] as usize] |= traits;
        at += 1;
    }
}
