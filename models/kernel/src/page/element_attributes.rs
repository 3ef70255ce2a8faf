//! The attributes of an element that the walk uses.

use memchr::memmem;

use super::attributes::{Name, WhiteSpace, display, is_off_screen};
use super::class_signs::{ClassSigns, mark_of, sign};
use super::controls::links::is_permalink;
use super::frames::Spans;
use super::item_labels::hides_marks;
use super::marks::Mark;
use super::siblings::is_formula_again;
use super::table_role::Part;
use super::tables::MAX_SPAN;
use super::tree::Node;

/// The facts in the attributes of an element.
#[derive(Default)]
pub struct ElementAttributes<'tree> {
    pub is_hidden: bool,
    pub is_streamed: bool,
    pub is_link: bool,
    pub is_open: bool,
    pub is_formula_again: bool,
    pub is_permalink: bool,
    pub is_nofollow: bool,
    pub is_nosnippet: bool,
    pub is_aria_hidden: bool,
    /// Not for the eyes: `inert`, or out of sight by its style.
    pub is_out_of_sight: bool,
    pub is_tooltip: bool,
    /// Shows and hides a part of the page.
    pub is_toggle: bool,
    pub is_ticked: bool,
    pub mark: Mark,
    /// The bits of [`sign`](super::class_signs::sign) in the class.
    pub signs: u16,
    pub spans: Spans,
    /// The part of a table that a `role` or a style makes of the element.
    pub part: Part,
    /// By its style, or else its class.
    pub white_space: WhiteSpace,
    pub class: &'tree [u8],
    pub href: &'tree [u8],
    /// What links call the element.
    pub name: &'tree [u8],
    /// A formula that the element draws.
    pub tex: &'tree [u8],
    style: &'tree [u8],
}

impl<'tree> ElementAttributes<'tree> {
    pub fn of(node: Node<'tree>, classes: &mut ClassSigns) -> Self {
        let mut found = Self::default();
        for attribute in node.attributes() {
            match attribute.name() {
                Name::Hidden => found.is_hidden = true,
                Name::Inert => found.is_out_of_sight = true,
                Name::Style => {
                    found.style = attribute.value();
                    let shown = display(found.style);
                    found.is_hidden |= shown.is_hidden;
                    found.part = found.part.or(shown.part);
                    if shown.white_space != WhiteSpace::Inherited {
                        found.white_space = shown.white_space;
                    }
                    found.is_out_of_sight |= is_off_screen(found.style);
                }
                Name::Id => {
                    found.name = attribute.value();
                    found.is_streamed = is_streamed(found.name);
                }
                Name::Name => found.name = attribute.value(),
                Name::Href => {
                    found.is_link = true;
                    found.href = attribute.value();
                    found.is_permalink = is_permalink(node, attribute.value());
                    found.mark = found.mark.or(Mark::of_address(attribute.value()));
                }
                Name::Open => found.is_open = true,
                Name::ColSpan => found.spans.columns = column_span(attribute.value()),
                Name::RowSpan => found.spans.rows = number(attribute.value()).unwrap_or(1),
                Name::Start => found.spans.start = number(attribute.value()).unwrap_or(1),
                Name::Value => found.spans.value = number(attribute.value()),
                Name::Class => {
                    found.class = attribute.value();
                    found.is_formula_again = is_formula_again(node, attribute.value());
                    found.signs = classes.of(attribute.value());
                    if found.signs & sign::LINES != 0 && found.white_space == WhiteSpace::Inherited
                    {
                        found.white_space = WhiteSpace::of_class(attribute.value());
                    }
                    found.is_ticked =
                        found.signs & sign::CHECKBOX != 0 && is_ticked(attribute.value());
                    found.mark = found.mark.or(mark_of(found.signs));
                }
                Name::ItemProp | Name::Property => {
                    found.mark = found.mark.or(Mark::of_property(attribute.value()));
                }
                Name::PubDate => found.mark = found.mark.or(Mark::PUBLICATION),
                Name::Rel => {
                    found.is_nofollow = has_word(attribute.value(), b"nofollow");
                    found.mark = found.mark.or(Mark::of_rel(attribute.value()));
                }
                Name::Toggle => found.is_toggle = true,
                Name::NoSnippet => found.is_nosnippet = true,
                Name::AriaHidden => found.is_aria_hidden = has_word(attribute.value(), b"true"),
                Name::DataTex => found.tex = attribute.value(),
                Name::Role => {
                    found.spans.is_presentation = is_presentation(attribute.value());
                    found.is_tooltip = has_word(attribute.value(), b"tooltip");
                    found.part = Part::of_role(attribute.value()).or(found.part);
                }
                _ => {}
            }
        }
        found
    }

