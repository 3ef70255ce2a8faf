//! Element names and their numbers, which must not change because trained models use them. They are
//! the numbers of lexbor 3.

use crate::text::hash::load;

/// The number of an element name; 0 means every name without a number.
pub type Tag = u8;

/// The first number without a name.
pub const COUNT: usize = 199;

/// Element names by number; the first seven numbers are not elements.
pub static NAMES: [&str; COUNT] = [
    "",
    "",
    "",
    "",
    "",
    "",
    "",
    "a",
    "abbr",
    "acronym",
    "address",
    "altglyph",
    "altglyphdef",
    "altglyphitem",
    "animatecolor",
    "animatemotion",
    "animatetransform",
    "annotation-xml",
    "applet",
    "area",
    "article",
    "aside",
    "audio",
    "b",
    "base",
    "basefont",
    "bdi",
    "bdo",
    "bgsound",
    "big",
    "blink",
    "blockquote",
    "body",
    "br",
    "button",
    "canvas",
    "caption",
    "center",
    "cite",
    "clippath",
    "code",
    "col",
    "colgroup",
    "data",
    "datalist",
    "dd",
    "del",
    "desc",
    "details",
    "dfn",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "em",
    "embed",
    "feblend",
    "fecolormatrix",
    "fecomponenttransfer",
    "fecomposite",
    "feconvolvematrix",
    "fediffuselighting",
    "fedisplacementmap",
    "fedistantlight",
    "fedropshadow",
    "feflood",
    "fefunca",
    "fefuncb",
    "fefuncg",
    "fefuncr",
    "fegaussianblur",
    "feimage",
    "femerge",
    "femergenode",
    "femorphology",
    "feoffset",
    "fepointlight",
    "fespecularlighting",
    "fespotlight",
    "fetile",
    "feturbulence",
    "fieldset",
    "figcaption",
    "figure",
    "font",
    "footer",
    "foreignobject",
    "form",
    "frame",
    "frameset",
    "glyphref",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hgroup",
    "hr",
    "html",
    "i",
    "iframe",
    "image",
    "img",
    "input",
    "ins",
    "isindex",
    "kbd",
    "keygen",
    "label",
    "legend",
    "li",
    "lineargradient",
    "link",
    "listing",
    "main",
    "malignmark",
    "map",
    "mark",
    "marquee",
    "math",
    "menu",
    "meta",
    "meter",
    "mfenced",
    "mglyph",
    "mi",
    "mn",
    "mo",
    "ms",
    "mtext",
    "multicol",
    "nav",
    "nextid",
    "nobr",
    "noembed",
    "noframes",
    "noscript",
    "object",
    "ol",
    "optgroup",
    "option",
    "output",
    "p",
    "param",
    "path",
    "picture",
    "plaintext",
    "pre",
    "progress",
    "q",
    "radialgradient",
    "rb",
    "rp",
    "rt",
    "rtc",
    "ruby",
    "s",
    "samp",
    "script",
    "search",
    "section",
    "select",
    "selectedcontent",
    "slot",
    "small",
    "source",
    "spacer",
    "span",
    "strike",
    "strong",
    "style",
    "sub",
    "summary",
    "sup",
    "svg",
    "table",
    "tbody",
    "td",
    "template",
    "textarea",
    "textpath",
    "tfoot",
    "th",
    "thead",
    "time",
    "title",
    "tr",
    "track",
    "tt",
    "u",
    "ul",
    "var",
    "video",
    "wbr",
    "xmp",
];

