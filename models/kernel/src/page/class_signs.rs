//! Hints in the words of a `class`, found in one pass over it.

use std::sync::LazyLock;

use super::marks::Mark;
use crate::text::hash::token;
use crate::text::map::HashedMap;
use crate::text::word_bits::WordBits;

/// One bit per hint; the content of the element decides whether it applies.
pub mod sign {
    /// Of an author; of a comment; of a date.
    pub const AUTHOR: u16 = 1;
    pub const COMMENT: u16 = 1 << 1;
    pub const DATE: u16 = 1 << 2;
    /// Line numbers of code.
    pub const NUMBERS: u16 = 1 << 3;
    /// The links of wikis to edit a section, to jump, back from notes, and to what redirects here; of
    /// manuals to the source; of shops to buy.
    pub const EDIT: u16 = 1 << 4;
    /// A link to its own place.
    pub const ANCHOR: u16 = 1 << 5;
    /// A copy button.
    pub const COPY: u16 = 1 << 6;
    /// A tooltip.
    pub const TOOLTIP: u16 = 1 << 7;
    /// For screen readers only.
    pub const UNSEEN: u16 = 1 << 8;
    /// A formula, whose source may be in an attribute.
    pub const FORMULA: u16 = 1 << 9;
    /// A checkbox, and a ticked one.
    pub const CHECKBOX: u16 = 1 << 10;
    /// For a publication date, which has priority over a change; for a change.
    pub const PUBLICATION: u16 = 1 << 12;
    pub const CHANGE: u16 = 1 << 13;
    /// The language name of the code after it.
    pub const LANGUAGE: u16 = 1 << 14;
    /// Of an event: with a date, its day.
    pub const EVENT: u16 = 1 << 15;
    /// Keeps line feeds, or holds lines of code.
    pub const LINES: u16 = 1 << 11;
}

/// Words in lower and upper case as they are used; most are also matched inside longer words.
const WORDS: &[(&str, u16)] = &[
    ("author", sign::AUTHOR),
    ("byline", sign::AUTHOR),
    ("Author", sign::AUTHOR),
    ("Byline", sign::AUTHOR),
    ("writer", sign::AUTHOR),
    // of a reader, not of the page
    ("comment", sign::COMMENT),
    ("Comment", sign::COMMENT),
    ("date", sign::DATE),
    ("Date", sign::DATE),
    ("publish", sign::DATE | sign::PUBLICATION),
    ("Publish", sign::DATE | sign::PUBLICATION),
    ("time", sign::DATE),
    ("event", sign::EVENT),
    ("Event", sign::EVENT),
    ("dt-start", sign::EVENT | sign::DATE),
    ("dt-end", sign::EVENT | sign::DATE),
    ("updat", sign::CHANGE),
    ("Updat", sign::CHANGE),
    ("modif", sign::CHANGE),
    ("Modif", sign::CHANGE),
    ("lineno", sign::NUMBERS),
    ("lineNo", sign::NUMBERS),
    ("LineNo", sign::NUMBERS),
    ("line-no", sign::NUMBERS),
    ("line_no", sign::NUMBERS),
    ("linenum", sign::NUMBERS),
    ("lineNum", sign::NUMBERS),
    ("LineNum", sign::NUMBERS),
    ("line-num", sign::NUMBERS),
    ("line_num", sign::NUMBERS),
    ("lines-num", sign::NUMBERS),
    ("linenr", sign::NUMBERS),
    ("line-nr", sign::NUMBERS),
    ("ln-num", sign::NUMBERS),
    ("blob-num", sign::NUMBERS),
    ("crayon-num", sign::NUMBERS),
    ("hljs-ln-n", sign::NUMBERS),
    ("highlighter-num", sign::NUMBERS),
    ("gutter", sign::NUMBERS),
    ("Gutter", sign::NUMBERS),
    ("editsection", sign::EDIT),
    ("viewcode-link", sign::EDIT),
    ("cite-backlink", sign::EDIT),
    ("mw-jump-link", sign::EDIT),
    ("mw-redirectedfrom", sign::EDIT),
    ("add_to_cart_button", sign::EDIT),
    ("anchor", sign::ANCHOR),
    ("Anchor", sign::ANCHOR),
    ("headerlink", sign::ANCHOR),
    ("header-link", sign::ANCHOR),
    ("header_link", sign::ANCHOR),
    ("heading-link", sign::ANCHOR),
    ("heading_link", sign::ANCHOR),
    ("headinglink", sign::ANCHOR),
    ("headingLink", sign::ANCHOR),
    ("headline-link", sign::ANCHOR),
    ("hash-link", sign::ANCHOR),
    ("hashlink", sign::ANCHOR),
    ("hashLink", sign::ANCHOR),
    ("permalink", sign::ANCHOR),
    ("Permalink", sign::ANCHOR),
    ("section-link", sign::ANCHOR),
    ("direct-link", sign::ANCHOR),
    ("copy", sign::COPY),
    ("Copy", sign::COPY),
    ("copied", sign::COPY),
    ("clipboard", sign::COPY),
    ("Clipboard", sign::COPY),
    ("tooltiptext", sign::TOOLTIP),
    ("tooltipText", sign::TOOLTIP),
    ("tooltip-text", sign::TOOLTIP),
    ("tooltip__text", sign::TOOLTIP),
    ("tooltip_text", sign::TOOLTIP),
    ("tooltip-content", sign::TOOLTIP),
    ("tooltip__content", sign::TOOLTIP),
    ("tooltip-inner", sign::TOOLTIP),
    ("tooltip-body", sign::TOOLTIP),
    ("margin-toggle", sign::TOOLTIP),
    ("tooltip-box", sign::TOOLTIP),
    ("popuptext", sign::TOOLTIP),
    ("lang", sign::LANGUAGE),
    ("glossary-tooltip", sign::TOOLTIP),
    ("popover-content", sign::TOOLTIP),
    ("popover__content", sign::TOOLTIP),
    ("popover-body", sign::TOOLTIP),
    ("Tooltip-popper", sign::TOOLTIP),
    ("sr-only", sign::UNSEEN),
    ("sr_only", sign::UNSEEN),
    ("visually-hidden", sign::UNSEEN),
    ("visuallyhidden", sign::UNSEEN),
    ("visuallyHidden", sign::UNSEEN),
    ("VisuallyHidden", sign::UNSEEN),
    ("hidden-visually", sign::UNSEEN),
    ("screen-reader", sign::UNSEEN),
    ("screenreader", sign::UNSEEN),
    ("offscreen", sign::UNSEEN),
    ("assistive-text", sign::UNSEEN),
    ("katex", sign::FORMULA),
    ("math", sign::FORMULA),
    ("Math", sign::FORMULA),
    ("latex", sign::FORMULA),
    ("formula", sign::FORMULA),
    ("equation", sign::FORMULA),
    ("checkbox", sign::CHECKBOX),
    ("pre-wrap", sign::LINES),
    ("prewrap", sign::LINES),
    ("pre-line", sign::LINES),
    ("break-spaces", sign::LINES),
    ("space-pre", sign::LINES),
    ("fragment", sign::LINES),
    ("code", sign::LINES),
    ("Code", sign::LINES),
    ("view-lines", sign::LINES),
    ("cm-content", sign::LINES),
    ("text-layer", sign::LINES),
];
/// Short words, matched only as whole words.
const NUMBERS: [&[u8]; 4] = [b"ln", b"lnt", b"lnr", b"lno"];

