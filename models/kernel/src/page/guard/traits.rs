//! What the HTML standard's tree construction says of element names, as bits.

use crate::page::tags::*;

/// Ends an open paragraph.
pub const CLOSES_P: u16 = 1;
/// Has no content.
pub const VOID: u16 = 1 << 1;
/// Reopens formatting elements that an ancestor's end closed.
pub const REOPENS: u16 = 1 << 2;
pub const SPECIAL: u16 = 1 << 3;
pub const FORMATTING: u16 = 1 << 4;
/// Bars the view upwards for end tags, and for list items and buttons as well.
pub const SCOPE: u16 = 1 << 5;
/// Its end tag may be left out.
pub const IMPLIED: u16 = 1 << 6;
/// Shields the formatting elements outside it.
pub const MARKER: u16 = 1 << 7;
/// Part of a table.
pub const TABLE_PART: u16 = 1 << 8;
/// Ends `svg` and `math` when it stands in them.
pub const BREAKS_OUT: u16 = 1 << 9;
/// Its end tag closes the nearest such element in scope, whatever is open inside.
pub const CLOSED_IN_SCOPE: u16 = 1 << 10;

/// Only parts of tables may stand in it.
pub const TABLE_FRAME: u16 = 1 << 11;

static TRAITS: [u16; COUNT] = traits();

/// The traits of an element of the HTML namespace; names that lexbor does not know reopen.
#[inline]
#[must_use]
pub fn traits_of(tag: Tag) -> u16 {
    TRAITS.get(tag as usize).copied().unwrap_or(REOPENS)
}

const fn traits() -> [u16; COUNT] {
    let mut table = [REOPENS; COUNT];
    give(&mut table, &PLAIN, 0);
    give(&mut table, &BLOCKS, CLOSES_P | SPECIAL | CLOSED_IN_SCOPE);
    give(
        &mut table,
        &[P, FORM, LI, DD, DT, PLAINTEXT, HR],
        CLOSES_P | SPECIAL,
    );
    give(&mut table, &[H1, H2, H3, H4, H5, H6], CLOSES_P | SPECIAL);
    give(&mut table, &[XMP], CLOSES_P | SPECIAL | REOPENS);
    give(
        &mut table,
        &[BUTTON, SELECT],
        SPECIAL | REOPENS | CLOSED_IN_SCOPE,
    );
    give(&mut table, &SPECIAL_ONLY, SPECIAL);
    give(
        &mut table,
        &[TR, TBODY, THEAD, TFOOT, COLGROUP],
        SPECIAL | TABLE_PART,
    );
    give(
        &mut table,
        &[TD, TH, CAPTION],
        SPECIAL | TABLE_PART | SCOPE | MARKER,
    );
    give(&mut table, &[COL], SPECIAL | TABLE_PART | VOID);
    give(
        &mut table,
        &[APPLET, MARQUEE, OBJECT],
        SPECIAL | REOPENS | SCOPE | MARKER | CLOSED_IN_SCOPE,
    );
    give(&mut table, &[TEMPLATE], SPECIAL | SCOPE | MARKER);
    give(&mut table, &[HTML, TABLE], SPECIAL | SCOPE);
    give(&mut table, &FORMATTERS, FORMATTING | REOPENS);
    add(
        &mut table,
        &[TABLE, TR, TBODY, THEAD, TFOOT, COLGROUP],
        TABLE_FRAME,
    );
    add(&mut table, &[SELECT], SCOPE);
    add(&mut table, &[NOSCRIPT], SPECIAL);
    add(
        &mut table,
        &[AREA, BR, EMBED, IMG, IMAGE, KEYGEN, WBR, INPUT],
        VOID | SPECIAL,
    );
    add(
        &mut table,
        &[
            PARAM, SOURCE, TRACK, HR, BASE, BASEFONT, BGSOUND, LINK, META, FRAME,
        ],
        VOID,
    );
    add(
        &mut table,
        &[DD, DT, LI, OPTGROUP, OPTION, P, RB, RP, RT, RTC],
        IMPLIED,
    );
    add(&mut table, &BREAKERS, BREAKS_OUT);
    table
}

const PLAIN: [Tag; 4] = [RB, RP, RT, RTC];

const BLOCKS: [Tag; 29] = [
    ADDRESS, ARTICLE, ASIDE, BLOCKQUOTE, CENTER, DETAILS, DIALOG, DIR, DIV, DL, FIELDSET,
    FIGCAPTION, FIGURE, FOOTER, HEADER, HGROUP, LISTING, MAIN, MENU, NAV, OL, PRE, SEARCH, SECTION,
    SUMMARY, UL, FRAMESET, BODY, HEAD,
];

const SPECIAL_ONLY: [Tag; 17] = [
    BASE, BASEFONT, BGSOUND, LINK, META, SCRIPT, STYLE, TITLE, NOFRAMES, NOEMBED, IFRAME, TEXTAREA,
    PARAM, SOURCE, TRACK, FRAME, NOSCRIPT,
];

const FORMATTERS: [Tag; 14] = [
    A, B, BIG, CODE, EM, FONT, I, NOBR, S, SMALL, STRIKE, STRONG, TT, U,
];

const BREAKERS: [Tag; 44] = [
    B, BIG, BLOCKQUOTE, BODY, BR, CENTER, CODE, DD, DIV, DL, DT, EM, EMBED, H1, H2, H3, H4, H5, H6,
    HEAD, HR, I, IMG, LI, LISTING, MENU, META, NOBR, OL, P, PRE, RUBY, S, SMALL, SPAN, STRIKE,
    STRONG, SUB, SUP, TABLE, TT, U, UL, VAR,
];

const fn give(table: &mut [u16; COUNT], tags: &[Tag], traits: u16) {
    let mut at = 0;
    while at < tags.len() {
        table[tags[at] as usize] = traits;
        at += 1;
    }
}

const fn add(table: &mut [u16; COUNT], tags: &[Tag], traits: u16) {
    let mut at = 0;
    while at < tags.len() {
        table[tags[at] as usize] |= traits;
        at += 1;
    }
}
