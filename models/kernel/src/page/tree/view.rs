//! A tree as markup for viewing: it runs, loads and navigates to nothing.

use winnow_html::tree::RAW;
use winnow_html::{Kind, attributes};

use super::decoded::Id;
use super::{Node, Tree};
use crate::page::attributes::Name;
use crate::page::tags::{self, Tag};

/// Elements that could load, run or navigate. A `meta` can with `http-equiv`.
const LEFT_OUT: [Tag; 9] = [
    tags::SCRIPT,
    tags::IFRAME,
    tags::FRAME,
    tags::OBJECT,
    tags::EMBED,
    tags::APPLET,
    tags::LINK,
    tags::BASE,
    tags::TEMPLATE,
];
/// Void elements, which have no end tag.
const VOID: [Tag; 15] = [
    tags::AREA,
    tags::BASE,
    tags::BASEFONT,
    tags::BGSOUND,
    tags::BR,
    tags::COL,
    tags::EMBED,
    tags::FRAME,
    tags::HR,
    tags::IMG,
    tags::INPUT,
    tags::LINK,
    tags::META,
    tags::SOURCE,
    tags::WBR,
];

impl Tree<'_> {
    /// The elements and texts of a page without those that could load, run or navigate.
    #[must_use]
    pub fn view(&self) -> String {
        let mut out = String::with_capacity(self.markup().len());
        if self.is_standard {
            out.push_str("<!DOCTYPE html>");
        }
        let root = self.root();
        let mut node = root;
        loop {
            if self.open(node, &mut out) {
                if let Some(child) = node.first_child() {
                    node = child;
                    continue;
                }
                self.close(node, &mut out);
            }
            loop {
                if node == root {
                    return out;
                }
                if let Some(next) = node.next() {
                    node = next;
                    break;
                }
                let Some(parent) = node.parent() else {
                    return out;
                };
                self.close(parent, &mut out);
                node = parent;
            }
        }
    }

    /// Writes a start tag or a text; returns whether an end tag follows.
    fn open(&self, node: Node<'_>, out: &mut String) -> bool {
        let row = &self.nodes[node.id() as usize];
        match row.kind {
            Kind::Text => {
                let text = String::from_utf8_lossy(node.text());
                if row.flags & RAW != 0 {
                    out.push_str(&text);
                } else {
                    escape(&text, out);
                }
                false
            }
            Kind::Html | Kind::Svg | Kind::MathMl if !is_left_out(node) => {
                out.push('<');
                out.push_str(&self.name(row.tag));
                self.write_attributes(node.id(), out);
                out.push('>');
                !(node.is_html() && VOID.contains(&node.tag()))
            }
            _ => false,
        }
    }

    /// In their original spelling: references are not decoded.
    fn write_attributes(&self, id: Id, out: &mut String) {
        let markup = self.bytes(self.nodes[id as usize].span);
        for (name, value) in attributes::attributes(markup) {
            // a browser would read the rest as markup
            if name.iter().any(|byte| matches!(byte, b'"' | b'\'' | b'<')) {
                continue;
            }
            out.push(' ');
            out.push_str(&String::from_utf8_lossy(name));
            if !value.is_empty() {
                out.push_str("=\"");
                out.push_str(&String::from_utf8_lossy(value).replace('"', "&quot;"));
                out.push('"');
            }
        }
    }

    fn close(&self, node: Node<'_>, out: &mut String) {
        out.push_str("</");
        out.push_str(&self.name(self.nodes[node.id() as usize].tag));
        out.push('>');
    }
}

fn is_left_out(node: Node<'_>) -> bool {
    let tag = node.tag();
    LEFT_OUT.contains(&tag)
        || node.unknown_name() == b"portal"
        || tag == tags::META && node.value(&[Name::HttpEquiv]).is_some()
}

fn escape(text: &str, out: &mut String) {
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\u{a0}' => out.push_str("&nbsp;"),
            _ => out.push(letter),
        }
    }
}
