//! Elements of SVG and MathML.

use crate::attributes::value;
use crate::builder::{Builder, Open};
use crate::tag::{self, foreign_traits};
use crate::tokenizer::{Span, TagToken};
use crate::tree::{self, Kind, Node};

impl Builder<'_> {
    pub fn insert_foreign(&mut self, token: &TagToken, kind: Kind) {
        let (parent, before) = self.place(self.current());
        let mut flags = 0;
        if token.tag == tag::ANNOTATION_XML && kind == Kind::MathMl {
            let encoding =
                value(token.attributes.of(self.tree.input), b"encoding").unwrap_or_default();
            let is_html = encoding.eq_ignore_ascii_case(b"text/html")
                || encoding.eq_ignore_ascii_case(b"application/xhtml+xml");
            flags = if is_html { tree::HOLDS_HTML } else { 0 };
        }
        let id = self.add(Node {
            read: token.read,
            ..Node::new(kind, token.tag, token.attributes, flags)
        });
        self.link(id, parent, before);
        if !token.is_self_closing {
            let traits = foreign_traits(token.tag, kind == Kind::Svg);
            self.push(Open {
                id,
                tag: token.tag,
                kind,
                traits,
            });
        }
    }

    fn holds_math_text(open: &Open) -> bool {
        open.kind == Kind::MathMl
            && matches!(open.tag, tag::MI | tag::MO | tag::MN | tag::MS | tag::MTEXT)
    }

    fn holds_html(&self, open: &Open) -> bool {
        match open.kind {
            Kind::Svg => matches!(open.tag, tag::FOREIGNOBJECT | tag::DESC | tag::TITLE),
            Kind::MathMl => self.tree.node(open.id).flags & tree::HOLDS_HTML != 0,
            _ => false,
        }
    }

    /// Whether the token was one of foreign content.
    #[cold]
    pub fn start_in_foreign(&mut self, token: &TagToken) -> bool {
        let current = self.current();
        let is_glyph = matches!(token.tag, tag::MGLYPH | tag::MALIGNMARK);
        let is_html = Self::holds_math_text(&current) && !is_glyph
            || current.tag == tag::ANNOTATION_XML
                && current.kind == Kind::MathMl
                && token.tag == tag::SVG
            || self.holds_html(&current);
        if is_html {
            return false;
        }
        let attributes = token.attributes.of(self.tree.input);
        let breaks_out = BREAKS_OUT.contains(&token.tag)
            || token.tag == tag::FONT
                && [&b"color"[..], b"face", b"size"]
                    .iter()
                    .any(|name| value(attributes, name).is_some());
        if breaks_out {
            self.leave_foreign();
            return false;
        }
        self.insert_foreign(token, current.kind);
        true
    }

    fn leave_foreign(&mut self) {
        loop {
            let current = self.current();
            if !matches!(current.kind, Kind::Svg | Kind::MathMl)
                || Self::holds_math_text(&current)
                || self.holds_html(&current)
            {
                return;
            }
            self.pop();
        }
    }

    /// Whether the token was one of foreign content.
    #[cold]
    pub fn end_in_foreign(&mut self, token: &TagToken) -> bool {
        if matches!(token.tag, tag::BR | tag::P) {
            self.leave_foreign();
            return false;
        }
        for at in (1..self.open.len()).rev() {
            let open = self.open[at];
            if open.kind == Kind::Html {
                return false;
            }
            if open.tag == token.tag {
                while self.open.len() > at {
                    self.pop();
                }
                return true;
            }
            self.count(1);
        }
        true
    }

    /// Whether the token was one of foreign content.
    #[cold]
    pub fn text_in_foreign(&mut self, span: Span, flags: u8) -> bool {
        let current = self.current();
        if Self::holds_math_text(&current) || self.holds_html(&current) {
            return false;
        }
        if !span.is_empty() {
            self.insert_text(span, flags | tree::REPLACES_NUL);
            if span
                .of(self.tree.input)
                .iter()
                .any(|byte| !byte.is_ascii_whitespace() && *byte != 0)
            {
                self.frameset_ok = false;
            }
        }
        true
    }
}

static BREAKS_OUT: [tag::Tag; 44] = [
    tag::B,
    tag::BIG,
    tag::BLOCKQUOTE,
    tag::BODY,
    tag::BR,
    tag::CENTER,
    tag::CODE,
    tag::DD,
    tag::DIV,
    tag::DL,
    tag::DT,
    tag::EM,
    tag::EMBED,
    tag::H1,
    tag::H2,
    tag::H3,
    tag::H4,
    tag::H5,
    tag::H6,
    tag::HEAD,
    tag::HR,
    tag::I,
    tag::IMG,
    tag::LI,
    tag::LISTING,
    tag::MENU,
    tag::META,
    tag::NOBR,
    tag::OL,
    tag::P,
    tag::PRE,
    tag::RUBY,
    tag::S,
    tag::SMALL,
    tag::SPAN,
    tag::STRONG,
    tag::STRIKE,
    tag::SUB,
    tag::SUP,
    tag::TABLE,
    tag::TT,
    tag::U,
    tag::UL,
    tag::VAR,
];
