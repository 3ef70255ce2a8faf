//! Element names by number, and what the standard says of each.

/// The number of an element name. Names from [`COUNT`] on are of the page itself.
pub type Tag = u16;

macro_rules! tags {
    ($($constant:ident $name:literal,)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(u16)]
        enum Number { UNKNOWN_, $($constant,)* END_ }
        /// Where a name is not known.
        pub const UNKNOWN: Tag = Number::UNKNOWN_ as Tag;
        $(pub const $constant: Tag = Number::$constant as Tag;)*
        pub const COUNT: usize = Number::END_ as usize;
        /// Names by number.
        pub static NAMES: [&str; COUNT] = ["", $($name,)*];
    };
}

tags! {
    A "a", ABBR "abbr", ADDRESS "address", ANNOTATION_XML "annotation-xml", APPLET "applet",
    AREA "area", ARTICLE "article", ASIDE "aside", AUDIO "audio", B "b", BASE "base",
    BASEFONT "basefont", BGSOUND "bgsound", BIG "big", BLOCKQUOTE "blockquote", BODY "body",
    BR "br", BUTTON "button", CANVAS "canvas", CAPTION "caption", CENTER "center", CITE "cite",
    CODE "code", COL "col", COLGROUP "colgroup", DD "dd", DEL "del", DESC "desc",
    DETAILS "details", DIALOG "dialog", DIR "dir", DIV "div", DL "dl", DT "dt", EM "em",
    EMBED "embed", FIELDSET "fieldset", FIGCAPTION "figcaption", FIGURE "figure", FONT "font",
    FOOTER "footer", FOREIGNOBJECT "foreignobject", FORM "form", FRAME "frame",
    FRAMESET "frameset", H1 "h1", H2 "h2", H3 "h3", H4 "h4", H5 "h5", H6 "h6", HEAD "head",
    HEADER "header", HGROUP "hgroup", HR "hr", HTML "html", I "i", IFRAME "iframe",
    IMAGE "image", IMG "img", INPUT "input", INS "ins", KBD "kbd", KEYGEN "keygen",
    LABEL "label", LI "li", LINK "link", LISTING "listing", MAIN "main",
    MALIGNMARK "malignmark", MARK "mark", MARQUEE "marquee", MATH "math", MENU "menu",
    META "meta", MGLYPH "mglyph", MI "mi", MN "mn", MO "mo", MS "ms", MTEXT "mtext", NAV "nav",
    NOBR "nobr", NOEMBED "noembed", NOFRAMES "noframes", NOSCRIPT "noscript",
    OBJECT "object", OL "ol", OPTGROUP "optgroup", OPTION "option", P "p", PARAM "param",
    PATH "path", PICTURE "picture", PLAINTEXT "plaintext", PRE "pre", Q "q", RB "rb", RP "rp",
    RT "rt", RTC "rtc", RUBY "ruby", S "s", SCRIPT "script", SEARCH "search",
    SECTION "section", SELECT "select", SMALL "small", SOURCE "source", SPAN "span",
    STRIKE "strike", STRONG "strong", STYLE "style", SUB "sub", SUMMARY "summary", SUP "sup",
    SVG "svg", TABLE "table", TBODY "tbody", TD "td", TEMPLATE "template",
    TEXTAREA "textarea", TFOOT "tfoot", TH "th", THEAD "thead", TIME "time", TITLE "title",
    TR "tr", TRACK "track", TT "tt", U "u", UL "ul", USE "use", VAR "var", VIDEO "video",
    WBR "wbr", XMP "xmp", G "g", DFN "dfn", SAMP "samp", BDI "bdi", BDO "bdo",
}

/// What holds for an element on the stack; one byte there.
pub type Traits = u8;
pub const SPECIAL: Traits = 1;
/// Ends the search for an element in scope.
pub const SCOPE: Traits = 2;
/// Ends it in list item scope and in button scope as well.
pub const LIST: Traits = 4;
/// End tags of these are implied.
pub const IMPLIED: Traits = 8;
/// And of these where the standard says thoroughly.
pub const THOROUGH: Traits = 16;
/// `html`, `table`, `template`: ends the search in table scope.
pub const TABLE_SCOPE: Traits = 32;
/// Texts right in here stand before the table.
pub const FOSTERING: Traits = 64;

/// Traits of elements of HTML, by number.
static TRAITS: [Traits; COUNT] = traits();

