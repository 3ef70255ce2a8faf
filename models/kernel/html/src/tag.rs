//! Element names as numbers.

mod traits;

pub(crate) use traits::{Trait, Traits, foreign_traits, traits_of};

/// The number of an element name. Numbers from [`COUNT`] on are names unknown to HTML:
/// [`Tree::names`](crate::Tree::names) has them.
pub type Tag = u16;

macro_rules! tags {
    ($($constant:ident $name:literal,)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(u16)]
        enum Number { UNKNOWN_, $($constant,)* END_ }
        /// The number that means no name.
        pub const UNKNOWN: Tag = Number::UNKNOWN_ as Tag;
        $(#[doc = concat!("`", $name, "`")] pub const $constant: Tag = Number::$constant as Tag;)*
        /// How many numbers are used.
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
    DATALIST "datalist",
}

// names are found in a table with open addressing: their first 8 bytes are the key
const SLOT_BITS: u32 = 10;
const SLOTS: usize = 1 << SLOT_BITS;

struct Slots {
    keys: [u64; SLOTS],
    tags: [u8; SLOTS],
}

const _: () = assert!(COUNT <= u8::MAX as usize);

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

/// The number of a name in any case of letters; `first` holds its first 8 bytes, or the whole name and zeros.
#[inline]
pub(crate) fn tag_of(first: u64, name: &[u8]) -> Tag {
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

/// Eight bytes with ASCII capitals in lower case.
#[inline]
pub(crate) fn lowered(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let low = word & (0x7F * ONES);
    let from_a = low + (0x80 - b'A' as u64) * ONES;
    let after_z = low + (0x80 - b'Z' as u64 - 1) * ONES;
    let capitals = from_a & !after_z & !word & (0x80 * ONES);
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
