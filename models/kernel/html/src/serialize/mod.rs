//! A tree as text, in the form of html5lib-tests.

mod adjusted;

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::attributes::decoded;
use crate::tree::{Id, Kind, Tree};

/// Write a tree in the form of html5lib-tests: one line per node, indented by its depth. Texts that
/// follow each other are one text.
///
/// ```
/// use winnow_html::{Limits, parse, serialize};
///
/// let tree = parse("<title>A &lt; B</title>", &Limits::default())?;
///
/// assert_eq!(
///     serialize(&tree),
///     "| <html>\n|   <head>\n|     <title>\n|       \"A < B\"\n|   <body>\n"
/// );
/// # Ok::<(), winnow_html::Refusal>(())
/// ```
#[must_use]
pub fn serialize(tree: &Tree<'_>) -> String {
    let mut writer = Writer {
        tree,
        depth: 0,
        text: String::new(),
        out: String::new(),
    };
    let mut id = tree.node(0).first_child;
    while id != 0 {
        writer.node(id);
        let mut node = tree.node(id);
        if node.first_child != 0 {
            writer.depth += 1;
            id = node.first_child;
            continue;
        }
        while node.next == 0 && node.parent != 0 {
            writer.end_text();
            writer.depth -= 1;
            node = tree.node(node.parent);
        }
        id = node.next;
    }
    writer.end_text();
    writer.out
}

struct Writer<'t, 'i> {
    tree: &'t Tree<'i>,
    depth: usize,
    /// The text of the nodes since the last node that is not a text.
    text: String,
    out: String,
}

impl Writer<'_, '_> {
    fn node(&mut self, id: Id) {
        let tree = self.tree;
        let kind = tree.node(id).kind;
        if kind == Kind::Text {
            self.text += &tree.text(id);
            return;
        }
        self.end_text();
        match kind {
            Kind::Comment => self.line(&["<!-- ", &tree.comment(id), " -->"]),
            Kind::Doctype => self.doctype(id),
            Kind::Content => self.line(&["content"]),
            _ => self.element(id, kind),
        }
    }

    fn line(&mut self, pieces: &[&str]) {
        self.out.push_str("| ");
        for _ in 0..self.depth {
            self.out.push_str("  ");
        }
        self.out.extend(pieces.iter().copied());
        self.out.push('\n');
    }

    fn end_text(&mut self) {
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            self.line(&["\"", &text, "\""]);
        }
    }

    fn doctype(&mut self, id: Id) {
        let found = self.tree.doctype(id);
        let name = spelled(found.name).to_ascii_lowercase();
        if found.public.is_none() && found.system.is_none() {
            return self.line(&["<!DOCTYPE ", &name, ">"]);
        }
        let public = spelled(found.public.unwrap_or_default());
        let system = spelled(found.system.unwrap_or_default());
        self.line(&["<!DOCTYPE ", &name, " \"", &public, "\" \"", &system, "\">"]);
    }

    fn element(&mut self, id: Id, kind: Kind) {
        let name = self.tree.name(id);
        match kind {
            Kind::Svg => self.line(&["<svg ", adjusted::svg_element(&name), ">"]),
            Kind::MathMl => self.line(&["<math ", &name, ">"]),
            _ => self.line(&["<", &name, ">"]),
        }
        let mut found = BTreeMap::new();
        for (name, value) in self.tree.attributes(id) {
            let name = spelled(name).to_ascii_lowercase();
            let name = adjusted::attribute(name, kind);
            found.entry(name).or_insert_with(|| decoded(value));
        }
        for (name, value) in found {
            self.line(&["  ", &name, "=\"", &value, "\""]);
        }
    }
}

fn spelled(bytes: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(bytes);
    if bytes.contains(&0) {
        return Cow::Owned(text.replace('\0', "\u{FFFD}"));
    }
    text
}
