//! Formulas to TeX: from the page's own TeX next to its MathML, else from the MathML.

pub mod drawn;
mod presentation;
pub mod scripts;
mod signs;

use super::attributes::Name;
use super::tree::{Node, NodeKind};

/// Elements that repeat the formula in TeX.
const TEX: [&[u8]; 3] = [b"application/x-tex", b"tex", b"latex"];
/// Wrappers of TeX written for pages.
const WRAPPINGS: [&str; 2] = ["{\\displaystyle", "{\\textstyle"];

/// The TeX of a `math` element.
#[must_use]
pub fn tex_of(math: Node<'_>) -> String {
    stated(math).unwrap_or_else(|| {
        let mut out = String::new();
        presentation::row(math, &mut out);
        out
    })
}

/// Whether a `math` element is on a separate line.
#[must_use]
pub fn is_display(math: Node<'_>) -> bool {
    let mut attributes = math.attributes();
    let is_block = attributes.any(|each| each.name() == Name::Display && each.value() == b"block");
    let mut around = std::iter::successors(math.parent(), |node| node.parent()).take(3);
    is_block
        || around.any(|node| {
            node.attributes()
                .any(|each| each.value() == b"katex-display")
        })
}

fn stated(math: Node<'_>) -> Option<String> {
    let semantics = children(math).find(|child| child.unknown_name() == b"semantics")?;
    let says_tex = |node: &Node<'_>| {
        let mut attributes = node.attributes();
        node.unknown_name() == b"annotation"
            && attributes.any(|each| TEX.contains(&each.value().to_ascii_lowercase().as_slice()))
    };
    let annotation = children(semantics).find(says_tex)?;
    let tex = String::from_utf8_lossy(annotation.first_child()?.text()).into_owned();
    let tex = unwrapped(&tex);
    (!tex.is_empty()).then(|| tex.to_owned())
}

/// TeX without its wrapper.
fn unwrapped(tex: &str) -> &str {
    let tex = tex.trim();
    let inner = WRAPPINGS.iter().find_map(|wrapping| {
        let rest = tex.strip_prefix(wrapping)?.strip_suffix('}')?;
        (!rest.starts_with(|next: char| next.is_ascii_alphabetic())).then_some(rest)
    });
    inner.unwrap_or(tex).trim()
}

fn children(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    std::iter::successors(node.first_child(), |child| child.next())
}

fn elements(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    children(node).filter(|child| child.kind() == NodeKind::Element)
}