#[inline]
pub fn traits_of(tag: Tag) -> Traits {
    TRAITS.get(tag as usize).copied().unwrap_or(0)
}

/// Traits of elements of MathML and SVG.
pub fn foreign_traits(tag: Tag, is_svg: bool) -> Traits {
    let is_special = if is_svg {
        matches!(tag, FOREIGNOBJECT | DESC | TITLE)
    } else {
        matches!(tag, MI | MO | MN | MS | MTEXT | ANNOTATION_XML)
    };
    if is_special { SPECIAL | SCOPE } else { 0 }
}

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
    set(&mut table, &special, SPECIAL);
    let scope = [
        APPLET, CAPTION, HTML, TABLE, TD, TH, MARQUEE, OBJECT, SELECT, TEMPLATE,
    ];
    set(&mut table, &scope, SCOPE);
    set(&mut table, &[OL, UL], LIST);
    let implied = [DD, DT, LI, OPTGROUP, OPTION, P, RB, RP, RT, RTC];
    set(&mut table, &implied, IMPLIED | THOROUGH);
    set(
        &mut table,
        &[CAPTION, COLGROUP, TBODY, TD, TFOOT, TH, THEAD, TR],
        THOROUGH,
    );
    set(&mut table, &[HTML, TABLE, TEMPLATE], TABLE_SCOPE);
    set(&mut table, &[TABLE, TBODY, TFOOT, THEAD, TR], FOSTERING);
    table
}

const fn set(table: &mut [Traits; COUNT], tags: &[Tag], traits: Traits) {
    let mut at = 0;
    while at < tags.len() {
        table[tags[at] as usize] |= traits;
        at += 1;
    }
}

const SLOT_BITS: u32 = 10;
const SLOTS: usize = 1 << SLOT_BITS;

struct Slots {
    keys: [u64; SLOTS],
    tags: [u8; SLOTS],
}

static BY_NAME: Slots = slots();

const fn slots() -> Slots {
    let mut made = Slots {
        keys: [0; SLOTS],
        tags: [0; SLOTS],
    };
    let mut tag = 1;
    while tag < COUNT {
        let name = NAMES[tag].as_bytes();
        let mut first = 0;
        let mut at = 0;
        while at < name.len() && at < 8 {
            first |= (name[at] as u64) << (8 * at);
            at += 1;
        }
        let mut slot = slot_of(first, name.len());
        while made.tags[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        made.keys[slot] = first;
        made.tags[slot] = tag as u8;
        tag += 1;
    }
    made
}

const fn slot_of(first: u64, length: usize) -> usize {
    let mixed = (first ^ ((length as u64) << 58)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> (64 - SLOT_BITS)) as usize
}

/// The number of a name of any case, whose first bytes (at most 8, rest zero) are `first`.
#[inline]
pub fn tag_of(first: u64, name: &[u8]) -> Tag {
    let first = lowered(first);
    let mut slot = slot_of(first, name.len());
    loop {
        let tag = BY_NAME.tags[slot] as usize;
        if tag == 0 {
            return UNKNOWN;
        }
        if BY_NAME.keys[slot] == first {
            let known = NAMES[tag].as_bytes();
            if known.len() == name.len() && (name.len() <= 8 || same(known, name)) {
                return tag as Tag;
            }
        }
        slot = (slot + 1) % SLOTS;
    }
}

#[cold]
fn same(known: &[u8], name: &[u8]) -> bool {
    known.eq_ignore_ascii_case(name)
}

/// ASCII capitals of eight bytes made small.
#[inline]
pub fn lowered(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let low = word & (0x7F * ONES);
    let from_a = low + (0x80 - b'A' as u64) * ONES;
    let behind_z = low + (0x80 - b'Z' as u64 - 1) * ONES;
    let capitals = from_a & !behind_z & !word & (0x80 * ONES);
    word | capitals >> 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_case() {
        for (tag, name) in NAMES.iter().enumerate().skip(1) {
            for spelled in [name.to_string(), name.to_uppercase()] {
                let mut first = [0; 8];
                let length = spelled.len().min(8);
                first[..length].copy_from_slice(&spelled.as_bytes()[..length]);
                assert_eq!(
                    tag_of(u64::from_le_bytes(first), spelled.as_bytes()),
                    tag as Tag
                );
            }
        }
        assert_eq!(
            tag_of(u64::from_le_bytes(*b"h\x11\0\0\0\0\0\0"), b"h\x11"),
            UNKNOWN
        );
    }
}
