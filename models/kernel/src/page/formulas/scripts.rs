//! Formulas in scripts that MathJax reads: TeX, MathML, AsciiMath.

use std::borrow::Cow;

use super::{is_display, tex_of};
use crate::page::limits::Limits;
use crate::page::near::following;
use crate::page::tags;
use crate::page::tree::{Node, Options, Tree};

/// Limits of one formula in MathML.
const LIMITS: Limits = Limits {
    page_bytes: 1 << 14,
    depth: 64,
    nodes: 1 << 11,
    steps: 1 << 14,
};
/// Comments that hide TeX from readers of XML.
const OPENINGS: [&[u8]; 2] = [b"% <![CDATA[", b"<![CDATA["];
const ENDINGS: [&[u8]; 2] = [b"%]]>", b"]]>"];

/// The `type` of a script with a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Media {
    Tex { is_display: bool },
    MathMl,
    AsciiMath,
}

/// A formula of a script.
pub struct Formula<'tree> {
    pub source: Cow<'tree, [u8]>,
    pub is_tex: bool,
    pub is_display: bool,
}

/// The media type of a script with a formula.
#[must_use]
pub fn media_of(script: Node<'_>) -> Option<Media> {
    script.attributes().find_map(|each| {
        let (kind, rest) = each.value().split_at_checked(b"math/".len())?;
        if !kind.eq_ignore_ascii_case(b"math/") {
            return None;
        }
        let rest = rest.trim_ascii().to_ascii_lowercase();
        match rest.as_slice() {
            b"mml" => Some(Media::MathMl),
            b"asciimath" => Some(Media::AsciiMath),
            rest => rest.starts_with(b"tex").then_some(Media::Tex {
                is_display: rest.ends_with(b"display"),
            }),
        }
    })
}

/// The formula of a script.
#[must_use]
pub fn of(script: Node<'_>) -> Option<Formula<'_>> {
    let media = media_of(script)?;
    let text = script.first_child()?.text();
    let (source, is_display) = match media {
        Media::Tex { is_display } => (bare(text).into(), is_display),
        Media::AsciiMath => (text.trim_ascii().into(), false),
        Media::MathMl => {
            let (tex, is_display) = read(text)?;
            (tex.into_bytes().into(), is_display)
        }
    };
    Some(Formula {
        source,
        is_tex: media != Media::AsciiMath,
        is_display,
    })
}

/// TeX without comments around it.
fn bare(tex: &[u8]) -> &[u8] {
    let text = tex.trim_ascii();
    let inner = OPENINGS.iter().find_map(|opening| {
        let rest = text.strip_prefix(*opening)?;
        ENDINGS.iter().find_map(|ending| rest.strip_suffix(*ending))
    });
    inner.map_or(tex, <[u8]>::trim_ascii)
}

/// The TeX of MathML, and whether it is on a separate line.
fn read(markup: &[u8]) -> Option<(String, bool)> {
    LIMITS.check_bytes(markup.len()).ok()?;
    let options = Options {
        is_xml: false,
        is_repaired: true,
    };
    let tree = Tree::of(String::from_utf8_lossy(markup), options, &LIMITS).ok()?;
    let root = tree.root();
    let mut nodes = std::iter::successors(Some(root), |node| following(*node, root, true));
    let math = nodes.find(|node| node.tag() == tags::MATH)?;
    Some((tex_of(math), is_display(math)))
}