pub const UNKNOWN: Tag = 0;
pub const A: Tag = 7;
pub const ADDRESS: Tag = 10;
pub const ANNOTATION_XML: Tag = 17;
pub const APPLET: Tag = 18;
pub const AREA: Tag = 19;
pub const ARTICLE: Tag = 20;
pub const ASIDE: Tag = 21;
pub const AUDIO: Tag = 22;
pub const B: Tag = 23;
pub const BASE: Tag = 24;
pub const BASEFONT: Tag = 25;
pub const BGSOUND: Tag = 28;
pub const BIG: Tag = 29;
pub const BLOCKQUOTE: Tag = 31;
pub const BODY: Tag = 32;
pub const BR: Tag = 33;
pub const BUTTON: Tag = 34;
pub const CANVAS: Tag = 35;
pub const CAPTION: Tag = 36;
pub const CENTER: Tag = 37;
pub const CITE: Tag = 38;
pub const CODE: Tag = 40;
pub const COL: Tag = 41;
pub const COLGROUP: Tag = 42;
pub const DATALIST: Tag = 44;
pub const DD: Tag = 45;
pub const DEL: Tag = 46;
pub const DESC: Tag = 47;
pub const DETAILS: Tag = 48;
pub const DIALOG: Tag = 50;
pub const DIR: Tag = 51;
pub const DIV: Tag = 52;
pub const DL: Tag = 53;
pub const DT: Tag = 54;
pub const EM: Tag = 55;
pub const EMBED: Tag = 56;
pub const FIELDSET: Tag = 82;
pub const FIGCAPTION: Tag = 83;
pub const FIGURE: Tag = 84;
pub const FONT: Tag = 85;
pub const FOOTER: Tag = 86;
pub const FOREIGNOBJECT: Tag = 87;
pub const FORM: Tag = 88;
pub const FRAME: Tag = 89;
pub const FRAMESET: Tag = 90;
pub const H1: Tag = 92;
pub const H2: Tag = 93;
pub const H3: Tag = 94;
pub const H4: Tag = 95;
pub const H5: Tag = 96;
pub const H6: Tag = 97;
pub const HEAD: Tag = 98;
pub const HEADER: Tag = 99;
pub const HGROUP: Tag = 100;
pub const HR: Tag = 101;
pub const HTML: Tag = 102;
pub const I: Tag = 103;
pub const IFRAME: Tag = 104;
pub const IMAGE: Tag = 105;
pub const IMG: Tag = 106;
pub const INPUT: Tag = 107;
pub const INS: Tag = 108;
pub const KBD: Tag = 110;
pub const KEYGEN: Tag = 111;
pub const LABEL: Tag = 112;
pub const LEGEND: Tag = 113;
pub const LI: Tag = 114;
pub const LINK: Tag = 116;
pub const LISTING: Tag = 117;
pub const MAIN: Tag = 118;
pub const MALIGNMARK: Tag = 119;
pub const MARQUEE: Tag = 122;
pub const MATH: Tag = 123;
pub const MENU: Tag = 124;
pub const META: Tag = 125;
pub const MGLYPH: Tag = 128;
pub const MI: Tag = 129;
pub const MN: Tag = 130;
pub const MO: Tag = 131;
pub const MS: Tag = 132;
pub const MTEXT: Tag = 133;
pub const MULTICOL: Tag = 134;
pub const NAV: Tag = 135;
pub const NOBR: Tag = 137;
pub const NOEMBED: Tag = 138;
pub const NOFRAMES: Tag = 139;
pub const NOSCRIPT: Tag = 140;
pub const OBJECT: Tag = 141;
pub const OL: Tag = 142;
pub const OPTGROUP: Tag = 143;
pub const OPTION: Tag = 144;
pub const OUTPUT: Tag = 145;
pub const P: Tag = 146;
pub const PARAM: Tag = 147;
pub const PICTURE: Tag = 149;
pub const PLAINTEXT: Tag = 150;
pub const PRE: Tag = 151;
pub const Q: Tag = 153;
pub const RB: Tag = 155;
pub const RP: Tag = 156;
pub const RT: Tag = 157;
pub const RTC: Tag = 158;
pub const RUBY: Tag = 159;
pub const S: Tag = 160;
pub const SAMP: Tag = 161;
pub const SCRIPT: Tag = 162;
pub const SEARCH: Tag = 163;
pub const SECTION: Tag = 164;
pub const SELECT: Tag = 165;
pub const SMALL: Tag = 168;
pub const SOURCE: Tag = 169;
pub const SPAN: Tag = 171;
pub const STRIKE: Tag = 172;
pub const STRONG: Tag = 173;
pub const STYLE: Tag = 174;
pub const SUB: Tag = 175;
pub const SUMMARY: Tag = 176;
pub const SUP: Tag = 177;
pub const SVG: Tag = 178;
pub const TABLE: Tag = 179;
pub const TBODY: Tag = 180;
pub const TD: Tag = 181;
pub const TEMPLATE: Tag = 182;
pub const TEXTAREA: Tag = 183;
pub const TFOOT: Tag = 185;
pub const TH: Tag = 186;
pub const THEAD: Tag = 187;
pub const TIME: Tag = 188;
pub const TITLE: Tag = 189;
pub const TR: Tag = 190;
pub const TRACK: Tag = 191;
pub const TT: Tag = 192;
pub const U: Tag = 193;
pub const UL: Tag = 194;
pub const VAR: Tag = 195;
pub const VIDEO: Tag = 196;
pub const WBR: Tag = 197;
pub const XMP: Tag = 198;