static FOUND: LazyLock<WordBits> = LazyLock::new(|| WordBits::of(WORDS.iter().copied()));

/// The hints of a class.
#[must_use]
pub fn signs_of(class: &[u8]) -> u16 {
    let mut signs = FOUND.of_text(class);
    if class.len() <= 3 && NUMBERS.contains(&class) {
        signs |= sign::NUMBERS;
    }
    signs
}

/// The hints of the classes of a page, each class read once.
///
/// Of two classes with one hash, which nobody finds by chance, the first counts.
#[derive(Default)]
pub struct ClassSigns(HashedMap<u64, u16>);

impl ClassSigns {
    /// The hints of a class.
    pub fn of(&mut self, class: &[u8]) -> u16 {
        let signs = self.0.entry(token(class));
        *signs.or_insert_with(|| signs_of(class))
    }
}

/// The hints of a class for author and date.
#[must_use]
pub fn mark_of(signs: u16) -> Mark {
    if signs & sign::AUTHOR != 0 && signs & sign::COMMENT == 0 {
        Mark::ClassAuthor
    } else if signs & sign::EVENT != 0 && signs & sign::DATE != 0 {
        Mark::ClassEvent
    } else if signs & sign::CHANGE != 0 && signs & sign::PUBLICATION == 0 {
        Mark::ClassUpdated
    } else if signs & sign::DATE != 0 {
        Mark::ClassDate
    } else {
        Mark::None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_says_who_wrote_and_when() {
        for (class, mark) in [
            ("entry byline", Mark::ClassAuthor),
            ("post-date", Mark::ClassDate),
            ("post", Mark::None),
            ("entry-date updated", Mark::ClassUpdated),
            ("modified-time", Mark::ClassUpdated),
            ("entry-date published updated", Mark::ClassDate),
            ("event-date", Mark::ClassEvent),
            ("dt-start", Mark::ClassEvent),
            ("event", Mark::None),
            ("comment-author", Mark::None),
            ("Comment-Author runtime", Mark::ClassDate),
        ] {
            assert_eq!(mark_of(signs_of(class.as_bytes())), mark, "{class}");
        }
    }

    #[test]
    fn the_hints_of_a_class_are_the_same_when_it_is_read_again() {
        let mut classes = ClassSigns::default();
        for _ in 0..2 {
            assert_eq!(classes.of(b"entry-author"), sign::AUTHOR);
            assert_eq!(classes.of(b"entry-authors-date"), sign::AUTHOR | sign::DATE);
            assert_eq!(classes.of(b""), 0);
        }
    }

    #[test]
    fn a_class_may_hint_at_several_things() {
        for (class, signs) in [
            ("ln", sign::NUMBERS),
            ("lnx", 0),
            ("mw-editsection", sign::EDIT),
            ("header-anchor copy-link", sign::ANCHOR | sign::COPY),
            ("code-lang", sign::LANGUAGE | sign::LINES),
            ("react-syntax-highlighter-line-number", sign::NUMBERS),
        ] {
            assert_eq!(signs_of(class.as_bytes()), signs, "{class}");
        }
    }
}
