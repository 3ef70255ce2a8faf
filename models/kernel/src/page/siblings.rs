//! Elements that repeat an adjacent one: readings of words (`<ruby>`) and formulas.

use super::formulas::scripts;
use super::tags::{self, Tag};
use super::tree::{Node, NodeKind};

/// Whether an element is the reading of the word before it (`<ruby>`), without the brackets (`rp`)
/// for browsers that cannot place it above.
pub fn is_bare_reading(node: Node<'_>, tag: Tag) -> bool {
    tag == tags::RT
        && node.is_html()
        && node.first_child().is_some()
        && previous_element(node).is_none_or(|before| before.tag() != tags::RP)
}

/// Whether an element is a hidden formula that repeats the picture next to it (Wikipedia).
pub fn holds_formula(node: Node<'_>) -> bool {
    node.first_child()
        .is_some_and(|first| first.tag() == tags::MATH)
}

/// Whether an element draws a formula that KaTeX or MediaWiki gives in MathML before it, or MathJax
/// in a script after it.
pub fn is_formula_again(node: Node<'_>, class: &[u8]) -> bool {
    let is_said = |said: Node<'_>| {
        said.attributes()
            .any(|each| each.value() == b"katex-mathml")
    };
    class == b"katex-html" && previous_element(node).is_some_and(is_said)
        || class.starts_with(b"mwe-math-fallback")
            && previous_element(node).is_some_and(holds_formula)
        || class.starts_with(b"MathJax") && is_before_script(node)
}

/// Whether an element draws a formula that MathJax repeats in MathML right after it, for screen
/// readers.
pub fn is_said_in_mathml(node: Node<'_>) -> bool {
    let mut after = std::iter::successors(node.next(), |node| node.next()).take(2);
    let said = after.find(|node| node.kind() == NodeKind::Element);
    said.is_some_and(|said| {
        said.unknown_name() == b"mjx-assistive-mml"
            || said
                .attributes()
                .any(|each| each.value().starts_with(b"MJX_Assistive_MathML"))
    })
}

/// MathJax puts a preview and a drawing before the script with the formula.
fn is_before_script(node: Node<'_>) -> bool {
    let behind = std::iter::successors(node.next(), |node| node.next());
    let mut elements = behind.filter(|node| node.kind() == NodeKind::Element);
    elements
        .by_ref()
        .take(2)
        .any(|each| each.tag() == tags::SCRIPT && scripts::media_of(each).is_some())
}

fn previous_element(node: Node<'_>) -> Option<Node<'_>> {
    let mut before = std::iter::successors(node.previous(), |node| node.previous());
    before.find(|node| node.kind() == NodeKind::Element)
}