    /// Whether a part of code may be its line number, according to the attributes.
    pub fn may_number(&self) -> bool {
        self.is_aria_hidden || self.is_nosnippet || self.is_link || !self.style.is_empty()
    }

    /// Whether it is to the left of the text after it.
    pub fn is_floating(&self) -> bool {
        memmem::find(self.style, b"float").is_some()
    }

    /// Whether a reader cannot select the text.
    pub fn is_unselectable(&self) -> bool {
        memmem::find(self.style, b"user-select").is_some_and(|at| {
            let rest = self.style.get(at..).unwrap_or_default();
            let value = rest.split(|&byte| byte == b':').nth(1);
            value.is_some_and(|value| value.trim_ascii_start().starts_with(b"none"))
        })
    }

    /// Whether its style numbers the items of a list; `None` if it says nothing of their marks, or hides
    /// them, since scripts and other styles number items too.
    pub fn numbers(&self) -> Option<bool> {
        const BULLETS: [&[u8]; 3] = [b"disc", b"circle", b"square"];
        self.mark_of_items(|word| match word {
            b"decimal" | b"decimal-leading-zero" => Some(true),
            word => BULLETS.contains(&word).then_some(false),
        })
    }

    /// Whether its style or its class hides the marks of a list.
    pub fn hides_marks(&self) -> bool {
        hides_marks(self.class)
            || self
                .mark_of_items(|word| (word == b"none").then_some(()))
                .is_some()
    }

    /// What a word of its style says about the marks of items.
    fn mark_of_items<T>(&self, of: impl Fn(&[u8]) -> Option<T>) -> Option<T> {
        let at = memmem::find(self.style, b"list-style")?;
        let value = self.style[at..].split(|&byte| byte == b';').next()?;
        let value = value.splitn(2, |&byte| byte == b':').nth(1)?;
        let mut words = value.split(|byte| byte.is_ascii_whitespace() || *byte == b'!');
        words.find_map(|word| of(word.to_ascii_lowercase().as_slice()))
    }
}

fn has_word(value: &[u8], wanted: &[u8]) -> bool {
    let mut words = value.split(u8::is_ascii_whitespace);
    words.any(|word| word.eq_ignore_ascii_case(wanted))
}

/// Whether React sent an element after its page: it is hidden until a script, sent with it, moves
/// it to its place. Such elements are numbered, `S:0` to `S:ff` and on.
fn is_streamed(id: &[u8]) -> bool {
    id.strip_prefix(b"S:")
        .is_some_and(|number| !number.is_empty() && number.iter().all(u8::is_ascii_hexdigit))
}

/// Whether a styled checkbox is ticked.
fn is_ticked(class: &[u8]) -> bool {
    class
        .split(|&byte| byte.is_ascii_whitespace() || byte == b'-' || byte == b'_')
        .any(|word| matches!(word, b"on" | b"checked" | b"ticked" | b"done"))
}

fn column_span(value: &[u8]) -> u16 {
    let columns = number(value).unwrap_or(1).clamp(1, u32::from(MAX_SPAN));
    columns as u16
}

fn is_presentation(value: &[u8]) -> bool {
    let value = value.trim_ascii();
    value.eq_ignore_ascii_case(b"presentation") || value.eq_ignore_ascii_case(b"none")
}

/// A number of at most nine digits, with optional white space around it.
fn number(value: &[u8]) -> Option<u32> {
    let digits = value.trim_ascii();
    if digits.is_empty() || digits.len() > 9 {
        return None;
    }
    digits.iter().try_fold(0_u32, |sum, byte| {
        byte.is_ascii_digit()
            .then(|| sum * 10 + u32::from(byte - b'0'))
    })
}
