//! Presentation MathML to TeX, element by element, with its tables and fences; guards limit its
//! nesting.

use super::signs::{self, arrow, command, over, primes, under};
use super::{children, elements};
use crate::page::attributes::Name;
use crate::page::tags;
use crate::page::tree::{Node, NodeKind};

/// Kinds of letters that are commands in TeX.
const VARIANTS: [(&[u8], &str); 9] = [
    (b"bold", "\\mathbf"),
    (b"bold-italic", "\\boldsymbol"),
    (b"double-struck", "\\mathbb"),
    (b"script", "\\mathcal"),
    (b"fraktur", "\\mathfrak"),
    (b"sans-serif", "\\mathsf"),
    (b"monospace", "\\mathtt"),
    (b"normal", "\\mathrm"),
    (b"bold-script", "\\mathcal"),
];
/// Relations that begin the second cells of aligned equations.
const RELATIONS: [&str; 12] = ["=", "<", ">", "≤", "≥", "≈", "≡", "≠", "→", "∼", "⇒", "⇔"];
/// Longest text of a token that is looked up.
const MAX_TOKEN: usize = 16;

/// The name of an element of a formula.
fn name(node: Node<'_>) -> &[u8] {
    match node.tag() {
        tags::UNKNOWN => node.unknown_name(),
        tag => tags::NAMES[tag as usize].as_bytes(),
    }
}

fn attribute(node: Node<'_>, name: Name) -> Option<&[u8]> {
    node.value(&[name]).map(<[u8]>::trim_ascii)
}

/// The text of an element with one short text.
fn token(node: Node<'_>) -> String {
    let mut text = node;
    // rows and styles with one child are replaced by it
    for _ in 0..4 {
        let mut inside = elements(text);
        match (inside.next(), inside.next()) {
            (Some(only), None) => text = only,
            (None, _) => break,
            _ => return String::new(),
        }
    }
    let text = text.first_child().map_or(&[][..], Node::text);
    let text = text.get(..=MAX_TOKEN).unwrap_or(text);
    String::from_utf8_lossy(text).trim().to_owned()
}

/// Write the content of a row.
pub fn row(node: Node<'_>, out: &mut String) {
    let mut next = node.first_child();
    while let Some(child) = next {
        let after = fenced(child, out).or_else(|| binomial(child, out));
        if after.is_none() {
            write(child, out);
        }
        next = after.unwrap_or(child).next();
    }
}

/// Write a fraction without a line between round brackets; returns the second bracket.
fn binomial<'tree>(open: Node<'tree>, out: &mut String) -> Option<Node<'tree>> {
    let is_sign = |node: Node<'_>, sign: &str| name(node) == b"mo" && token(node) == sign;
    if !is_sign(open, "(") {
        return None;
    }
    let fraction = next_element(open).filter(|node| is_thin(*node))?;
    let close = next_element(fraction).filter(|node| is_sign(*node, ")"))?;
    two("\\binom", fraction, out);
    Some(close)
}

