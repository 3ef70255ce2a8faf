//! What the attributes of an element say to the walk.

use super::attributes::{Name, is_hiding};
use super::frames::Spans;
use super::marks::Mark;
use super::siblings::is_formula_again;
use super::tables::MAX_SPAN;
use super::tags;
use super::tree::{Node, NodeKind};

/// The whole text of links that only say how to link to a place, or that lead back from a note; the
/// fifth is drawn as a chain.
const PERMALINKS: [&str; 7] = ["¶", "§", "#", "\u{1f517}", "\u{f0c1}", "↩", "↩\u{fe0e}"];

/// What the attributes of an element say.
#[derive(Default)]
pub struct ElementAttributes {
    pub is_hidden: bool,
    pub is_streamed: bool,
    pub is_link: bool,
    pub is_open: bool,
    pub is_formula_again: bool,
    pub is_permalink: bool,
    pub is_nofollow: bool,
    pub is_nosnippet: bool,
    pub mark: Mark,
    pub spans: Spans,
}

impl ElementAttributes {
    pub fn of(node: Node<'_>) -> Self {
        let mut found = Self::default();
        for attribute in node.attributes() {
            match attribute.name() {
                Name::Hidden => found.is_hidden = true,
                Name::Style => found.is_hidden |= is_hiding(attribute.value()),
                Name::Id => found.is_streamed = is_streamed(attribute.value()),
                Name::Href => {
                    found.is_link = true;
                    found.is_permalink = is_permalink(node, attribute.value());
                    found.mark = found.mark.or(Mark::of_address(attribute.value()));
                }
                Name::Open => found.is_open = true,
                Name::ColSpan => found.spans.columns = column_span(attribute.value()),
                Name::RowSpan => found.spans.rows = number(attribute.value()).unwrap_or(1),
                Name::Start => found.spans.start = number(attribute.value()).unwrap_or(1),
                Name::Value => found.spans.value = number(attribute.value()),
                Name::Class => {
                    found.is_formula_again = is_formula_again(node, attribute.value());
                    found.mark = found.mark.or(Mark::of_class(attribute.value()));
                }
                Name::ItemProp | Name::Property => {
                    found.mark = found.mark.or(Mark::of_property(attribute.value()));
                }
                Name::Rel => {
                    found.is_nofollow = has_word(attribute.value(), b"nofollow");
                    found.mark = found.mark.or(Mark::of_rel(attribute.value()));
                }
                Name::NoSnippet => found.is_nosnippet = true,
                Name::Role => found.spans.is_presentation = is_presentation(attribute.value()),
                _ => {}
            }
        }
        found
    }
}

fn has_word(value: &[u8], wanted: &[u8]) -> bool {
    let mut words = value.split(u8::is_ascii_whitespace);
    words.any(|word| word.eq_ignore_ascii_case(wanted))
}

/// Whether React sent an element behind the page it belongs to: it is hidden until a script, which
/// comes along, moves it to its place. Such elements are numbered, `S:0` to `S:ff` and on.
fn is_streamed(id: &[u8]) -> bool {
    id.strip_prefix(b"S:")
        .is_some_and(|number| !number.is_empty() && number.iter().all(u8::is_ascii_hexdigit))
}

/// Whether a link stands beside a heading or a term for readers who want its address.
fn is_permalink(node: Node<'_>, href: &[u8]) -> bool {
    let mut children = std::iter::successors(node.first_child(), |child| child.next());
    let (Some(only), None) = (children.next(), children.next()) else {
        return false;
    };
    only.kind() == NodeKind::Text
        && PERMALINKS
            .iter()
            .any(|sign| sign.as_bytes() == only.text().trim_ascii())
        && href.contains(&b'#')
        && node.tag() == tags::A
        && node.is_html()
}

fn column_span(value: &[u8]) -> u16 {
    let columns = number(value).unwrap_or(1).clamp(1, u32::from(MAX_SPAN));
    columns as u16
}

fn is_presentation(value: &[u8]) -> bool {
    let value = value.trim_ascii();
    value.eq_ignore_ascii_case(b"presentation") || value.eq_ignore_ascii_case(b"none")
}

/// A number of at most nine digits, white space around it allowed.
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
