//! A tree as rows, for tests that compare it with trees of other parsers.

use winnow_html::{Kind, tag};

use super::Tree;
use super::decoded::Id;

/// An element, a text or a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The number of elements around it.
    pub depth: u32,
    /// The name of an element, else `-text` or `-comment`.
    pub name: String,
    /// The content of a text or a comment; empty for elements.
    pub text: String,
}

impl Tree<'_> {
    /// All rows in document order, without the content of a `template`.
    #[must_use]
    pub fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        let (mut id, mut depth) = (0, 0u32);
        loop {
            let first = self.nodes[id as usize].first_child;
            if first != 0 && self.nodes[first as usize].kind != Kind::Content {
                depth += u32::from(id != 0);
                id = first;
            } else {
                while self.nodes[id as usize].next == 0 {
                    id = self.nodes[id as usize].parent;
                    if id == 0 {
                        return rows;
                    }
                    depth -= 1;
                }
                id = self.nodes[id as usize].next;
            }
            rows.extend(self.row(id, depth));
        }
    }

    fn row(&self, id: Id, depth: u32) -> Option<Row> {
        let node = &self.nodes[id as usize];
        let said = || String::from_utf8_lossy(self.bytes(node.span)).into_owned();
        let (name, text) = match node.kind {
            Kind::Text => ("-text".to_owned(), said()),
            Kind::Comment => ("-comment".to_owned(), said().replace('\0', "\u{FFFD}")),
            Kind::Html | Kind::Svg | Kind::MathMl => (self.name(node.tag), String::new()),
            Kind::Document | Kind::Content | Kind::Doctype => return None,
        };
        Some(Row { depth, name, text })
    }

    pub(super) fn name(&self, tag: tag::Tag) -> String {
        match tag::NAMES.get(tag as usize) {
            Some(name) => (*name).to_owned(),
            None => {
                let own = self.own_names.get(tag as usize - tag::COUNT);
                let name = own.map(|name| String::from_utf8_lossy(name).replace('\0', "\u{FFFD}"));
                name.unwrap_or_default()
            }
        }
    }
}