/// Slots of the name table: a power of two, more than twice the names.
const SLOTS: usize = 512;

/// Name numbers by hash, 0 for a free slot; collisions take the next slot.
static SLOT_OF: [Tag; SLOTS] = slots();

const fn slots() -> [Tag; SLOTS] {
    let mut table = [UNKNOWN; SLOTS];
    let mut tag = FIRST as usize;
    while tag < COUNT {
        let mut slot = slot(HEADS[tag]);
        while table[slot] != UNKNOWN {
            slot = (slot + 1) % SLOTS;
        }
        table[slot] = tag as Tag;
        tag += 1;
    }
    table
}

/// Numbers below this one are not elements.
const FIRST: Tag = A;

/// The first bytes of all names.
static HEADS: [u64; COUNT] = {
    let mut heads = [0; COUNT];
    let mut tag = FIRST as usize;
    while tag < COUNT {
        heads[tag] = head(NAMES[tag].as_bytes());
        tag += 1;
    }
    heads
};

/// The first eight bytes of a name in lower case: most names are not longer.
const fn head(name: &[u8]) -> u64 {
    let mut head = 0;
    let mut at = 0;
    while at < name.len() && at < 8 {
        head |= (name[at] as u64) << (8 * at);
        at += 1;
    }
    small(head)
}

/// Eight bytes of a name in lower case.
#[inline]
const fn small(eight: u64) -> u64 {
    /// Set in letters and not in digits; half of it distinguishes capitals from small letters.
    const LETTERS: u64 = 0x4040_4040_4040_4040;
    eight | (eight & LETTERS) >> 1
}

/// The upper bits of a product, which depend on all bytes of a head.
#[inline]
const fn slot(head: u64) -> usize {
    (head.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - SLOTS.ilog2())) as usize
}

/// The number of a name in any case, [`UNKNOWN`] if it has none.
#[inline]
#[must_use]
pub fn tag_of(name: &[u8]) -> Tag {
    tag_by(load(name, 0, name.len()), name)
}

/// The same, given the first eight bytes of the name, little-endian, zero beyond its end.
#[inline]
#[must_use]
pub fn tag_by(eight: u64, name: &[u8]) -> Tag {
    let head = small(eight);
    let mut slot = slot(head);
    loop {
        let tag = SLOT_OF[slot];
        if tag == UNKNOWN || HEADS[tag as usize] == head && is_named(tag, name) {
            return tag;
        }
        slot = (slot + 1) % SLOTS;
    }
}

/// Whether an element has a name, of which the head is known to agree.
#[inline]
fn is_named(tag: Tag, name: &[u8]) -> bool {
    let known = NAMES[tag as usize].as_bytes();
    known.len() == name.len() && (name.len() <= 8 || known.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_in_any_case() {
        for (number, name) in NAMES.iter().enumerate().skip(FIRST as usize) {
            assert_eq!(tag_of(name.as_bytes()) as usize, number);
            assert_eq!(
                tag_of(name.to_ascii_uppercase().as_bytes()) as usize,
                number
            );
        }
    }

    #[test]
    fn other_names_are_unknown() {
        for name in [
            "",
            "x-card",
            "divv",
            "h\u{11}",
            "h7",
            "aaaaaaaaaaaaaaaaaaaaaaaaaa",
        ] {
            assert_eq!(tag_of(name.as_bytes()), UNKNOWN, "{name}");
        }
    }
}
