//! Formulas without MathML: their TeX is in an attribute or an annotation, or in the alternative
//! text of an image.

use std::borrow::Cow;

use memchr::{memchr, memmem};

use super::{TEX, unwrapped};
use crate::page::attributes::Name;
use crate::page::class_signs::sign;
use crate::page::element_attributes::ElementAttributes;
use crate::page::near::{MAX_NODES, around, following, short_text};
use crate::page::tags::{self, Tag};
use crate::page::tree::Node;

/// Longest formula without TeX characters: `x`, `n+1`.
const MAX_SYMBOL: usize = 8;

/// A drawn formula.
pub struct Drawn<'tree> {
    pub tex: Cow<'tree, [u8]>,
    pub is_display: bool,
}

/// The formula that an element draws, if its source is given.
pub fn of<'tree>(
    node: Node<'tree>,
    tag: Tag,
    attributes: &ElementAttributes<'tree>,
) -> Option<Drawn<'tree>> {
    if tag == tags::MATH || !node.is_html() {
        return None;
    }
    let mut words = attributes.class.split(u8::is_ascii_whitespace);
    let is_katex = words.any(|word| word == b"katex");
    let tex = if !attributes.tex.is_empty() {
        let is_empty = || short_text(node, 0).is_some();
        let is_drawn = attributes.signs & sign::FORMULA != 0 || holds_drawing(node) || is_empty();
        Some(attributes.tex).filter(|_| is_drawn)
    } else if is_katex {
        annotation(node)
    } else {
        None
    };
    let tex = tex?.trim_ascii();
    let says_display = |word: &[u8]| memmem::find(attributes.class, word).is_some();
    let is_in_display = |node: Node<'_>| {
        let mut attributes = node.attributes();
        attributes.any(|each| each.value() == b"katex-display")
    };
    (!tex.is_empty()).then(|| Drawn {
        tex: tex.into(),
        is_display: says_display(b"display")
            || says_display(b"block")
            || around(node, is_in_display).is_some(),
    })
}

/// Words in the classes of formula images.
const OF_IMAGES: [&[u8]; 4] = [
    b"latex",
    b"tex",
    b"mwe-math-fallback-image-inline",
    b"mwe-math-fallback-image-display",
];
/// Parts of the addresses of programs that draw a formula.
const DRAWERS: [&[u8]; 6] = [
    b"latex.php?latex=",
    b"latex.codecogs.com",
    b"equation?tex=",
    b"mimetex.cgi",
    b"mathtex.cgi",
    b"/tex.php",
];
/// Characters that occur in TeX and not in alternative text.
const TEX_SIGNS: [u8; 5] = *b"\\_^{=";

/// The formula of an image, from its alternative text, or from the address of its drawer.
pub fn of_image<'tree>(
    node: Node<'tree>,
    attributes: &ElementAttributes<'tree>,
) -> Option<Drawn<'tree>> {
    let mut words = attributes.class.split(u8::is_ascii_whitespace);
    let is_classed = words.any(|word| OF_IMAGES.contains(&word));
    let source = node.value(&[Name::Source]).unwrap_or_default();
    let is_drawn = memmem::find(source, b"tex").is_some()
        && DRAWERS
            .iter()
            .any(|part| memmem::find(source, part).is_some());
    if !is_classed && !is_drawn {
        return None;
    }
    let said = node.value(&[Name::Alt]).unwrap_or_default();
    let tex = unwrapped(std::str::from_utf8(said).ok()?).as_bytes();
    let asked = if is_drawn && !has_signs(tex) {
        asked_of(source).filter(|tex| is_tex(tex))
    } else {
        None
    };
    let tex: Cow<'_, [u8]> = match asked {
        Some(asked) => asked.into(),
        None => Some(tex).filter(|tex| is_tex(tex))?.into(),
    };
    Some(Drawn {
        tex,
        is_display: memmem::find(attributes.class, b"display").is_some(),
    })
}

fn has_signs(text: &[u8]) -> bool {
    text.iter().any(|byte| TEX_SIGNS.contains(byte))
}

fn is_tex(text: &[u8]) -> bool {
    has_signs(text) || !text.contains(&b' ') && (1..=MAX_SYMBOL).contains(&text.len())
}

/// The formula in the address of a drawer: all of its query, or the first value.
fn asked_of(address: &[u8]) -> Option<Vec<u8>> {
    let query = &address[memchr(b'?', address)? + 1..];
    let first = query.split(|byte| *byte == b'&').next()?;
    let names: [&[u8]; 2] = [b"latex=", b"tex="];
    let value = names.iter().find_map(|name| first.strip_prefix(*name));
    let mut rest = value.unwrap_or(first);
    let mut text = Vec::with_capacity(rest.len());
    while let [byte, after @ ..] = rest {
        let digits = after.get(..2).filter(|_| *byte == b'%');
        let code = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        let code = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        text.push(code.unwrap_or(*byte));
        rest = &after[2 * usize::from(code.is_some())..];
    }
    let text = String::from_utf8(text).ok()?;
    Some(text.trim_ascii().as_bytes().to_vec())
}

/// Whether KaTeX or MathJax drew into an element.
fn holds_drawing(node: Node<'_>) -> bool {
    let mut next = Some(node);
    for _ in 0..6 {
        let Some(found) = next else { return false };
        let mut attributes = found.attributes();
        if attributes.any(|each| {
            let value = each.value();
            value.starts_with(b"katex")
                || value.starts_with(b"MathJax")
                || value.starts_with(b"MJX")
        }) {
            return true;
        }
        next = following(found, node, true);
    }
    false
}

/// The TeX of an annotation without `math` around it; inside `math` it is not needed.
fn annotation(node: Node<'_>) -> Option<&[u8]> {
    let mut next = following(node, node, true);
    for _ in 0..4 * MAX_NODES {
        let found = next?;
        if found.tag() == tags::MATH {
            return None;
        }
        let mut attributes = found.attributes();
        if found.unknown_name() == b"annotation"
            && attributes.any(|each| TEX.contains(&each.value()))
        {
            return Some(found.first_child()?.text());
        }
        next = following(found, node, true);
    }
    None
}
