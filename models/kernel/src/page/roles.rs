//! The walk's action at each element: one role per element name.

use super::tags::*;

/// The role of an element in cutting a page into blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Role {
    /// No border; its text belongs to the surrounding block.
    Inline,
    /// Only a border on both sides.
    Border,
    /// Never shown, or not text of the page: left out with its content.
    Skip,
    Link,
    Break,
    Heading,
    Paragraph,
    Quote,
    Preformatted,
    Caption,
    OrderedList,
    UnorderedList,
    DefinitionList,
    Item,
    Term,
    Definition,
    Table,
    Row,
    Cell,
    /// Declares metadata of the page (`title`, `meta`, `link`, `base`, `script`); no text.
    Declaration,
    /// Inline; it may contain the date of the page.
    Time,
}

const BORDERS: [Tag; 29] = [
    ADDRESS, ARTICLE, ASIDE, BODY, CENTER, DETAILS, DIALOG, DIV, FIELDSET, FIGURE, FOOTER, FORM,
    FRAMESET, HEAD, HEADER, HGROUP, HR, HTML, MAIN, MULTICOL, NAV, SEARCH, SECTION, SUMMARY, TBODY,
    TFOOT, THEAD, COLGROUP, COL,
];

/// Elements that readers never see as text, and the fallback text of embedded content.
const SKIPPED: [Tag; 19] = [
    STYLE, TEMPLATE, NOSCRIPT, SELECT, OPTION, OPTGROUP, DATALIST, TEXTAREA, BUTTON, INPUT, IFRAME,
    OBJECT, CANVAS, AUDIO, VIDEO, SVG, NOEMBED, NOFRAMES, APPLET,
];

static ROLES: [Role; COUNT] = roles();

const fn roles() -> [Role; COUNT] {
    let mut table = [Role::Inline; COUNT];
    set(&mut table, &BORDERS, Role::Border);
    set(&mut table, &SKIPPED, Role::Skip);
    set(&mut table, &[A], Role::Link);
    set(&mut table, &[BR], Role::Break);
    set(&mut table, &[H1, H2, H3, H4, H5, H6], Role::Heading);
    set(&mut table, &[P], Role::Paragraph);
    set(&mut table, &[BLOCKQUOTE], Role::Quote);
    set(
        &mut table,
        &[PRE, LISTING, XMP, PLAINTEXT],
        Role::Preformatted,
    );
    set(&mut table, &[CAPTION, FIGCAPTION, LEGEND], Role::Caption);
    set(&mut table, &[OL], Role::OrderedList);
    set(&mut table, &[UL, MENU, DIR], Role::UnorderedList);
    set(&mut table, &[DL], Role::DefinitionList);
    set(&mut table, &[LI], Role::Item);
    set(&mut table, &[DT], Role::Term);
    set(&mut table, &[DD], Role::Definition);
    set(&mut table, &[TABLE], Role::Table);
    set(&mut table, &[TR], Role::Row);
    set(&mut table, &[TD, TH], Role::Cell);
    set(
        &mut table,
        &[TITLE, META, LINK, BASE, SCRIPT],
        Role::Declaration,
    );
    set(&mut table, &[TIME], Role::Time);
    table
}

const fn set(table: &mut [Role; COUNT], tags: &[Tag], role: Role) {
    let mut at = 0;
    while at < tags.len() {
        table[tags[at] as usize] = role;
        at += 1;
    }
}

/// The role of an element of the HTML namespace.
#[inline]
#[must_use]
pub fn role(tag: Tag) -> Role {
    ROLES.get(tag as usize).copied().unwrap_or(Role::Inline)
}

impl Role {
    /// Whether the element is block-level, so that the walk keeps a frame for it.
    #[inline]
    #[must_use]
    pub fn is_block(self) -> bool {
        !matches!(
            self,
            Self::Inline | Self::Skip | Self::Link | Self::Break | Self::Declaration | Self::Time
        )
    }
}