fn next_element(node: Node<'_>) -> Option<Node<'_>> {
    std::iter::successors(node.next(), |node| node.next())
        .take(4)
        .find(|node| node.kind() == NodeKind::Element)
}

/// Whether a fraction, alone in a row or not, has no line.
fn is_thin(node: Node<'_>) -> bool {
    let fraction = match name(node) {
        b"mrow" | b"mstyle" => elements(node)
            .next()
            .filter(|_| elements(node).count() == 1),
        _ => Some(node),
    };
    fraction.is_some_and(|fraction| {
        let line = attribute(fraction, Name::LineThickness).unwrap_or_default();
        name(fraction) == b"mfrac" && line.starts_with(b"0") && !line.starts_with(b"0.")
    })
}

/// Write a command of the two parts of a fraction.
fn two(command: &str, fraction: Node<'_>, out: &mut String) {
    let inner = match name(fraction) {
        b"mfrac" => fraction,
        _ => elements(fraction).next().unwrap_or(fraction),
    };
    out.push_str(command);
    elements(inner).take(2).for_each(|part| braced(part, out));
}

/// Write an element.
pub fn write(node: Node<'_>, out: &mut String) {
    match node.kind() {
        NodeKind::Text => return signs::write(&String::from_utf8_lossy(node.text()), out),
        NodeKind::Else => return,
        NodeKind::Element => {}
    }
    let is_silent = matches!(
        node.tag(),
        tags::ANNOTATION_XML | tags::SCRIPT | tags::STYLE | tags::SVG
    );
    if is_silent {
        return;
    }
    match name(node) {
        b"annotation" | b"mphantom" | b"none" | b"mprescripts" => {}
        b"mi" | b"mo" | b"mn" => sign(node, out),
        b"mtext" | b"ms" => signs::words(&text_of(node), out),
        b"mspace" => out.push(' '),
        b"semantics" | b"maction" => {
            if let Some(first) = elements(node).next() {
                write(first, out);
            }
        }
        b"msqrt" => wrapped("\\sqrt", node, out),
        b"menclose" => enclosed(node, out),
        b"mtable" => table(node, out),
        b"mfenced" => fences(node, out),
        _ => parts(node, out),
    }
}

/// Write an element whose children have a meaning by position.
fn parts(node: Node<'_>, out: &mut String) {
    let parts: Vec<Node<'_>> = elements(node).take(64).collect();
    match (name(node), parts.as_slice()) {
        (b"msup", [base, upper]) => {
            scripted(*base, out);
            exponent(*upper, out);
        }
        (b"msub", [base, lower]) => {
            scripted(*base, out);
            shifted('_', *lower, out);
        }
        (b"msubsup", [base, lower, upper]) => {
            scripted(*base, out);
            shifted('_', *lower, out);
            exponent(*upper, out);
        }
        (b"mover", [base, upper]) => stacked(*base, None, Some(*upper), out),
        (b"munder", [base, lower]) => stacked(*base, Some(*lower), None, out),
        (b"munderover", [base, lower, upper]) => stacked(*base, Some(*lower), Some(*upper), out),
        (b"mfrac", [above, below]) => fraction(node, *above, *below, out),
        (b"mroot", [base, index]) => {
            out.push_str("\\sqrt[");
            write(*index, out);
            out.push(']');
            braced(*base, out);
        }
        (b"mmultiscripts", [base, scripts @ ..]) => multiscripts(*base, scripts, out),
        _ => row(node, out),
    }
}

fn text_of(node: Node<'_>) -> String {
    let texts = children(node).filter(|child| child.kind() == NodeKind::Text);
    texts
        .map(|text| String::from_utf8_lossy(text.text()).into_owned())
        .collect()
}

/// A name, number or operator.
fn sign(node: Node<'_>, out: &mut String) {
    let text = text_of(node);
    let text = text.trim();
    if let Some((command, _)) = command(text) {
        out.push_str(command);
        return;
    }
    let letters = text.chars().filter(|sign| sign.is_alphabetic()).count();
    let is_word = name(node) == b"mi" && letters > 1 && letters == text.chars().count();
    let variant = attribute(node, Name::MathVariant).and_then(|variant| {
        let found = VARIANTS.iter().find(|(name, _)| *name == variant);
        found.map(|(_, command)| *command)
    });
    let is_plain = variant == Some("\\mathrm") && !(letters > 0 && text.is_ascii());
    match variant
        .filter(|_| !is_plain)
        .or_else(|| is_word.then_some("\\mathrm"))
    {
        Some(command) => {
            out.push_str(command);
            out.push('{');
            signs::write(text, out);
            out.push('}');
        }
        None if text.is_empty() => children(node).for_each(|child| write(child, out)),
        None => signs::write(text, out),
    }
}

fn fraction(node: Node<'_>, above: Node<'_>, below: Node<'_>, out: &mut String) {
    if is_thin(node) {
        out.push('{');
        write(above, out);
        out.push_str(" \\atop ");
        write(below, out);
        out.push('}');
    } else if attribute(node, Name::Bevelled) == Some(b"true") {
        braced(above, out);
        out.push('/');
        braced(below, out);
    } else {
        two("\\frac", node, out);
    }
}

/// Write the base of scripts: in braces if it is more than one thing, or has scripts itself.
fn scripted(base: Node<'_>, out: &mut String) {
    let has_scripts = matches!(
        name(base),
        b"msup" | b"msub" | b"msubsup" | b"mmultiscripts" | b"munderover"
    );
    let is_closed = |last: Node<'_>| {
        name(last) == b"mo" && matches!(token(last).as_str(), ")" | "]" | "}" | "|" | "⟩")
    };
    let is_row = matches!(name(base), b"mrow" | b"mstyle" | b"mpadded")
        && elements(base).count() > 1
        && !elements(base).last().is_some_and(is_closed);
    if has_scripts || is_row {
        braced(base, out);
    } else {
        write(base, out);
    }
}

