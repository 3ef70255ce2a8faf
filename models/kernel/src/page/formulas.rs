//! Formulas to TeX: as the page says it beside its MathML, else by what the MathML looks like.

use super::attributes::Name;
use super::tags::{self, Tag};
use super::tree::{Node, NodeKind};

/// Elements inside of a formula that draw nothing of it, beside `annotation`.
const LEFT_OUT: [Tag; 4] = [tags::ANNOTATION_XML, tags::SCRIPT, tags::STYLE, tags::SVG];
/// What says again in TeX what the formula says.
const TEX: [&[u8]; 3] = [b"application/x-tex", b"tex", b"latex"];
/// What TeX is wrapped in that was made for pages.
const WRAPPINGS: [&str; 2] = ["{\\displaystyle", "{\\textstyle"];
/// Application of a function, and the like: no sign is drawn for them.
const INVISIBLE: std::ops::RangeInclusive<char> = '\u{2061}'..='\u{2064}';

/// The TeX of a `math` element.
#[must_use]
pub fn tex_of(math: Node<'_>) -> String {
    stated(math).unwrap_or_else(|| {
        let mut out = String::new();
        children(math).for_each(|child| write(child, &mut out));
        out
    })
}

/// The TeX of a `script` that MathJax takes it from, and what its `type` says.
#[must_use]
pub fn tex_of_script<'tree>(script: Node<'tree>) -> Option<(&'tree [u8], &'tree [u8])> {
    let media = script.attributes().map(|attribute| attribute.value());
    let media = media
        .into_iter()
        .find(|value| value.starts_with(b"math/tex"))?;
    Some((script.first_child()?.text(), media))
}

/// Whether a `math` element stands on a line of its own.
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
    let tex = tex.trim();
    let inner = WRAPPINGS.iter().find_map(|wrapping| {
        let rest = tex.strip_prefix(wrapping)?.strip_suffix('}')?;
        (!rest.starts_with(|next: char| next.is_ascii_alphabetic())).then_some(rest)
    });
    let tex = inner.unwrap_or(tex).trim();
    (!tex.is_empty()).then(|| tex.to_owned())
}

fn children(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    std::iter::successors(node.first_child(), |child| child.next())
}

fn elements(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    children(node).filter(|child| child.kind() == NodeKind::Element)
}

/// Presentation to TeX; guards bound how deep it nests.
fn write(node: Node<'_>, out: &mut String) {
    match node.kind() {
        NodeKind::Text => {
            let text = String::from_utf8_lossy(node.text());
            out.extend(text.chars().filter(|sign| !INVISIBLE.contains(sign)));
            return;
        }
        NodeKind::Else => return,
        NodeKind::Element => {}
    }
    let parts: Vec<Node<'_>> = elements(node).collect();
    match (node.unknown_name(), parts.as_slice()) {
        (b"annotation", _) => {}
        _ if LEFT_OUT.contains(&node.tag()) => {}
        (b"msup" | b"mover", [base, upper]) => {
            write(*base, out);
            shifted('^', *upper, out);
        }
        (b"msub" | b"munder", [base, lower]) => {
            write(*base, out);
            shifted('_', *lower, out);
        }
        (b"msubsup" | b"munderover", [base, lower, upper]) => {
            write(*base, out);
            shifted('_', *lower, out);
            shifted('^', *upper, out);
        }
        (b"mfrac", [above, below]) => {
            out.push_str("\\frac");
            braced(*above, out);
            braced(*below, out);
        }
        (b"mroot", [base, index]) => {
            out.push_str("\\sqrt[");
            write(*index, out);
            out.push(']');
            braced(*base, out);
        }
        (b"msqrt", _) => {
            out.push_str("\\sqrt{");
            children(node).for_each(|child| write(child, out));
            out.push('}');
        }
        (name, _) => {
            children(node).for_each(|child| write(child, out));
            out.push_str(match name {
                b"mtr" => " \\\\ ",
                b"mtd" => " & ",
                _ => "",
            });
        }
    }
}

/// Written in place: of powers nested in powers, a text of its own for each would be copied every time.
fn shifted(sign: char, node: Node<'_>, out: &mut String) {
    out.push(sign);
    let before = out.len();
    out.push('{');
    let start = out.len();
    write(node, out);
    out.truncate(start + out[start..].trim_end().len());
    let spaces = out.len() - start - out[start..].trim_start().len();
    out.drain(start..start + spaces);
    let mut signs = out[start..].chars();
    match (signs.next(), signs.next()) {
        (Some(only), None) => {
            out.truncate(before);
            out.push(only);
        }
        _ => out.push('}'),
    }
}

fn braced(node: Node<'_>, out: &mut String) {
    out.push('{');
    write(node, out);
    out.push('}');
}
