//! Tables and fences of MathML: matrices, cases, aligned equations.

use super::elements;
use super::presentation::{
    attribute, is_thin, name, next_element, row, token, two, write as write_part,
};
use super::signs;
use crate::page::attributes::Name;
use crate::page::tree::Node;

/// Relations that aligned equations have in front of their second cells.
const RELATIONS: [&str; 12] = ["=", "<", ">", "≤", "≥", "≈", "≡", "≠", "→", "∼", "⇒", "⇔"];

/// Write a table that stands between signs of fences in a row; returns the last node of it.
pub fn fenced<'tree>(open: Node<'tree>, out: &mut String) -> Option<Node<'tree>> {
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
pub fn write(table: Node<'_>, out: &mut String) {
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

/// Write `mfenced`: its parts between fences, with separators between them.
pub fn fences(node: Node<'_>, out: &mut String) {
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
        write_part(*part, out);
    }
    signs::write(&close, out);
}