fn exponent(upper: Node<'_>, out: &mut String) {
    match primes(&token(upper)) {
        Some(primes) => out.push_str(&primes),
        None => shifted('^', upper, out),
    }
}

/// Write parts under and over a base: limits, accents, braces, arrows or plain text.
fn stacked(base: Node<'_>, lower: Option<Node<'_>>, upper: Option<Node<'_>>, out: &mut String) {
    let own = token(base);
    let has_limits = command(&own).is_some() || has_brace(base);
    let is_one = own.chars().count() == 1;
    let over = upper.and_then(|upper| over(&token(upper), is_one));
    let under = lower.and_then(|lower| under(&token(lower)));
    let arrow = arrow(&own).filter(|_| name(base) == b"mo");
    match (lower, upper) {
        _ if has_limits => {
            write(base, out);
            lower.into_iter().for_each(|lower| shifted('_', lower, out));
            upper.into_iter().for_each(|upper| shifted('^', upper, out));
        }
        _ if arrow.is_some() => {
            out.push_str(arrow.unwrap_or_default());
            if let Some(lower) = lower {
                out.push('[');
                write(lower, out);
                out.push(']');
            }
            out.push('{');
            upper.into_iter().for_each(|upper| write(upper, out));
            out.push('}');
        }
        (None, Some(_)) if over.is_some() => around(over, base, out),
        (Some(_), None) if under.is_some() => around(under, base, out),
        _ => set(base, lower, upper, out),
    }
}

fn around(command: Option<&str>, base: Node<'_>, out: &mut String) {
    out.push_str(command.unwrap_or_default());
    braced(base, out);
}

/// Write a base with something under or over it that is not a limit.
fn set(base: Node<'_>, lower: Option<Node<'_>>, upper: Option<Node<'_>>, out: &mut String) {
    if let Some(lower) = lower {
        out.push_str("\\underset");
        braced(lower, out);
        out.push('{');
    }
    if let Some(upper) = upper {
        out.push_str("\\overset");
        braced(upper, out);
        braced(base, out);
    } else {
        write(base, out);
    }
    if lower.is_some() {
        out.push('}');
    }
}

/// Whether a base has a brace above or below, so that the script is its label.
fn has_brace(base: Node<'_>) -> bool {
    let base = match name(base) {
        b"mrow" | b"mstyle" => elements(base)
            .next()
            .filter(|_| elements(base).count() == 1),
        _ => Some(base),
    };
    base.is_some_and(|base| {
        let mark = elements(base).nth(1).map(token).unwrap_or_default();
        matches!(name(base), b"mover" | b"munder")
            && matches!(mark.as_str(), "⏞" | "︷" | "⏟" | "︸")
    })
}

fn multiscripts(base: Node<'_>, scripts: &[Node<'_>], out: &mut String) {
    let mut halves = scripts.split(|script| name(*script) == b"mprescripts");
    let (after, before) = (
        halves.next().unwrap_or_default(),
        halves.next().unwrap_or_default(),
    );
    let pairs = |scripts: &[Node<'_>], out: &mut String| {
        for pair in scripts.chunks(2) {
            for (script, sign) in pair.iter().zip(['_', '^']) {
                if name(*script) != b"none" && name(*script) != b"mrow"
                    || elements(*script).next().is_some()
                {
                    shifted(sign, *script, out);
                }
            }
        }
    };
    if !before.is_empty() {
        out.push_str("{}");
        pairs(before, out);
    }
    scripted(base, out);
    pairs(after, out);
}

fn enclosed(node: Node<'_>, out: &mut String) {
    let notation = attribute(node, Name::Notation).unwrap_or_default();
    let mut words = notation.split(u8::is_ascii_whitespace);
    let command = words.find_map(|word| match word {
        b"box" | b"roundedbox" => Some("\\boxed"),
        b"updiagonalstrike" | b"downdiagonalstrike" => Some("\\cancel"),
        b"radical" => Some("\\sqrt"),
        b"top" => Some("\\overline"),
        b"bottom" => Some("\\underline"),
        _ => None,
    });
    match command {
        Some(command) => wrapped(command, node, out),
        None => row(node, out),
    }
}

fn wrapped(command: &str, node: Node<'_>, out: &mut String) {
    out.push_str(command);
    out.push('{');
    row(node, out);
    out.push('}');
}

/// Written in place: separate texts for nested powers would be copied at every level.
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

