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

/// Nodes of a drawing whose attributes are read.
const INSIDE: usize = 6;
/// Longest formula without TeX characters: `x`, `n+1`.
const MAX_SYMBOL: usize = 8;

/// Attributes with the formula of an element whose class names one.
const IN_EDITORS: [&[u8]; 2] = [b"data-value", b"data-content"];
/// Attributes with a formula in words.
const SPOKEN: [&[u8]; 3] = [
    b"aria-label",
    b"data-semantic-speech-none",
    b"data-semantic-speech",
];

/// A drawn formula.
pub struct Drawn<'tree> {
    pub tex: Cow<'tree, [u8]>,
    pub is_display: bool,
    /// It is in words, as for screen readers.
    pub is_spoken: bool,
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
        Some(Cow::Borrowed(attributes.tex)).filter(|_| is_drawn)
    } else if node.unknown_name() == CONTAINER {
        return of_container(node, attributes);
    } else if is_katex {
        annotation(node).map(Cow::Borrowed)
    } else {
        of_editor(node)
    };
    let tex = trimmed(tex?);
    let says_display = |word: &[u8]| memmem::find(attributes.class, word).is_some();
    let is_in_display = |node: Node<'_>| {
        let mut attributes = node.attributes();
        attributes.any(|each| each.value() == b"katex-display")
    };
    (!tex.is_empty()).then(|| Drawn {
        tex,
        is_display: says_display(b"display")
            || says_display(b"block")
            || around(node, is_in_display).is_some(),
        is_spoken: false,
    })
}

/// The formula in an attribute of an editor, which is drawn or has the signs of TeX.
fn of_editor(node: Node<'_>) -> Option<Cow<'_, [u8]>> {
    let (_, tex) = node.markup_attributes().find(|(name, _)| {
        IN_EDITORS
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known))
    })?;
    let is_drawn = holds_drawing(node) || has_signs(&tex) && short_text(node, 0).is_some();
    is_drawn.then_some(tex)
}

/// The element that MathJax draws into.
const CONTAINER: &[u8] = b"mjx-container";

/// The formula of MathJax that it does not repeat in MathML: its TeX, else its words.
fn of_container<'tree>(
    node: Node<'tree>,
    attributes: &ElementAttributes<'tree>,
) -> Option<Drawn<'tree>> {
    let is_said = |child: Node<'_>| child.unknown_name() == b"mjx-assistive-mml";
    let mut children = std::iter::successors(node.first_child(), |child| child.next());
    if children.any(is_said) {
        return None;
    }
    let inside = std::iter::successors(Some(node), |each| following(*each, node, true));
    let near: Vec<Node<'tree>> = inside.take(INSIDE).collect();
    let tex = near.iter().find_map(|each| each.value(&[Name::DataTex]));
    let spoken = || {
        let mut said = near.iter().flat_map(|each| each.markup_attributes());
        said.find(|(name, said)| SPOKEN.contains(name) && !said.trim_ascii().is_empty())
    };
    let is_spoken = tex.is_none();
    let tex = match tex {
        Some(tex) => Cow::Borrowed(tex),
        None => spoken()?.1,
    };
    Some(Drawn {
        tex: trimmed(tex),
        is_display: memmem::find(attributes.class, b"display").is_some()
            || node
                .markup_attributes()
                .any(|(name, value)| name == b"display" && &*value == b"true"),
        is_spoken,
    })
}

fn trimmed(text: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => text.trim_ascii().into(),
        Cow::Owned(text) => text.trim_ascii().to_vec().into(),
    }
}

/// Words in the classes of formula images.
const OF_IMAGES: [&[u8]; 11] = [
    b"latex",
    b"tex",
    b"math",
    b"texrender",
    b"ql-img-inline-formula",
    b"ql-img-displayed-formula",
    b"ql-img-displayed-equation",
    b"mwe-math-fallback-image-inline",
    b"mwe-math-fallback-image-display",
    b"mwe-math-fallback-png-inline",
    b"mwe-math-fallback-png-display",
];
/// Parts of the addresses of programs that draw a formula.
const DRAWERS: [&[u8]; 7] = [
    b"latex.php?latex=",
    b"latex.codecogs.com",
    b"equation?tex=",
    b"render/math?math=",
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
    let has = |part: &[u8]| memmem::find(source, part).is_some();
    let is_drawn = (has(b"tex") || has(b"math")) && DRAWERS.iter().any(|part| has(part));
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
        is_spoken: false,
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
    let names: [&[u8]; 3] = [b"latex=", b"tex=", b"math="];
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
    for _ in 0..INSIDE {
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
