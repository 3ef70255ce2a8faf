//! Names of SVG and MathML in their own letter case (*adjust SVG attributes*, *adjust foreign
//! attributes* and the table of element names in 13.2.6.5). The tree keeps the page's spelling.

use crate::tree::Kind;

/// The name of an SVG element whose name in lower case is `name`.
pub(super) fn svg_element(name: &str) -> &str {
    let mut names = SVG_ELEMENTS.iter();
    let adjusted = names.find(|adjusted| adjusted.eq_ignore_ascii_case(name));
    adjusted.copied().unwrap_or(name)
}

/// The name of an attribute of an element of this kind, preceded by its namespace.
pub(super) fn attribute(name: String, kind: Kind) -> String {
    if kind == Kind::Html {
        return name;
    }
    if let Some(adjusted) = foreign(&name) {
        return adjusted;
    }
    let adjusted = match kind {
        Kind::MathMl => (name == "definitionurl").then_some("definitionURL"),
        _ => {
            let mut names = SVG_ATTRIBUTES.iter();
            names
                .find(|adjusted| adjusted.eq_ignore_ascii_case(&name))
                .copied()
        }
    };
    adjusted.map_or(name, ToOwned::to_owned)
}

fn foreign(name: &str) -> Option<String> {
    if name == "xmlns" {
        return Some("xmlns xmlns".to_owned());
    }
    let (prefix, rest) = name.split_once(':')?;
    let is_known = match prefix {
        "xlink" => XLINK.contains(&rest),
        "xml" => matches!(rest, "lang" | "space"),
        "xmlns" => rest == "xlink",
        _ => false,
    };
    is_known.then(|| format!("{prefix} {rest}"))
}

static XLINK: [&str; 7] = [
    "actuate", "arcrole", "href", "role", "show", "title", "type",
];

static SVG_ELEMENTS: [&str; 37] = [
    "altGlyph",
    "altGlyphDef",
    "altGlyphItem",
    "animateColor",
    "animateMotion",
    "animateTransform",
    "clipPath",
    "feBlend",
    "feColorMatrix",
    "feComponentTransfer",
    "feComposite",
    "feConvolveMatrix",
    "feDiffuseLighting",
    "feDisplacementMap",
    "feDistantLight",
    "feDropShadow",
    "feFlood",
    "feFuncA",
    "feFuncB",
    "feFuncG",
    "feFuncR",
    "feGaussianBlur",
    "feImage",
    "feMerge",
    "feMergeNode",
    "feMorphology",
    "feOffset",
    "fePointLight",
    "feSpecularLighting",
    "feSpotLight",
    "feTile",
    "feTurbulence",
    "foreignObject",
    "glyphRef",
    "linearGradient",
    "radialGradient",
    "textPath",
];

static SVG_ATTRIBUTES: [&str; 58] = [
    "attributeName",
    "attributeType",
    "baseFrequency",
    "baseProfile",
    "calcMode",
    "clipPathUnits",
    "diffuseConstant",
    "edgeMode",
    "filterUnits",
    "glyphRef",
    "gradientTransform",
    "gradientUnits",
    "kernelMatrix",
    "kernelUnitLength",
    "keyPoints",
    "keySplines",
    "keyTimes",
    "lengthAdjust",
    "limitingConeAngle",
    "markerHeight",
    "markerUnits",
    "markerWidth",
    "maskContentUnits",
    "maskUnits",
    "numOctaves",
    "pathLength",
    "patternContentUnits",
    "patternTransform",
    "patternUnits",
    "pointsAtX",
    "pointsAtY",
    "pointsAtZ",
    "preserveAlpha",
    "preserveAspectRatio",
    "primitiveUnits",
    "refX",
    "refY",
    "repeatCount",
    "repeatDur",
    "requiredExtensions",
    "requiredFeatures",
    "specularConstant",
    "specularExponent",
    "spreadMethod",
    "startOffset",
    "stdDeviation",
    "stitchTiles",
    "surfaceScale",
    "systemLanguage",
    "tableValues",
    "targetX",
    "targetY",
    "textLength",
    "viewBox",
    "viewTarget",
    "xChannelSelector",
    "yChannelSelector",
    "zoomAndPan",
];