pub fn braced(node: Node<'_>, out: &mut String) {
    out.push('{');
    write(node, out);
    out.push('}');
}

/// Write a table between fences in a row; returns its last node.
fn fenced<'tree>(open: Node<'tree>, out: &mut String) -> Option<Node<'tree>> {
    if name(open) != b"mo" {
        return None;
    }
    let opening = token(open);
    if !matches!(opening.as_str(), "(" | "[" | "{" | "|" | "‖") {
        return None;
    }
    let table = next_element(open).filter(|node| name(*node) == b"mtable")?;
    let close = next_element(table).filter(|node| name(*node) == b"mo");
    let closing = close.map(token).unwrap_or_default();
    let environment = environment(&opening, &closing)?;
    cells(table, environment, out);
    Some(close.filter(|_| is_closing(&closing)).unwrap_or(table))
}

fn is_closing(sign: &str) -> bool {
    matches!(sign, "" | ")" | "]" | "}" | "|" | "‖")
}

fn environment(opening: &str, closing: &str) -> Option<&'static str> {
    match (opening, closing) {
        ("(", ")") => Some("pmatrix"),
        ("[", "]") => Some("bmatrix"),
        ("{", "}") => Some("Bmatrix"),
        ("|", "|") => Some("vmatrix"),
        ("‖", "‖") => Some("Vmatrix"),
        ("{", closing) if closing.is_empty() || !is_closing(closing) => Some("cases"),
        _ => None,
    }
}

/// Write a table without fences.
fn table(table: Node<'_>, out: &mut String) {
    let first = elements(table).find(|row| !is_labelled(*row));
    let columns = first.map_or(0, |row| elements(row).count());
    let alignment = attribute(table, Name::ColumnAlign).unwrap_or_default();
    let starts_with_relation = |cell: Node<'_>| {
        let sign = elements(cell).find_map(|part| {
            let inside = elements(part).next().unwrap_or(part);
            let sign = [token(part), token(inside)]
                .into_iter()
                .find(|sign| !sign.is_empty());
            sign.filter(|_| name(part) != b"mspace")
        });
        sign.is_some_and(|sign| RELATIONS.contains(&sign.as_str()))
    };
    let mut later = first
        .into_iter()
        .flat_map(|row| elements(row).skip(1).take(4));
    let is_aligned = alignment.starts_with(b"right left") || later.any(starts_with_relation);
    cells(
        table,
        match columns {
            _ if is_aligned => "aligned",
            0 | 1 => "gathered",
            _ => "matrix",
        },
        out,
    );
}

fn is_labelled(row: Node<'_>) -> bool {
    name(row) == b"mlabeledtr"
}

fn cells(table: Node<'_>, environment: &str, out: &mut String) {
    out.extend(["\\begin{", environment, "}"]);
    for (number, line) in elements(table).enumerate() {
        if number > 0 {
            out.push_str(" \\\\ ");
        }
        let label = elements(line).next().filter(|_| is_labelled(line));
        for (number, cell) in elements(line)
            .skip(usize::from(label.is_some()))
            .enumerate()
        {
            if number > 0 {
                out.push_str(" & ");
            }
            row(cell, out);
        }
        if let Some(label) = label {
            out.push_str(" \\quad ");
            row(label, out);
        }
    }
    out.extend(["\\end{", environment, "}"]);
}

/// Write `mfenced`: its children between fences, with separators between them.
fn fences(node: Node<'_>, out: &mut String) {
    let said = |name: Name, otherwise: &str| {
        let said = attribute(node, name).map(String::from_utf8_lossy);
        said.map_or_else(|| otherwise.to_owned(), std::borrow::Cow::into_owned)
    };
    let (open, close) = (said(Name::Open, "("), said(Name::Close, ")"));
    let parts: Vec<Node<'_>> = elements(node).collect();
    if let [only] = parts.as_slice() {
        if let (b"mtable", Some(environment)) = (name(*only), environment(&open, &close)) {
            return cells(*only, environment, out);
        }
        if is_thin(*only) && open == "(" && close == ")" {
            return two("\\binom", *only, out);
        }
    }
    let separators = said(Name::Separators, ",");
    let mut separators = separators.chars().filter(|sign| !sign.is_whitespace());
    let mut separator = None;
    signs::write(&open, out);
    for (number, part) in parts.iter().enumerate() {
        if number > 0 {
            separator = separators.next().or(separator);
            out.extend(separator);
        }
        write(*part, out);
    }
    signs::write(&close, out);
}
